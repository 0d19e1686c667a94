#!/usr/bin/env python3
# scripts/reference/experiments/per_socket.py — GPUs by socket where some sockets have too few left (gres.md §3.1, §4.2).
"""Three nodes: p1 of 2 × 4 cores with GPUs 0,1 at socket 0 and 2,3 at socket 1, q1 with four at no socket, r1 of 3 × 4 cores with two at each. Asks every
question of tests/data/placements/per_socket.txt (or the named file) and prints those that are answered otherwise. About four minutes.

    per_socket.py [FILE] [--grep WORDS] [--write OUT]"""
import sys

import near_cores

CONF = near_cores.USUAL + """\
NodeName=p1 Sockets=2 CoresPerSocket=4 ThreadsPerCore=1 RealMemory=16000 Gres=gpu:a100:4
NodeName=q1 Sockets=2 CoresPerSocket=4 ThreadsPerCore=1 RealMemory=16000 Gres=gpu:a100:4
NodeName=r1 Sockets=3 CoresPerSocket=4 ThreadsPerCore=1 RealMemory=16000 Gres=gpu:a100:6
PartitionName=p Nodes=p1 MaxTime=INFINITE State=UP
PartitionName=q Nodes=q1 MaxTime=INFINITE State=UP Default=YES
PartitionName=r Nodes=r1 MaxTime=INFINITE State=UP
"""
GRES = """\
NodeName=p1 Name=gpu Type=a100 File=/dev/nvidia[0-1] Cores=0-3
NodeName=p1 Name=gpu Type=a100 File=/dev/nvidia[2-3] Cores=4-7
NodeName=q1 Name=gpu Type=a100 File=/dev/nvidia[0-3]
NodeName=r1 Name=gpu Type=a100 File=/dev/nvidia[0-1] Cores=0-3
NodeName=r1 Name=gpu Type=a100 File=/dev/nvidia[2-3] Cores=4-7
NodeName=r1 Name=gpu Type=a100 File=/dev/nvidia[4-5] Cores=8-11
"""


if __name__ == "__main__":
    sys.exit(near_cores.ask_file(__doc__, lambda _: CONF, GRES, near_cores.QUESTIONS.with_name("per_socket.txt")))
