#!/usr/bin/env python3
# scripts/reference/experiments/serial_gpus.py — what pack_serial_at_end gives a job of --gpus over several nodes (scheduling.md §6.4).
"""Two nodes of two GPUs, four of eight and of a higher weight. Printed are nodes, CPUs and GPUs, or what sbatch said. What is written is what was answered: nothing was expected before but that nodes come from the end, and a GPU of each
further one where CPUs come with GPUs (a drawn day, seed 9720, 08:57:51). About a minute."""
import sys

from lab import ask_cases, lab

CONF = """\
GresTypes=gpu
SelectType=select/cons_tres
SelectTypeParameters={}
SchedulerType=sched/backfill
SchedulerParameters=sched_interval=10,bf_interval=-1,pack_serial_at_end
PriorityType=priority/basic
NodeName=a[1-2] Sockets=2 CoresPerSocket=8 RealMemory=64000 Gres=gpu:t4:2
NodeName=b[1-4] Sockets=2 CoresPerSocket=12 RealMemory=64000 Gres=gpu:v100:8 Weight=50
PartitionName=all Nodes=ALL Default=YES MaxTime=INFINITE State=UP DefMemPerCPU=1000
"""
GRES = "NodeName=a[1-2] Name=gpu Type=t4 File=/dev/nvidia[0-1]\nNodeName=b[1-4] Name=gpu Type=v100 File=/dev/nvidia[0-7]\n"
NEVER = "sbatch: error: Batch job submission failed: Requested node configuration is not available"
CASES = [
    ([], [
        ("--gpus=2", "a2 0 0-1"),
        ("--gpus=4", "a[1-2] 0 0-1"),
        ("--gpus=6", "a[1-2] 0 0-1, b4 0 0-1"),
        ("--gpus=9", "a[1-2] 0 0-1, b4 0 0-4"),
        ("--gpus=3 --cpus-per-gpu=2", "a1 0-1 0, a2 0-3 0-1"),
        ("--gpus=3 --cpus-per-gpu=4", "a1 0-3 0, a2 0-7 0-1"),
        ("--gpus=4 --cpus-per-gpu=2", "a1 0-1 0, a2 0-3 0-1, b4 0-1 0"),
        ("--gpus=5 --cpus-per-gpu=2", "a1 0-1 0, a2 0-3 0-1, b[3-4] 0-1 0"),
        ("--gpus=6 --cpus-per-gpu=2", "a1 0-1 0, a2 0-3 0-1, b[2-4] 0-1 0"),
        ("--gpus=8 --cpus-per-gpu=1", NEVER),
        ("--gpus=4 --cpus-per-gpu=2 -x a[1-2]", "b4 0-7 0-3"),
        ("--gpus=9 --cpus-per-gpu=1 -x a[1-2]", "b3 0 0, b4 0-7 0-7"),
        ("--gpus=10 --cpus-per-gpu=1 -x a[1-2]", "b[2-3] 0 0, b4 0-7 0-7"),
        ("--gpus=9 --cpus-per-gpu=2 -x a[1-2]", "b3 0-1 0, b4 0-15 0-7"),
        ("--gpus=4 --cpus-per-gpu=2 -n2", "a[1-2] 0-3 0-1"),
        ("--gpus=4 --cpus-per-gpu=2 -N2", "a[1-2] 0-3 0-1"),
        ("--gpus=4 --cpus-per-gpu=2 -N1-3", "a[1-2] 0-3 0-1"),
    ]),
    (["-w b4 --gres=gpu:v100:1 -t 900"], [
        ("--gpus=4 --cpus-per-gpu=2", "a1 0-1 0, a2 0-3 0-1, b4 1-2 1"),
        ("--gpus=5 --cpus-per-gpu=2", "a1 0-1 0, a2 0-3 0-1, b3 0-1 0, b4 1-2 1"),
    ]),
]  # fmt: skip


def main():
    wrong = 0
    for way in ("CR_CPU_Memory", "CR_Core_Memory,CR_CORE_DEFAULT_DIST_BLOCK"):
        print(way)
        with lab(CONF.format(way), gres=GRES) as one:
            wrong |= ask_cases(one, CASES)
    return wrong


if __name__ == "__main__":
    sys.exit(main())
