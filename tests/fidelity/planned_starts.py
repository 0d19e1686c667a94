#!/usr/bin/env python3
# tests/fidelity/planned_starts.py — the first sample of squeue in which a waiting job's START_TIME is not ours.
"""usage: planned_starts.py RECORDING [JOBS]      the first sample that differs, and JOBS (5) of its jobs
       planned_starts.py --all                  a line for each recording that has samples

A recorded `squeue` shows when backfill has planned each waiting job. The replay's plans are held against it, sample for
sample, until one differs by more than two minutes: hours before the first other start (first_divergence.py), and with
all that came before it in agreement. Only jobs that wait in both are compared; a start that has passed is none.
"""
import lzma
import subprocess
import sys
import tempfile
from datetime import datetime

from agreement import BINARY, RECORDINGS, ROOT

# Jobs that are not in the queue: what they show is when they may begin.
UNPLANNED = ("Dependency", "JobHeld", "job requeued in held state")
TOLERANCE = 120  # seconds: cycles here and there need not fall on the same second


def samples(path):
    """(second since the epoch, rows by job) of each sample."""
    at, header, rows = None, None, {}
    with lzma.open(path, "rt") as lines:
        for line in lines:
            if line.startswith("# at "):
                if at is not None:
                    yield at, rows
                at, header, rows = int(line[5:]), None, {}
            elif header is None:
                header = line.rstrip("\n").split("|")
            else:
                row = dict(zip(header, line.rstrip("\n").split("|")))
                rows[row["JOBID"]] = row
    if at is not None:
        yield at, rows


def planned(rows, at, state, start):
    """The planned start of each waiting job, None where there is none."""
    found = {}
    for job, row in rows.items():
        if row[state] in ("PENDING", "PD") and not row.get("REASON", "").startswith(UNPLANNED):
            told = row[start]
            second = None if told in ("N/A", "") else datetime.fromisoformat(told).timestamp()
            found[job] = second if second is None or second >= at else None
    return found


def ours(result, at):
    text = subprocess.run([BINARY, "show", result, "squeue", "--start", "--at", datetime.fromtimestamp(at).isoformat(), "-P"],
                          check=True, capture_output=True, text=True, cwd=ROOT).stdout.splitlines()
    header = text[0].split("|")
    rows = (dict(zip(header, line.split("|"))) for line in text[1:])
    return planned({row["JOBID"]: row for row in rows}, at, "ST", "START_TIME")


def apart(there, here):
    return (there is None) != (here is None) or (there is not None and abs(there - here) > TOLERANCE)


def clock(second):
    return "N/A" if second is None else datetime.fromtimestamp(second).isoformat()


def first_apart(folder):
    """(jobs compared so far, second, [(job, there, here)], jobs that wait on one side only) of the first sample that differs."""
    compared = 0
    with tempfile.TemporaryDirectory() as scratch:
        result = f"{scratch}/out.h5"
        subprocess.run([BINARY, "run", str(folder), "--plans", "-o", result], check=True, capture_output=True, cwd=ROOT)
        for at, rows in samples(folder / "samples" / "squeue.txt.xz"):
            there = planned(rows, at, "STATE", "START_TIME")
            if not there:
                continue
            here = ours(result, at)
            both = [job for job in there if job in here]
            others = [(job, there[job], here[job]) for job in both if apart(there[job], here[job])]
            if others:
                return compared, at, others, sorted(there.keys() ^ here.keys())
            compared += len(both)
    return compared, None, [], []


def main():
    if sys.argv[1:] == ["--all"]:
        for folder in sorted(RECORDINGS.iterdir()):
            if (folder / "samples" / "squeue.txt.xz").exists():
                compared, at, others, alone = first_apart(folder)
                first = f"{clock(at)} {' '.join(job for job, _, _ in others[:8])}" if others else "all"
                first += f" ({len(alone)} wait on one side only)" if alone else ""
                print(f"{folder.name:32} {compared:6} as planned, then {first}", flush=True)
        return
    compared, at, others, alone = first_apart(RECORDINGS / sys.argv[1])
    print(f"{compared} plans as recorded" + (f"; the sample at {clock(at)}:" if others else ", all there are"))
    for job, there, here in others[:int(sys.argv[2]) if len(sys.argv) > 2 else 5]:
        print(f"  job {job}: planned for {clock(there)} there, {clock(here)} here")
    if alone:
        print(f"  waiting on one side only: {' '.join(alone)}")


if __name__ == "__main__":
    main()
