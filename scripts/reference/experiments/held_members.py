#!/usr/bin/env python3
# scripts/reference/experiments/held_members.py — what becomes of held jobs that asked for a reservation when it ends (lifecycle.md §13).
"""Reservation r of a1 begins in a minute and lasts three; q of the same node lasts. Jobs that can never run there are held when it begins. Printed: state, Reason and priority of each
job before and after the end of r, once for a plain one, a DAILY one and one that holds nobody; then after a release. About three minutes."""
import sys

from lab import Tally, lab

CONF = """\
SchedulerType=sched/backfill
SchedulerParameters=sched_interval=5,bf_interval=10
PriorityType=priority/multifactor
SelectType=select/cons_tres
SelectTypeParameters=CR_Core
NodeName=a[1-2] Sockets=1 CoresPerSocket=4 ThreadsPerCore=1 RealMemory=16000 Feature=k
NodeName=b1 Sockets=1 CoresPerSocket=4 ThreadsPerCore=1 RealMemory=16000 Feature=l
PartitionName=x Nodes=ALL MaxTime=INFINITE State=UP Default=YES
"""
NEVER, ADMIN, DELETED = "PENDING BadConstraints 0", "PENDING JobHeldAdmin 0", "RESV_DEL_HOLD Reservation_r_was_deleted 0"
# Flags of r: the jobs, whether an admin holds them, and what they show after its end.
CASES = [
    ("", [("-C l --reservation=r", False, ADMIN), ("-C l --reservation=q", False, NEVER), ("-C l --reservation=r,q", False, ADMIN), ("-a 0-1 -C l --reservation=r", False, ADMIN),
          ("-H --reservation=r", False, DELETED), ("--begin=now+1hour --reservation=r", True, ADMIN)]),
    (",DAILY", [("-C l --reservation=r", False, ADMIN), ("-H --reservation=r", False, "PENDING JobHeldUser 0")]),
    (",NO_HOLD_JOBS_AFTER", [("-C l --reservation=r", False, ADMIN), ("-H --reservation=r", False, "PENDING JobHeldUser 0")]),
]
RELEASED = {"": "RUNNING None 1", ",DAILY": "PENDING Reservation 1"}


def shown(one, job):
    return " ".join(one.job(job).get(key) for key in ("JobState", "Reason", "Priority"))


def main():
    tally = Tally()
    for flags, asked in CASES:
        with lab(CONF) as one:
            for name, minutes, more in (("r", 3, flags), ("q", 60, "")):
                one.out(f"scontrol create reservation ReservationName={name} Nodes=a1 StartTime=now+1minute Duration={minutes} Users=root Flags=OVERLAP{more}")
            jobs = [one.sub(f"-n1 {words}") for words, _, _ in asked]
            one.rest(90)
            for job, (_, holds, _) in zip(jobs, asked):
                if holds:
                    one.out(f"scontrol hold {job}")
            one.rest(240)
            for job, (words, holds, told) in zip(jobs, asked):
                tally.note(f"{flags} {words}{', held by an admin' if holds else ''} |", shown(one, job), told)
            if flags in RELEASED:
                one.out(f"scontrol release {jobs[0]}")
                one.rest(30)
                tally.note(f"{flags} {asked[0][0]}, released |", shown(one, jobs[0]), RELEASED[flags])
    return tally.close()


if __name__ == "__main__":
    sys.exit(main())
