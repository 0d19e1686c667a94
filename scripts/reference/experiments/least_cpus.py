#!/usr/bin/env python3
# scripts/reference/experiments/least_cpus.py — what `scontrol update JobId= MinCPUsNode=` makes of a job (lifecycle.md §10.1).
"""Idle nodes of 2 × 16 cores with two threads and four GPUs. A job is held, updated and released; printed: NumCPUs after the updates, then the number of CPUs by node that it gets, or BadConstraints. Two minutes."""
import re
import sys

from lab import Tally, lab, numbers

CONF = """\
SelectType=select/cons_tres
SelectTypeParameters=CR_Core_Memory
SchedulerType=sched/backfill
PriorityType=priority/basic
GresTypes=gpu
NodeName=b[1-4] Sockets=2 CoresPerSocket=16 ThreadsPerCore=2 RealMemory=256000 Gres=gpu:a100:4
PartitionName=b Nodes=b[1-4] Default=YES State=UP DefMemPerCPU=1000 MaxMemPerCPU=6000
"""
GRES = "NodeName=b[1-4] Name=gpu Type=a100 File=/dev/nvidia[0-3]\n"
TWO_GPUS = "--gpus=2 --cpus-per-gpu=1"
CASES = [
    ("-n1", "MinCPUsNode=8", "8: 8"),
    ("-n1", "MinCPUsNode=8 MinCPUsNode=2", "2: 2"),
    ("-n10", "MinCPUsNode=8", "8: 8"),
    ("-N2 -n2", "MinCPUsNode=8", "16: 8 8"),
    ("-N2 -n4", "MinCPUsNode=4 NumCPUs=2", "2: 4 4"),
    ("-N1-2 -n4", "MinCPUsNode=8", "8: 8 8"),
    ("-n2 -N2 -c2", "MinCPUsNode=3", "6: 4 2"),
    ("-n1 --mincpus=8", "Comment=x", "1: 8"),
    ("-n1 --gres=gpu:1", "MinCPUsNode=8", "8: BadConstraints"),
    ("-n1 --gres=gpu:1 --mincpus=8", "Comment=x", "1: 2"),
    (TWO_GPUS, "MinCPUsNode=2", "2: 2"),
    (TWO_GPUS, "MinCPUsNode=3", "3: 4"),
    (TWO_GPUS, "MinCPUsNode=8", "8: BadConstraints"),
    (TWO_GPUS, "NumCPUs=8", "8: BadConstraints"),
    (f"{TWO_GPUS} --mincpus=8", "Comment=x", "1: 8"),
    (f"{TWO_GPUS} --mincpus=8", "MinCPUsNode=8", "8: BadConstraints"),
    (f"{TWO_GPUS} --mincpus=8", "MinCPUsNode=4", "4: 4"),
    (f"-N2 {TWO_GPUS}", "MinCPUsNode=8", "16: BadConstraints"),
    (f"-N2 {TWO_GPUS}", "MinCPUsNode=4", "8: 4 4"),
    ("--gpus=2 --cpus-per-gpu=8", "MinCPUsNode=8", "8: 16"),
    ("--gpus-per-node=2 --cpus-per-gpu=1", "MinCPUsNode=8", "8: 8"),
    ("-n2 --gpus-per-task=1 --cpus-per-gpu=1", "MinCPUsNode=8", "8: BadConstraints"),
]


def asked(one, words, changes):
    number = one.sub(f"-H {words}")
    for change in changes.split():
        one.out(f"scontrol update JobId={number} {change}")
    cpus = one.job(number).get("NumCPUs")
    one.out(f"scontrol release {number}")
    one.until(lambda: one.job(number).get("JobState") == "RUNNING" or one.job(number).get("Reason") == "BadConstraints", 70)
    job, text = one.job(number), one.out(f"scontrol -d show job {number}")
    one.out(f"scancel {number}")
    one.rest(20)
    if job.get("JobState") != "RUNNING":
        return f"{cpus}: {job.get('Reason')}"
    got = [str(len(numbers(ids))) for nodes, ids in re.findall(r" Nodes=(\S+) CPU_IDs=(\S+)", text) for _ in (numbers(nodes[1:].strip("[]")))]
    return f"{cpus}: {' '.join(got)}"


def main():
    tally = Tally()
    with lab(CONF, gres=GRES) as one:
        for words, changes, told in CASES:
            tally.note(f"{words:42} {changes:28}", asked(one, words, changes), told)
    return tally.close()


if __name__ == "__main__":
    sys.exit(main())
