#!/usr/bin/env python3
# scripts/reference/experiments/kept_sockets.py — which sockets --gres-flags=enforce-binding leaves to --gpus (gres.md §3.1).
"""Nodes whose GPUs are at both sockets, at both and at none, at none, at the first, and at four sockets. Asks every question of tests/data/placements/kept_sockets.txt
(or the named file), under each of its SelectTypeParameters, and prints those that are answered otherwise.

    kept_sockets.py [FILE] [--grep WORDS] [--write OUT]"""
import sys

import near_cores

NODES = """\
NodeName=f[1-3] Sockets=4 CoresPerSocket=4 ThreadsPerCore=1 RealMemory=16000 Gres=gpu:a100:6
NodeName=h[1-3] Sockets=2 CoresPerSocket=6 ThreadsPerCore=1 RealMemory=16000 Gres=gpu:a100:4
NodeName=u[1-3] Sockets=2 CoresPerSocket=6 ThreadsPerCore=1 RealMemory=16000 Gres=gpu:a100:4
NodeName=x[1-3] Sockets=2 CoresPerSocket=6 ThreadsPerCore=1 RealMemory=16000 Gres=gpu:a100:4
NodeName=y[1-3] Sockets=2 CoresPerSocket=6 ThreadsPerCore=1 RealMemory=16000 Gres=gpu:a100:4,gpu:v100:2
PartitionName=f Nodes=f[1-3] MaxTime=INFINITE State=UP Default=YES
PartitionName=h Nodes=h[1-3] MaxTime=INFINITE State=UP
PartitionName=u Nodes=u[1-3] MaxTime=INFINITE State=UP
PartitionName=x Nodes=x[1-3] MaxTime=INFINITE State=UP
PartitionName=y Nodes=y[1-3] MaxTime=INFINITE State=UP
PartitionName=d Nodes=x[1-3] MaxTime=INFINITE State=UP DefCpuPerGPU=2
PartitionName=g Nodes=h[1-3] MaxTime=INFINITE State=UP DefCpuPerGPU=2
"""
GRES = """\
NodeName=f[1-3] Name=gpu Type=a100 File=/dev/nvidia[0-1] Cores=0-3
NodeName=f[1-3] Name=gpu Type=a100 File=/dev/nvidia2 Cores=4-7
NodeName=f[1-3] Name=gpu Type=a100 File=/dev/nvidia[3-4] Cores=8-11
NodeName=f[1-3] Name=gpu Type=a100 File=/dev/nvidia5 Cores=12-15
NodeName=h[1-3] Name=gpu Type=a100 File=/dev/nvidia[0-3] Cores=0-5
NodeName=u[1-3] Name=gpu Type=a100 File=/dev/nvidia[0-3]
NodeName=[x-y][1-3] Name=gpu Type=a100 File=/dev/nvidia[0-1] Cores=0-5
NodeName=[x-y][1-3] Name=gpu Type=a100 File=/dev/nvidia[2-3] Cores=6-11
NodeName=y[1-3] Name=gpu Type=v100 File=/dev/nvidia[4-5]
""".replace("[x-y][1-3]", "x[1-3],y[1-3]")


def conf(parameters):
    text = near_cores.USUAL.replace("CR_Core\n", f"{parameters or 'CR_Core'}\n") + NODES
    return text + "DefMemPerCPU=10\n" if parameters.endswith("_Memory") else text


if __name__ == "__main__":
    sys.exit(near_cores.ask_file(__doc__, conf, GRES, near_cores.QUESTIONS.with_name("kept_sockets.txt")))
