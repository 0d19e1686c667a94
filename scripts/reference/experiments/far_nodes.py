#!/usr/bin/env python3
# scripts/reference/experiments/far_nodes.py — nodes all of whose free GPUs are at sockets without a free core (gres.md §3.3).
"""Four nodes of 2 × 16 cores, four GPUs at each socket. Asks every question of tests/data/placements/far_nodes.txt (or the named file) and prints those that are
answered otherwise. About two minutes.

    far_nodes.py [FILE] [--grep WORDS] [--write OUT]"""
import sys

import near_cores

CONF = near_cores.USUAL + """\
NodeName=s[1-4] Sockets=2 CoresPerSocket=16 ThreadsPerCore=1 RealMemory=16000 Gres=gpu:h100:8
PartitionName=s Nodes=s[1-4] MaxTime=INFINITE State=UP Default=YES
"""
GRES = """\
NodeName=s[1-4] Name=gpu Type=h100 File=/dev/nvidia[0-3] Cores=0-15
NodeName=s[1-4] Name=gpu Type=h100 File=/dev/nvidia[4-7] Cores=16-31
"""


if __name__ == "__main__":
    sys.exit(near_cores.ask_file(__doc__, lambda _: CONF, GRES, near_cores.QUESTIONS.with_name("far_nodes.txt")))
