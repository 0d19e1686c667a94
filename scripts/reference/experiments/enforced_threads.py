#!/usr/bin/env python3
# scripts/reference/experiments/enforced_threads.py — cores that --gres-flags=enforce-binding brings on several nodes of two threads a core (gres.md §3.3).
"""Nodes with GPUs at no socket (b, and q of four sockets) and at each of two (g). Asks every question of tests/data/placements/enforced_threads.txt (or the named file)
and prints those that are answered otherwise. One minute.

    enforced_threads.py [FILE] [--grep WORDS] [--write OUT]"""
import sys

import near_cores

NODES = """\
NodeName=b[1-3] Sockets=2 CoresPerSocket=6 ThreadsPerCore=2 RealMemory=16000 Gres=gpu:a100:4
NodeName=g[1-3] Sockets=2 CoresPerSocket=6 ThreadsPerCore=2 RealMemory=16000 Gres=gpu:a100:4
NodeName=q[1-3] Sockets=4 CoresPerSocket=4 ThreadsPerCore=2 RealMemory=16000 Gres=gpu:a100:4
PartitionName=b Nodes=b[1-3] MaxTime=INFINITE State=UP Default=YES
PartitionName=g Nodes=g[1-3] MaxTime=INFINITE State=UP
PartitionName=q Nodes=q[1-3] MaxTime=INFINITE State=UP
"""
GRES = """\
NodeName=b[1-3] Name=gpu Type=a100 File=/dev/nvidia[0-3]
NodeName=g[1-3] Name=gpu Type=a100 File=/dev/nvidia[0-1] Cores=0-5
NodeName=g[1-3] Name=gpu Type=a100 File=/dev/nvidia[2-3] Cores=6-11
NodeName=q[1-3] Name=gpu Type=a100 File=/dev/nvidia[0-3]
"""
near_cores.THREADS.update(b=2, g=2, q=2)


if __name__ == "__main__":
    sys.exit(near_cores.ask_file(__doc__, lambda _: near_cores.USUAL + NODES, GRES, near_cores.QUESTIONS.with_name("enforced_threads.txt")))
