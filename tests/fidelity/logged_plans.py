#!/usr/bin/env python3
# tests/fidelity/logged_plans.py — the first backfill cycles whose plans are not ours, job by job, from the log of a full recording.
"""usage: logged_plans.py RECORDING [--from TIME] [--cycles N] [--jobs N]

RECORDING is a folder as scripts/reference/record.py leaves it: keep.py cuts from the log what is asked for here. There slurmctld
tells each plan of each cycle (`_dump_job_sched: JobId=… to start at …, end at … on nodes … in partition …`). The replay's plans
are held against them as each cycle is over, from TIME on (08:30:00 of the first day, or 2027-01-16T08:30:00), until N (3) cycles
have differed; of each are printed N (6) jobs. What planned_starts.py sees once a sample is seen here once a cycle, with the nodes.
Jobs of arrays are not compared; one of several partitions is as planned if any of its plans is. A start that is due as the cycle
begins is any instant until then. Exit code 1 if a cycle differs, 2 if the log has no plans.
"""
import argparse
import lzma
import pathlib
import re
import subprocess
import sys
import tempfile
from collections import namedtuple
from dataclasses import dataclass, field
from datetime import datetime, timedelta

from agreement import BINARY, ROOT, hosts

PLAN = re.compile(r"_dump_job_sched: JobId=(\S+?)(?:\(\d+\))? to start at (\S+), end at \S+ on nodes (\S+) in partition (\S+)")
BEGUN, ENDED = "_attempt_backfill: beginning", "_attempt_backfill: completed testing"
NO_NODES = ("", "(null)")
SECOND = timedelta(seconds=1)

Plan = namedtuple("Plan", "start nodes partition")


@dataclass
class Cycle:
    """What the log tells of one: from its first line to its last, and the plans by job."""

    begin: datetime
    end: datetime
    plans: dict = field(default_factory=dict)


def instant(text):
    """The instant, or None of `Unknown` and `N/A`."""
    return datetime.fromisoformat(text) if text[:1].isdigit() else None


def cycles(path):
    found = []
    with lzma.open(path, "rt") as lines:
        for line in lines:
            if BEGUN in line:
                found.append(Cycle(instant(line[1:24]), instant(line[1:24])))
            elif found and ENDED in line:
                found[-1].end = instant(line[1:24])
            elif found and (told := PLAN.search(line)):
                job, start, nodes, partition = told.groups()
                if instant(start):
                    found[-1].plans.setdefault(job, []).append(Plan(instant(start), nodes, partition))
    return found


def ours(result, at):
    """The plan of each waiting job, as the replay's squeue shows it."""
    text = subprocess.run([BINARY, "show", result, "squeue", "--start", "--at", at.isoformat(), "-P"],
                          check=True, capture_output=True, text=True, cwd=ROOT).stdout.splitlines()
    header = text[0].split("|")
    rows = (dict(zip(header, line.split("|"))) for line in text[1:])
    return {row["JOBID"]: Plan(instant(row["START_TIME"]), row["SCHEDNODES"], row["PARTITION"]) for row in rows}


def same(there, here, begin):
    """True if the plans agree: one that begins with the cycle, or has to wait no longer, may begin at any instant before."""
    due = here.start is not None and there.start <= here.start <= begin + SECOND
    return (there.start == here.start or due) and (here.nodes in NO_NODES or hosts(here.nodes) == hosts(there.nodes))


def apart(cycle, plans):
    """(job, the log's plan, ours or None) of those that differ."""
    for job, told in cycle.plans.items():
        here = plans.get(job)
        if "_" not in job and (here is None or not any(same(there, here, cycle.begin) for there in told)):
            yield job, told[-1], here


def shown(plan):
    if plan is None:
        return "does not wait"
    return f"{plan.start.isoformat() if plan.start else 'N/A'} {plan.nodes} {plan.partition}"


def first_instant(text, logged):
    """TIME as an instant: one without a date is of the first day."""
    return datetime.fromisoformat(text if "T" in text else f"{logged[0].begin.date()}T{text}")


def options():
    parser = argparse.ArgumentParser(usage=__doc__.partition("\n")[0].removeprefix("usage: "))
    parser.add_argument("recording", type=pathlib.Path)
    parser.add_argument("--from", dest="first", default="00:00:00")
    parser.add_argument("--cycles", type=int, default=3)
    parser.add_argument("--jobs", type=int, default=6)
    return parser.parse_args()


def main():
    asked = options()
    folder = asked.recording.resolve()
    logged = cycles(folder / "slurmctld.log.xz")
    if not any(cycle.plans for cycle in logged):
        print(f"{asked.recording}: the log tells no plans; what the tests keep of a recording (keep.py) has none", file=sys.stderr)
        return 2
    first = first_instant(asked.first, logged)
    compared = differ = 0
    with tempfile.TemporaryDirectory() as scratch:
        result = f"{scratch}/out.h5"
        subprocess.run([BINARY, "run", str(folder), "--plans", "-o", result], check=True, capture_output=True, cwd=ROOT)
        for cycle in (each for each in logged if each.begin >= first and each.plans):
            others = list(apart(cycle, ours(result, cycle.end.replace(microsecond=0) + SECOND)))
            compared += 1
            if not others:
                continue
            differ += 1
            print(f"{cycle.begin.isoformat(timespec='milliseconds')}: {len(others)} of {len(cycle.plans)} planned otherwise", flush=True)
            for job, there, here in others[:asked.jobs]:
                print(f"  job {job}: {shown(there)} there, {shown(here)} here")
            if differ == asked.cycles:
                break
    print(f"{differ} of {compared} cycles differ")
    return 1 if differ else 0


if __name__ == "__main__":
    sys.exit(main())
