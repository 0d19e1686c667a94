#!/usr/bin/env python3
# scripts/reference/experiments/linear_layout.py — tasks by socket and core, threads and CoreSpec under select/linear (scheduling.md §6).
"""Four nodes each of 16 cores with two threads, of 32 cores, of 2 × 4 cores with one thread and with two. Asks every question of tests/data/placements/linear_layout.txt
(or the named file) and prints those that are answered otherwise. Four minutes.

    linear_layout.py [FILE] [--grep WORDS] [--write OUT]"""
import sys

import near_cores

near_cores.THREADS = {"a": 2, "e": 2}
CONF = """\
SelectType=select/linear
SchedulerType=sched/backfill
PriorityType=priority/basic
NodeName=a[1-4] Sockets=1 CoresPerSocket=16 ThreadsPerCore=2 RealMemory=16000
NodeName=b[1-4] Sockets=1 CoresPerSocket=32 ThreadsPerCore=1 RealMemory=16000
NodeName=d[1-4] Sockets=2 CoresPerSocket=4 ThreadsPerCore=1 RealMemory=16000
NodeName=e[1-4] Sockets=2 CoresPerSocket=4 ThreadsPerCore=2 RealMemory=16000
PartitionName=a Nodes=a[1-4] MaxTime=INFINITE State=UP Default=YES
PartitionName=b Nodes=b[1-4] MaxTime=INFINITE State=UP
PartitionName=d Nodes=d[1-4] MaxTime=INFINITE State=UP
PartitionName=e Nodes=e[1-4] MaxTime=INFINITE State=UP
"""


if __name__ == "__main__":
    sys.exit(near_cores.ask_file(__doc__, lambda _: CONF, "", near_cores.QUESTIONS.with_name("linear_layout.txt")))
