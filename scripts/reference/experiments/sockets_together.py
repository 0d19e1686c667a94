#!/usr/bin/env python3
# scripts/reference/experiments/sockets_together.py — CPUs that GPUs bring where no socket has them all (gres.md §3.3).
"""One node of 2 × 8 cores with four GPUs at each, one of 3 × 8 with two at each, held in part, under the SelectTypeParameters of each `conf:` line. Asks every question of
tests/data/placements/sockets_together.txt (or the named file) and prints those that are answered otherwise. About fifteen minutes.

    sockets_together.py [FILE] [--grep WORDS] [--write OUT]"""
import sys

import near_cores

NODES = """\
NodeName=u1 Sockets=2 CoresPerSocket=8 ThreadsPerCore=1 RealMemory=16000 Gres=gpu:a100:8
NodeName=v1 Sockets=3 CoresPerSocket=8 ThreadsPerCore=1 RealMemory=16000 Gres=gpu:a100:6
PartitionName=u Nodes=u1 MaxTime=INFINITE State=UP Default=YES
PartitionName=v Nodes=v1 MaxTime=INFINITE State=UP
PartitionName=d Nodes=u1 MaxTime=INFINITE State=UP DefCpuPerGPU=3
PartitionName=e Nodes=v1 MaxTime=INFINITE State=UP DefCpuPerGPU=3
"""
GRES = """\
NodeName=u1 Name=gpu Type=a100 File=/dev/nvidia[0-3] Cores=0-7
NodeName=u1 Name=gpu Type=a100 File=/dev/nvidia[4-7] Cores=8-15
NodeName=v1 Name=gpu Type=a100 File=/dev/nvidia[0-1] Cores=0-7
NodeName=v1 Name=gpu Type=a100 File=/dev/nvidia[2-3] Cores=8-15
NodeName=v1 Name=gpu Type=a100 File=/dev/nvidia[4-5] Cores=16-23
"""


def conf(parameters):
    return near_cores.USUAL.replace("CR_Core", parameters or "CR_Core") + NODES


if __name__ == "__main__":
    sys.exit(near_cores.ask_file(__doc__, conf, GRES, near_cores.QUESTIONS.with_name("sockets_together.txt")))
