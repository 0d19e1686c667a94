#!/usr/bin/env python3
# scripts/reference/experiments/odd_tasks.py — tasks of an odd number of CPUs that bring GPUs, on cores of two threads, with and without memory by CPU (gres.md §3.1).
"""A node of 2 × 24 cores with two threads and two GPUs at each socket. Asks every question of tests/data/placements/odd_tasks.txt (or the named file), under each of its
SelectTypeParameters, and prints those that are answered otherwise. About six minutes.

    odd_tasks.py [FILE] [--grep WORDS] [--write OUT]"""
import sys

import near_cores

near_cores.THREADS = {"a": 2}
CONF = """\
SelectType=select/cons_tres
SelectTypeParameters={parameters}
SchedulerType=sched/backfill
PriorityType=priority/basic
GresTypes=gpu
DefMemPerCPU=50
NodeName=a1 Sockets=2 CoresPerSocket=24 ThreadsPerCore=2 RealMemory=16000 Gres=gpu:a100:4
PartitionName=a Nodes=a1 Default=YES MaxTime=INFINITE State=UP
"""
GRES = """\
NodeName=a1 Name=gpu Type=a100 File=/dev/nvidia[0-1] Cores=0-23
NodeName=a1 Name=gpu Type=a100 File=/dev/nvidia[2-3] Cores=24-47
"""


def conf(parameters):
    return CONF.format(parameters=parameters)


if __name__ == "__main__":
    sys.exit(near_cores.ask_file(__doc__, conf, GRES, near_cores.QUESTIONS.with_name("odd_tasks.txt")))
