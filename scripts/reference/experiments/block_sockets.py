#!/usr/bin/env python3
# scripts/reference/experiments/block_sockets.py — cores filled socket by socket where the GPUs of a job are at several (gres.md §3.1, §3.3).
"""Asks every question of tests/data/placements/block_sockets.txt (or the named file) under the SelectTypeParameters of each `conf:` line, and prints those that are answered otherwise. About three minutes.

    block_sockets.py [FILE] [--grep WORDS] [--write OUT]"""
import sys

import near_cores

NODES = """\
NodeName=v[1-2] Sockets=2 CoresPerSocket=16 ThreadsPerCore=1 RealMemory=16000 Gres=gpu:a100:8
NodeName=x[1-2] Sockets=4 CoresPerSocket=6 ThreadsPerCore=2 RealMemory=16000 Gres=gpu:a100:4
PartitionName=v Nodes=v[1-2] MaxTime=INFINITE State=UP Default=YES
PartitionName=e Nodes=v[1-2] MaxTime=INFINITE State=UP DefCpuPerGPU=2
PartitionName=x Nodes=x[1-2] MaxTime=INFINITE State=UP
PartitionName=y Nodes=x[1-2] MaxTime=INFINITE State=UP DefCpuPerGPU=3
"""
GRES = """\
NodeName=v[1-2] Name=gpu Type=a100 File=/dev/nvidia[0-3] Cores=0-15
NodeName=v[1-2] Name=gpu Type=a100 File=/dev/nvidia[4-7] Cores=16-31
NodeName=x[1-2] Name=gpu Type=a100 File=/dev/nvidia0 Cores=0-5
NodeName=x[1-2] Name=gpu Type=a100 File=/dev/nvidia1 Cores=6-11
NodeName=x[1-2] Name=gpu Type=a100 File=/dev/nvidia2 Cores=12-17
NodeName=x[1-2] Name=gpu Type=a100 File=/dev/nvidia3 Cores=18-23
"""


if __name__ == "__main__":
    near_cores.THREADS["x"] = 2
    sys.exit(near_cores.ask_file(__doc__, lambda parameters: near_cores.USUAL.replace("CR_Core", parameters) + NODES, GRES, near_cores.QUESTIONS.with_name("block_sockets.txt")))
