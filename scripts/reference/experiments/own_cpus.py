#!/usr/bin/env python3
# scripts/reference/experiments/own_cpus.py — jobs with --cpus-per-gpu where the partition has a DefCpuPerGPU of another size (gres.md §2.3).
"""Two nodes of 2 × 16 cores and four GPUs at each socket, and two of 2 × 8 with two threads. Partitions d and e have DefCpuPerGPU=4 over
them, s and n have none. Partitions b and c have it over one of 2 × 32 cores with two threads and four GPUs at each socket and, lighter, two of one GPU: at no socket (b), at the first (c). Asks every question of tests/data/placements/own_cpus.txt (or the named file) and prints those that are answered otherwise.

    own_cpus.py [FILE] [--grep WORDS] [--write OUT]"""
import sys

import near_cores

near_cores.THREADS = {each: 2 for each in "ngmh"}
CONF = near_cores.USUAL + """\
NodeName=s[1-2] Sockets=2 CoresPerSocket=16 ThreadsPerCore=1 RealMemory=16000 Gres=gpu:a100:8
NodeName=n[1-2] Sockets=2 CoresPerSocket=8 ThreadsPerCore=2 RealMemory=16000 Gres=gpu:a100:4
NodeName=g1 Sockets=2 CoresPerSocket=32 ThreadsPerCore=2 RealMemory=16000 Gres=gpu:a100:8 Weight=5
NodeName=h[1-2] Sockets=2 CoresPerSocket=16 ThreadsPerCore=2 RealMemory=16000 Gres=gpu:a100:1 Weight=3
NodeName=m[1-2] Sockets=2 CoresPerSocket=16 ThreadsPerCore=2 RealMemory=16000 Gres=gpu:a100:1 Weight=3
PartitionName=s Nodes=s[1-2] MaxTime=INFINITE State=UP Default=YES
PartitionName=n Nodes=n[1-2] MaxTime=INFINITE State=UP
PartitionName=d Nodes=s[1-2] MaxTime=INFINITE State=UP DefCpuPerGPU=4
PartitionName=e Nodes=n[1-2] MaxTime=INFINITE State=UP DefCpuPerGPU=4
PartitionName=b Nodes=g1,m[1-2] MaxTime=INFINITE State=UP DefCpuPerGPU=4
PartitionName=c Nodes=g1,h[1-2] MaxTime=INFINITE State=UP DefCpuPerGPU=4
"""
GRES = """\
NodeName=s[1-2] Name=gpu Type=a100 File=/dev/nvidia[0-3] Cores=0-15
NodeName=s[1-2] Name=gpu Type=a100 File=/dev/nvidia[4-7] Cores=16-31
NodeName=n[1-2] Name=gpu Type=a100 File=/dev/nvidia[0-1] Cores=0-7
NodeName=n[1-2] Name=gpu Type=a100 File=/dev/nvidia[2-3] Cores=8-15
NodeName=g1 Name=gpu Type=a100 File=/dev/nvidia[0-3] Cores=0-31
NodeName=g1 Name=gpu Type=a100 File=/dev/nvidia[4-7] Cores=32-63
NodeName=h[1-2] Name=gpu Type=a100 File=/dev/nvidia0 Cores=0-15
NodeName=m[1-2] Name=gpu Type=a100 File=/dev/nvidia0
"""


if __name__ == "__main__":
    sys.exit(near_cores.ask_file(__doc__, lambda _: CONF, GRES, near_cores.QUESTIONS.with_name("own_cpus.txt")))
