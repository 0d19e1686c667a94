#!/usr/bin/env python3
# scripts/reference/experiments/more_tasks.py — more tasks than the CPUs that --gpus with --cpus-per-gpu brings (gres.md §3.2).
"""Nodes with two or four GPUs, at no socket or two at each, under best fit and under topology/tree. Asks every question of tests/data/placements/more_tasks.txt
(or the named file) and prints those that are answered otherwise. About fifteen minutes.

    more_tasks.py [FILE] [--grep WORDS] [--write OUT]"""
import sys

import near_cores

NODES = """\
NodeName=a[1-4] Sockets=2 CoresPerSocket=8 ThreadsPerCore=1 RealMemory=16000 Gres=gpu:a100:2
NodeName=c[1-2] Sockets=2 CoresPerSocket=12 ThreadsPerCore=1 RealMemory=16000 Gres=gpu:a100:4
NodeName=n[1-4] Sockets=2 CoresPerSocket=8 ThreadsPerCore=2 RealMemory=16000 Gres=gpu:a100:4
NodeName=s[1-3] Sockets=2 CoresPerSocket=8 ThreadsPerCore=1 RealMemory=16000 Gres=gpu:a100:4
PartitionName=a Nodes=a[1-4] MaxTime=INFINITE State=UP Default=YES
PartitionName=c Nodes=c[1-2] MaxTime=INFINITE State=UP
PartitionName=n Nodes=n[1-4] MaxTime=INFINITE State=UP
PartitionName=s Nodes=s[1-3] MaxTime=INFINITE State=UP
"""
GRES = """\
NodeName=a[1-4] Name=gpu Type=a100 File=/dev/nvidia[0-1]
NodeName=c[1-2] Name=gpu Type=a100 File=/dev/nvidia[0-3]
NodeName=n[1-4] Name=gpu Type=a100 File=/dev/nvidia[0-3]
NodeName=s[1-3] Name=gpu Type=a100 File=/dev/nvidia[0-1] Cores=0-7
NodeName=s[1-3] Name=gpu Type=a100 File=/dev/nvidia[2-3] Cores=8-15
"""
TOPOLOGY = """\
SwitchName=l1 Nodes=a[1-2]
SwitchName=l2 Nodes=a[3-4]
SwitchName=l3 Nodes=c[1-2]
SwitchName=l4 Nodes=n[1-2]
SwitchName=l5 Nodes=n[3-4]
SwitchName=l6 Nodes=s[1-3]
SwitchName=root Switches=l[1-6]
"""


def conf(parameters):
    return near_cores.USUAL + f"TopologyPlugin={parameters or 'topology/none'}\n" + NODES


if __name__ == "__main__":
    sys.exit(near_cores.ask_file(__doc__, conf, GRES, near_cores.QUESTIONS.with_name("more_tasks.txt"), TOPOLOGY))
