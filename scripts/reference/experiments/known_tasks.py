#!/usr/bin/env python3
# scripts/reference/experiments/known_tasks.py — which node is the tightest for tasks with GPUs whose number on it is known (gres.md §3.2).
"""Nodes with two threads a core and with one, and others between them that are full. Asks every question of tests/data/placements/known_tasks.txt (or the named file)
and prints those that are answered otherwise. About five minutes.

    known_tasks.py [FILE] [--grep WORDS] [--write OUT]"""
import sys

import near_cores

NODES = """\
NodeName=n[1-3] Sockets=4 CoresPerSocket=8 ThreadsPerCore=2 RealMemory=256000 Gres=gpu:a100:2
NodeName=v[1-3] Sockets=2 CoresPerSocket=12 ThreadsPerCore=1 RealMemory=128000 Gres=gpu:a100:4
PartitionName=p Nodes=ALL MaxTime=INFINITE State=UP Default=YES
PartitionName=n Nodes=n[1-3] MaxTime=INFINITE State=UP
PartitionName=v Nodes=v[1-3] MaxTime=INFINITE State=UP
"""
GRES = """\
NodeName=n[1-3] Name=gpu Type=a100 File=/dev/nvidia[0-1]
NodeName=v[1-3] Name=gpu Type=a100 File=/dev/nvidia[0-1] Cores=0-11
NodeName=v[1-3] Name=gpu Type=a100 File=/dev/nvidia[2-3] Cores=12-23
"""


def conf(parameters):
    return near_cores.USUAL.replace("CR_Core\n", f"{parameters}\n") + NODES


if __name__ == "__main__":
    sys.exit(near_cores.ask_file(__doc__, conf, GRES, near_cores.QUESTIONS.with_name("known_tasks.txt")))
