#!/usr/bin/env python3
# tests/fidelity/first_divergence.py — where the replay of a recording leaves the recorded day, and the log of that moment.
"""usage: first_divergence.py RECORDING [JOBS]

The first JOBS (3) jobs, in order of their recorded starts, that start more than 5 s away from the record or on other nodes; then
what slurmctld logged around the first of them. What became of it: tests/fidelity/divergences.csv.
"""
import lzma
import subprocess
import sys
import tempfile
from datetime import datetime, timedelta

from agreement import BINARY, RECORDINGS, ROOT, hosts, runs_by_job, seconds

def first_runs(path):
    return {job: runs[0] for job, runs in runs_by_job(path).items()}


def replayed(folder):
    with tempfile.TemporaryDirectory() as scratch:
        out = f"{scratch}/sacct.txt"
        subprocess.run([BINARY, "run", str(folder), "-o", f"{scratch}/out.h5", "--sacct", out], check=True, capture_output=True, cwd=ROOT)
        return first_runs(out)


def parted(real, ours):
    """Jobs whose first run starts elsewhere, by the earlier of both starts."""
    for job, row in real.items():
        other = ours.get(job, {})
        there, here = seconds(row["Start"]), seconds(other.get("Start", ""))
        if there is None and here is None:
            continue
        same = there is not None and here is not None and abs(there - here) <= 5
        if not same or hosts(row["NodeList"]) != hosts(other["NodeList"]):
            yield min(at for at in (there, here) if at is not None), job


def main():
    name, count = sys.argv[1], int(sys.argv[2]) if len(sys.argv) > 2 else 3
    folder = RECORDINGS / name
    real = first_runs(folder / "sacct.txt")
    ours = replayed(folder)
    first = sorted(parted(real, ours))[:count]
    for _, job in first:
        row, other = real[job], ours.get(job, {})
        print(f"job {job}: recorded {row['Start']} {row['NodeList']} ({row['Flags']}), here {other.get('Start')} {other.get('NodeList')}")
        print(f"  {row['SubmitLine'][:150]}")
    if not first or not (folder / "slurmctld.log.xz").exists():
        return
    middle = datetime.fromtimestamp(first[0][0])
    low, high = ((middle + timedelta(seconds=by)).isoformat() for by in (-15, 20))
    with lzma.open(folder / "slurmctld.log.xz", "rt") as log:
        for line in log:
            if low <= line[1:20] <= high:
                print(line.rstrip()[:180])


if __name__ == "__main__":
    main()
