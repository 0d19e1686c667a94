#!/usr/bin/env python3
# scripts/reference/experiments/tasks_by_socket.py — --ntasks-per-socket and --ntasks-per-core where sockets or cores are given (scheduling.md §6.2).
"""Two nodes of 2 × 8 cores with two threads, n[1-2], and three of 4 × 4 without, q[1-3]. Asks every question of tests/data/placements/tasks_by_socket.txt
(or the named file), under each of its SelectTypeParameters, and prints those that are answered otherwise. About ten minutes.

    tasks_by_socket.py [FILE] [--grep WORDS] [--write OUT]"""
import sys

import near_cores

CONF = """\
SelectType=select/cons_tres
SelectTypeParameters={parameters}
SchedulerType=sched/backfill
PriorityType=priority/basic
NodeName=n[1-2] Sockets=2 CoresPerSocket=8 ThreadsPerCore=2 RealMemory=16000
NodeName=q[1-3] Sockets=4 CoresPerSocket=4 ThreadsPerCore=1 RealMemory=16000
PartitionName=n Nodes=n[1-2] MaxTime=INFINITE State=UP Default=YES
PartitionName=q Nodes=q[1-3] MaxTime=INFINITE State=UP
"""


def conf(parameters):
    return CONF.format(parameters=parameters)


if __name__ == "__main__":
    sys.exit(near_cores.ask_file(__doc__, conf, "", near_cores.QUESTIONS.with_name("tasks_by_socket.txt")))
