#!/usr/bin/env python3
# scripts/reference/experiments/reserved_partitions.py — lists of partitions of which one has ReqResv, of jobs that ask for no reservation (limits.md §1.3).
"""Prints where each job, and each task, runs or why it waits: on an idle cluster, on a full one, and once that is free again. About two minutes."""
from lab import hold, lab, release

CONF = """\
SchedulerType=sched/backfill
SchedulerParameters=sched_interval=2,bf_interval=5
PriorityType=priority/multifactor
SelectType=select/cons_tres
SelectTypeParameters=CR_Core
NodeName=a[1-3] Sockets=2 CoresPerSocket=4 ThreadsPerCore=1 RealMemory=16000
PartitionName=all Nodes=a[1-3] MaxTime=INFINITE State=UP Default=YES
PartitionName=lent Nodes=a[2-3] MaxTime=INFINITE State=UP ReqResv=YES
PartitionName=other Nodes=a[1-2] MaxTime=INFINITE State=UP
"""
QUESTIONS = ("-p lent", "-p lent,all", "-p all,lent", "-p lent,all -a 0-1", "-p all,lent -a 0-1", "-p lent,all -s", "-p lent,all -n2 --ntasks-per-socket=2", "-p lent,all -n2 --ntasks-per-socket=2 -s -a 0-3", "-p lent,other,all -n1", "-p lent,all --hold")


def answer(one, words, busy):
    held = hold(one, [f"-p all -w a{node} -n8" for node in (1, 2, 3)]) if busy else []
    number = one.sub(f"{words} -t 10")
    if not number.isdigit():
        release(one, held)
        return number
    one.rest(40)
    if "--hold" in words:
        one.out(f"scontrol release {number}")
        one.rest(20)
    stands = lambda: one.out(f"squeue -r -h -j {number} -o '%t/%P/%N/%r'").replace("\n", "  ")
    told = stands()
    release(one, held)
    one.rest(20)
    told += f" | {stands()}"
    one.out(f"scancel {number}")
    one.rest(20)
    return told


if __name__ == "__main__":
    with lab(CONF) as lab_:
        for question in QUESTIONS:
            for full in (False, True):
                print(question, "full" if full else "idle", "|", answer(lab_, question, full), flush=True)
