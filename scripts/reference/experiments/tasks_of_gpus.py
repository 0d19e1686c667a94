#!/usr/bin/env python3
# scripts/reference/experiments/tasks_of_gpus.py — CPUs of tasks that follow from GPUs (gres.md §2.2 rule 7).
"""Nodes of 2 × 8 cores with four GPUs, q1 with two threads a core. Printed: CPUs and tasks of the job, and whether they are as the text says."""
import re
import sys

from lab import Tally, lab, shown

CONF = """\
SelectType=select/cons_tres
SelectTypeParameters=CR_Core_Memory
SchedulerType=sched/backfill
PriorityType=priority/basic
GresTypes=gpu
DefMemPerCPU=10
NodeName=p1 Sockets=2 CoresPerSocket=8 ThreadsPerCore=1 RealMemory=16000 Gres=gpu:a100:4
NodeName=q1 Sockets=2 CoresPerSocket=8 ThreadsPerCore=2 RealMemory=16000 Gres=gpu:a100:4
PartitionName=p Nodes=p1 MaxTime=INFINITE State=UP Default=YES
PartitionName=q Nodes=q1 MaxTime=INFINITE State=UP
PartitionName=pq Nodes=p1,q1 MaxTime=INFINITE State=UP
"""
GRES = "NodeName=p1,q1 Name=gpu Type=a100 File=/dev/nvidia[0-3]\n"
# (partition, options, what the text says)
CASES = [
    ("p", "--gpus=1 --ntasks-per-gpu=1", "1 CPUs, 1 tasks"), ("p", "--gpus=1 --ntasks-per-gpu=1 -c 2", "2 CPUs, 1 tasks"), ("p", "--gpus=1 --ntasks-per-gpu=1 -N1", "1 CPUs, 1 tasks"),
    ("p", "--gpus=1 --ntasks-per-gpu=1 -N1 -c 2", "2 CPUs, 1 tasks"), ("p", "--gpus=1 --ntasks-per-gpu=1 -n 1", "1 CPUs, 1 tasks"), ("p", "--gpus=1 --ntasks-per-gpu=2", "2 CPUs, 2 tasks"),
    ("p", "--gpus=1 --ntasks-per-gpu=2 -c 2", "2 CPUs, 2 tasks"), ("p", "--gpus=1 --ntasks-per-gpu=2 -N1", "2 CPUs, 2 tasks"), ("p", "--gpus=1 --ntasks-per-gpu=2 -N1 -c 2", "2 CPUs, 2 tasks"),
    ("p", "--gpus=1 --ntasks-per-gpu=2 -n 2", "2 CPUs, 2 tasks"), ("p", "--gpus=1 --ntasks-per-gpu=3", "3 CPUs, 3 tasks"), ("p", "--gpus=1 --ntasks-per-gpu=3 -c 2", "6 CPUs, 3 tasks"),
    ("p", "--gpus=1 --ntasks-per-gpu=3 -N1", "3 CPUs, 3 tasks"), ("p", "--gpus=1 --ntasks-per-gpu=3 -N1 -c 2", "6 CPUs, 3 tasks"), ("p", "--gpus=1 --ntasks-per-gpu=3 -n 3", "3 CPUs, 3 tasks"),
    ("p", "--gpus=2 --ntasks-per-gpu=1", "2 CPUs, 2 tasks"), ("p", "--gpus=2 --ntasks-per-gpu=1 -c 2", "2 CPUs, 2 tasks"), ("p", "--gpus=2 --ntasks-per-gpu=1 -N1", "2 CPUs, 2 tasks"),
    ("p", "--gpus=2 --ntasks-per-gpu=1 -N1 -c 2", "2 CPUs, 2 tasks"), ("p", "--gpus=2 --ntasks-per-gpu=1 -n 1", "2 CPUs, 2 tasks"), ("p", "--gpus=2 --ntasks-per-gpu=1 -n 2 -c 2", "4 CPUs, 2 tasks"),
    ("p", "--gpus=2 --ntasks-per-gpu=2", "4 CPUs, 4 tasks"), ("p", "--gpus=2 --ntasks-per-gpu=2 -c 2", "8 CPUs, 4 tasks"), ("p", "--gpus=2 --ntasks-per-gpu=2 -N1", "4 CPUs, 4 tasks"),
    ("p", "--gpus=2 --ntasks-per-gpu=2 -N1 -c 2", "8 CPUs, 4 tasks"), ("p", "--gpus=2 --ntasks-per-gpu=2 -n 2", "4 CPUs, 4 tasks"), ("p", "--gpus=2 --ntasks-per-gpu=2 -n 4 -c 2", "8 CPUs, 4 tasks"),
    ("p", "--gpus=2 --ntasks-per-gpu=3", "6 CPUs, 6 tasks"), ("p", "--gpus=2 --ntasks-per-gpu=3 -c 2", "12 CPUs, 6 tasks"), ("p", "--gpus=2 --ntasks-per-gpu=3 -N1", "6 CPUs, 6 tasks"),
    ("p", "--gpus=2 --ntasks-per-gpu=3 -N1 -c 2", "12 CPUs, 6 tasks"), ("p", "--gpus=2 --ntasks-per-gpu=3 -n 3", "6 CPUs, 6 tasks"), ("p", "--gpus=2 --ntasks-per-gpu=3 -n 6 -c 2", "12 CPUs, 6 tasks"),
    ("p", "--gres=gpu:1 --ntasks-per-gpu=1", "1 CPUs, 1 tasks"), ("p", "--gres=gpu:1 --ntasks-per-gpu=1 -c 2", "2 CPUs, 1 tasks"), ("p", "--gres=gpu:1 --ntasks-per-gpu=1 -N1", "1 CPUs, 1 tasks"),
    ("p", "--gres=gpu:1 --ntasks-per-gpu=1 -N1 -c 2", "2 CPUs, 1 tasks"), ("p", "--gres=gpu:1 --ntasks-per-gpu=1 -n 1", "1 CPUs, 1 tasks"), ("p", "--gres=gpu:1 --ntasks-per-gpu=2", "2 CPUs, 2 tasks"),
    ("p", "--gres=gpu:1 --ntasks-per-gpu=2 -c 2", "2 CPUs, 2 tasks"), ("p", "--gres=gpu:1 --ntasks-per-gpu=2 -N1", "2 CPUs, 2 tasks"), ("p", "--gres=gpu:1 --ntasks-per-gpu=2 -N1 -c 2", "2 CPUs, 2 tasks"),
    ("p", "--gres=gpu:1 --ntasks-per-gpu=2 -n 2", "2 CPUs, 2 tasks"), ("p", "--gres=gpu:1 --ntasks-per-gpu=3", "3 CPUs, 3 tasks"), ("p", "--gres=gpu:1 --ntasks-per-gpu=3 -c 2", "6 CPUs, 3 tasks"),
    ("p", "--gres=gpu:1 --ntasks-per-gpu=3 -N1", "3 CPUs, 3 tasks"), ("p", "--gres=gpu:1 --ntasks-per-gpu=3 -N1 -c 2", "6 CPUs, 3 tasks"), ("p", "--gres=gpu:1 --ntasks-per-gpu=3 -n 3", "3 CPUs, 3 tasks"),
    ("p", "--gres=gpu:2 --ntasks-per-gpu=1", "2 CPUs, 2 tasks"), ("p", "--gres=gpu:2 --ntasks-per-gpu=1 -c 2", "2 CPUs, 2 tasks"), ("p", "--gres=gpu:2 --ntasks-per-gpu=1 -N1", "2 CPUs, 2 tasks"),
    ("p", "--gres=gpu:2 --ntasks-per-gpu=1 -N1 -c 2", "2 CPUs, 2 tasks"), ("p", "--gres=gpu:2 --ntasks-per-gpu=1 -n 1", "2 CPUs, 2 tasks"), ("p", "--gres=gpu:2 --ntasks-per-gpu=1 -n 2 -c 2", "4 CPUs, 2 tasks"),
    ("p", "--gres=gpu:2 --ntasks-per-gpu=2", "4 CPUs, 4 tasks"), ("p", "--gres=gpu:2 --ntasks-per-gpu=2 -c 2", "8 CPUs, 4 tasks"), ("p", "--gres=gpu:2 --ntasks-per-gpu=2 -N1", "4 CPUs, 4 tasks"),
    ("p", "--gres=gpu:2 --ntasks-per-gpu=2 -N1 -c 2", "8 CPUs, 4 tasks"), ("p", "--gres=gpu:2 --ntasks-per-gpu=2 -n 2", "4 CPUs, 4 tasks"), ("p", "--gres=gpu:2 --ntasks-per-gpu=2 -n 4 -c 2", "8 CPUs, 4 tasks"),
    ("p", "--gres=gpu:2 --ntasks-per-gpu=3", "6 CPUs, 6 tasks"), ("p", "--gres=gpu:2 --ntasks-per-gpu=3 -c 2", "12 CPUs, 6 tasks"), ("p", "--gres=gpu:2 --ntasks-per-gpu=3 -N1", "6 CPUs, 6 tasks"),
    ("p", "--gres=gpu:2 --ntasks-per-gpu=3 -N1 -c 2", "12 CPUs, 6 tasks"), ("p", "--gres=gpu:2 --ntasks-per-gpu=3 -n 3", "6 CPUs, 6 tasks"), ("p", "--gres=gpu:2 --ntasks-per-gpu=3 -n 6 -c 2", "12 CPUs, 6 tasks"),
    ("p", "--gpus-per-node=1 --ntasks-per-gpu=1", "1 CPUs, 1 tasks"), ("p", "--gpus-per-node=1 --ntasks-per-gpu=1 -c 2", "2 CPUs, 1 tasks"), ("p", "--gpus-per-node=1 --ntasks-per-gpu=1 -N1", "1 CPUs, 1 tasks"),
    ("p", "--gpus-per-node=1 --ntasks-per-gpu=1 -N1 -c 2", "2 CPUs, 1 tasks"), ("p", "--gpus-per-node=1 --ntasks-per-gpu=1 -n 1", "1 CPUs, 1 tasks"), ("p", "--gpus-per-node=1 --ntasks-per-gpu=2", "2 CPUs, 2 tasks"),
    ("p", "--gpus-per-node=1 --ntasks-per-gpu=2 -c 2", "2 CPUs, 2 tasks"), ("p", "--gpus-per-node=1 --ntasks-per-gpu=2 -N1", "2 CPUs, 2 tasks"), ("p", "--gpus-per-node=1 --ntasks-per-gpu=2 -N1 -c 2", "2 CPUs, 2 tasks"),
    ("p", "--gpus-per-node=1 --ntasks-per-gpu=2 -n 2", "2 CPUs, 2 tasks"), ("p", "--gpus-per-node=1 --ntasks-per-gpu=3", "3 CPUs, 3 tasks"), ("p", "--gpus-per-node=1 --ntasks-per-gpu=3 -c 2", "6 CPUs, 3 tasks"),
    ("p", "--gpus-per-node=1 --ntasks-per-gpu=3 -N1", "3 CPUs, 3 tasks"), ("p", "--gpus-per-node=1 --ntasks-per-gpu=3 -N1 -c 2", "6 CPUs, 3 tasks"), ("p", "--gpus-per-node=1 --ntasks-per-gpu=3 -n 3", "3 CPUs, 3 tasks"),
    ("p", "--gpus=a100:1 --ntasks-per-gpu=1", "1 CPUs, 1 tasks"), ("p", "--gpus=a100:1 --ntasks-per-gpu=1 -c 2", "2 CPUs, 1 tasks"), ("p", "--gpus=a100:1 --ntasks-per-gpu=1 -N1", "1 CPUs, 1 tasks"),
    ("p", "--gpus=a100:1 --ntasks-per-gpu=1 -N1 -c 2", "2 CPUs, 1 tasks"), ("p", "--gpus=a100:1 --ntasks-per-gpu=1 -n 1", "1 CPUs, 1 tasks"), ("p", "--gpus=a100:1 --ntasks-per-gpu=2", "2 CPUs, 2 tasks"),
    ("p", "--gpus=a100:1 --ntasks-per-gpu=2 -c 2", "2 CPUs, 2 tasks"), ("p", "--gpus=a100:1 --ntasks-per-gpu=2 -N1", "2 CPUs, 2 tasks"), ("p", "--gpus=a100:1 --ntasks-per-gpu=2 -N1 -c 2", "2 CPUs, 2 tasks"),
    ("p", "--gpus=a100:1 --ntasks-per-gpu=2 -n 2", "2 CPUs, 2 tasks"), ("p", "--gpus=a100:1 --ntasks-per-gpu=3", "3 CPUs, 3 tasks"), ("p", "--gpus=a100:1 --ntasks-per-gpu=3 -c 2", "6 CPUs, 3 tasks"),
    ("p", "--gpus=a100:1 --ntasks-per-gpu=3 -N1", "3 CPUs, 3 tasks"), ("p", "--gpus=a100:1 --ntasks-per-gpu=3 -N1 -c 2", "6 CPUs, 3 tasks"), ("p", "--gpus=a100:1 --ntasks-per-gpu=3 -n 3", "3 CPUs, 3 tasks"),
    ("p", "--ntasks-per-gpu=1 -N1", "1 CPUs, 1 tasks"), ("p", "--ntasks-per-gpu=1 -N1 -c 2", "2 CPUs, 1 tasks"), ("p", "--ntasks-per-gpu=1 -n 1", "1 CPUs, 1 tasks"),
    ("p", "--ntasks-per-gpu=1 -n 2 -c 2", "4 CPUs, 2 tasks"), ("p", "--ntasks-per-gpu=2 -N1", "2 CPUs, 2 tasks"), ("p", "--ntasks-per-gpu=2 -N1 -c 2", "2 CPUs, 2 tasks"),
    ("p", "--ntasks-per-gpu=2 -n 2", "2 CPUs, 2 tasks"), ("p", "--ntasks-per-gpu=2 -n 4 -c 2", "8 CPUs, 4 tasks"), ("p", "--ntasks-per-gpu=3 -N1", "3 CPUs, 3 tasks"),
    ("p", "--ntasks-per-gpu=3 -N1 -c 2", "6 CPUs, 3 tasks"), ("p", "--ntasks-per-gpu=3 -n 3", "3 CPUs, 3 tasks"), ("p", "--ntasks-per-gpu=3 -n 6 -c 2", "12 CPUs, 6 tasks"),
    ("q", "--gpus=1 --ntasks-per-gpu=1", "2 CPUs, 1 tasks"), ("q", "--gpus=1 --ntasks-per-gpu=1 -c 2", "2 CPUs, 1 tasks"), ("q", "--gpus=1 --ntasks-per-gpu=1 -N1", "2 CPUs, 1 tasks"),
    ("q", "--gpus=1 --ntasks-per-gpu=1 -N1 -c 2", "2 CPUs, 1 tasks"), ("q", "--gpus=1 --ntasks-per-gpu=1 -n 1", "2 CPUs, 1 tasks"), ("q", "--gpus=1 --ntasks-per-gpu=2", "2 CPUs, 2 tasks"),
    ("q", "--gpus=1 --ntasks-per-gpu=2 -c 2", "2 CPUs, 2 tasks"), ("q", "--gpus=1 --ntasks-per-gpu=2 -N1", "2 CPUs, 2 tasks"), ("q", "--gpus=1 --ntasks-per-gpu=2 -N1 -c 2", "2 CPUs, 2 tasks"),
    ("q", "--gpus=1 --ntasks-per-gpu=2 -n 2", "2 CPUs, 2 tasks"), ("q", "--gpus=1 --ntasks-per-gpu=3", "4 CPUs, 3 tasks"), ("q", "--gpus=1 --ntasks-per-gpu=3 -c 2", "6 CPUs, 3 tasks"),
    ("q", "--gpus=1 --ntasks-per-gpu=3 -N1", "4 CPUs, 3 tasks"), ("q", "--gpus=1 --ntasks-per-gpu=3 -N1 -c 2", "6 CPUs, 3 tasks"), ("q", "--gpus=1 --ntasks-per-gpu=3 -n 3", "4 CPUs, 3 tasks"),
    ("q", "--gpus=2 --ntasks-per-gpu=1", "2 CPUs, 2 tasks"), ("q", "--gpus=2 --ntasks-per-gpu=1 -c 2", "2 CPUs, 2 tasks"), ("q", "--gpus=2 --ntasks-per-gpu=1 -N1", "2 CPUs, 2 tasks"),
    ("q", "--gpus=2 --ntasks-per-gpu=1 -N1 -c 2", "2 CPUs, 2 tasks"), ("q", "--gpus=2 --ntasks-per-gpu=1 -n 1", "2 CPUs, 2 tasks"), ("q", "--gpus=2 --ntasks-per-gpu=1 -n 2 -c 2", "4 CPUs, 2 tasks"),
    ("q", "--gpus=2 --ntasks-per-gpu=2", "4 CPUs, 4 tasks"), ("q", "--gpus=2 --ntasks-per-gpu=2 -c 2", "8 CPUs, 4 tasks"), ("q", "--gpus=2 --ntasks-per-gpu=2 -N1", "4 CPUs, 4 tasks"),
    ("q", "--gpus=2 --ntasks-per-gpu=2 -N1 -c 2", "8 CPUs, 4 tasks"), ("q", "--gpus=2 --ntasks-per-gpu=2 -n 2", "4 CPUs, 4 tasks"), ("q", "--gpus=2 --ntasks-per-gpu=2 -n 4 -c 2", "8 CPUs, 4 tasks"),
    ("q", "--gpus=2 --ntasks-per-gpu=3", "6 CPUs, 6 tasks"), ("q", "--gpus=2 --ntasks-per-gpu=3 -c 2", "12 CPUs, 6 tasks"), ("q", "--gpus=2 --ntasks-per-gpu=3 -N1", "6 CPUs, 6 tasks"),
    ("q", "--gpus=2 --ntasks-per-gpu=3 -N1 -c 2", "12 CPUs, 6 tasks"), ("q", "--gpus=2 --ntasks-per-gpu=3 -n 3", "6 CPUs, 6 tasks"), ("q", "--gpus=2 --ntasks-per-gpu=3 -n 6 -c 2", "12 CPUs, 6 tasks"),
    ("q", "--gres=gpu:1 --ntasks-per-gpu=1", "2 CPUs, 1 tasks"), ("q", "--gres=gpu:1 --ntasks-per-gpu=1 -c 2", "2 CPUs, 1 tasks"), ("q", "--gres=gpu:1 --ntasks-per-gpu=1 -N1", "2 CPUs, 1 tasks"),
    ("q", "--gres=gpu:1 --ntasks-per-gpu=1 -N1 -c 2", "2 CPUs, 1 tasks"), ("q", "--gres=gpu:1 --ntasks-per-gpu=1 -n 1", "2 CPUs, 1 tasks"), ("q", "--gres=gpu:1 --ntasks-per-gpu=2", "2 CPUs, 2 tasks"),
    ("q", "--gres=gpu:1 --ntasks-per-gpu=2 -c 2", "2 CPUs, 2 tasks"), ("q", "--gres=gpu:1 --ntasks-per-gpu=2 -N1", "2 CPUs, 2 tasks"), ("q", "--gres=gpu:1 --ntasks-per-gpu=2 -N1 -c 2", "2 CPUs, 2 tasks"),
    ("q", "--gres=gpu:1 --ntasks-per-gpu=2 -n 2", "2 CPUs, 2 tasks"), ("q", "--gres=gpu:1 --ntasks-per-gpu=3", "4 CPUs, 3 tasks"), ("q", "--gres=gpu:1 --ntasks-per-gpu=3 -c 2", "6 CPUs, 3 tasks"),
    ("q", "--gres=gpu:1 --ntasks-per-gpu=3 -N1", "4 CPUs, 3 tasks"), ("q", "--gres=gpu:1 --ntasks-per-gpu=3 -N1 -c 2", "6 CPUs, 3 tasks"), ("q", "--gres=gpu:1 --ntasks-per-gpu=3 -n 3", "4 CPUs, 3 tasks"),
    ("q", "--gres=gpu:2 --ntasks-per-gpu=1", "2 CPUs, 2 tasks"), ("q", "--gres=gpu:2 --ntasks-per-gpu=1 -c 2", "2 CPUs, 2 tasks"), ("q", "--gres=gpu:2 --ntasks-per-gpu=1 -N1", "2 CPUs, 2 tasks"),
    ("q", "--gres=gpu:2 --ntasks-per-gpu=1 -N1 -c 2", "2 CPUs, 2 tasks"), ("q", "--gres=gpu:2 --ntasks-per-gpu=1 -n 1", "2 CPUs, 2 tasks"), ("q", "--gres=gpu:2 --ntasks-per-gpu=1 -n 2 -c 2", "4 CPUs, 2 tasks"),
    ("q", "--gres=gpu:2 --ntasks-per-gpu=2", "4 CPUs, 4 tasks"), ("q", "--gres=gpu:2 --ntasks-per-gpu=2 -c 2", "8 CPUs, 4 tasks"), ("q", "--gres=gpu:2 --ntasks-per-gpu=2 -N1", "4 CPUs, 4 tasks"),
    ("q", "--gres=gpu:2 --ntasks-per-gpu=2 -N1 -c 2", "8 CPUs, 4 tasks"), ("q", "--gres=gpu:2 --ntasks-per-gpu=2 -n 2", "4 CPUs, 4 tasks"), ("q", "--gres=gpu:2 --ntasks-per-gpu=2 -n 4 -c 2", "8 CPUs, 4 tasks"),
    ("q", "--gres=gpu:2 --ntasks-per-gpu=3", "6 CPUs, 6 tasks"), ("q", "--gres=gpu:2 --ntasks-per-gpu=3 -c 2", "12 CPUs, 6 tasks"), ("q", "--gres=gpu:2 --ntasks-per-gpu=3 -N1", "6 CPUs, 6 tasks"),
    ("q", "--gres=gpu:2 --ntasks-per-gpu=3 -N1 -c 2", "12 CPUs, 6 tasks"), ("q", "--gres=gpu:2 --ntasks-per-gpu=3 -n 3", "6 CPUs, 6 tasks"), ("q", "--gres=gpu:2 --ntasks-per-gpu=3 -n 6 -c 2", "12 CPUs, 6 tasks"),
    ("q", "--gpus-per-node=1 --ntasks-per-gpu=1", "2 CPUs, 1 tasks"), ("q", "--gpus-per-node=1 --ntasks-per-gpu=1 -c 2", "2 CPUs, 1 tasks"), ("q", "--gpus-per-node=1 --ntasks-per-gpu=1 -N1", "2 CPUs, 1 tasks"),
    ("q", "--gpus-per-node=1 --ntasks-per-gpu=1 -N1 -c 2", "2 CPUs, 1 tasks"), ("q", "--gpus-per-node=1 --ntasks-per-gpu=1 -n 1", "2 CPUs, 1 tasks"), ("q", "--gpus-per-node=1 --ntasks-per-gpu=2", "2 CPUs, 2 tasks"),
    ("q", "--gpus-per-node=1 --ntasks-per-gpu=2 -c 2", "2 CPUs, 2 tasks"), ("q", "--gpus-per-node=1 --ntasks-per-gpu=2 -N1", "2 CPUs, 2 tasks"), ("q", "--gpus-per-node=1 --ntasks-per-gpu=2 -N1 -c 2", "2 CPUs, 2 tasks"),
    ("q", "--gpus-per-node=1 --ntasks-per-gpu=2 -n 2", "2 CPUs, 2 tasks"), ("q", "--gpus-per-node=1 --ntasks-per-gpu=3", "4 CPUs, 3 tasks"), ("q", "--gpus-per-node=1 --ntasks-per-gpu=3 -c 2", "6 CPUs, 3 tasks"),
    ("q", "--gpus-per-node=1 --ntasks-per-gpu=3 -N1", "4 CPUs, 3 tasks"), ("q", "--gpus-per-node=1 --ntasks-per-gpu=3 -N1 -c 2", "6 CPUs, 3 tasks"), ("q", "--gpus-per-node=1 --ntasks-per-gpu=3 -n 3", "4 CPUs, 3 tasks"),
    ("q", "--gpus=a100:1 --ntasks-per-gpu=1", "2 CPUs, 1 tasks"), ("q", "--gpus=a100:1 --ntasks-per-gpu=1 -c 2", "2 CPUs, 1 tasks"), ("q", "--gpus=a100:1 --ntasks-per-gpu=1 -N1", "2 CPUs, 1 tasks"),
    ("q", "--gpus=a100:1 --ntasks-per-gpu=1 -N1 -c 2", "2 CPUs, 1 tasks"), ("q", "--gpus=a100:1 --ntasks-per-gpu=1 -n 1", "2 CPUs, 1 tasks"), ("q", "--gpus=a100:1 --ntasks-per-gpu=2", "2 CPUs, 2 tasks"),
    ("q", "--gpus=a100:1 --ntasks-per-gpu=2 -c 2", "2 CPUs, 2 tasks"), ("q", "--gpus=a100:1 --ntasks-per-gpu=2 -N1", "2 CPUs, 2 tasks"), ("q", "--gpus=a100:1 --ntasks-per-gpu=2 -N1 -c 2", "2 CPUs, 2 tasks"),
    ("q", "--gpus=a100:1 --ntasks-per-gpu=2 -n 2", "2 CPUs, 2 tasks"), ("q", "--gpus=a100:1 --ntasks-per-gpu=3", "4 CPUs, 3 tasks"), ("q", "--gpus=a100:1 --ntasks-per-gpu=3 -c 2", "6 CPUs, 3 tasks"),
    ("q", "--gpus=a100:1 --ntasks-per-gpu=3 -N1", "4 CPUs, 3 tasks"), ("q", "--gpus=a100:1 --ntasks-per-gpu=3 -N1 -c 2", "6 CPUs, 3 tasks"), ("q", "--gpus=a100:1 --ntasks-per-gpu=3 -n 3", "4 CPUs, 3 tasks"),
    ("q", "--ntasks-per-gpu=1 -N1", "2 CPUs, 1 tasks"), ("q", "--ntasks-per-gpu=1 -N1 -c 2", "2 CPUs, 1 tasks"), ("q", "--ntasks-per-gpu=1 -n 1", "2 CPUs, 1 tasks"),
    ("q", "--ntasks-per-gpu=1 -n 2 -c 2", "4 CPUs, 2 tasks"), ("q", "--ntasks-per-gpu=2 -N1", "2 CPUs, 2 tasks"), ("q", "--ntasks-per-gpu=2 -N1 -c 2", "2 CPUs, 2 tasks"),
    ("q", "--ntasks-per-gpu=2 -n 2", "2 CPUs, 2 tasks"), ("q", "--ntasks-per-gpu=2 -n 4 -c 2", "8 CPUs, 4 tasks"), ("q", "--ntasks-per-gpu=3 -N1", "4 CPUs, 3 tasks"),
    ("q", "--ntasks-per-gpu=3 -N1 -c 2", "6 CPUs, 3 tasks"), ("q", "--ntasks-per-gpu=3 -n 3", "4 CPUs, 3 tasks"), ("q", "--ntasks-per-gpu=3 -n 6 -c 2", "12 CPUs, 6 tasks"),
    ("p", "--gpus=1 --ntasks-per-gpu=2 -c 3", "3 CPUs, 2 tasks"), ("p", "--gpus=1 --ntasks-per-gpu=2 -c 4", "4 CPUs, 2 tasks"), ("p", "--gpus=1 --ntasks-per-gpu=3 -c 3", "3 CPUs, 3 tasks"),
    ("p", "--gpus=1 --ntasks-per-gpu=3 -c 4", "4 CPUs, 3 tasks"), ("p", "--gpus=2 --ntasks-per-gpu=2 -c 3", "12 CPUs, 4 tasks"), ("p", "--gpus=2 --ntasks-per-gpu=2 -c 4", "4 CPUs, 4 tasks"),
    ("p", "--gpus=1 --ntasks-per-gpu=4 -c 2", "8 CPUs, 4 tasks"), ("p", "--gpus=1 --ntasks-per-gpu=4 -c 3", "12 CPUs, 4 tasks"), ("p", "--gpus=1 --ntasks-per-gpu=4 -c 4", "4 CPUs, 4 tasks"),
    ("p", "--gpus=3 --ntasks-per-gpu=2 -c 2", "12 CPUs, 6 tasks"), ("p", "--gpus=2 --gpus-per-task=1 -c 2", "2 CPUs, 2 tasks"), ("p", "--gpus=2 --gpus-per-task=1 -c 3", "3 CPUs, 2 tasks"),
    ("p", "--gpus=4 --gpus-per-task=1 -c 3", "12 CPUs, 4 tasks"), ("p", "--gpus=4 --gpus-per-task=1 -c 4", "4 CPUs, 4 tasks"), ("p", "-N1 --gpus=2 --gpus-per-task=1 -c 2", "2 CPUs, 2 tasks"),
    ("p", "-N1 --gres=gpu:2 --ntasks-per-gpu=1 -c 2", "2 CPUs, 2 tasks"), ("p", "-N1 --gres=gpu:2 --ntasks-per-gpu=1 -c 3", "3 CPUs, 2 tasks"), ("pq", "-N2 --gpus-per-node=1 --ntasks-per-gpu=1 -c 2", "4 CPUs, 2 tasks"),
    ("pq", "-N2 --gpus-per-node=1 --ntasks-per-gpu=2 -c 4", "8 CPUs, 4 tasks"), ("pq", "-N2 --gpus-per-node=1 --ntasks-per-gpu=2 -c 3", "7 CPUs, 4 tasks"), ("pq", "-N2 --gpus=2 --ntasks-per-gpu=2 -c 3", "7 CPUs, 4 tasks"),
    ("pq", "-N2 --gpus=2 --ntasks-per-gpu=2 -c 2", "4 CPUs, 4 tasks"), ("pq", "-N2 --gpus=2 --ntasks-per-gpu=1 -c 2", "4 CPUs, 2 tasks"), ("pq", "-N2 --gpus=2 --gpus-per-task=1 -c 2", "4 CPUs, 2 tasks"),
    ("pq", "-N2 --gpus=2 --gpus-per-task=1 -c 3", "7 CPUs, 2 tasks"), ("q", "--gpus=1 --ntasks-per-gpu=2 -c 3", "4 CPUs, 2 tasks"), ("q", "--gpus=2 --gpus-per-task=1 -c 2", "2 CPUs, 2 tasks"),
    ("p", "--gpus=2 --ntasks-per-gpu=1 --cpus-per-gpu=2", "4 CPUs, 2 tasks"), ("p", "--gpus=2 --gpus-per-task=1 --cpus-per-gpu=2", "4 CPUs, 2 tasks"), ("p", "--gpus=2 --ntasks-per-gpu=1 -n 1 -c 2", "2 CPUs, 2 tasks"),
    ("p", "--gpus=2 --ntasks-per-gpu=2 -n 2 -c 4", "8 CPUs, 4 tasks"), ("p", "--gpus=2 --ntasks-per-gpu=1 -c 2 --mincpus=4", "4 CPUs, 2 tasks"), ("p", "--gpus=2 --ntasks-per-gpu=1 -c 2 --exclusive", "16 CPUs, 2 tasks"),
]  # fmt: skip


def main():
    tally = Tally()
    with lab(CONF, GRES) as one:
        for partition, words, told in CASES:
            text = shown(one, f"-p {partition} {words}")
            count = dict(re.findall(r"\b(NumCPUs|NumTasks|Reason)=(\S+)", text))
            got = f"{count['NumCPUs']} CPUs, {count['NumTasks']} tasks" if count else text
            got += ", PartitionConfig" if count.get("Reason") == "PartitionConfig" else ""
            tally.note(f"{partition} {words:64}", got, told)
    return tally.close()


if __name__ == "__main__":
    sys.exit(main())
