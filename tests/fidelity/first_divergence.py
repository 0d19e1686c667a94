#!/usr/bin/env python3
# tests/fidelity/first_divergence.py — where the replay of a recording leaves the recorded day, and the log of that moment.
"""usage: first_divergence.py RECORDING [JOBS]

The first JOBS (3) jobs, in order of their recorded starts, that start more than 5 s away from the record or on other nodes; then
what slurmctld logged around the first of them. What became of it: tests/fidelity/divergences.csv.
"""
import csv
import io
import lzma
import os
import subprocess
import sys
import tempfile
from datetime import datetime, timedelta

from agreement import RECORDINGS, ROOT, hosts, seconds

BINARY = os.environ.get("REHEARSE_BINARY", str(ROOT / "build/release/rehearse"))


def table(text):
    return {row["JobIDRaw"]: row for row in reversed(list(csv.DictReader(io.StringIO(text), delimiter="|")))}


def replayed(folder):
    with tempfile.TemporaryDirectory() as scratch:
        out = f"{scratch}/out.h5"
        subprocess.run([BINARY, "run", str(folder), "-o", out], check=True, capture_output=True, cwd=ROOT)
        return table(subprocess.run([BINARY, "show", out, "sacct", "-P"], check=True, capture_output=True, text=True).stdout)


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
    real = table((folder / "sacct.txt").read_text(encoding="utf-8"))
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
