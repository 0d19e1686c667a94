#!/usr/bin/env python3
# scripts/reference/experiments/overlaid.py — who may come to a node where another runs, under SUSPEND,GANG: tiers, OverSubscribe, --exclusive (scheduling.md §5.3, §6.3).
"""A node of 2 × 4 cores in partitions of two tiers. Each line of tests/data/placements/overlaid.txt (`PARTITION OPTIONS | PARTITION OPTIONS | ANSWER`) has one job
that runs and another that comes; asked is what becomes of both. Prints those that are answered otherwise. About ten minutes."""
import pathlib
import sys

from lab import Tally, hold, lab, release

CASES = pathlib.Path(__file__).resolve().parents[3] / "tests/data/placements/overlaid.txt"
CONF = """\
SelectType=select/cons_tres
SelectTypeParameters=CR_Core
SchedulerType=sched/backfill
PriorityType=priority/basic
PreemptType=preempt/partition_prio
PreemptMode=SUSPEND,GANG
SchedulerTimeSlice=600
NodeName=n1 Sockets=2 CoresPerSocket=4 ThreadsPerCore=1 RealMemory=16000
PartitionName=lf1 Nodes=n1 MaxTime=INFINITE State=UP PriorityTier=1 OverSubscribe=FORCE:1
PartitionName=lf2 Nodes=n1 MaxTime=INFINITE State=UP PriorityTier=1 OverSubscribe=FORCE:2
PartitionName=lno Nodes=n1 MaxTime=INFINITE State=UP PriorityTier=1
PartitionName=lex Nodes=n1 MaxTime=INFINITE State=UP PriorityTier=1 OverSubscribe=EXCLUSIVE
PartitionName=hf1 Nodes=n1 MaxTime=INFINITE State=UP PriorityTier=4 OverSubscribe=FORCE:1
PartitionName=hf2 Nodes=n1 MaxTime=INFINITE State=UP PriorityTier=4 OverSubscribe=FORCE:2
PartitionName=hno Nodes=n1 MaxTime=INFINITE State=UP PriorityTier=4
PartitionName=hy2 Nodes=n1 MaxTime=INFINITE State=UP PriorityTier=4 OverSubscribe=YES:2
PartitionName=hex Nodes=n1 MaxTime=INFINITE State=UP PriorityTier=4 OverSubscribe=EXCLUSIVE
PartitionName=ef1 Nodes=n1 MaxTime=INFINITE State=UP PriorityTier=1 OverSubscribe=FORCE:1
PartitionName=ef2 Nodes=n1 MaxTime=INFINITE State=UP PriorityTier=1 OverSubscribe=FORCE:2
"""
WORDS = {"RUNNING": "runs", "PENDING": "waits", "SUSPENDED": "suspended"}


def main():
    tally = Tally()
    with lab(CONF) as one:
        for line in CASES.read_text().splitlines():
            running, coming, told = line.split(" | ")
            ids = hold(one, [f"-p {running}"])
            number = one.sub(f"-p {coming}")
            one.until(lambda: one.job(number).get("JobState") == "RUNNING", 8)  # noqa: B023
            states = [WORDS.get(one.job(each).get("JobState"), "gone") for each in (number, ids[0])]
            tally.note(f"{running} | {coming}", ", ".join(states), told)
            release(one, [number, ids[0]])
    return tally.close()


if __name__ == "__main__":
    sys.exit(main())
