#!/usr/bin/env python3
# scripts/reference/experiments/few_tasks.py — of what a node counts for, once the tasks that it is to have are known (gres.md §3.3).
"""Eight nodes of 2 × 8 cores and four GPUs: of g[1-4] they are at no socket, of c[1-4] two at each. Asks every question of tests/data/placements/few_tasks.txt
(or the named file) and prints those that are answered otherwise. About five minutes.

    few_tasks.py [FILE] [--grep WORDS] [--write OUT]"""
import sys

import near_cores

CONF = near_cores.USUAL + """\
NodeName=g[1-4] Sockets=2 CoresPerSocket=8 ThreadsPerCore=1 RealMemory=16000 Gres=gpu:a100:4
NodeName=c[1-4] Sockets=2 CoresPerSocket=8 ThreadsPerCore=1 RealMemory=16000 Gres=gpu:a100:4
PartitionName=g Nodes=g[1-4] MaxTime=INFINITE State=UP Default=YES
PartitionName=c Nodes=c[1-4] MaxTime=INFINITE State=UP
"""
GRES = """\
NodeName=g[1-4] Name=gpu Type=a100 File=/dev/nvidia[0-3]
NodeName=c[1-4] Name=gpu Type=a100 File=/dev/nvidia[0-1] Cores=0-7
NodeName=c[1-4] Name=gpu Type=a100 File=/dev/nvidia[2-3] Cores=8-15
"""


if __name__ == "__main__":
    sys.exit(near_cores.ask_file(__doc__, lambda _: CONF, GRES, near_cores.QUESTIONS.with_name("few_tasks.txt")))
