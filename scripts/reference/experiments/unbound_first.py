#!/usr/bin/env python3
# scripts/reference/experiments/unbound_first.py — GPUs without Cores in gres.conf in front of others that have some (gres.md §4.4).
"""Nodes of 2 × 6 cores with six GPUs: 1g.10gb 0-3 beside no cores in gres.conf, 3g.40gb 4 beside those of socket 0, 5 beside those of socket 1. Asks every question of
tests/data/placements/unbound_first.txt (or the named file) and prints those that are answered otherwise. One minute.

    unbound_first.py [FILE] [--grep WORDS] [--write OUT]"""
import sys

import near_cores

CONF = near_cores.USUAL + """\
NodeName=a[1-3] Sockets=2 CoresPerSocket=6 ThreadsPerCore=1 RealMemory=16000 Gres=gpu:1g.10gb:4,gpu:3g.40gb:2
PartitionName=a Nodes=a[1-3] MaxTime=INFINITE State=UP Default=YES
"""
GRES = """\
NodeName=a[1-3] Name=gpu Type=1g.10gb File=/dev/nvidia[0-3]
NodeName=a[1-3] Name=gpu Type=3g.40gb File=/dev/nvidia4 Cores=0-5
NodeName=a[1-3] Name=gpu Type=3g.40gb File=/dev/nvidia5 Cores=6-11
"""


if __name__ == "__main__":
    sys.exit(near_cores.ask_file(__doc__, lambda _: CONF, GRES, near_cores.QUESTIONS.with_name("unbound_first.txt")))
