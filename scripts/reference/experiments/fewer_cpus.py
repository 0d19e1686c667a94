#!/usr/bin/env python3
# scripts/reference/experiments/fewer_cpus.py — tasks that name a type of GPU, with a --cpus-per-gpu below DefCpuPerGPU (gres.md §2.3).
"""Two nodes of 2 × 16 cores and four GPUs at each socket (partition d), two of 2 × 8 with two threads and two GPUs at each (e), both with DefCpuPerGPU=4; and two of
2 × 16 with two threads and GPUs in parts of three types at no socket, with DefCpuPerGPU=5 (p). Asks every question of tests/data/placements/fewer_cpus.txt
(or the named file) and prints those that are answered otherwise. Five minutes.

    fewer_cpus.py [FILE] [--grep WORDS] [--write OUT]"""
import sys

import near_cores

near_cores.THREADS = {each: 2 for each in "an"}
NODES = """\
NodeName=a[1-2] Sockets=2 CoresPerSocket=16 ThreadsPerCore=2 RealMemory=16000 Gres=gpu:1g.10gb:4,gpu:2g.20gb:6,gpu:4g.40gb:2
NodeName=n[1-2] Sockets=2 CoresPerSocket=8 ThreadsPerCore=2 RealMemory=16000 Gres=gpu:a100:4
NodeName=s[1-2] Sockets=2 CoresPerSocket=16 ThreadsPerCore=1 RealMemory=16000 Gres=gpu:a100:8
PartitionName=d Nodes=s[1-2] MaxTime=INFINITE State=UP DefCpuPerGPU=4 Default=YES
PartitionName=e Nodes=n[1-2] MaxTime=INFINITE State=UP DefCpuPerGPU=4
PartitionName=p Nodes=a[1-2] MaxTime=INFINITE State=UP DefCpuPerGPU=5
"""
GRES = """\
NodeName=a[1-2] Name=gpu Type=1g.10gb File=/dev/nvidia[0-3]
NodeName=a[1-2] Name=gpu Type=2g.20gb File=/dev/nvidia[4-9]
NodeName=a[1-2] Name=gpu Type=4g.40gb File=/dev/nvidia[10-11]
NodeName=n[1-2] Name=gpu Type=a100 File=/dev/nvidia[0-1] Cores=0-7
NodeName=n[1-2] Name=gpu Type=a100 File=/dev/nvidia[2-3] Cores=8-15
NodeName=s[1-2] Name=gpu Type=a100 File=/dev/nvidia[0-3] Cores=0-15
NodeName=s[1-2] Name=gpu Type=a100 File=/dev/nvidia[4-7] Cores=16-31
"""


def conf(parameters):
    """`CR_CPU_Memory`: with a memory of CPUs, which is no limit."""
    memory = "DefMemPerCPU=10\n" if parameters.endswith("Memory") else ""
    return near_cores.USUAL.replace("CR_Core", parameters) + memory + NODES


if __name__ == "__main__":
    sys.exit(near_cores.ask_file(__doc__, conf, GRES, near_cores.QUESTIONS.with_name("fewer_cpus.txt")))
