#!/usr/bin/env python3
# scripts/reference/experiments/kept_whole.py — what a partition with OverSubscribe=EXCLUSIVE leaves of a job that it has tested (scheduling.md §5.3).
"""Jobs that name a partition with OverSubscribe=EXCLUSIVE beside another, or are moved out of it, with the main loop alone and with backfill alone: OverSubscribe and NumCPUs
that they show while they wait, and once a core, and then all of the other partition's node, is free. About three minutes."""
from lab import hold, lab

CONF = """\
SchedulerType=sched/backfill
SchedulerParameters={parameters}
PriorityType=priority/multifactor
PriorityWeightPartition=1000
SelectType=select/cons_tres
SelectTypeParameters=CR_Core
NodeName=a[1-3] Sockets=2 CoresPerSocket=4 ThreadsPerCore=1 RealMemory=16000
PartitionName=x Nodes=a1 MaxTime=INFINITE State=UP OverSubscribe=EXCLUSIVE PriorityJobFactor=5
PartitionName=xhi Nodes=a1 MaxTime=INFINITE State=UP OverSubscribe=EXCLUSIVE PriorityJobFactor=50
PartitionName=xlo Nodes=a1 MaxTime=INFINITE State=UP OverSubscribe=EXCLUSIVE PriorityJobFactor=1
PartitionName=y Nodes=a2 MaxTime=INFINITE State=UP Default=YES PriorityJobFactor=5
PartitionName=v Nodes=a3 MaxTime=INFINITE State=UP PriorityJobFactor=5
"""
LOOPS = {"main": "sched_interval=2,bf_interval=-1", "backfill": "defer,sched_interval=-1,bf_interval=5"}


def stands(one, number):
    job = one.job(number)
    return " ".join((job["JobState"], job.get("NodeList", ""), job["NumCPUs"], job["OverSubscribe"]))


def beside(one, partitions):
    """With the node of y full, with one of its cores free, with all of them free, and requeued."""
    most, last = hold(one, ["-p y -n7 -t 1000", "-p y -n1 -t 1000"])
    number = one.sub(f"-p {partitions} -n1 -t 10")
    one.rest(40)
    told = [stands(one, number)]
    for gone in (last, most):
        one.out(f"scancel {gone}")
        one.rest(40)
        told.append(stands(one, number))
    one.out(f"scontrol requeue {number}")
    one.rest(200)
    told.append(stands(one, number))
    one.out(f"scancel {number}")
    one.rest(20)
    return told


def moved(one, words, change):
    number = one.sub(f"-p x -n1 -t 10 {words}")
    one.rest(10)
    one.out(f"scontrol update JobId={number} {change}")
    one.out(f"scontrol release {number}")
    one.rest(40)
    told = stands(one, number)
    one.out(f"scancel {number}")
    one.rest(20)
    return told


def main():
    for loop, parameters in LOOPS.items():
        with lab(CONF.format(parameters=parameters)) as one:
            hold(one, ["-p x -n1 -t 1000"])
            for partitions in ("x,y", "y,x", "xhi,y", "xlo,y", "y,xlo", "y"):
                print(loop, partitions, " | ".join(beside(one, partitions)), flush=True)
            for words, change in (("", "Partition=v"), ("-s", "Partition=v"), ("-H", "Partition=v"), ("", "Partition=v OverSubscribe=YES"), ("--exclusive=user", "Partition=v")):
                print(loop, f"moved {words} {change}", moved(one, words, change), flush=True)


if __name__ == "__main__":
    main()
