#!/usr/bin/env python3
# scripts/reference/experiments/enforced_sockets.py — how many cores --gres-flags=enforce-binding brings, where GPUs are at sockets and where they are at none (gres.md §3.3).
"""Nodes with cores of two threads and four GPUs: b1 and d1 of two and four sockets with GPUs beside none, c1 of two with two GPUs beside each. Asks every question of
tests/data/placements/enforced_sockets.txt (or the named file) and prints those that are answered otherwise. Five minutes.

    enforced_sockets.py [FILE] [--grep WORDS] [--write OUT]"""
import sys

import near_cores

near_cores.THREADS = {each: 2 for each in "bcd"}
CONF = near_cores.USUAL.replace("CR_Core", "{0}") + """\
NodeName=b1 Sockets=2 CoresPerSocket=8 ThreadsPerCore=2 RealMemory=16000 Gres=gpu:a100:4
NodeName=c1 Sockets=2 CoresPerSocket=8 ThreadsPerCore=2 RealMemory=16000 Gres=gpu:a100:4
NodeName=d1 Sockets=4 CoresPerSocket=4 ThreadsPerCore=2 RealMemory=16000 Gres=gpu:a100:4
PartitionName=b Nodes=b1 MaxTime=INFINITE State=UP Default=YES
PartitionName=c Nodes=c1 MaxTime=INFINITE State=UP
PartitionName=d Nodes=d1 MaxTime=INFINITE State=UP
"""
GRES = """\
NodeName=b1,d1 Name=gpu Type=a100 File=/dev/nvidia[0-3]
NodeName=c1 Name=gpu Type=a100 File=/dev/nvidia[0-1] Cores=0-7
NodeName=c1 Name=gpu Type=a100 File=/dev/nvidia[2-3] Cores=8-15
"""

if __name__ == "__main__":
    sys.exit(near_cores.ask_file(__doc__, CONF.format, GRES, near_cores.QUESTIONS.with_name("enforced_sockets.txt")))
