#!/usr/bin/env python3
# scripts/reference/experiments/requeued_counts.py — how a requeue counts for MaxSubmitJobs (limits.md §4).
"""Beside three held jobs a user may have five more. Told: a job that is requeued while it runs, or preempted, is one of them from then on; one that is
requeued when it is over (COMPLETED, CANCELLED; also by requeuehold) is not counted again, though its next end is: there is room for one more from then on,
for good. About three minutes."""
import sys

from lab import Tally, lab

CONF = """\
SelectType=select/cons_tres
SelectTypeParameters=CR_Core
SchedulerType=sched/backfill
SchedulerParameters=bf_interval=10,sched_interval=10
AccountingStorageType=accounting_storage/slurmdbd
AccountingStorageEnforce=associations,limits,qos
PriorityType=priority/multifactor
PreemptType=preempt/partition_prio
PreemptMode=REQUEUE
NodeName=c[1-4] CPUs=8
PartitionName=hi Nodes=ALL MaxTime=INFINITE State=UP PriorityTier=2
PartitionName=p Nodes=ALL MaxTime=INFINITE State=UP Default=YES PriorityTier=1
"""
USERS = "add account a\nadd user root account=a\nadd user ann account=a\n"
MOST = 8
LIMITS = f"modify user root set maxsubmitjobs={MOST}", f"modify qos normal set maxsubmitjobsperuser={MOST}"


def lost(one):
    """By how many the count is less than the jobs that are there."""
    more = []
    while (job := one.sub("-H -n1 -t 5")).isdigit():
        more.append(job)
    there = one.out("squeue -h -u root -r -o %i").split()
    one.out("scancel " + " ".join(more))
    one.rest(10)
    return len(there) - MOST


def over(one, job, state="COMPLETED"):
    one.until(lambda: one.job(job).get("JobState") == state, 300)
    one.rest(8)


def ask(one, tally):
    for _ in range(3):
        one.sub("-H -n1 -t 5")
    tally.note("three held", lost(one), 0)
    job = one.sub("-n1 -t 5", 3)
    over(one, job)
    tally.note("one is over", lost(one), 0)
    one.out(f"scontrol requeue {job}")
    tally.note("requeued", lost(one), 1)
    over(one, job, "RUNNING")
    over(one, job)
    tally.note("over again", lost(one), 1)
    job = one.sub("-n1 -t 5", 3)
    over(one, job)
    one.out(f"scontrol requeuehold {job}")
    tally.note("another, by requeuehold", lost(one), 2)
    one.out(f"scancel {job}")
    one.rest(20)
    job = one.sub("-n1 -t 50", 2000)
    over(one, job, "RUNNING")
    one.out(f"scontrol requeue {job}")
    one.rest(10)
    tally.note("a running one requeued", lost(one), 2)
    one.out(f"scancel {job}")
    one.rest(20)
    job = one.sub("-a 1-2 -n4 -t 50", 2000)
    one.rest(15)
    one.sub("-p hi -N4 --exclusive -t 5 --uid=ann", 30)
    one.rest(30)
    tally.note("tasks preempted", lost(one), 2)
    one.out(f"scancel {job}")
    one.rest(20)
    job = one.sub("-H -n1 -t 5")
    one.out(f"scancel {job}")
    one.rest(20)
    one.out(f"scontrol requeue {job}")
    tally.note("cancelled while it waited, and requeued", lost(one), 3)


def main():
    tally = Tally()
    for limit in LIMITS:
        with lab(CONF, "", f"{USERS}{limit}\n", rate=40) as one:
            print(limit)
            ask(one, tally)
    return tally.close()


if __name__ == "__main__":
    sys.exit(main())
