#!/usr/bin/env python3
# scripts/reference/experiments/ends_together.py — jobs of several reservations that end between the same two scans (lifecycle.md §6).
"""Reservations of a node each that begin seconds apart; a job that names all of them runs on each node, and one of the first alone beside them. Prints
after how many minutes each is ended, or that it runs on. About two minutes."""
import sys

from lab import Tally, lab

CONF = """\
SelectType=select/cons_tres
SelectTypeParameters=CR_Core
SchedulerType=sched/backfill
SchedulerParameters=bf_interval=5,sched_interval=5
PriorityType=priority/basic
NodeName=n[1-3] Sockets=1 CoresPerSocket=4 ThreadsPerCore=1 RealMemory=4000
PartitionName=all Nodes=ALL MaxTime=INFINITE State=UP Default=YES
"""
# minutes of r, s and t, if it is there, in which order they are named, and when their member ends
CASES = [
    ((3, 3), "r,s", "runs on"),
    ((3, 3), "s,r", "runs on"),
    ((3, 5), "r,s", "5"),
    ((5, 3), "r,s", "5"),
    ((3, 3, 5), "r,s,t", "5"),
    ((3, 5, 5), "r,s,t", "runs on"),
    ((5, 5, 5), "t,r,s", "runs on"),
]


def ended(one, number):
    job = one.job(number)
    hours, minutes, seconds = map(int, job["RunTime"].split(":"))
    return "runs on" if job["JobState"] == "RUNNING" else str(round((60 * minutes + seconds) / 60))


def main():
    tally = Tally()
    with lab(CONF) as one:
        for minutes, named, told in CASES:
            names = "rst"[: len(minutes)]
            for at, (name, duration) in enumerate(zip(names, minutes)):
                one.out(f"scontrol create reservation ReservationName={name} Users=root StartTime=now Duration={duration} Nodes=n{at + 1}")
                one.rest(2)
            one.rest(6)
            members = [one.sub(f"-n1 -w n{at + 1} -t 60 --reservation={named}") for at in range(len(minutes))]
            alone = one.sub("-n1 -t 60 --reservation=r")
            one.rest(420)
            tally.note(f"{minutes} minutes, {named}:", " ".join(sorted({ended(one, number) for number in members})), told)
            tally.note("  of r alone:", ended(one, alone), str(minutes[0]))
            one.out("scancel -u root")
            one.rest(60)
    return tally.close()


if __name__ == "__main__":
    sys.exit(main())
