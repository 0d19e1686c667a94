#!/usr/bin/env python3
# scripts/reference/experiments/several_reservations.py — whether a job that names several reservations, none of which has begun, is in the queue (lifecycle.md §3).
"""Two reservations to begin in half an hour, each pass to look at three records of the partition. Printed: since when jobs are eligible, whether others start beside them."""
import sys

from lab import Tally, lab, release

CONF = """\
SelectType=select/cons_tres
SelectTypeParameters=CR_Core
SchedulerType=sched/backfill
SchedulerParameters=partition_job_depth=3,bf_interval=10000
PriorityType=priority/multifactor
PriorityWeightAge=1000
NodeName=n[1-6] Sockets=1 CoresPerSocket=4 ThreadsPerCore=1 RealMemory=16000
PartitionName=p Nodes=n[1-6] MaxTime=INFINITE State=UP Default=YES
"""


def ages(one, number):
    """The Reason of a job, and whether it ages."""
    job = one.job(number)
    return f"{job['Reason']}, {'ages' if 'Unknown' not in (job['EligibleTime'], job['AccrueTime']) else 'does not age'}"


def beside(one, members):
    """How many of three jobs run two minutes after these members came."""
    jobs = [one.sub(f"--reservation={names} -n1 -t 5") for names in members]
    others = [one.sub("-n1 -t 5") for _ in range(3)]
    one.rest(130)
    running = sum(one.job(number)["JobState"] == "RUNNING" for number in others)
    seen = [ages(one, number) for number in jobs]
    release(one, [*jobs, *others])
    return f"{running} others run; {'; '.join(seen)}"


def main():
    tally = Tally()
    with lab(CONF) as one:
        for name, node in (("r", "n1"), ("s", "n2")):
            one.out(f"scontrol create reservation ReservationName={name} Users=root StartTime=now+30minutes Duration=60 Nodes={node}")
        waits, ready = "Reservation, does not age", "Reservation, ages"
        for members, told in ((["r"], f"3 others run; {waits}"), (["r", "s", "r", "s"], f"3 others run; {'; '.join([waits] * 4)}"), (["r,s"], f"3 others run; {ready}"), (["s,r", "r,s"], f"0 others run; {ready}; {ready}")):
            tally.note(f"{' '.join(members)} |", beside(one, members), told)
    return tally.close()


if __name__ == "__main__":
    sys.exit(main())
