#!/usr/bin/env python3
# scripts/reference/experiments/lost_tasks.py — tasks with a GPU and an odd number of CPUs, on nodes where others hold GPUs and cores (gres.md §3.2).
"""Four nodes of 32 cores with two threads and four GPUs: a1 has one socket, b1 two, c1 four, and no GPU is bound; d1 has two with two GPUs at each. Asks every question of
tests/data/placements/lost_tasks.txt (or the named file: lost_by_node.txt asks with --mem), and prints those that are answered otherwise. About fifteen minutes.

    lost_tasks.py [FILE] [--grep WORDS] [--write OUT]"""
import sys

import near_cores

near_cores.THREADS = {"a": 2, "b": 2, "c": 2, "d": 2}
CONF = """\
SelectType=select/cons_tres
SelectTypeParameters={parameters}
SchedulerType=sched/backfill
PriorityType=priority/basic
GresTypes=gpu
DefMemPerCPU=50
NodeName=a1 Sockets=1 CoresPerSocket=32 ThreadsPerCore=2 RealMemory=16000 Gres=gpu:a100:4
NodeName=b1,d1 Sockets=2 CoresPerSocket=16 ThreadsPerCore=2 RealMemory=16000 Gres=gpu:a100:4
NodeName=c1 Sockets=4 CoresPerSocket=8 ThreadsPerCore=2 RealMemory=16000 Gres=gpu:a100:4
PartitionName=a Nodes=a1 Default=YES MaxTime=INFINITE State=UP
PartitionName=b Nodes=b1 MaxTime=INFINITE State=UP
PartitionName=c Nodes=c1 MaxTime=INFINITE State=UP
PartitionName=d Nodes=d1 MaxTime=INFINITE State=UP
"""
GRES = """\
NodeName=a1,b1,c1 Name=gpu Type=a100 File=/dev/nvidia[0-3]
NodeName=d1 Name=gpu Type=a100 File=/dev/nvidia[0-1] Cores=0-15
NodeName=d1 Name=gpu Type=a100 File=/dev/nvidia[2-3] Cores=16-31
"""


def conf(parameters):
    return CONF.format(parameters=parameters)


if __name__ == "__main__":
    sys.exit(near_cores.ask_file(__doc__, conf, GRES, near_cores.QUESTIONS.with_name("lost_tasks.txt")))
