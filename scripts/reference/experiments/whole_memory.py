#!/usr/bin/env python3
# scripts/reference/experiments/whole_memory.py — memory by CPU of whole nodes whose threads a job does not use (scheduling.md §6.1).
"""Nodes of 2 × 4 cores with two threads, 100 MB a CPU; x is EXCLUSIVE. Printed: CPUs and MB of a node that each job gets, under four ways to count. About three minutes."""
import re
import sys

from lab import Tally, lab, numbers, shown

CONF = """\
SelectType=select/cons_tres
SelectTypeParameters={way}
SchedulerType=sched/backfill
PriorityType=priority/basic
GresTypes=gpu
DefMemPerCPU=100
NodeName=n[1-2] Sockets=2 CoresPerSocket=4 ThreadsPerCore=2 RealMemory=16000 Gres=gpu:a100:2
PartitionName=n Nodes=n[1-2] MaxTime=INFINITE State=UP Default=YES
PartitionName=x Nodes=n[1-2] MaxTime=INFINITE State=UP OverSubscribe=EXCLUSIVE
"""
GRES = "NodeName=n[1-2] Name=gpu Type=a100 File=/dev/nvidia[0-1]\n"
WAYS = ("CR_CPU_Memory", "CR_Core_Memory", "CR_Core_Memory,CR_ONE_TASK_PER_CORE", "CR_Socket_Memory")
WHOLE = [
    ("-n1 --exclusive", "16 1600"),
    ("-n1 --exclusive --threads-per-core=1", "16 800"),
    ("-n1 --exclusive --hint=nomultithread", "16 800"),
    ("-n1 --exclusive --ntasks-per-core=1", "16 1600"),
    ("-n3 --exclusive --ntasks-per-core=1", "16 1600"),
    ("-N2 -n4 --exclusive --threads-per-core=1", "16 800"),
    ("-p x -n1", "16 1600"),
    ("-p x -n1 --threads-per-core=1", "16 800"),
    ("-p x -n3 --threads-per-core=1 --mem-per-cpu=200", "16 1600"),
    ("-p x -n3 --ntasks-per-core=1 --mem-per-cpu=200", "16 3200"),
    ("-p x --gpus=1 --cpus-per-gpu=2 --threads-per-core=1", "16 800"),
    ("-p x --gres=gpu:1 -n1 --hint=nomultithread", "16 800"),
    ("-p x -n1 --threads-per-core=2", "16 1600"),
    ("-p x -c3 --ntasks-per-core=1", "16 1600"),
    ("-p x -c3 --threads-per-core=1", "16 800"),
    ("-p x -n8 --ntasks-per-core=1 --mem-per-cpu=1500", "waits"),
    ("-p x -n8 --threads-per-core=1 --mem-per-cpu=1500", "16 12000"),
    ("-p x -n2 --ntasks-per-core=2 --mem-per-cpu=200", "16 3200"),
]


def given(one, words):
    found = re.search(r" Nodes=\S+ CPU_IDs=(\S+) Mem=(\d+)", shown(one, words))
    return f"{len(numbers(found[1]))} {found[2]}" if found else "waits"


def main():
    tally = Tally()
    for way in WAYS:
        with lab(CONF.format(way=way), gres=GRES) as one:
            for words, told in WHOLE:
                tally.note(f"{way} {words}", given(one, words), told)
    return tally.close()


if __name__ == "__main__":
    sys.exit(main())
