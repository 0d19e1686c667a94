#!/usr/bin/env python3
# bench/macro/run.py — whole runs beside textbook EASY and beside no policy at all, in one sitting: jobs a second, ratios.
"""  bench/macro/run.py BINARY [CASE …]        the named cases (default: gpu-10k deep-10k)
  bench/macro/run.py BINARY --growth       jobs, nodes, queue depth and accounts, each times ten
  bench/macro/run.py BINARY --alone million   1,000,000 jobs on 1,000 nodes (ten-million: 10,000,000 on 10,000), nothing beside it

Each line is one run of each side on one core; the fingerprint tells whether two builds decide alike.
Times are the CPU time of the process, start and reading included, writing the result file too. `queue` is the mean
number of pending jobs; `EASY` is textbook backfill (easy.py); `FCFS` is our own engine on the same jobs without a
policy: first come, first served, no backfill, priorities, fair share or limits; `cost` is the full run's time over
its; `x first` is the CPU time of a job over that of the first line: 1 where growth costs nothing. MiB is the largest
resident set of the full run.
"""
import argparse
import os
import pathlib
import re
import subprocess
import tempfile
import time

import easy
import workload

CASES = {
    "tiny": workload.Case(200, nodes=4),
    "gpu-10k": workload.Case(10_000),
    "deep-10k": workload.Case(10_000, load=1.30),
    "gpu-100k": workload.Case(100_000),
    "sockets-10k": workload.Case(10_000, sockets=2),
    "by-job-10k": workload.Case(10_000, sockets=2, by_job=True),
    "wide-10k": workload.Case(10_000, nodes=1_000),
    "wide-100k": workload.Case(100_000, nodes=1_000),
    "huge-50k": workload.Case(50_000, nodes=10_000),
    "million": workload.Case(1_000_000, nodes=1_000),
    "ten-million": workload.Case(10_000_000, nodes=10_000),
}
# The same events without a policy: what is left is the engine, the selection of nodes and the record.
NO_POLICY = ["site.yaml:policy.order=first_come", "site.yaml:policy.backfill=none", "AccountingStorageEnforce=none"]
GROWTH = {
    "base": workload.Case(2_000, nodes=32),
    "jobs x 10": workload.Case(20_000, nodes=32),
    "nodes x 10": workload.Case(2_000, nodes=320),
    "depth (load 2)": workload.Case(2_000, nodes=32, load=2.0),
    "accounts x 10": workload.Case(2_000, nodes=32, accounts=80),
}


def run_ours(binary, site, out, changes=()):
    """CPU seconds, peak memory [MiB], the schedule's fingerprint and the mean queue of one simulation."""
    words = [binary, "run", site, "-o", out] + [word for change in changes for word in ("--set", change)]
    with tempfile.TemporaryFile("w+") as said:
        child = subprocess.Popen(words, stdout=said, stderr=said)
        _, status, used = os.wait4(child.pid, 0)
        said.seek(0)
        text = said.read()
    if status != 0:
        raise SystemExit(f"{binary} run {site} failed:\n{text}")
    fingerprint = re.search(r"schedule fingerprint +(\w+)", text)[1]
    return used.ru_utime + used.ru_stime, used.ru_maxrss / 1024, fingerprint, mean_queue(text)


def mean_queue(summary):
    """Pending jobs over the simulated span: their job-hours by its hours."""
    span = re.search(r"simulated .* \(([\d.]+)(min|h|d)\)", summary)
    reasons = summary.partition("WHY JOBS WAITED")[2].partition("\n\n")[0].splitlines()[1:]
    waited = sum(float(line.split()[1]) for line in reasons)
    never = re.search(r"they pended for ([\d.]+) job-hours", summary)  # jobs that never start stand apart
    waited += float(never[1]) if never else 0
    return waited / (float(span[1]) * {"min": 1 / 60, "h": 1, "d": 24}[span[2]]) if span else float("nan")


def beside(case, jobs, binary, site, out):
    """CPU seconds of textbook EASY, and of our own engine without a policy."""
    begin = time.process_time()
    easy.Easy(case.nodes * 8).run(jobs)
    return time.process_time() - begin, run_ours(binary, site, out, NO_POLICY)[0]


def measure(name, case, binary, folder, first, alone):
    """Prints a line. Returns the CPU time of a job, over which lines are held against `first`."""
    jobs = workload.jobs_of(case)
    site, out = folder / "site", folder / "out.h5"
    workload.write_site(case, jobs, site)
    ours, peak, fingerprint, queue = run_ours(binary, site, out)
    cost = ours / case.jobs
    line = f"{name:16}{case.jobs:>9}{case.nodes:>7}{case.load:>6.2f}{case.accounts:>9}{queue:>8.0f}{case.jobs / ours:>12.0f}"
    if alone:
        line += f"{'-':>12}{'-':>9}{'-':>12}{'-':>7}"
    else:
        theirs, bare = beside(case, jobs, binary, site, out)
        line += f"{case.jobs / theirs:>12.0f}{theirs / ours:>9.4f}{case.jobs / bare:>12.0f}{ours / bare:>7.1f}"
    print(f"{line}{cost / (first or cost):>9.2f}{peak:>8.0f}  {fingerprint}", flush=True)
    return cost


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("binary", type=pathlib.Path)
    parser.add_argument("case", nargs="*", choices=[[], *CASES], default=[])
    parser.add_argument("--growth", action="store_true", help="the growth table")
    parser.add_argument("--alone", action="store_true", help="our own full run only")
    asked = parser.parse_intermixed_args()  # options may stand between the words
    cases = GROWTH if asked.growth else {name: CASES[name] for name in asked.case or ["gpu-10k", "deep-10k"]}
    print(f"{'case':16}{'jobs':>9}{'nodes':>7}{'load':>6}{'accounts':>9}{'queue':>8}{'jobs/s':>12}{'EASY':>12}{'ratio':>9}"
          f"{'FCFS':>12}{'cost':>7}{'x first':>9}{'MiB':>8}  schedule")
    with tempfile.TemporaryDirectory() as folder:
        first = None
        for name, case in cases.items():
            cost = measure(name, case, asked.binary.resolve(), pathlib.Path(folder), first, asked.alone)
            first = first or cost


if __name__ == "__main__":
    main()
