#!/usr/bin/env python3
# scripts/reference/experiments/some_cores.py — GPUs of which some have Cores in gres.conf and others none (gres.md §1.3).
"""One node of 2 × 4 cores with six GPUs: a100 0,1 beside the cores of socket 0, 2,3 beside those of socket 1, v100 4,5 beside no cores in gres.conf. Asks every question of
tests/data/placements/some_cores.txt (or the named file) and prints those that are answered otherwise. About six minutes.

    some_cores.py [FILE] [--grep WORDS] [--write OUT]"""
import sys

import near_cores

CONF = near_cores.USUAL + """\
NodeName=y1 Sockets=2 CoresPerSocket=4 ThreadsPerCore=1 RealMemory=16000 Gres=gpu:a100:4,gpu:v100:2
PartitionName=y Nodes=y1 MaxTime=INFINITE State=UP Default=YES
"""
GRES = """\
NodeName=y1 Name=gpu Type=a100 File=/dev/nvidia[0-1] Cores=0-3
NodeName=y1 Name=gpu Type=a100 File=/dev/nvidia[2-3] Cores=4-7
NodeName=y1 Name=gpu Type=v100 File=/dev/nvidia[4-5]
"""


if __name__ == "__main__":
    sys.exit(near_cores.ask_file(__doc__, lambda _: CONF, GRES, near_cores.QUESTIONS.with_name("some_cores.txt")))
