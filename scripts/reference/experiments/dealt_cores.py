#!/usr/bin/env python3
# scripts/reference/experiments/dealt_cores.py — CPUs beyond --ntasks-per-node on cores of one, two and four threads (scheduling.md §6.7).
"""Nodes of two sockets with four GPUs. Asks every question of tests/data/placements/dealt_cores.txt (or the named file), under each of its SelectTypeParameters, and prints
those that are answered otherwise. About ten minutes.

    dealt_cores.py [FILE] [--grep WORDS] [--write OUT]"""
import sys

import near_cores

near_cores.THREADS = {"a": 2, "b": 4}
CONF = """\
SelectType=select/cons_tres
SelectTypeParameters={parameters}
SchedulerType=sched/backfill
PriorityType=priority/basic
GresTypes=gpu
NodeName=a[1-3] Sockets=2 CoresPerSocket=12 ThreadsPerCore=2 RealMemory=16000 Gres=gpu:a100:4
NodeName=b[1-3] Sockets=2 CoresPerSocket=6 ThreadsPerCore=4 RealMemory=16000 Gres=gpu:a100:4
NodeName=c[1-3] Sockets=2 CoresPerSocket=12 ThreadsPerCore=1 RealMemory=16000 Gres=gpu:a100:4
PartitionName=a Nodes=a[1-3] Default=YES MaxTime=INFINITE State=UP
PartitionName=b Nodes=b[1-3] MaxTime=INFINITE State=UP
PartitionName=c Nodes=c[1-3] MaxTime=INFINITE State=UP
PartitionName=d Nodes=a[1-3] MaxTime=INFINITE State=UP DefCpuPerGPU=7
PartitionName=e Nodes=b[1-3] MaxTime=INFINITE State=UP DefCpuPerGPU=7
"""
GRES = """\
NodeName=a[1-3] Name=gpu Type=a100 File=/dev/nvidia[0-1] Cores=0-11
NodeName=a[1-3] Name=gpu Type=a100 File=/dev/nvidia[2-3] Cores=12-23
NodeName=b[1-3] Name=gpu Type=a100 File=/dev/nvidia[0-3]
NodeName=c[1-3] Name=gpu Type=a100 File=/dev/nvidia[0-3]
"""


def conf(parameters):
    return CONF.format(parameters=parameters)


if __name__ == "__main__":
    sys.exit(near_cores.ask_file(__doc__, conf, GRES, near_cores.QUESTIONS.with_name("dealt_cores.txt")))
