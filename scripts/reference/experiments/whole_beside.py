#!/usr/bin/env python3
# scripts/reference/experiments/whole_beside.py — which idle node a job of whole nodes with GPUs gets, where GPUs are beside some of the cores (gres.md §3.3).
"""Nodes whose GPUs are at four sockets, at the first of two, at none, and at both of two, in partitions of two kinds each. Asks every question of
tests/data/placements/whole_beside.txt (or the named file), under each of its SelectTypeParameters, and prints those that are answered otherwise.

    whole_beside.py [FILE] [--grep WORDS] [--write OUT]"""
import itertools
import sys

import near_cores

KINDS = "fhux"
NODES = """\
NodeName=f[1-2] Sockets=4 CoresPerSocket=5 ThreadsPerCore=1 RealMemory=16000 Gres=gpu:a100:6
NodeName=h[1-2] Sockets=2 CoresPerSocket=8 ThreadsPerCore=1 RealMemory=16000 Gres=gpu:a100:4
NodeName=u[1-2] Sockets=2 CoresPerSocket=6 ThreadsPerCore=1 RealMemory=16000 Gres=gpu:a100:4
NodeName=x[1-2] Sockets=2 CoresPerSocket=9 ThreadsPerCore=1 RealMemory=16000 Gres=gpu:a100:4
""" + "".join(f"PartitionName={a}{b} Nodes={a}[1-2],{b}[1-2] MaxTime=INFINITE State=UP\n" for a, b in itertools.combinations(KINDS, 2)) + "".join(
    f"PartitionName={a} Nodes={a}[1-2] MaxTime=INFINITE State=UP{' Default=YES' if a == 'f' else ''}\n" for a in KINDS)
GRES = """\
NodeName=f[1-2] Name=gpu Type=a100 File=/dev/nvidia[0-1] Cores=0-4
NodeName=f[1-2] Name=gpu Type=a100 File=/dev/nvidia2 Cores=5-9
NodeName=f[1-2] Name=gpu Type=a100 File=/dev/nvidia[3-4] Cores=10-14
NodeName=f[1-2] Name=gpu Type=a100 File=/dev/nvidia5 Cores=15-19
NodeName=h[1-2] Name=gpu Type=a100 File=/dev/nvidia[0-3] Cores=0-7
NodeName=u[1-2] Name=gpu Type=a100 File=/dev/nvidia[0-3]
NodeName=x[1-2] Name=gpu Type=a100 File=/dev/nvidia[0-1] Cores=0-8
NodeName=x[1-2] Name=gpu Type=a100 File=/dev/nvidia[2-3] Cores=9-17
"""


def conf(parameters):
    text = near_cores.USUAL.replace("CR_Core\n", f"{parameters or 'CR_Core'}\n") + NODES
    return text + "DefMemPerCPU=10\n" if parameters.endswith("_Memory") else text


if __name__ == "__main__":
    sys.exit(near_cores.ask_file(__doc__, conf, GRES, near_cores.QUESTIONS.with_name("whole_beside.txt")))
