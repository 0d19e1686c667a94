#!/usr/bin/env python3
# scripts/reference/experiments/flex_weights.py — whether estimates find the weights that a member of a FLEX reservation left on nodes outside of it (scheduling.md §5.5).
"""n5 is reserved FLEX; a job holds n[1-4], a member runs on n5, one that waits for n[2-3] is tested by each pass. Printed: the node of which backfill makes a plan for a job that no pass tests. Three minutes."""
import sys

from lab import Tally, hold, lab, release

CONF = """\
SelectType=select/cons_tres
SelectTypeParameters=CR_Core
SchedulerType=sched/backfill
SchedulerParameters=sched_interval=10,bf_interval=15
PriorityType=priority/basic
NodeName=n[1,4-5] Sockets=1 CoresPerSocket=4 ThreadsPerCore=1 RealMemory=16000
NodeName=n[2-3] Sockets=1 CoresPerSocket=4 ThreadsPerCore=1 RealMemory=16000 Weight={weight}
PartitionName=all Nodes=n[1-5] MaxTime=60 State=UP Default=YES
PartitionName=mid Nodes=n[2-3] MaxTime=60 State=UP
"""
# weight of n[2-3], begin of the reservation or none, whether a job waits for n[2-3], planned node
QUESTIONS = [(1, "", True, "n1"), (1, "now+30minutes", True, "n2"), (1, "now", True, "n2"), (1, "now+30minutes", False, "n1"), (10, "", True, "n1"), (10, "now+30minutes", True, "n2"), (10, "now", True, "n2"), (10, "now", False, "n1")]


def planned(one, begin, waits):
    if begin:
        one.out(f"scontrol create reservation ReservationName=r StartTime={begin} Duration=300 Users=root Nodes=n5 Flags=FLEX")
        one.rest(6)
    held = hold(one, ["-N4 -n16 -w n[1-4] -t 30"])
    number = one.sub("-n4 -t 90 --time-min=30")
    held += hold(one, ["-n4 -t 50" + (" --reservation=r" if begin else " -w n5")])
    if waits:
        held.append(one.sub("-p mid -n4 -t 20"))
    one.rest(50)
    node = one.job(number).get("SchedNodeList")
    release(one, [number, *held])
    if begin:
        one.out("scontrol delete ReservationName=r")
    return node or "none"


def main():
    tally = Tally()
    for weight in (1, 10):
        with lab(CONF.format(weight=weight)) as one:
            for of, begin, waits, told in QUESTIONS:
                if of == weight:
                    tally.note(f"weight {weight}, FLEX from {begin or 'never'}, {'one waits' if waits else 'none waits'} |", planned(one, begin, waits), told)
    return tally.close()


if __name__ == "__main__":
    sys.exit(main())
