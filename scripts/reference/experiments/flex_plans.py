#!/usr/bin/env python3
# scripts/reference/experiments/flex_plans.py — whether the plan of a member of a FLEX reservation has its nodes first (scheduling.md §5.5).
"""n5 is reserved FLEX; n[1-4] and n5 are held by jobs of one limit, a member waits, and with it one for n2 that each pass tests behind it, or another reservation has n2 until shortly before. Printed: the node of which backfill makes the member's plan. Two minutes."""
import sys

from lab import Tally, hold, lab, release

CONF = """\
SelectType=select/cons_tres
SelectTypeParameters=CR_Core
SchedulerType=sched/backfill
SchedulerParameters=sched_interval=10,bf_interval=15
PriorityType=priority/basic
NodeName=n[1-5] Sockets=1 CoresPerSocket=4 ThreadsPerCore=1 RealMemory=16000
PartitionName=all Nodes=n[1-5] MaxTime=60 State=UP Default=YES
PartitionName=mid Nodes=n2 MaxTime=60 State=UP
"""
# begin of the reservation, who else, planned node
QUESTIONS = [("now", "nobody", "n5"), ("now", "one waits", "n2"), ("now", "reserved", "n2"), ("now+60minutes", "nobody", "n5"), ("now+60minutes", "one waits", "n2"), ("now+60minutes", "reserved", "n2")]


def planned(one, begin, who):
    one.out(f"scontrol create reservation ReservationName=r StartTime={begin} Duration=300 Users=root Nodes=n5 Flags=FLEX")
    one.rest(6)
    held = hold(one, ["-N4 -n16 -w n[1-4] -t 30", "-n4 -t 30 -w n5 --reservation=r"])
    if who == "reserved":
        one.out("scontrol create reservation ReservationName=s StartTime=now Duration=25 Users=root Nodes=n2 Flags=IGNORE_JOBS")
    number = one.sub("-n4 -t 50 --reservation=r")
    if who == "one waits":
        held.append(one.sub("-p mid -n4 -t 20"))
    one.rest(50)
    node = one.job(number).get("SchedNodeList")
    release(one, [number, *held])
    for name in "rs":
        one.out(f"scontrol delete ReservationName={name}")
    return node or "none"


def main():
    tally = Tally()
    with lab(CONF) as one:
        for begin, who, told in QUESTIONS:
            tally.note(f"FLEX from {begin}, {who} |", planned(one, begin, who), told)
    return tally.close()


if __name__ == "__main__":
    sys.exit(main())
