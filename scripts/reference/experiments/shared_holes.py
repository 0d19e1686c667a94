#!/usr/bin/env python3
# scripts/reference/experiments/shared_holes.py — how a job's GPUs and their CPUs are shared among nodes that others have left holes in (gres.md §3.2, §4.4).
"""Eight nodes of 2 × 16 cores with four GPUs at each socket, of which four are full; four CPUs a GPU in t and u, 100000 MB a GPU in u. Asks every question of tests/data/placements/shared_holes.txt
(or the named file) and prints those that are answered otherwise. Two minutes.

    shared_holes.py [FILE] [--grep WORDS] [--write OUT]"""
import sys

import near_cores

CONF = near_cores.USUAL.replace("CR_Core", "CR_Core_Memory") + """\
NodeName=s[1-8] Sockets=2 CoresPerSocket=16 ThreadsPerCore=1 RealMemory=1000000 Gres=gpu:h100:8
PartitionName=t Nodes=s[1-8] MaxTime=INFINITE State=UP DefCpuPerGPU=4 DefMemPerCPU=10
PartitionName=o Nodes=s[1-8] MaxTime=INFINITE State=UP DefMemPerCPU=10
PartitionName=u Nodes=s[1-8] MaxTime=INFINITE State=UP DefCpuPerGPU=4 DefMemPerGPU=100000 DefMemPerCPU=10
"""
GRES = """\
NodeName=s[1-8] Name=gpu Type=h100 File=/dev/nvidia[0-3] Cores=0-15
NodeName=s[1-8] Name=gpu Type=h100 File=/dev/nvidia[4-7] Cores=16-31
"""


if __name__ == "__main__":
    sys.exit(near_cores.ask_file(__doc__, lambda _: CONF, GRES, near_cores.QUESTIONS.with_name("shared_holes.txt")))
