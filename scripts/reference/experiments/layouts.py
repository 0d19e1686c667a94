#!/usr/bin/env python3
# scripts/reference/experiments/layouts.py — which cores a job gets: -m, threads, tasks by socket, under three SelectTypeParameters (scheduling.md §6.7).
"""Three nodes of 2 × 6 cores with two threads, t[1-3], two of 4 × 3, s[1-2], and two of 2 × 10 without, f[1-2]. Asks every question of
tests/data/placements/layouts.txt (or the named file), under each of its SelectTypeParameters, and prints those that are answered otherwise. Fifteen minutes.

    layouts.py [FILE] [--grep WORDS] [--write OUT]"""
import sys

import near_cores

near_cores.THREADS = {"t": 2, "s": 2}
CONF = """\
SelectType=select/cons_tres
SelectTypeParameters={parameters}
SchedulerType=sched/backfill
PriorityType=priority/basic
NodeName=t[1-3] Sockets=2 CoresPerSocket=6 ThreadsPerCore=2 RealMemory=16000
NodeName=s[1-2] Sockets=4 CoresPerSocket=3 ThreadsPerCore=2 RealMemory=16000
NodeName=f[1-2] Sockets=2 CoresPerSocket=10 ThreadsPerCore=1 RealMemory=16000
PartitionName=t Nodes=t[1-3] MaxTime=INFINITE State=UP Default=YES
PartitionName=s Nodes=s[1-2] MaxTime=INFINITE State=UP
PartitionName=f Nodes=f[1-2] MaxTime=INFINITE State=UP
"""


def conf(parameters):
    return CONF.format(parameters=parameters)


if __name__ == "__main__":
    sys.exit(near_cores.ask_file(__doc__, conf, "", near_cores.QUESTIONS.with_name("layouts.txt")))
