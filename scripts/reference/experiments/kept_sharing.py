#!/usr/bin/env python3
# scripts/reference/experiments/kept_sharing.py — what a partition with OverSubscribe=FORCE leaves of a job that it has tested (scheduling.md §5.3).
"""Partitions over a node of eight CPUs each: f2 (FORCE:2) and f1 (FORCE:1), which are full, and y (YES:2) and n (NO), where one job holds all of the node, or four CPUs of it, with -s or without. Printed: what becomes of jobs that name one of the
first before or behind one of the others, with the main loop alone and with backfill alone, the OverSubscribe that they show then (YES of a job that waits in f2), and the same of jobs that are moved. Six minutes."""
import sys

from lab import Tally, hold, lab, release

CONF = """\
SchedulerType=sched/backfill
SchedulerParameters={parameters}
PriorityType=priority/multifactor
PriorityWeightPartition=1000
SelectType=select/cons_tres
SelectTypeParameters=CR_Core
NodeName=a[1-4] Sockets=2 CoresPerSocket=4 ThreadsPerCore=1 RealMemory=16000
NodeName=b1 Sockets=2 CoresPerSocket=4 ThreadsPerCore=1 RealMemory=16000 Feature=b
PartitionName=f2 Nodes=a1 MaxTime=INFINITE State=UP OverSubscribe=FORCE:2 PriorityJobFactor=5
PartitionName=f1 Nodes=a2 MaxTime=INFINITE State=UP OverSubscribe=FORCE:1 PriorityJobFactor=5
PartitionName=y Nodes=a3,b1 MaxTime=INFINITE State=UP Default=YES OverSubscribe=YES:2 PriorityJobFactor=5
PartitionName=n Nodes=a4 MaxTime=INFINITE State=UP OverSubscribe=NO PriorityJobFactor=5
"""
LOOPS = {"main": "sched_interval=2,bf_interval=-1", "backfill": "defer,sched_interval=-1,bf_interval=5"}
FULL = ["-p f2 -n8 -t 1000", "-p f2 -n8 -t 1000", "-p f1 -n8 -t 1000", "-p y -w b1 -n8 -t 1000"]
# What is held of y and n; the job; what becomes of it by the main loop, and by backfill.
CASES = (
    ("-p y -w a3 -s -n8", "-p y -n1", "waits OK", "waits OK"),
    ("-p y -w a3 -s -n8", "-p f2,y -n1", "a3 YES", "a3 YES"),
    ("-p y -w a3 -s -n8", "-p y,f2 -n1", "a3 YES", "waits YES"),
    ("-p y -w a3 -s -n8", "-p f1,y -n1", "waits OK", "waits OK"),
    ("-p y -w a3 -s -n8", "-p f2,y -n1 -w a3", "waits OK", "waits OK"),
    ("-p y -w a3 -s -n8", "-p f2,y -n1 --exclusive", "waits NO", "waits NO"),
    ("-p y -w a3 -n4", "-p y -n1", "a3 OK", "a3 OK"),
    ("-p y -w a3 -n4", "-p f2,y -n1", "waits YES", "waits YES"),
    ("-p y -w a3 -n4", "-p f1,y -n1", "a3 OK", "a3 OK"),
    ("-p n -w a4 -n4", "-p f2,n -n1", "a4 YES", "a4 YES"),
    ("-p n -w a4 -n8", "-p f2,n -n1", "waits YES", "waits YES"),
)
MOVED = (
    ("-p f2 -n1", "Partition=y", "a3 YES"),
    ("-p f1 -n1", "Partition=y", "waits OK"),
    ("-H -p f2 -n1", "Partition=y", "waits OK"),
    ("-p f2 -n1", "Partition=y OverSubscribe=NO", "waits NO"),
)


def stands(one, number):
    job = one.job(number)
    return f"{job['NodeList'] if job['JobState'] == 'RUNNING' else 'waits'} {job['OverSubscribe']}"


def ask(one, held, words):
    holders = hold(one, [f"{held} -t 1000"])
    number = one.sub(f"{words} -t 10")
    one.rest(40)
    told = stands(one, number)
    release(one, [number, *holders])
    return told


def moved(one, words, change):
    holders = hold(one, ["-p y -w a3 -s -n8 -t 1000"])
    number = one.sub(f"{words} -t 10")
    one.rest(15)
    one.out(f"scontrol update JobId={number} {change}")
    one.out(f"scontrol release {number}")
    one.rest(40)
    told = stands(one, number)
    release(one, [number, *holders])
    return told


def main():
    tally = Tally()
    for column, (loop, parameters) in enumerate(LOOPS.items(), 2):
        with lab(CONF.format(parameters=parameters)) as one:
            hold(one, FULL)
            for case in CASES:
                tally.note(f"{loop}, {case[0]} held, {case[1]} |", ask(one, *case[:2]), case[column])
            for words, change, told in MOVED if loop == "main" else ():
                tally.note(f"{loop}, {words} moved, {change} |", moved(one, words, change), told)
    return tally.close()


if __name__ == "__main__":
    sys.exit(main())
