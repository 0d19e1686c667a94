#!/usr/bin/env python3
# scripts/reference/experiments/gpu_memory.py — nodes that have more GPUs free than memory for them (gres.md §3.3).
"""Two nodes of 2 × 32 cores and four GPUs, one of 2 × 20 and four, one of 32 and eight with memory for six, 40000 MB a GPU in partition g. Asks every question of
tests/data/placements/gpu_memory.txt (or the named file) and prints those that are answered otherwise. About five minutes.

    gpu_memory.py [FILE] [--grep WORDS] [--write OUT]"""
import sys

import near_cores

CONF = near_cores.USUAL.replace("CR_Core", "CR_Core_Memory") + """\
NodeName=a[1-2] Sockets=2 CoresPerSocket=32 ThreadsPerCore=1 RealMemory=1000000 Gres=gpu:a100:4 Weight=30
NodeName=v1 Sockets=2 CoresPerSocket=20 ThreadsPerCore=1 RealMemory=380000 Gres=gpu:v100:4 Weight=20
NodeName=l1 Sockets=1 CoresPerSocket=32 ThreadsPerCore=1 RealMemory=250000 Gres=gpu:l4:8 Weight=25
PartitionName=g Nodes=a[1-2],v1,l1 MaxTime=INFINITE State=UP Default=YES DefMemPerGPU=40000
PartitionName=o Nodes=a[1-2],v1,l1 MaxTime=INFINITE State=UP DefMemPerCPU=10
"""
GRES = """\
NodeName=a[1-2] Name=gpu Type=a100 File=/dev/nvidia[0-1] Cores=0-31
NodeName=a[1-2] Name=gpu Type=a100 File=/dev/nvidia[2-3] Cores=32-63
NodeName=v1 Name=gpu Type=v100 File=/dev/nvidia[0-3] Cores=0-19
NodeName=l1 Name=gpu Type=l4 File=/dev/nvidia[0-7]
"""


if __name__ == "__main__":
    sys.exit(near_cores.ask_file(__doc__, lambda _: CONF, GRES, near_cores.QUESTIONS.with_name("gpu_memory.txt")))
