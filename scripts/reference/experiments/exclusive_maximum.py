#!/usr/bin/env python3
# scripts/reference/experiments/exclusive_maximum.py — jobs with --exclusive in its three ways where nodes have more CPUs than MaxCPUsPerNode (scheduling.md §6.2).
"""Nodes of forty and of twelve CPUs in partitions qN with MaxCPUsPerNode=N. Asks every question of tests/data/placements/exclusive_maximum.txt (or the named file)
and prints those that are answered otherwise. About two minutes.

    exclusive_maximum.py [FILE] [--grep WORDS] [--write OUT]"""
import sys

import near_cores

near_cores.THREADS = {"a": 2}
CONF = near_cores.USUAL.replace("GresTypes=gpu\n", "") + """\
NodeName=a[1-2] Sockets=2 CoresPerSocket=10 ThreadsPerCore=2 RealMemory=16000
NodeName=b[1-2] Sockets=2 CoresPerSocket=6 ThreadsPerCore=1 RealMemory=16000 Weight=5
PartitionName=q11 Nodes=a[1-2],b[1-2] MaxTime=INFINITE State=UP MaxCPUsPerNode=11
PartitionName=q12 Nodes=a[1-2],b[1-2] MaxTime=INFINITE State=UP MaxCPUsPerNode=12
PartitionName=q40 Nodes=a[1-2],b[1-2] MaxTime=INFINITE State=UP MaxCPUsPerNode=40
"""

if __name__ == "__main__":
    sys.exit(near_cores.ask_file(__doc__, lambda _: CONF, "", near_cores.QUESTIONS.with_name("exclusive_maximum.txt")))
