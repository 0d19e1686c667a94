#!/usr/bin/env python3
# scripts/reference/experiments/planned_licenses.py — licences that a reservation keeps in the map of backfill (scheduling.md §8.4).
"""Licence a has four: one is used for an hour, `first` waits half an hour for its node and wants one, `second` wants one for an hour now, `third` one for a quarter. Printed: whether second and third
run, by what is reserved. Backfill alone. About a minute and a half."""
import sys

from lab import Tally, hold, lab, release

CONF = """\
SelectType=select/cons_tres
SelectTypeParameters=CR_Core
SchedulerType=sched/backfill
SchedulerParameters=sched_interval=-1,bf_interval=20,bf_licenses,bf_window=10000
PriorityType=priority/basic
Licenses=a:4,b:2
NodeName=n[1-4] CPUs=4 RealMemory=4000
PartitionName=all Nodes=ALL Default=YES MaxTime=INFINITE State=UP
"""
CASES = [("Licenses=a:2 Flags=LICENSE_ONLY StartTime=now Duration=100", "waits, runs"), ("Licenses=a:2 Flags=LICENSE_ONLY StartTime=now+10minutes Duration=90", "waits, runs"),
         ("Licenses=b:2 Flags=LICENSE_ONLY StartTime=now Duration=100", "runs, runs"), ("Nodes=n4 StartTime=now Duration=100", "runs, runs"), ("", "runs, runs")]  # fmt: skip


def main():
    tally = Tally()
    with lab(CONF) as one:
        for reserved, told in CASES:
            held = hold(one, ["-L a:1 -n1 -w n2 -t 60", "-n4 -w n1 -t 30"])
            if reserved:
                one.out(f"scontrol create reservation ReservationName=r Users=root {reserved}")
            waiting = [one.sub(words) for words in ("-w n1 -n1 -L a:1 -t 60", "-w n3 -n1 -L a:1 -t 60", "-w n3 -n1 -L a:1 -t 15")]
            one.rest(60)
            found = ["runs" if one.job(number).get("JobState") == "RUNNING" else "waits" for number in waiting[1:]]
            tally.note(f"{reserved or 'no reservation':70}", ", ".join(found), told)
            release(one, [*waiting, *held])
            one.out("scontrol delete ReservationName=r")
            one.rest(20)
    return tally.close()


if __name__ == "__main__":
    sys.exit(main())
