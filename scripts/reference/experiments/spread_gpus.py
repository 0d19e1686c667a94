#!/usr/bin/env python3
# scripts/reference/experiments/spread_gpus.py — --spread-job of jobs that want GPUs (gres.md §3.2).
"""Six nodes of two sockets and eight GPUs, some of them held in part. Each job prints the CPUs and GPUs that it has of each node. About a minute."""
import sys

from lab import ask_cases, lab

CONF = """\
SelectType=select/cons_tres
SelectTypeParameters=CR_Core_Memory
SchedulerType=sched/backfill
SchedulerParameters=bf_interval=5,sched_interval=5
PriorityType=priority/basic
GresTypes=gpu
NodeName=g[1-6] Sockets=2 CoresPerSocket=8 ThreadsPerCore=1 RealMemory=64000 Gres=gpu:8
PartitionName=all Nodes=ALL MaxTime=INFINITE DefMemPerCPU=100 State=UP Default=YES
"""
GRES = "NodeName=g[1-6] Name=gpu File=/dev/nvidia[0-3] Cores=0-7\nNodeName=g[1-6] Name=gpu File=/dev/nvidia[4-7] Cores=8-15\n"
CASES = [
    ([], [
        ("--spread-job -n6 -G6", "g1 0-2,8-10 0-5"),
        ("-n6 -G6", "g1 0-2,8-10 0-5"),
        ("--spread-job -n2 -G6", "g1 0,8 0-5"),
        ("--spread-job -n2 -G9", "g1 0 0-4, g2 0 0-3"),
        ("--spread-job -n6 --gpus-per-task=1", "g1 0-2,8-10 0-2,4-6"),
        ("--spread-job -n6 --gpus-per-task=2", "g1 0-1,8-9 0-7, g2 0-1 0-3"),
        ("--spread-job -n6 --gpus-per-node=1", "g[1-6] 0 0"),
        ("--spread-job -n6 --gres=gpu:2", "g[1-6] 0 0-1"),
        ("--spread-job -n6 --gpus-per-socket=1 --sockets-per-node=1", "g[1-6] 0 0"),
        ("--spread-job -N1-3 -n6 -G6", "g1 0-2,8-10 0-5"),
        ("--spread-job -N1-3 -n6 --gpus-per-task=1", "g1 0-2,8-10 0-2,4-6"),
        ("--spread-job -N1-3 -n6 --gpus-per-node=1", "g1 0-3 0, g[2-3] 0 0"),
        ("--spread-job -N2 -n6 -G6", "g1 0-2,8-9 0-4, g2 0 0"),
        ("--spread-job -n6 --ntasks-per-node=2 -G6", "g1 0,8 0-3, g[2-3] 0,8 0"),
        ("--spread-job -n24 -G4", "g1 0-7 0-1, g[2-3] 0-7 0"),
        ("--spread-job -n6 --ntasks-per-gpu=1", "g1 0-2,8-10 0-5"),
    ]),
    (["-w g1 -n4 -G5", "-w g3 -n12 -G2"], [
        ("--spread-job -n6 -G6", "g2 0-2,8-10 0-5"),
        ("-n6 -G6", "g2 0-2,8-10 0-5"),
        ("--spread-job -n6 --gpus-per-task=1", "g2 0-2,8-10 0-2,4-6"),
        ("--spread-job -n6 --gpus-per-node=4", "g2 0-1 0-3, g[3-4] 8 4-7, g[5-6] 0 0-3"),
        ("--spread-job -n1 -G1 -x g1,g3", "g2 0 0"),
        ("--spread-job -n3 -N1-3 -G3", "g1 10-12 5-7"),
    ]),
    (["-w g3 -n4", "-w g5 -n12"], [  # the first that has them, not the fullest
        ("-n2 --gpus-per-task=1", "g5 6-7 0-1"),
        ("--spread-job -n2 --gpus-per-task=1", "g1 0-1 0-1"),
        ("-n4 -G1", "g3 2-5 0"),
        ("--spread-job -n4 -G1", "g1 0-3 0"),
        ("-n3 -G3", "g3 2-4 0-2"),
        ("--spread-job -n3 -G3", "g1 0-2 0-2"),
    ]),
]


if __name__ == "__main__":
    with lab(CONF, GRES) as one:
        sys.exit(ask_cases(one, CASES))
