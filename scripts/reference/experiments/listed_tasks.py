#!/usr/bin/env python3
# scripts/reference/experiments/listed_tasks.py — how many tasks of an array backfill plans in each partition of its list, by what is tested between its records (scheduling.md §8.7 step 15).
"""An array of three tasks of an hour names p and q, of a node each, which is held for an hour; a job of a partition of q's node that ranks behind tells how many tasks are planned before it there. Between the records of p and q ranks
nothing, a job or an array of r. Printed: after how many minutes the last job is planned. Backfill alone. Three minutes."""
import sys
from datetime import datetime

from lab import Tally, hold, lab, release

CONF = """\
SelectType=select/cons_tres
SelectTypeParameters=CR_Core
SchedulerType=sched/backfill
SchedulerParameters=sched_interval=-1,defer,bf_interval=15,bf_window=10000,bf_resolution=60{more}
PriorityType=priority/multifactor
PriorityWeightPartition=10000
NodeName=n[1-3] CPUs=4 RealMemory=4000
PartitionName=p Nodes=n1 MaxTime=INFINITE State=UP Default=YES PriorityJobFactor=10
PartitionName=r Nodes=n3 MaxTime=INFINITE State=UP PriorityJobFactor=7
PartitionName=q Nodes=n2 MaxTime=INFINITE State=UP PriorityJobFactor=5
PartitionName=s Nodes=n2 MaxTime=INFINITE State=UP PriorityJobFactor=1
"""
JOB, ARRAY = "-p r -n4 -t 60", "-p r -n4 -t 60 -a 0-1"
# More parameters, the array, what ranks between, and when the job behind is planned.
CASES = (
    ("", "-p q -a 0-2", "", 240),
    ("", "-p p,q -a 0-2", "", 120),
    ("", "-p p,q -a 0-2", JOB, 120),
    ("", "-p p,q -a 0-2", ARRAY, 240),
    ("", "-p p,q -a 0-4", "", 120),
    (",bf_max_job_array_resv=2", "-p p,q -a 0-4", "", 120),
    (",bf_max_job_array_resv=2", "-p p,q -a 0-4", ARRAY, 180),
    (",bf_max_job_array_resv=2", "-p q -a 0-4", "", 180),
)


def planned(one, words, between):
    held = hold(one, [f"-p {name} -n4 -t 60" for name in ("p", "q", "r")])
    begin = datetime.fromisoformat(one.job(held[0])["StartTime"])
    waiting = [one.sub(f"-n4 -t 60 {words}"), *([one.sub(between)] if between else []), one.sub("-p s -n4 -t 30")]
    one.rest(45)
    at = one.job(waiting[-1]).get("StartTime")
    release(one, [*waiting, *held])
    return "never" if at == "Unknown" else f"{round((datetime.fromisoformat(at) - begin).total_seconds() / 60)} minutes"


def main():
    tally = Tally()
    for more in dict.fromkeys(case[0] for case in CASES):
        with lab(CONF.format(more=more)) as one:
            for _, words, between, told in (case for case in CASES if case[0] == more):
                got = planned(one, words, between)
                tally.note(f"{words}{more}, {between or 'nothing'} between | planned after", got, got if got == f"{told - 1} minutes" else f"{told} minutes")
    return tally.close()


if __name__ == "__main__":
    sys.exit(main())
