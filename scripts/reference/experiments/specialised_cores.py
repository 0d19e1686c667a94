#!/usr/bin/env python3
# scripts/reference/experiments/specialised_cores.py — what --core-spec makes of a job, with and without AllowSpecResourcesUsage (scheduling.md §6.3).
"""Idle nodes: n[1-2] and t[1-2] of 2 × 4 cores with two threads, m[1-2] and s[1-2] of 2 × 4 with one; of s two cores are specialised, of t three. Asks every
question of tests/data/placements/specialised_cores.txt (or the named file) and prints those that are answered otherwise. About two minutes.

    specialised_cores.py [FILE] [--grep WORDS] [--write OUT]"""
import sys

import near_cores

CONF = near_cores.USUAL + """\
AllowSpecResourcesUsage={}
NodeName=n[1-2] Sockets=2 CoresPerSocket=4 ThreadsPerCore=2 RealMemory=16000
NodeName=m[1-2] Sockets=2 CoresPerSocket=4 ThreadsPerCore=1 RealMemory=16000
NodeName=s[1-2] Sockets=2 CoresPerSocket=4 ThreadsPerCore=1 RealMemory=16000 CoreSpecCount=2
NodeName=t[1-2] Sockets=2 CoresPerSocket=4 ThreadsPerCore=2 RealMemory=16000 CoreSpecCount=3
PartitionName=n Nodes=n[1-2] MaxTime=INFINITE State=UP Default=YES
PartitionName=m Nodes=m[1-2] MaxTime=INFINITE State=UP
PartitionName=s Nodes=s[1-2] MaxTime=INFINITE State=UP
PartitionName=t Nodes=t[1-2] MaxTime=INFINITE State=UP
"""

near_cores.THREADS["t"] = 2

if __name__ == "__main__":
    sys.exit(near_cores.ask_file(__doc__, CONF.format, "", near_cores.QUESTIONS.with_name("specialised_cores.txt")))
