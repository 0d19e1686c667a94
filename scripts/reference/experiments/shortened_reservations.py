#!/usr/bin/env python3
# scripts/reference/experiments/shortened_reservations.py — when a reservation ends whose Duration or EndTime an admin sets to the past (lifecycle.md §13).
"""An hour on n1, active for ten minutes or to begin in half an hour. Printed: what an update says, or how long after its begin it ends."""
import re
import sys
from datetime import datetime

from lab import Tally, lab

CONF = """\
SelectType=select/cons_tres
SelectTypeParameters=CR_Core
SchedulerType=sched/backfill
PriorityType=priority/basic
NodeName=n[1-2] Sockets=1 CoresPerSocket=4 ThreadsPerCore=1 RealMemory=16000
PartitionName=p Nodes=n[1-2] MaxTime=INFINITE State=UP Default=YES
"""
PAST, STARTED = "Invalid time specified", "Reservation already started"
ACTIVE = {"Duration=5": 10, "Duration=0": 10, "Duration-=55": 10, "Duration-=70": 10, "Duration=20": 20, "EndTime=now": 10, "EndTime=now-5minutes": PAST, "StartTime=now-60minutes": STARTED}
AHEAD = {"Duration=20": 20, "Duration-=70": PAST, "EndTime=now+5minutes": PAST, "StartTime=now-5minutes": PAST, "StartTime=now-5minutes Duration=2": PAST}


def became(one, first, rest, words):
    one.out(f"scontrol create reservation ReservationName=a Users=root {first} Duration=60 Nodes=n1")
    one.rest(rest)
    said = one.out(f"scontrol update reservationname=a {words}")
    start, end = (datetime.fromisoformat(re.search(rf"{key}=(\S+)", one.out("scontrol -o show reservation a"))[1]) for key in ("StartTime", "EndTime"))
    one.out("scontrol delete reservationname=a")
    one.rest(2)
    return round((end - start).total_seconds() / 60) if said == "Reservation updated." else said.rpartition(": ")[2]


def main():
    tally = Tally()
    with lab(CONF) as one:
        for first, rest, cases in (("StartTime=now", 600, ACTIVE), ("StartTime=now Flags=DAILY", 600, {"Duration=5": 10}), ("StartTime=now+30minutes", 10, AHEAD)):
            for words, told in cases.items():
                tally.note(f"{first} | {words} |", became(one, first, rest, words), told)
    return tally.close()


if __name__ == "__main__":
    sys.exit(main())
