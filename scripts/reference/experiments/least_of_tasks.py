#!/usr/bin/env python3
# scripts/reference/experiments/least_of_tasks.py — --mincpus beside -c, MaxCPUsPerNode and memory by CPU (scheduling.md §6.2).
"""Prints NumCPUs of each job on each node, or why it waits. About five minutes."""
from lab import lab

CONF = """\
SchedulerType=sched/backfill
SchedulerParameters=sched_interval=2,bf_interval=600
PriorityType=priority/basic
SelectType=select/cons_tres
SelectTypeParameters=CR_Core_Memory
NodeName=a1 Sockets=2 CoresPerSocket=8 RealMemory=30000
NodeName=a2 Sockets=2 CoresPerSocket=8 RealMemory=17000
NodeName=a3 Sockets=2 CoresPerSocket=8 RealMemory=18000
NodeName=b1 Sockets=2 CoresPerSocket=7 RealMemory=30000
PartitionName=cap Nodes=ALL MaxTime=INFINITE State=UP Default=YES MaxCPUsPerNode=12 DefMemPerCPU=100
PartitionName=open Nodes=ALL MaxTime=INFINITE State=UP DefMemPerCPU=100
"""
QUESTIONS = ("-n1 -c5 --mincpus=12 --mem-per-cpu=1500", "-n1 -c5 --mincpus=9 --mem-per-cpu=1500", "-n2 -c5 -N1 --mincpus=12 --mem-per-cpu=1500", "-n1 -c5 --mincpus=12 --mem=1000", "-n1 -c5 --mincpus=14 --mem-per-cpu=1000")


def answer(one, words):
    number = one.sub(words)
    if not number.isdigit():
        return number
    one.until(lambda: one.job(number).get("JobState") == "RUNNING", 12)
    job = one.job(number)
    one.out(f"scancel {number}")
    one.rest(14)
    return job["NumCPUs"] if job["JobState"] == "RUNNING" else f"waits {job['Reason']}"


if __name__ == "__main__":
    with lab(CONF) as lab_:
        for partition in ("cap", "open"):
            for node in ("a1", "a2", "a3", "b1"):
                for question in QUESTIONS:
                    print(partition, node, question, "|", answer(lab_, f"-p {partition} -w {node} {question} -t 10"), flush=True)
