#!/usr/bin/env python3
# scripts/reference/experiments/sized_nodes.py — how large a node counts where the small ones are left out step by step (scheduling.md §6.4).
"""Nodes of the lowest weight with one or two GPUs, ahead of three with eight: b15 is a partition of fifteen such nodes of 32 CPUs, p18 of one of 18 CPUs. Asks every question of
tests/data/placements/sized_nodes.txt (or the named file) and prints those that are answered otherwise. Five minutes.

    sized_nodes.py [FILE] [--grep WORDS] [--write OUT]"""
import sys

import near_cores

near_cores.THREADS = {"b": 2}
CORES = dict(zip("defghijklm", (12, 14, 16, 18, 19, 20, 21, 22, 23, 24)))  # of node d1, and so on
CONF = near_cores.USUAL.replace("CR_Core", "{0}") + """\
NodeName=b[1-20] Sockets=1 CoresPerSocket=16 ThreadsPerCore=2 RealMemory=16000 Gres=gpu:a100:1
NodeName=c[1-3] Sockets=2 CoresPerSocket=8 ThreadsPerCore=1 RealMemory=16000 Gres=gpu:a100:8 Weight=10
PartitionName=all Nodes=ALL State=UP Default=YES
""" + "".join(f"NodeName={letter}1 Sockets=1 CoresPerSocket={cores} ThreadsPerCore=1 RealMemory=16000 Gres=gpu:a100:2\nPartitionName=p{cores} Nodes={letter}1,c[1-3] State=UP\n" for letter, cores in CORES.items()) + "".join(
    f"PartitionName=b{most} Nodes=b[1-{most}],c[1-3] State=UP\n" for most in range(10, 21))  # fmt: skip
GRES = """\
NodeName=b[1-20] Name=gpu Type=a100 File=/dev/nvidia0
NodeName=c[1-3] Name=gpu Type=a100 File=/dev/nvidia[0-7]
NodeName=d1,e1,f1,g1,h1,i1,j1,k1,l1,m1 Name=gpu Type=a100 File=/dev/nvidia[0-1]
"""

if __name__ == "__main__":
    sys.exit(near_cores.ask_file(__doc__, CONF.format, GRES, near_cores.QUESTIONS.with_name("sized_nodes.txt")))
