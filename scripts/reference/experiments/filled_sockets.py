#!/usr/bin/env python3
# scripts/reference/experiments/filled_sockets.py — under CR_Socket, which cores of its sockets a job has, beside jobs of its partition and of another (scheduling.md §6.7).
"""Nodes with cores of two threads: b1 of two sockets of eight with GPUs beside none, d1 of four of four, e1 as b1 with two GPUs beside each; two partitions over each, in both of which a job has started.
Asks every question of tests/data/placements/filled_sockets.txt (or the named file) and prints those that are answered otherwise. About ten minutes.

    filled_sockets.py [FILE] [--grep WORDS] [--write OUT]"""
import sys

import near_cores

near_cores.THREADS = {"b": 2, "d": 2, "e": 2}
CONF = near_cores.USUAL.replace("CR_Core", "CR_Socket") + """\
NodeName=b1 Sockets=2 CoresPerSocket=8 ThreadsPerCore=2 RealMemory=16000 Gres=gpu:a100:4
NodeName=d1 Sockets=4 CoresPerSocket=4 ThreadsPerCore=2 RealMemory=16000 Gres=gpu:a100:4
NodeName=e1 Sockets=2 CoresPerSocket=8 ThreadsPerCore=2 RealMemory=16000 Gres=gpu:a100:4
PartitionName=b Nodes=b1 MaxTime=INFINITE State=UP Default=YES
PartitionName=d Nodes=d1 MaxTime=INFINITE State=UP
PartitionName=e Nodes=e1 MaxTime=INFINITE State=UP
PartitionName=p Nodes=b1 MaxTime=INFINITE State=UP
PartitionName=q Nodes=d1 MaxTime=INFINITE State=UP
PartitionName=r Nodes=e1 MaxTime=INFINITE State=UP
"""
GRES = """\
NodeName=b1,d1 Name=gpu Type=a100 File=/dev/nvidia[0-3]
NodeName=e1 Name=gpu Type=a100 File=/dev/nvidia[0-1] Cores=0-7
NodeName=e1 Name=gpu Type=a100 File=/dev/nvidia[2-3] Cores=8-15
"""

if __name__ == "__main__":
    sys.exit(near_cores.ask_file(__doc__, lambda _: CONF, GRES, near_cores.QUESTIONS.with_name("filled_sockets.txt")))
