#!/usr/bin/env python3
# scripts/reference/experiments/least_priority.py — what sprio, squeue and scontrol print of a job whose nice is larger than its priority (priority.md §1, §11.7).
"""Jobs that wait, with --nice of less and of more than the rest comes to, in one partition and in two. Printed: PRIORITY of sprio, its parts, %Q and %p of squeue, Priority= of scontrol. One minute."""
import sys

from lab import hold, lab

CONF = """\
SelectType=select/cons_tres
SelectTypeParameters=CR_CPU
SchedulerType=sched/backfill
PriorityType=priority/multifactor
PriorityWeightAge=1000
PriorityWeightPartition=500
PriorityWeightJobSize=100
PriorityMaxAge=0-01:00:00
PriorityCalcPeriod=1
PriorityFlags={}
NodeName=k1 CPUs=8 RealMemory=96000
PartitionName=p Nodes=k1 Default=YES MaxTime=INFINITE State=UP PriorityJobFactor=10
PartitionName=q Nodes=k1 MaxTime=INFINITE State=UP PriorityJobFactor=4
"""
JOBS = ["-n8", "-n8 --nice=200", "-n8 --nice=700", "-n8 --nice=2000", "-n8 --nice=1000000", "-n8 -p p,q", "-n8 -p p,q --nice=300", "-n8 -p p,q --nice=600", "-n8 -p p,q --nice=2000"]


def main():
    for flags in ("NO_NORMAL_TRES", "INCR_ONLY", "CALCULATE_RUNNING"):
        with lab(CONF.format(flags)) as one:
            hold(one, ["-n8"])
            ids = [one.sub(f"-t 900 {words}") for words in JOBS]
            for rest in (5, 600):
                one.rest(rest)
                print(f"{flags}, {rest} s later")
                print(one.out("sprio -l"))
                print(one.out("squeue -t PD -o '%.5i %.6P %.12Q %p'"))
                for number, words in zip(ids, JOBS):
                    print(f"  {words:30} Priority={one.job(number).get('Priority')} Nice={one.job(number).get('Nice')}", flush=True)


if __name__ == "__main__":
    sys.exit(main())
