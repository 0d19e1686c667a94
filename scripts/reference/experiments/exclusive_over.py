#!/usr/bin/env python3
# scripts/reference/experiments/exclusive_over.py — which nodes `--exclusive` takes under SUSPEND,GANG, beside jobs of higher tiers and of its own (scheduling.md §6.3).
"""Three nodes of 8 cores, a tier l of FORCE:1 to FORCE:3 and one above it, h1. Each line of tests/data/placements/exclusive_over.txt has what is held, the job that comes, and its node.
With CR_Core_Memory, then with CR_CPU_Memory. Prints those that are answered otherwise. About five minutes."""
import pathlib
import sys

from lab import Tally, hold, lab, numbers, release

CASES = pathlib.Path(__file__).resolve().parents[3] / "tests/data/placements/exclusive_over.txt"
CONF = """\
SelectType=select/cons_tres
SelectTypeParameters={}
SchedulerType=sched/backfill
PriorityType=priority/basic
PreemptType=preempt/partition_prio
PreemptMode=SUSPEND,GANG
SchedulerTimeSlice=600
NodeName=n[1-3] Sockets=2 CoresPerSocket=4 ThreadsPerCore=1 RealMemory=16000
PartitionName=l1 Nodes=ALL MaxTime=INFINITE State=UP PriorityTier=1 OverSubscribe=FORCE:1 DefMemPerCPU=100
PartitionName=l2 Nodes=ALL MaxTime=INFINITE State=UP PriorityTier=1 OverSubscribe=FORCE:2 DefMemPerCPU=100
PartitionName=l3 Nodes=ALL MaxTime=INFINITE State=UP PriorityTier=1 OverSubscribe=FORCE:3 DefMemPerCPU=100
PartitionName=h1 Nodes=ALL MaxTime=INFINITE State=UP PriorityTier=4 OverSubscribe=FORCE:1 DefMemPerCPU=100
"""


def main():
    tally = Tally()
    for select in ("CR_Core_Memory", "CR_CPU_Memory"):
        with lab(CONF.format(select)) as one:
            for line in CASES.read_text().splitlines():
                held, comes, told = line.split(" | ")
                ids = hold(one, [f"-p {words}" for words in held.split("; ")])
                number = one.sub(f"-p {comes}")
                one.until(lambda: one.job(number).get("JobState") in ("RUNNING", "SUSPENDED"), 12)  # noqa: B023
                job = one.job(number)
                tally.note(f"{select} {held} | {comes}", "waits" if job["JobState"] == "PENDING" else ",".join(f"n{i}" for i in numbers(job["NodeList"].strip("n[]"))), told)
                release(one, [number, *ids])
    return tally.close()


if __name__ == "__main__":
    sys.exit(main())
