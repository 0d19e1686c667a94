#!/usr/bin/env python3
# scripts/reference/experiments/default_cpus.py — how a job's GPUs and their CPUs are shared among nodes that are busy in part, with DefCpuPerGPU and --cpus-per-gpu (gres.md §3.2).
"""Nodes of 2 × 16 cores and eight GPUs: of h[1-5] they are at no socket, of s[1-4] four at each. Asks every question of tests/data/placements/default_cpus.txt
(or the named file) and prints those that are answered otherwise. About fifteen minutes.

    default_cpus.py [FILE] [--grep WORDS] [--write OUT]"""
import sys

import near_cores

CONF = near_cores.USUAL + """\
NodeName=h[1-5] Sockets=2 CoresPerSocket=16 ThreadsPerCore=1 RealMemory=16000 Gres=gpu:h100:8
NodeName=s[1-4] Sockets=2 CoresPerSocket=16 ThreadsPerCore=1 RealMemory=16000 Gres=gpu:h100:8
PartitionName=h Nodes=h[1-5] MaxTime=INFINITE State=UP Default=YES
PartitionName=p Nodes=h[1-5] MaxTime=INFINITE State=UP DefCpuPerGPU=4
PartitionName=t Nodes=s[1-4] MaxTime=INFINITE State=UP DefCpuPerGPU=4
"""
GRES = """\
NodeName=h[1-5] Name=gpu Type=h100 File=/dev/nvidia[0-7]
NodeName=s[1-4] Name=gpu Type=h100 File=/dev/nvidia[0-3] Cores=0-15
NodeName=s[1-4] Name=gpu Type=h100 File=/dev/nvidia[4-7] Cores=16-31
"""


if __name__ == "__main__":
    sys.exit(near_cores.ask_file(__doc__, lambda _: CONF, GRES, near_cores.QUESTIONS.with_name("default_cpus.txt")))
