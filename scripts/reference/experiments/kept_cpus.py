#!/usr/bin/env python3
# scripts/reference/experiments/kept_cpus.py — DefCpuPerGPU of the first partition of a list, and of the one that is tested (gres.md §2.3).
"""Two nodes with 16 of their 40 CPUs and all four GPUs free. Partitions with no DefCpuPerGPU, 2 and 6; only one of the list is up. Printed: CPUs
and GPUs by node that the job gets, and whether they are as the text says."""
import sys

from lab import Tally, given, hold, lab

CONF = """\
SelectType=select/cons_tres
SelectTypeParameters=CR_CPU_Memory
SchedulerType=sched/backfill
PriorityType=priority/basic
GresTypes=gpu
DefMemPerCPU=10
NodeName=n[1-2] Sockets=2 CoresPerSocket=10 ThreadsPerCore=2 RealMemory=64000 Gres=gpu:4
PartitionName=none Nodes=n[1-2] Default=YES MaxTime=INFINITE State=UP
PartitionName=two Nodes=n[1-2] MaxTime=INFINITE State=UP DefCpuPerGPU=2
PartitionName=six Nodes=n[1-2] MaxTime=INFINITE State=UP DefCpuPerGPU=6
"""
GRES = "NodeName=n[1-2] Name=gpu File=/dev/nvidia[0-3]\n"
# (list, the one that is up, options, what the text says)
CASES = [
    ("none,six", "six", "--gpus=4", "n1 24-25 0-2, n2 24-25 0"), ("none,six", "six", "--gpus=3", "n1 24-25 0-1, n2 24-25 0"),
    ("none,six", "six", "--gres=gpu:4", ""), ("none,six", "six", "-N1 --gpus=4", ""), ("none,six", "six", "-n2 --gpus=4", "n1 24-25 0-2, n2 24-25 0"),
    ("none,six", "six", "-c1 --gpus=4", "n1 24-25 0-3"), ("two,six", "six", "--gpus=4", "n1 24-29 0-2, n2 24-25 0"),
    ("two,six", "six", "--gpus=3", "n1 24-27 0-1, n2 24-25 0"), ("two,six", "six", "--gres=gpu:3", ""), ("none,two", "two", "--gpus=4", "n1 24-25 0-3"),
    ("none,two", "two", "--gres=gpu:4", "n1 24-25 0-3"), ("two,none", "none", "--gpus=4", "n1 24-31 0-3"), ("none", "none", "--gpus=4", "n1 24-25 0-3"),
    ("six", "six", "--gpus=4", "n1 24-39 0-2, n2 24-31 0"), ("six", "six", "--gpus=3", "n1 24-35 0-1, n2 24-29 0"),
    ("six,none", "none", "--gpus=4", "n1 24-39 0-3"), ("six,two", "two", "--gres=gpu:4", "n1 24-39 0-3"),
]  # fmt: skip


def main():
    tally = Tally()
    with lab(CONF, GRES) as one:
        hold(one, ["-p none -w n1 -n24", "-p none -w n2 -n24"])
        for partitions, up, options, told in CASES:
            for each in ("none", "two", "six"):
                one.out(f"scontrol update partitionname={each} state={'up' if each == up else 'down'}")
            one.rest(10)
            got = given(one, f"-p {partitions} {options}")
            tally.note(f"{partitions:8} in {up:4} {options:16}", got or "waits", told or "waits")
    return tally.close()


if __name__ == "__main__":
    sys.exit(main())
