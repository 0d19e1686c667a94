#!/usr/bin/env python3
# scripts/reference/experiments/far_cores.py — nodes whose cores beside the GPUs are too few for a task, so that it needs some of the other socket (gres.md §3.3).
"""Nodes of 2 × 8 cores whose four GPUs are all at socket 0 (p) or 1 (q), with some cores free on each socket of the first node and others on the second. Asks every question of
tests/data/placements/far_cores.txt (or the named file) and prints those that are answered otherwise. About seven minutes.

    far_cores.py [FILE] [--grep WORDS] [--write OUT]"""
import sys

import near_cores

CONF = near_cores.USUAL + """\
NodeName=p[1-2] Sockets=2 CoresPerSocket=8 ThreadsPerCore=1 RealMemory=64000 Gres=gpu:a100:4
NodeName=q[1-2] Sockets=2 CoresPerSocket=8 ThreadsPerCore=1 RealMemory=64000 Gres=gpu:a100:4
PartitionName=p Nodes=p[1-2] Default=YES MaxTime=INFINITE State=UP
PartitionName=q Nodes=q[1-2] MaxTime=INFINITE State=UP
"""
GRES = """\
NodeName=p[1-2] Name=gpu Type=a100 File=/dev/nvidia[0-3] Cores=0-7
NodeName=q[1-2] Name=gpu Type=a100 File=/dev/nvidia[0-3] Cores=8-15
"""


if __name__ == "__main__":
    sys.exit(near_cores.ask_file(__doc__, lambda _: CONF, GRES, near_cores.QUESTIONS.with_name("far_cores.txt")))
