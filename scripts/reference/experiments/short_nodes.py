#!/usr/bin/env python3
# scripts/reference/experiments/short_nodes.py — two nodes for GPUs whose CPUs no node has, beside one with too few cores at their socket (scheduling.md §6.4).
"""Four nodes of 2 x 48 cores with four GPUs at each socket, DefCpuPerGPU=10, filled as h[13-16] of recording pods_redrawn at 08:59:58. Asks every question of
tests/data/placements/short_nodes.txt (or the named file) and prints those that are answered otherwise. Three minutes.

    short_nodes.py [FILE] [--grep WORDS] [--write OUT]"""
import sys

import near_cores

CONF = near_cores.USUAL.replace("CR_Core\n", "CR_Core,CR_CORE_DEFAULT_DIST_BLOCK\n") + """\
NodeName=h[1-4] Sockets=2 CoresPerSocket=48 ThreadsPerCore=1 RealMemory=16000 Gres=gpu:a100:8
PartitionName=d Nodes=h[1-4] State=UP DefCpuPerGPU=10 MaxNodes=2
PartitionName=e Nodes=h[1-4] State=UP DefCpuPerGPU=10
PartitionName=f Nodes=h[1-4] State=UP Default=YES
"""
GRES = """\
NodeName=h[1-4] Name=gpu Type=a100 File=/dev/nvidia[0-3] Cores=0-47
NodeName=h[1-4] Name=gpu Type=a100 File=/dev/nvidia[4-7] Cores=48-95
"""

if __name__ == "__main__":
    near_cores.THREADS = {}
    sys.exit(near_cores.ask_file(__doc__, lambda _: CONF, GRES, near_cores.QUESTIONS.with_name("short_nodes.txt")))
