#!/usr/bin/env python3
# scripts/reference/experiments/least_loaded_sockets.py — several nodes of a LLN partition where whole sockets or cores are counted (scheduling.md §6.4).
"""Nodes of two sockets with two threads a core and of four with one. Asks every question of tests/data/placements/least_loaded_sockets.txt (or the named file), under each
of its SelectType and SelectTypeParameters, and prints those that are answered otherwise. About six minutes.

    least_loaded_sockets.py [FILE] [--grep WORDS] [--write OUT]"""
import sys

import near_cores

near_cores.THREADS = {"s": 2}
CONF = """\
SelectType=select/{plugin}
SelectTypeParameters={parameters}
SchedulerType=sched/backfill
PriorityType=priority/basic
NodeName=s[1-4] Sockets=2 CoresPerSocket=8 ThreadsPerCore=2 RealMemory=96000
NodeName=t[1-4] Sockets=4 CoresPerSocket=4 ThreadsPerCore=1 RealMemory=96000
PartitionName=s Nodes=s[1-4] Default=YES MaxTime=INFINITE State=UP LLN=YES
PartitionName=t Nodes=t[1-4] MaxTime=INFINITE State=UP LLN=YES
PartitionName=a Nodes=s[1-4] MaxTime=INFINITE State=UP
"""


def conf(words):
    plugin, parameters = words.split()
    return CONF.format(plugin=plugin, parameters=parameters)


if __name__ == "__main__":
    sys.exit(near_cores.ask_file(__doc__, conf, "", near_cores.QUESTIONS.with_name("least_loaded_sockets.txt")))
