#!/usr/bin/env python3
# scripts/reference/experiments/socket_cpus.py — GPUs by socket that bring CPUs (gres.md §2.4, §3.3).
"""Nodes of two sockets with two threads a core and of three with one, two GPUs at each, DefCpuPerGPU in partitions of their own. Asks every question of
tests/data/placements/socket_cpus.txt (or the named file), under each of its SelectTypeParameters, and prints those that are answered otherwise. About ten minutes.

    socket_cpus.py [FILE] [--grep WORDS] [--write OUT]"""
import sys

import near_cores

near_cores.THREADS = {"a": 2}
CONF = """\
SelectType=select/cons_tres
SelectTypeParameters={parameters}
SchedulerType=sched/backfill
PriorityType=priority/basic
GresTypes=gpu
DefMemPerCPU=100
NodeName=a[1-2] Sockets=2 CoresPerSocket=12 ThreadsPerCore=2 RealMemory=16000 Gres=gpu:a100:4
NodeName=r[1-2] Sockets=3 CoresPerSocket=8 ThreadsPerCore=1 RealMemory=16000 Gres=gpu:a100:6
PartitionName=a Nodes=a[1-2] Default=YES MaxTime=INFINITE State=UP
PartitionName=r Nodes=r[1-2] MaxTime=INFINITE State=UP
PartitionName=d Nodes=a[1-2] MaxTime=INFINITE State=UP DefCpuPerGPU=6
PartitionName=e Nodes=r[1-2] MaxTime=INFINITE State=UP DefCpuPerGPU=3
PartitionName=f Nodes=a[1-2] MaxTime=INFINITE State=UP DefCpuPerGPU=6 DefMemPerGPU=1000
PartitionName=g Nodes=r[1-2] MaxTime=INFINITE State=UP DefCpuPerGPU=3 DefMemPerGPU=1000
"""
GRES = """\
NodeName=a[1-2] Name=gpu Type=a100 File=/dev/nvidia[0-1] Cores=0-11
NodeName=a[1-2] Name=gpu Type=a100 File=/dev/nvidia[2-3] Cores=12-23
NodeName=r[1-2] Name=gpu Type=a100 File=/dev/nvidia[0-1] Cores=0-7
NodeName=r[1-2] Name=gpu Type=a100 File=/dev/nvidia[2-3] Cores=8-15
NodeName=r[1-2] Name=gpu Type=a100 File=/dev/nvidia[4-5] Cores=16-23
"""


def conf(parameters):
    return CONF.format(parameters=parameters)


if __name__ == "__main__":
    sys.exit(near_cores.ask_file(__doc__, conf, GRES, near_cores.QUESTIONS.with_name("socket_cpus.txt")))
