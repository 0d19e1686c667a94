#!/usr/bin/env python3
# scripts/reference/experiments/task_gpus.py — GPUs by task under CR_CPU on nodes of which others hold a part (gres.md §3.2, scheduling.md §6.7).
"""Three nodes of two sockets of twelve cores with two threads, four GPUs at each; `gpu` has DefCpuPerGPU=6, `preempt` nothing. Jobs hold what a case says; the asked ones run one after the other.
Printed: CPUs and GPUs by node, and whether they are as the text says. About four minutes."""
import sys

from lab import ask_cases, lab

CONF = """\
SelectType=select/cons_tres
SelectTypeParameters=CR_CPU_Memory
SchedulerType=sched/backfill
PriorityType=priority/basic
GresTypes=gpu
DefMemPerCPU=2000
SchedulerParameters=sched_interval=50000,bf_interval=-1
NodeName=g[07-09] Sockets=2 CoresPerSocket=12 ThreadsPerCore=2 RealMemory=256000 Gres=gpu:rtx:8
PartitionName=gpu Nodes=ALL Default=YES MaxTime=INFINITE State=UP DefCpuPerGPU=6
PartitionName=preempt Nodes=ALL MaxTime=INFINITE State=UP
"""
GRES = "NodeName=g[07-09] Name=gpu Type=rtx File=/dev/nvidia[0-3] Cores=0-11\nNodeName=g[07-09] Name=gpu Type=rtx File=/dev/nvidia[4-7] Cores=12-23\n"
# what is held; (the job, CPUs and GPUs by node)
CASES = [
    (
        ["-G rtx:2 --cpus-per-gpu=4 -p preempt", "--gpus=4 --mem-per-gpu=20G -p gpu"],
        [
            ("--gpus-per-task=1 -n2 -c3 -p gpu", "g08 0-5 0-1"),
            ("--gpus-per-task=1 -n2 -c3 -p preempt", "g08 0-5 0-1"),
            ("--gpus-per-task=1 -n4 -c3 -p gpu", "g08 0-11 0-3"),
            ("--gpus-per-task=1 -n2 -p preempt", "g07 8-9 2-3"),
            ("--gpus-per-task=2 -n2 -p preempt", "g08 0-1 0-3"),
            ("--gpus-per-task=1 -n6 -c2 -p preempt", "g08 0-7,24-27 0-5"),
            ("--gpus-per-task=1 -n8 -c2 -p gpu", "g08 0-7,24-31 0-7"),
            ("--gpus=2 -n2 -c3 -p gpu", "g07 8-13 2-3"),
        ],
    ),
    (
        ["-w g07 -n24 -p preempt"],
        [
            ("--gpus-per-task=1 -n2 -c3 -p gpu", "g07 24-29 4-5"),
            ("--gpus-per-task=1 -n2 -c3 -p preempt", "g07 24-29 4-5"),
            ("--gpus-per-task=1 -n4 -c3 -p gpu", "g07 24-35 4-7"),
            ("--gpus-per-task=1 -n2 -p preempt", "g07 24-25 4-5"),
            ("--gpus-per-task=2 -n2 -p preempt", "g07 24-25 4-7"),
            ("--gpus-per-task=1 -n6 -c2 -p preempt", "g08 0-7,24-27 0-5"),
            ("--gpus-per-task=1 -n8 -c2 -p gpu", "g08 0-7,24-31 0-7"),
            ("--gpus=2 -n2 -c3 -p gpu", "g07 24-29 4-5"),
        ],
    ),
    (
        ["-w g07 -n24 -p preempt", "-w g08 -n24 -p preempt", "-w g09 -n24 -p preempt"],
        [
            ("--gpus-per-task=1 -n2 -c3 -p gpu", "g07 24-29 4-5"),
            ("--gpus-per-task=1 -n2 -c3 -p preempt", "g07 24-29 4-5"),
            ("--gpus-per-task=1 -n4 -c3 -p gpu", "g07 24-35 4-7"),
            ("--gpus-per-task=1 -n2 -p preempt", "g07 24-25 4-5"),
            ("--gpus-per-task=2 -n2 -p preempt", "g07 24-25 4-7"),
            ("--gpus-per-task=1 -n6 -c2 -p preempt", "g07 24-31 4-7, g08 24-27 4-5"),
            ("--gpus-per-task=1 -n8 -c2 -p gpu", "g[07-08] 24-31 4-7"),
            ("--gpus=2 -n2 -c3 -p gpu", "g07 24-29 4-5"),
        ],
    ),
    (
        ["-w g07 -n24 -p preempt --gres=gpu:2"],
        [
            ("--gpus-per-task=1 -n2 -c3 -p gpu", "g07 24-29 4-5"),
            ("--gpus-per-task=1 -n2 -c3 -p preempt", "g07 24-29 4-5"),
            ("--gpus-per-task=1 -n4 -c3 -p gpu", "g07 24-35 4-7"),
            ("--gpus-per-task=1 -n2 -p preempt", "g07 24-25 4-5"),
            ("--gpus-per-task=2 -n2 -p preempt", "g07 24-25 4-7"),
            ("--gpus-per-task=1 -n6 -c2 -p preempt", "g08 0-7,24-27 0-5"),
            ("--gpus-per-task=1 -n8 -c2 -p gpu", "g08 0-7,24-31 0-7"),
            ("--gpus=2 -n2 -c3 -p gpu", "g07 24-29 4-5"),
        ],
    ),
    (
        ["-w g07 -n36 -p preempt"],
        [
            ("--gpus-per-task=1 -n2 -c3 -p gpu", "g07 36-41 4-5"),
            ("--gpus-per-task=1 -n2 -c3 -p preempt", "g07 36-41 4-5"),
            ("--gpus-per-task=1 -n4 -c3 -p gpu", "g07 36-47 4-7"),
            ("--gpus-per-task=1 -n2 -p preempt", "g07 36-37 4-5"),
            ("--gpus-per-task=2 -n2 -p preempt", "g07 36-37 4-7"),
            ("--gpus-per-task=1 -n6 -c2 -p preempt", "g08 0-7,24-27 0-5"),
            ("--gpus-per-task=1 -n8 -c2 -p gpu", "g08 0-7,24-31 0-7"),
            ("--gpus=2 -n2 -c3 -p gpu", "g07 36-41 4-5"),
        ],
    ),
    (
        ["-w g07 -n36 -p preempt", "-w g08 -n36 -p preempt", "-w g09 -n36 -p preempt"],
        [
            ("--gpus-per-task=1 -n2 -c3 -p gpu", "g07 36-41 4-5"),
            ("--gpus-per-task=1 -n2 -c3 -p preempt", "g07 36-41 4-5"),
            ("--gpus-per-task=1 -n4 -c3 -p gpu", "g07 36-47 4-7"),
            ("--gpus-per-task=1 -n2 -p preempt", "g07 36-37 4-5"),
            ("--gpus-per-task=2 -n2 -p preempt", "g07 36-37 4-7"),
            ("--gpus-per-task=1 -n6 -c2 -p preempt", "g07 36-43 4-7, g08 36-39 4-5"),
            ("--gpus-per-task=1 -n8 -c2 -p gpu", "g[07-08] 36-43 4-7"),
            ("--gpus=2 -n2 -c3 -p gpu", "g07 36-41 4-5"),
        ],
    ),
    (
        ["-G rtx:2 --cpus-per-gpu=4 -p preempt", "--gpus=4 --mem-per-gpu=20G -p gpu"],
        [
            ("-w g07 -p preempt --gpus-per-task=1 -n1 -c2", "g07 8-9 2"),
            ("-w g07 -p preempt --gpus-per-task=1 -n1 -c3", "g07 8-11 2"),
            ("-w g07 -p preempt --gpus-per-task=1 -n1 -c4", "g07 8-11 2"),
            ("-w g07 -p preempt --gpus-per-task=1 -n2", "g07 8-9 2-3"),
            ("-w g07 -p preempt --gpus-per-task=1 -n2 -c2", "g07 8-11 2-3"),
            ("-w g07 -p preempt --gpus-per-task=1 -n2 -c3", "g07 8-11 2, g08 0-3 0"),
            ("-w g07 -p preempt --gpus-per-task=1 -n2 -c4", "g07 8-15 2-3"),
            ("-w g07 -p preempt --gpus-per-task=1 -n2 -c5", "g07 8-13 2, g08 0-5 0"),
            ("-w g07 -p preempt --gpus-per-task=1 -n2 -c6", "g07 8-19 2-3"),
            ("-w g07 -p preempt --gpus-per-task=1 -n2 -c8", "g07 8-23 2-3"),
            ("-w g07 -p preempt --gpus-per-task=1 -n3 -c2", "g07 8-11 2-3, g08 0-1 0"),
        ],
    ),
    (
        ["-w g07 --gpus=6 -n1 -p preempt"],
        [
            ("-w g07 -p preempt --gpus-per-task=1 -n1 -c2", "g07 0-1 2"),
            ("-w g07 -p preempt --gpus-per-task=1 -n1 -c3", "g07 0-3 2"),
            ("-w g07 -p preempt --gpus-per-task=1 -n1 -c4", "g07 0-3 2"),
            ("-w g07 -p preempt --gpus-per-task=1 -n2", "g07 0-1 2-3"),
            ("-w g07 -p preempt --gpus-per-task=1 -n2 -c2", "g07 0-3 2-3"),
            ("-w g07 -p preempt --gpus-per-task=1 -n2 -c3", "g07 0-3 2, g08 0-3 0"),
            ("-w g07 -p preempt --gpus-per-task=1 -n2 -c4", "g07 0-7 2-3"),
            ("-w g07 -p preempt --gpus-per-task=1 -n2 -c5", "g07 0-5 2, g08 0-5 0"),
            ("-w g07 -p preempt --gpus-per-task=1 -n2 -c6", "g07 0-11 2-3"),
            ("-w g07 -p preempt --gpus-per-task=1 -n2 -c8", "g07 0-15 2-3"),
            ("-w g07 -p preempt --gpus-per-task=1 -n3 -c2", "g07 0-3 2-3, g08 0-1 0"),
        ],
    ),
    (
        ["-w g07 --gpus=5 -n1 -p preempt"],
        [
            ("-w g07 -p preempt --gpus-per-task=1 -n1 -c2", "g07 0-1 1"),
            ("-w g07 -p preempt --gpus-per-task=1 -n1 -c3", "g07 0-3 1"),
            ("-w g07 -p preempt --gpus-per-task=1 -n1 -c4", "g07 0-3 1"),
            ("-w g07 -p preempt --gpus-per-task=1 -n2", "g07 0-1 1-2"),
            ("-w g07 -p preempt --gpus-per-task=1 -n2 -c2", "g07 0-3 1-2"),
            ("-w g07 -p preempt --gpus-per-task=1 -n2 -c3", "g07 0-5 1-2"),
            ("-w g07 -p preempt --gpus-per-task=1 -n2 -c4", "g07 0-7 1-2"),
            ("-w g07 -p preempt --gpus-per-task=1 -n2 -c5", "g07 0-9 1-2"),
            ("-w g07 -p preempt --gpus-per-task=1 -n2 -c6", "g07 0-11 1-2"),
            ("-w g07 -p preempt --gpus-per-task=1 -n2 -c8", "g07 0-15 1-2"),
            ("-w g07 -p preempt --gpus-per-task=1 -n3 -c2", "g07 0-5 1-3"),
        ],
    ),
    (
        ["-w g07 --gpus=2 -n1 -p preempt", "-w g07 --gres=gpu:4 -n2 -c8 -p preempt"],
        [
            ("-w g07 -p preempt --gpus-per-task=1 -n1 -c2", "g07 2-3 2"),
            ("-w g07 -p preempt --gpus-per-task=1 -n1 -c3", "g07 2-5 2"),
            ("-w g07 -p preempt --gpus-per-task=1 -n1 -c4", "g07 2-5 2"),
            ("-w g07 -p preempt --gpus-per-task=1 -n2", "g07 2-3 2-3"),
            ("-w g07 -p preempt --gpus-per-task=1 -n2 -c2", "g07 2-5 2-3"),
            ("-w g07 -p preempt --gpus-per-task=1 -n2 -c3", "g07 2-7 2-3"),
            ("-w g07 -p preempt --gpus-per-task=1 -n2 -c4", "g07 2-9 2-3"),
            ("-w g07 -p preempt --gpus-per-task=1 -n2 -c5", "g07 2-11 2-3"),
            ("-w g07 -p preempt --gpus-per-task=1 -n2 -c6", "g07 2-13 2-3"),
            ("-w g07 -p preempt --gpus-per-task=1 -n2 -c8", "g07 2-17 2-3"),
            ("-w g07 -p preempt --gpus-per-task=1 -n3 -c2", "g07 2-5 2-3, g08 0-1 0"),
        ],
    ),
    (
        ["-w g07 -n36 -p preempt"],
        [
            ("-w g07 --gpus-per-task=1 -n4 -c3 -p gpu", "g07 36-47 4-7"),
            ("-w g07 --gpus=4 -n4 -c3 -p gpu", "g07 36-47 4-7"),
            ("-w g07 --gres=gpu:4 -n4 -c3 -p gpu", "g07 36-47 4-7"),
            ("-w g07 --gpus-per-task=1 -n4 -p gpu", "g07 36-47 4-5, g08 0-11 0-1"),
            ("-w g07 --gpus-per-task=1 -n2 -p gpu", "g07 36-47 4-5"),
            ("-w g07 --gpus-per-task=1 -n3 -p gpu", "g07 36-47 4-5, g08 0-5 0"),
            ("-w g07 --gpus-per-task=1 -n3 -c1 -p gpu", "g07 36-39 4-6"),
            ("-w g07 --gpus-per-task=1 -n3 -c4 -p gpu", "g07 36-47 4-6"),
            ("-w g07 --gpus=3 -n3 -p gpu", "g07 36-47 4-5, g08 0-5 0"),
            ("-w g07 --gpus=3 -p gpu", "g07 36-47 4-5, g08 0-5 0"),
            ("-w g07 --gpus-per-task=2 -n2 -c2 -p gpu", "g07 36-39 4-7"),
            ("-w g07 --gpus-per-task=1 -n5 -c2 -p preempt", "g07 36-43 4-7, g08 0-1 0"),
            ("-w g07 --gpus-per-task=1 -n5 -N1 -c2 -p preempt", "g07 36-45 0,4-7"),
            ("-w g07 --gpus-per-task=2 -n3 -c2 -p preempt", "g07 36-39 4-7, g08 0-1 0-1"),
        ],
    ),
    (
        ["-w g07 -n36 -p preempt", "-w g08 -n36 -p preempt", "-w g09 -n48 -p preempt"],
        [
            ("-w g07 --gpus-per-task=1 -n4 -c3 -p gpu", "g07 36-47 4-7"),
            ("-w g07 --gpus=4 -n4 -c3 -p gpu", "g07 36-47 4-7"),
            ("-w g07 --gres=gpu:4 -n4 -c3 -p gpu", "g07 36-47 4-7"),
            ("-w g07 --gpus-per-task=1 -n4 -p gpu", "g[07-08] 36-47 4-5"),
            ("-w g07 --gpus-per-task=1 -n2 -p gpu", "g07 36-47 4-5"),
            ("-w g07 --gpus-per-task=1 -n3 -p gpu", "g07 36-47 4-5, g08 36-41 4"),
            ("-w g07 --gpus-per-task=1 -n3 -c1 -p gpu", "g07 36-39 4-6"),
            ("-w g07 --gpus-per-task=1 -n3 -c4 -p gpu", "g07 36-47 4-6"),
            ("-w g07 --gpus=3 -n3 -p gpu", "g07 36-47 4-5, g08 36-41 4"),
            ("-w g07 --gpus=3 -p gpu", "g07 36-47 4-5, g08 36-41 4"),
            ("-w g07 --gpus-per-task=2 -n2 -c2 -p gpu", "g07 36-39 4-7"),
            ("-w g07 --gpus-per-task=1 -n5 -c2 -p preempt", "g07 36-43 4-7, g08 36-37 4"),
            ("-w g07 --gpus-per-task=1 -n5 -N1 -c2 -p preempt", "g07 36-45 0,4-7"),
            ("-w g07 --gpus-per-task=2 -n3 -c2 -p preempt", "g07 36-39 4-7, g08 36-37 4-5"),
        ],
    ),
]  # fmt: skip


def main():
    with lab(CONF, gres=GRES) as one:
        return ask_cases(one, CASES)


if __name__ == "__main__":
    sys.exit(1 if main() else 0)
