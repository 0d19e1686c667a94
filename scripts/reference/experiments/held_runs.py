#!/usr/bin/env python3
# scripts/reference/experiments/held_runs.py — what becomes of a run that an admin holds, releases or suspends, once it is requeued (lifecycle.md §10).
"""A job of one CPU on the only node. Each case: what is done to its run, then `scontrol requeue`. Printed: whether it pends held after its
clean-up, by the priority, and the Reason, and whether they are as the text says."""
import sys

from lab import Tally, lab

CONF = """\
SelectType=select/cons_tres
SelectTypeParameters=CR_CPU
SchedulerType=sched/backfill
PriorityType=priority/multifactor
PriorityWeightAge=1000
PriorityWeightJobSize=1000
NodeName=n1 CPUs=4 RealMemory=1000
PartitionName=all Nodes=n1 Default=YES MaxTime=INFINITE State=UP
"""
# (what is typed while it runs, what the text says)
CASES = [
    ("", "BeginTime"),
    ("hold {job}", "held JobHeldAdmin"),
    ("uhold {job}", "held JobHeldUser"),
    ("hold {job}; release {job}", "BeginTime"),
    ("hold {job}; uhold {job}", "held JobHeldUser"),
    ("uhold {job}; hold {job}", "held JobHeldAdmin"),
    ("suspend {job}", "held JobHeldAdmin"),
    ("suspend {job}; resume {job}", "BeginTime"),
    ("hold {job}; suspend {job}; resume {job}", "BeginTime"),
]  # fmt: skip


def requeued(one, typed):
    """The Reason of the job some seconds after its requeue, and whether its priority is 0."""
    number = one.sub("-n1 -t 60 --requeue")
    one.until(lambda: one.job(number)["JobState"] == "RUNNING", 90)
    for command in filter(None, typed.format(job=number).split("; ")):
        one.out(f"scontrol {command}")
        one.rest(5)
    said = one.out(f"scontrol requeue {number}")
    one.until(lambda: one.job(number)["JobState"] == "PENDING", 60)
    one.rest(70)
    job = one.job(number)
    one.out(f"scancel {number}")
    one.rest(10)
    return said or f"{'held ' if job['Priority'] == '0' else ''}{job['Reason']}"


def main():
    tally = Tally()
    with lab(CONF) as one:
        for typed, told in CASES:
            tally.note(f"{typed:40}", requeued(one, typed), told)
    return tally.close()


if __name__ == "__main__":
    sys.exit(main())
