#!/usr/bin/env python3
# scripts/reference/experiments/size_of_min_nodes.py — the job size of jobs in partitions with MinNodes (priority.md §3.4).
"""Prints JOBSIZE (of 1000) of sprio for each job, which waits for a begin far away, in partitions mN with MinNodes=N on four nodes of eight CPUs; then once more, after MinNodes of m2 has become 4. About two minutes."""
from lab import lab

CONF = """\
SchedulerType=sched/backfill
SchedulerParameters=sched_interval=2,bf_interval=600
PriorityType=priority/multifactor
PriorityWeightJobSize=1000
PriorityCalcPeriod=1
SelectType=select/cons_tres
SelectTypeParameters=CR_Core
NodeName=a[1-4] Sockets=2 CoresPerSocket=4 RealMemory=16000
PartitionName=m0 Nodes=ALL MaxTime=INFINITE State=UP Default=YES
PartitionName=m2 Nodes=ALL MaxTime=INFINITE State=UP MinNodes=2
PartitionName=m3 Nodes=ALL MaxTime=INFINITE State=UP MinNodes=3
"""
QUESTIONS = ("-p m0 -n1", "-p m2 -n1", "-p m3 -n1", "-p m3 -N1-4 -n1", "-p m2 -N2 -n2", "-p m2 -N3 -n3", "-p m2 -n8", "-p m0,m3 -n1", "-p m3,m0 -n1", "-p m2,m3 -n1", "-p m3,m2 -n1", "-p m2 -n1 -a 0-1")


def sizes(one, numbers):
    one.rest(130)
    return [one.out(f"sprio -h -j {number} -o '%r %J'").replace("\n", "; ") or one.out(f"scontrol -o show job {number}")[:200] for number in numbers]


if __name__ == "__main__":
    with lab(CONF) as lab_:
        full = lab_.sub("-p m0 -N4 -n32 -t 1000")
        jobs = [(words, lab_.sub(f"{words} -t 10")) for words in QUESTIONS]
        waiting = [number for _, number in jobs if number.isdigit()]
        first = sizes(lab_, waiting)
        lab_.out("scontrol update PartitionName=m2 MinNodes=4")
        told = dict(zip(waiting, zip(first, sizes(lab_, waiting))))
        for words, number in jobs:
            print(words, "|", " | ".join(told.get(number, (number,))))
