#!/usr/bin/env python3
# scripts/reference/experiments/counted_jobs.py — which of backfill's counts a job adds to that another count leaves out (scheduling.md §8.5).
"""Partitions p and q have a node each, which runs a job. What waits is told by user and partition, in the order of its priority; printed: which of them a cycle plans. About two minutes."""
import sys

from lab import Tally, lab, planned

CONF = """\
SelectType=select/cons_tres
SelectTypeParameters=CR_Core
SchedulerType=sched/backfill
PriorityType=priority/basic
SchedulerParameters=sched_interval=-1,bf_interval=10,bf_continue,{more}
AccountingStorageEnforce=associations
NodeName=n[1-2] CPUs=4 RealMemory=4000
PartitionName=p Nodes=n1 Default=YES MaxTime=INFINITE State=UP
PartitionName=q Nodes=n2 MaxTime=INFINITE State=UP
"""
ACCOUNTS = "add account red\nadd user di,eve Account=red\n"
CASES = [
    ("bf_max_job_assoc=3,bf_max_job_user_part=1", ["di p", "di p", "di p", "di q", "di q", "eve p"], "1 . . 1 . 1"),
    ("bf_max_job_user=3,bf_max_job_user_part=1", ["di p", "di p", "di p", "di q", "di q", "eve p"], "1 . . 1 . 1"),
    ("bf_max_job_part=3,bf_max_job_user_part=1", ["di p", "di p", "di p", "eve p", "eve q"], "1 . . 1 1"),
    ("bf_max_job_part=2,bf_max_job_assoc=1", ["di p", "di p", "eve p", "eve q"], "1 . 1 ."),
    ("bf_max_job_part=2,bf_max_job_user=1", ["di p", "di p", "eve p", "eve q"], "1 . 1 ."),
    ("bf_max_job_assoc=2,bf_max_job_part=1", ["di p", "di p", "di q", "eve q"], "1 . 1 ."),
    ("bf_max_job_user=2,bf_max_job_part=1", ["di p", "di p", "di q", "eve q"], "1 . 1 ."),
    ("bf_max_job_user_part=2,bf_max_job_part=1", ["di p", "eve p", "di q", "di q"], "1 . 1 ."),
]  # fmt: skip


def ask(one, jobs):
    waiting = [f"--uid={user} -p {partition} -n1 -t 10" for user, partition in map(str.split, jobs)]
    return planned(one, ["--uid=root -p p -n4 -t 100", "--uid=root -p q -n4 -t 100"], waiting)


def main():
    tally = Tally()
    for more, jobs, told in CASES:
        with lab(CONF.format(more=more), sacctmgr=ACCOUNTS) as one:
            tally.note(f"{more:44} {', '.join(jobs):40}", ask(one, jobs), told)
    return tally.close()


if __name__ == "__main__":
    sys.exit(main())
