#!/usr/bin/env python3
# scripts/reference/experiments/reserved_nodes.py — which nodes a reservation of a count of nodes gets beside another (lifecycle.md §13).
"""Six idle nodes, of which a first reservation has n[1-2]: now, later, or over before. Printed: the nodes of a second one, by its flags."""
import re
import sys

from lab import Tally, lab

CONF = """\
SelectType=select/cons_tres
SelectTypeParameters=CR_Core
SchedulerType=sched/backfill
PriorityType=priority/basic
NodeName=n[1-6] Sockets=1 CoresPerSocket=4 ThreadsPerCore=1 RealMemory=16000
PartitionName=p Nodes=n[1-6] MaxTime=INFINITE State=UP Default=YES
"""
MEETING = ["StartTime=now Duration=300", "StartTime=now Duration=300 Flags=MAINT", "StartTime=now Duration=300 Flags=OVERLAP", "StartTime=now+3000 Duration=300"]
SECONDS = [("NodeCnt=2", "n[3-4]"), ("NodeCnt=2 Flags=MAINT", "n[3-4]"), ("NodeCnt=2 Flags=OVERLAP", "n[3-4]"), ("NodeCnt=2 Flags=MAINT,IGNORE_JOBS", "n[3-4]"),
           ("NodeCnt=5 Flags=MAINT", "n[1,3-6]"), ("Nodes=n[1-2] Flags=MAINT", "n[1-2]")]  # fmt: skip


def main():
    tally = Tally()
    with lab(CONF) as one:
        for first in [*MEETING, "StartTime=now Duration=10"]:
            one.out(f"scontrol create reservation ReservationName=a Users=root Nodes=n[1-2] {first}")
            one.rest(3)
            for second, told in SECONDS:
                one.out(f"scontrol create reservation ReservationName=b Users=root StartTime=now+1800 Duration=60 {second}")
                shown = re.search(r" Nodes=(\S+)", one.out("scontrol -o show reservation b"))
                if first not in MEETING:
                    told = "n[1-5]" if "Cnt=5" in second else "n[1-2]"
                tally.note(f"{first} | {second}", shown[1] if shown else "refused", told)
                one.out("scontrol delete reservationname=b")
            one.out("scontrol delete reservationname=a")
            one.rest(2)
    return tally.close()


if __name__ == "__main__":
    sys.exit(main())
