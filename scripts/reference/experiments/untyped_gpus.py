#!/usr/bin/env python3
# scripts/reference/experiments/untyped_gpus.py — nodes whose GPUs have neither Type nor Cores in gres.conf (gres.md §3.3, §4.6).
"""Three nodes of 2 × 8 cores with four such GPUs, u[1-3], three of 2 × 8 with two threads, v[1-3], and three as u whose GPUs have a type, w[1-3]. Partition d has DefCpuPerGPU=4 over u.
Asks every question of tests/data/placements/untyped_gpus.txt (or the named file), under each of its SelectTypeParameters, and prints those that are answered otherwise. About three minutes.

    untyped_gpus.py [FILE] [--grep WORDS] [--write OUT]"""
import sys

import near_cores

near_cores.THREADS = {"v": 2}
CONF = (
    near_cores.USUAL
    + """\
NodeName=u[1-3] Sockets=2 CoresPerSocket=8 ThreadsPerCore=1 RealMemory=16000 Gres=gpu:4
NodeName=v[1-3] Sockets=2 CoresPerSocket=8 ThreadsPerCore=2 RealMemory=16000 Gres=gpu:4
NodeName=w[1-3] Sockets=2 CoresPerSocket=8 ThreadsPerCore=1 RealMemory=16000 Gres=gpu:a100:4
PartitionName=u Nodes=u[1-3] MaxTime=INFINITE State=UP Default=YES
PartitionName=v Nodes=v[1-3] MaxTime=INFINITE State=UP
PartitionName=w Nodes=w[1-3] MaxTime=INFINITE State=UP
PartitionName=d Nodes=u[1-3] MaxTime=INFINITE State=UP DefCpuPerGPU=4
"""
)
GRES = """\
NodeName=u[1-3] Name=gpu File=/dev/nvidia[0-3]
NodeName=v[1-3] Name=gpu File=/dev/nvidia[0-3]
NodeName=w[1-3] Name=gpu Type=a100 File=/dev/nvidia[0-3]
"""


if __name__ == "__main__":
    sys.exit(near_cores.ask_file(__doc__, lambda parameters: CONF.replace("CR_Core", parameters), GRES, near_cores.QUESTIONS.with_name("untyped_gpus.txt")))
