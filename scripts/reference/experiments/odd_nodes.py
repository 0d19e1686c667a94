#!/usr/bin/env python3
# scripts/reference/experiments/odd_nodes.py — which node is chosen for tasks of an odd number of CPUs with GPUs, on cores of two threads (gres.md §3.2, §3.3).
"""Three nodes of 2 × 16 cores and three of 2 × 4, two threads a core, two GPUs at each socket. Asks every question of tests/data/placements/odd_nodes.txt (or the named
file), under each of its SelectTypeParameters, and prints those that are answered otherwise. About ten minutes.

    odd_nodes.py [FILE] [--grep WORDS] [--write OUT]"""
import sys

import near_cores

near_cores.THREADS = {"b": 2, "c": 2}
CONF = """\
SelectType=select/cons_tres
SelectTypeParameters={parameters}
SchedulerType=sched/backfill
PriorityType=priority/basic
GresTypes=gpu
DefMemPerCPU=50
NodeName=b[1-3] Sockets=2 CoresPerSocket=16 ThreadsPerCore=2 RealMemory=16000 Gres=gpu:a100:4
NodeName=c[1-3] Sockets=2 CoresPerSocket=4 ThreadsPerCore=2 RealMemory=16000 Gres=gpu:a100:4
PartitionName=b Nodes=b[1-3] Default=YES MaxTime=INFINITE State=UP
PartitionName=c Nodes=c[1-3] MaxTime=INFINITE State=UP
"""
GRES = """\
NodeName=b[1-3] Name=gpu Type=a100 File=/dev/nvidia[0-1] Cores=0-15
NodeName=b[1-3] Name=gpu Type=a100 File=/dev/nvidia[2-3] Cores=16-31
NodeName=c[1-3] Name=gpu Type=a100 File=/dev/nvidia[0-1] Cores=0-3
NodeName=c[1-3] Name=gpu Type=a100 File=/dev/nvidia[2-3] Cores=4-7
"""


def conf(parameters):
    return CONF.format(parameters=parameters)


if __name__ == "__main__":
    sys.exit(near_cores.ask_file(__doc__, conf, GRES, near_cores.QUESTIONS.with_name("odd_nodes.txt")))
