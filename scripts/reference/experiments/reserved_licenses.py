#!/usr/bin/env python3
# scripts/reference/experiments/reserved_licenses.py — what backfill plans for a job that lacks licences, where there are reservations (scheduling.md §8.5).
"""Licences a:2 and b:2, both a in use for half an hour. Printed: whether the cycle plans a job that wants one a (squeue --start), by what is reserved. About three minutes."""
import re
import sys

from lab import Tally, has_plan, hold, lab, release

CONF = """\
SelectType=select/cons_tres
SelectTypeParameters=CR_Core
SchedulerType=sched/backfill
SchedulerParameters=sched_interval=10,bf_interval=10,{more}bf_window=10000
PriorityType=priority/basic
Licenses=a:2,b:2
NodeName=n[1-4] CPUs=4 RealMemory=4000
PartitionName=all Nodes=ALL Default=YES MaxTime=INFINITE State=UP
PartitionName=one Nodes=n1 MaxTime=INFINITE State=UP
"""
CASES = [("", "planned"), ("Nodes=n4 StartTime=now+100hours Duration=10", "none"), ("Nodes=n4 StartTime=now Duration=500", "none"), ("Nodes=n4 StartTime=now Duration=500 Flags=MAINT", "none"),
         ("Licenses=b:1 Flags=LICENSE_ONLY StartTime=now Duration=500", "none"), ("Licenses=a:1 Flags=LICENSE_ONLY StartTime=now+100hours Duration=10", "none"), ("Licenses=a:1 Flags=LICENSE_ONLY StartTime=now Duration=100", "none")]  # fmt: skip


def ask(one, words, wish):
    held = hold(one, ["-L a:2 -n1 -t 30"])
    if words:
        one.out(f"scontrol create reservation ReservationName=r Users=root {words}")
    number = one.sub(f"{wish} -t 10")
    one.rest(45)
    is_planned = has_plan(one, number)
    state = one.job(number).get("JobState")
    release(one, [number, *held])
    one.out("scontrol delete ReservationName=r")
    return "runs" if state == "RUNNING" else "planned" if is_planned else "none"


def main():
    tally = Tally()
    for more in ("bf_licenses,", ""):
        with lab(CONF.format(more=more)) as one:
            for words, told in CASES:
                tally.note(f"{more or '-':13} {words or 'no reservation':70} -L a:1", ask(one, words, "-L a:1 -n1"), told if more else "none")
            if more:
                for wish, told in (("-p one -n4", "planned"), ("--reservation=r -L a:1 -n1", "planned")):
                    words = "Nodes=n4 StartTime=now Duration=500"
                    tally.note(f"{more:13} {words:70} {wish}", ask(one, words, wish), told)
    return tally.close()


if __name__ == "__main__":
    sys.exit(main())
