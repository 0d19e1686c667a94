#!/usr/bin/env python3
# bench/macro/profile.py — where the time of a whole run goes, by perf's samples of the stack.
"""  bench/macro/profile.py BINARY [CASE …]     (default: gpu-10k deep-10k; cases as in run.py)

Needs `perf` (Debian: linux-perf) and a binary with symbols. A share is that of the samples in which the function, or
what it calls, was at work: a part stands indented under what calls it most, and shares of parts overlap.
"""
import argparse
import pathlib
import re
import subprocess
import tempfile

import run
import workload

# What is asked of the samples: the function, and what it does.
PARTS = {
    "rehearse::load_site": "reading the site and its jobs",
    "rehearse::Controller::run": "the simulation",
    "rehearse::MainLoop::run": "  main loop",
    "rehearse::Backfill::run": "  backfill",
    "rehearse::Backfill::search": "    searches",
    "rehearse::PlanWalk::next": "      along the map",
    "rehearse::Backfill::look_back": "      instants looked back at",
    "rehearse::Estimator::will_run": "      estimates",
    "rehearse::FutureLedgers::without_first": "        states without the jobs that end first",
    "rehearse::(anonymous namespace)::ConsTres::place": "  placements, of both loops",
    "rehearse::Limits::after_selection": "  limits after selection",
    "rehearse::PendingQueue::build": "  the queue",
    "rehearse::(anonymous namespace)::Multifactor::tick": "  usage and priorities",
    "rehearse::Recorder::job_started": "  recording of starts",
    "rehearse::write_result": "writing the result",
}


def shares(binary, site, out, folder):
    """Share [%] of the samples by function, callees included."""
    data = folder / "perf.data"
    record = ["perf", "record", "-q", "--call-graph", "dwarf,16384", "-F", "199", "-o", data]
    subprocess.run([*record, binary, "run", site, "-o", out], check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    report = ["perf", "report", "-i", data, "--children", "--no-inline", "-g", "none", "--percent-limit", "0.05"]
    text = subprocess.run(report, check=True, capture_output=True, text=True).stdout
    found = {}
    for line in text.splitlines():
        row = re.match(r"\s*([\d.]+)%\s+[\d.]+%\s+\S+\s+\S+\s+\[\S\] (.*?)\s*$", line)
        if row:
            name = re.sub(r"\(anonymous namespace\)", "@", row[2]).split("(")[0].split("<")[0]
            found[name] = max(found.get(name, 0.0), float(row[1]))
    return found


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("binary", type=pathlib.Path)
    parser.add_argument("case", nargs="*", choices=[[], *run.CASES], default=[])
    asked = parser.parse_args()
    cases = asked.case or ["gpu-10k", "deep-10k"]
    columns = []
    with tempfile.TemporaryDirectory() as folder:
        for name in cases:
            case = run.CASES[name]
            site = pathlib.Path(folder) / name
            workload.write_site(case, workload.jobs_of(case), site)
            columns.append(shares(asked.binary.resolve(), site, site / "out.h5", pathlib.Path(folder)))
    print(f"{'share of the samples [%]':54}" + "".join(f"{name:>12}" for name in cases))
    for function, what in PARTS.items():
        key = function.replace("(anonymous namespace)", "@")
        print(f"{what:54}" + "".join(f"{column.get(key, 0.0):>12.1f}" for column in columns))


if __name__ == "__main__":
    main()
