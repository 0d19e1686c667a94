#!/usr/bin/env python3
# scripts/reference/experiments/mixed_threads.py — for how many tasks that bring GPUs nodes with two threads a core count beside nodes with one (gres.md §3.2).
"""Three nodes of 16 cores with two threads and four of 32 cores with one, four GPUs each. Asks every question of tests/data/placements/mixed_threads.txt (or the named file),
under each of its SelectTypeParameters, and prints those that are answered otherwise. About four minutes.

    mixed_threads.py [FILE] [--grep WORDS] [--write OUT]"""
import sys

import near_cores

near_cores.THREADS = {"b": 2}
CONF = """\
SelectType=select/cons_tres
SelectTypeParameters={parameters}
SchedulerType=sched/backfill
PriorityType=priority/basic
GresTypes=gpu
DefMemPerCPU=10
NodeName=b[1-3] Sockets=1 CoresPerSocket=16 ThreadsPerCore=2 RealMemory=16000 Gres=gpu:a100:4
NodeName=c[1-4] Sockets=1 CoresPerSocket=32 ThreadsPerCore=1 RealMemory=16000 Gres=gpu:a100:4
PartitionName=b Nodes=b[1-3] MaxTime=INFINITE State=UP
PartitionName=c Nodes=c[1-4] MaxTime=INFINITE State=UP
PartitionName=p Nodes=b[1-3],c[1-4] MaxTime=INFINITE State=UP Default=YES
"""
GRES = "NodeName=b[1-3],c[1-4] Name=gpu Type=a100 File=/dev/nvidia[0-3]\n"


def conf(parameters):
    return CONF.format(parameters=parameters)


if __name__ == "__main__":
    sys.exit(near_cores.ask_file(__doc__, conf, GRES, near_cores.QUESTIONS.with_name("mixed_threads.txt")))
