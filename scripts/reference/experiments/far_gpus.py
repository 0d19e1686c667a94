#!/usr/bin/env python3
# scripts/reference/experiments/far_gpus.py — GPUs at sockets whose cores others hold: who gets them, and in what order (gres.md §3.2).
"""Four nodes of two sockets of four cores, two GPUs at each; `all` has DefCpuPerGPU=1, `raw` nothing. Jobs hold what a case says; the asked ones run one after the other.
Printed: cores and GPUs by node, and whether they are as the text says. About three minutes."""
import sys

from lab import ask_cases, lab

CONF = """\
SelectType=select/cons_tres
SelectTypeParameters=CR_Core
SchedulerType=sched/backfill
PriorityType=priority/basic
GresTypes=gpu
SchedulerParameters=sched_interval=50000,bf_interval=-1
NodeName=n[1-4] Sockets=2 CoresPerSocket=4 ThreadsPerCore=1 RealMemory=64000 Gres=gpu:a:4
PartitionName=all Nodes=ALL Default=YES MaxTime=INFINITE State=UP DefCpuPerGPU=1
PartitionName=raw Nodes=ALL MaxTime=INFINITE State=UP
"""
GRES = "NodeName=n[1-4] Name=gpu Type=a File=/dev/nvidia[0-1] Cores=0-3\nNodeName=n[1-4] Name=gpu Type=a File=/dev/nvidia[2-3] Cores=4-7\n"
HALF = "-n4 -m block:block"
# what is held; (the job, cores and GPUs by node)
CASES = [
    ([f"-w n1 {HALF}", f"-w n2 {HALF}", f"-w n3 {HALF}", "-w n4 -n8"],
     [("--gpus=4 -p raw", "n1 4 0-3"), ("--gpus=6 -p raw", "n1 4 0-3, n2 4 2-3"), ("--gpus=12 -p raw", "n[1-3] 4 0-3"), ("--gpus=14 -p raw", ""), ("--gpus=4", "n1 4-7 0-3"), ("--gpus=6", "n1 4-7 0-3, n2 4-5 2-3"),
      ("--gpus=6 -p raw --cpus-per-gpu=1", "n1 4-7 0-3, n2 4-5 2-3"), ("-n4 --gpus=4 -p raw", "n1 4-7 0-3"), ("--gres=gpu:4", "n1 4-7 0-3"), ("-N2 --gres=gpu:3", "n[1-2] 4-6 0,2-3")]),
    ([f"-w n1 {HALF}", "-w n3 -n8", "-w n4 -n8"],
     [("--gpus=4 -p raw", "n2 0 0-3"), ("--gpus=6 -p raw", "n1 4 0-3, n2 0 0-1"), ("--gpus=6", "n1 4 2-3, n2 0-2,4-5 0-3"), ("--gpus=8", "n1 4 0-3, n2 0-6 0-3"),
      ("--gpus=8 -p raw --cpus-per-gpu=1", "n1 4-7 0-3, n2 0-1,4-5 0-3")]),
    ([f"-w n1 {HALF}", f"-w n2 {HALF}"],
     [("--gpus=8", "n3 0-6 0-3, n4 0 0-3"), ("--gpus=12", "n1 4 0-3, n3 0-6 0-3, n4 0-1,4-5 0-3"), ("--gpus=14", "n1 4 0-3, n2 4 2-3, n[3-4] 0-2,4-6 0-3"), ("--gpus=14 -p raw", "n[1-2] 4 0-3, n3 0 0-3, n4 0 0-1")]),
    ([f"-w n1 {HALF} --gres=gpu:1", f"-w n2 {HALF} --gres=gpu:1", f"-w n3 {HALF} --gres=gpu:1", "-w n4 -n8"],
     [("--gpus=2 -p raw", "n1 4 2-3"), ("--gpus=3 -p raw", "n1 4 1-3"), ("--gpus=4 -p raw", "n[1-2] 4 2-3"), ("--gpus=5 -p raw", "n1 4 1-3, n2 4 2-3"), ("--gpus=6 -p raw", "n[1-2] 4 1-3")]),
]  # fmt: skip


def main():
    with lab(CONF, gres=GRES) as one:
        return ask_cases(one, CASES)


if __name__ == "__main__":
    sys.exit(1 if main() else 0)
