#!/usr/bin/env python3
# scripts/reference/experiments/reserved_named.py — when backfill plans a job of named nodes that are reserved (scheduling.md §9).
"""Others reserve n1, or two of its cores, or n[1-2], from ten minutes on, for 40; bf_resolution=300. Printed: whether a job with -w n1 is planned at the end of the reservation, or at the next five minutes and a second. Two minutes."""
import sys
from datetime import datetime

from lab import Tally, lab, release

CONF = """\
SelectType=select/cons_tres
SelectTypeParameters=CR_Core
SchedulerType=sched/backfill
SchedulerParameters=sched_interval=10,bf_interval=15,bf_resolution=300
PriorityType=priority/basic
NodeName=n[1-3] Sockets=1 CoresPerSocket=4 ThreadsPerCore=1 RealMemory=16000
PartitionName=all Nodes=n[1-3] MaxTime=60 State=UP Default=YES
PartitionName=whole Nodes=n[1-3] MaxTime=60 State=UP OverSubscribe=EXCLUSIVE
"""
ROUNDED, END = "the next five minutes", "its end"
# what is reserved, words of the job, when it is planned
QUESTIONS = [("Nodes=n1", "-w n1 -n2", ROUNDED), ("Nodes=n1", "-w n1 -n4", ROUNDED), ("Nodes=n1", "-w n1 -n2 --exclusive", END), ("Nodes=n1", "-w n1 -n2 -p whole", END), ("Nodes=n[1-2]", "-w n1 -n2", ROUNDED),
             ("Nodes=n[1-2]", "-w n1 -N2 -n2 --exclusive", END), ("Nodes=n1 CoreCnt=2", "-w n1 -N1 -n4", ROUNDED), ("Nodes=n1 CoreCnt=2", "-w n1 -n4 --exclusive", END), ("Nodes=n1 Flags=MAINT", "-w n1 -n2", ROUNDED),
             ("Nodes=n1 Flags=MAINT", "-w n1 -n2 --exclusive", END)]


def planned(one, what, words):
    one.out(f"scontrol create reservation ReservationName=r StartTime=now+10minutes Duration=40 Users=root {what}")
    shown = one.out("scontrol show reservation r")
    end = datetime.fromisoformat(shown.partition("EndTime=")[2].split()[0])
    number = one.sub(f"--uid=1001 {words} -t 30")
    one.rest(40)
    job = one.job(number)
    release(one, [number])
    one.out("scontrol delete ReservationName=r")
    start = job.get("StartTime", "Unknown")
    if start == "Unknown" or job.get("JobState") != "PENDING":
        return job.get("JobState", "nothing")
    late = (datetime.fromisoformat(start) - end).total_seconds()
    if 0 <= late <= 1:
        return END
    return ROUNDED if (datetime.fromisoformat(start).minute % 5, datetime.fromisoformat(start).second) == (0, 1) and late < 302 else f"{late:+.0f} s"


def main():
    tally = Tally()
    with lab(CONF) as one:
        for what, words, told in QUESTIONS:
            tally.note(f"{what}, {words} |", planned(one, what, words), told)
    return tally.close()


if __name__ == "__main__":
    sys.exit(main())
