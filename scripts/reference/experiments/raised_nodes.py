#!/usr/bin/env python3
# scripts/reference/experiments/raised_nodes.py — lists of partitions with and without MinNodes (limits.md §1.3).
"""Prints where each job runs, or why it waits: x is full, m2 and m3 are idle partitions with MinNodes. About a minute."""
from lab import hold, lab

CONF = """\
SchedulerType=sched/backfill
SchedulerParameters=sched_interval=2,bf_interval=5
PriorityType=priority/basic
SelectType=select/cons_tres
SelectTypeParameters=CR_Core
NodeName=a[1-4] Sockets=2 CoresPerSocket=4 RealMemory=16000
PartitionName=x Nodes=a1 MaxTime=INFINITE State=UP Default=YES
PartitionName=m2 Nodes=a[2-4] MaxTime=INFINITE State=UP MinNodes=2
PartitionName=m3 Nodes=a[2-4] MaxTime=INFINITE State=UP MinNodes=3
"""
QUESTIONS = ("-p m2 -n1", "-p x,m2 -n1", "-p m2,x -n1", "-p x,m2 -N1-2 -n2", "-p x,m2 -N2 -n2", "-p m2,m3 -n1", "-p m3,m2 -n1", "-p x,m2 -n12", "-p x,m2 -n1 -a 0-1", "-p x,m2 -N2-3 -n4")

if __name__ == "__main__":
    with lab(CONF) as lab_:
        hold(lab_, ["-p x -n8 -t 1000"])
        for question in QUESTIONS:
            number = lab_.sub(f"{question} -t 10")
            lab_.rest(25)
            print(question, "|", lab_.out(f"squeue -r -h -j {number} -o '%t/%P/%N/%r'").replace("\n", "  "), flush=True)
            lab_.out(f"scancel {number}")
            lab_.rest(15)
