#!/usr/bin/env python3
# scripts/reference/experiments/tasks_over_nodes.py — tasks, CPUs and GPUs of --ntasks-per-gpu over a fixed number of nodes, and with DefCpuPerGPU (gres.md §2.4, §4.4).
"""Three nodes of 2 × 16 cores and eight GPUs, at no socket (h) and four at each (s), three of 2 × 8 cores with two threads and two GPUs at each socket (t), and three of 2 × 8 with four GPUs that
have neither Type nor Cores (u). Partitions d and e have DefCpuPerGPU=4 over s and 3 over t. Asks every question of tests/data/placements/tasks_over_nodes.txt (or the named file) and prints those that are answered otherwise. About ten minutes.

    tasks_over_nodes.py [FILE] [--grep WORDS] [--write OUT]"""
import sys

import near_cores

near_cores.THREADS = {"t": 2}
CONF = (
    near_cores.USUAL
    + """\
NodeName=h[1-3] Sockets=2 CoresPerSocket=16 ThreadsPerCore=1 RealMemory=16000 Gres=gpu:a100:8
NodeName=s[1-3] Sockets=2 CoresPerSocket=16 ThreadsPerCore=1 RealMemory=16000 Gres=gpu:a100:8
NodeName=t[1-3] Sockets=2 CoresPerSocket=8 ThreadsPerCore=2 RealMemory=16000 Gres=gpu:a100:4
NodeName=u[1-3] Sockets=2 CoresPerSocket=8 ThreadsPerCore=1 RealMemory=16000 Gres=gpu:4
PartitionName=h Nodes=h[1-3] MaxTime=INFINITE State=UP Default=YES
PartitionName=s Nodes=s[1-3] MaxTime=INFINITE State=UP
PartitionName=t Nodes=t[1-3] MaxTime=INFINITE State=UP
PartitionName=u Nodes=u[1-3] MaxTime=INFINITE State=UP
PartitionName=d Nodes=s[1-3] MaxTime=INFINITE State=UP DefCpuPerGPU=4
PartitionName=e Nodes=t[1-3] MaxTime=INFINITE State=UP DefCpuPerGPU=3
"""
)
GRES = """\
NodeName=h[1-3] Name=gpu Type=a100 File=/dev/nvidia[0-7]
NodeName=s[1-3] Name=gpu Type=a100 File=/dev/nvidia[0-3] Cores=0-15
NodeName=s[1-3] Name=gpu Type=a100 File=/dev/nvidia[4-7] Cores=16-31
NodeName=t[1-3] Name=gpu Type=a100 File=/dev/nvidia[0-1] Cores=0-7
NodeName=t[1-3] Name=gpu Type=a100 File=/dev/nvidia[2-3] Cores=8-15
NodeName=u[1-3] Name=gpu File=/dev/nvidia[0-3]
"""


if __name__ == "__main__":
    sys.exit(near_cores.ask_file(__doc__, lambda _: CONF, GRES, near_cores.QUESTIONS.with_name("tasks_over_nodes.txt")))
