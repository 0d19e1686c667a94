#!/usr/bin/env python3
# scripts/reference/experiments/small_nodes.py — which nodes are left out where those of the lowest weight have too few GPUs (scheduling.md §6.4).
"""Nodes of two weights, with one or two threads a core, and GPUs at a socket or at none; of those of the lower weight each has too few free. Asks every question of
tests/data/placements/small_nodes.txt (or the named file) and prints those that are answered otherwise. About eight minutes.

    small_nodes.py [FILE] [--grep WORDS] [--write OUT]"""
import sys

import near_cores

near_cores.THREADS = {"a": 2, "b": 2, "g": 2}
CONF = near_cores.USUAL + """\
NodeName=a[1-3] Sockets=2 CoresPerSocket=24 ThreadsPerCore=2 RealMemory=512000 Gres=gpu:a100:4 Weight=10
NodeName=b[1-3] Sockets=2 CoresPerSocket=24 ThreadsPerCore=2 RealMemory=512000 Gres=gpu:a100:4 Weight=10
NodeName=h[1-2] Sockets=2 CoresPerSocket=48 ThreadsPerCore=1 RealMemory=1000000 Gres=gpu:a100:8 Weight=50
NodeName=g[1-2] Sockets=2 CoresPerSocket=20 ThreadsPerCore=2 RealMemory=1000000 Gres=gpu:a100:8 Weight=50
PartitionName=p Nodes=a[1-3],h[1-2] MaxTime=INFINITE State=UP Default=YES
PartitionName=q Nodes=b[1-3],h[1-2] MaxTime=INFINITE State=UP
PartitionName=r Nodes=a[1-3],g[1-2] MaxTime=INFINITE State=UP
PartitionName=s Nodes=b[1-3],g[1-2] MaxTime=INFINITE State=UP
"""
GRES = """\
NodeName=a[1-3] Name=gpu Type=a100 File=/dev/nvidia[0-1] Cores=0-23
NodeName=a[1-3] Name=gpu Type=a100 File=/dev/nvidia[2-3] Cores=24-47
NodeName=b[1-3] Name=gpu Type=a100 File=/dev/nvidia[0-3]
NodeName=h[1-2] Name=gpu Type=a100 File=/dev/nvidia[0-7]
NodeName=g[1-2] Name=gpu Type=a100 File=/dev/nvidia[0-3] Cores=0-19
NodeName=g[1-2] Name=gpu Type=a100 File=/dev/nvidia[4-7] Cores=20-39
"""


if __name__ == "__main__":
    sys.exit(near_cores.ask_file(__doc__, lambda _: CONF, GRES, near_cores.QUESTIONS.with_name("small_nodes.txt")))
