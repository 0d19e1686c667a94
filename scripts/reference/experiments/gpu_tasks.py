#!/usr/bin/env python3
# scripts/reference/experiments/gpu_tasks.py — how a job's GPUs and tasks are shared among nodes where --ntasks-per-gpu ties them (gres.md §4.4).
"""Four nodes of 2 × 16 cores and eight GPUs: of h[1-2] they are at no socket, of s[1-2] four at each. Asks every question of tests/data/placements/gpu_tasks.txt
(or the named file) and prints those that are answered otherwise. About six minutes.

    gpu_tasks.py [FILE] [--grep WORDS] [--write OUT]"""
import sys

import near_cores

CONF = near_cores.USUAL + """\
NodeName=h[1-2] Sockets=2 CoresPerSocket=16 ThreadsPerCore=1 RealMemory=16000 Gres=gpu:a100:8
NodeName=s[1-2] Sockets=2 CoresPerSocket=16 ThreadsPerCore=1 RealMemory=16000 Gres=gpu:a100:8
PartitionName=h Nodes=h[1-2] MaxTime=INFINITE State=UP Default=YES
PartitionName=s Nodes=s[1-2] MaxTime=INFINITE State=UP
"""
GRES = """\
NodeName=h[1-2] Name=gpu Type=a100 File=/dev/nvidia[0-7]
NodeName=s[1-2] Name=gpu Type=a100 File=/dev/nvidia[0-3] Cores=0-15
NodeName=s[1-2] Name=gpu Type=a100 File=/dev/nvidia[4-7] Cores=16-31
"""


if __name__ == "__main__":
    sys.exit(near_cores.ask_file(__doc__, lambda _: CONF, GRES, near_cores.QUESTIONS.with_name("gpu_tasks.txt")))
