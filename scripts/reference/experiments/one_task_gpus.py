#!/usr/bin/env python3
# scripts/reference/experiments/one_task_gpus.py — CPUs that come with GPUs under CR_ONE_TASK_PER_CORE (scheduling.md §6.2).
"""Idle nodes of 16 cores with two threads and four GPUs, with cores of their own or not. Printed: the number of CPUs that each job gets, beside what the text says."""
import re
import sys

from lab import Tally, given, lab, numbers

CONF = """\
SelectType=select/cons_tres
SelectTypeParameters=CR_Core_Memory,CR_ONE_TASK_PER_CORE
SchedulerType=sched/backfill
PriorityType=priority/basic
GresTypes=gpu
DefMemPerCPU=100
NodeName=t1 Sockets=1 CoresPerSocket=16 ThreadsPerCore=2 RealMemory=64000 Gres=gpu:t4:4
NodeName=s1 Sockets=2 CoresPerSocket=8 ThreadsPerCore=2 RealMemory=64000 Gres=gpu:a:4
PartitionName=t Nodes=t1 Default=YES MaxTime=INFINITE State=UP {by_default}
PartitionName=s Nodes=s1 MaxTime=INFINITE State=UP {by_default}
"""
GRES = "NodeName=t1 Name=gpu Type=t4 File=/dev/nvidia[0-3]\nNodeName=s1 Name=gpu Type=a File=/dev/nvidia[0-1] Cores=0-7\nNodeName=s1 Name=gpu Type=a File=/dev/nvidia[2-3] Cores=8-15\n"
ASKED = [("--gpus=2 --cpus-per-gpu=6", 12), ("--gpus=1 --cpus-per-gpu=4", 4), ("--gres=gpu:2 --cpus-per-gpu=3", 6), ("-n2 --gpus=2 --cpus-per-gpu=6", 12), ("-n2 --gpus-per-task=1 --cpus-per-gpu=4", 8), ("-n4 --gpus-per-task=1 --cpus-per-gpu=2", 8),
         ("--gpus=3 --cpus-per-gpu=3", 10), ("--gpus-per-node=2 --cpus-per-gpu=1", 2), ("--gpus=2 -c6", 6), ("--gpus=2", 2), ("-n2 --gpus=2", 4), ("--gpus-per-task=2 -n1 --cpus-per-gpu=5", 10), ("-n3 --gpus=2 --cpus-per-gpu=2", 4), ("--gres=gpu:1 --cpus-per-gpu=1", 2)]
DEFAULT = [("--gpus=2", 6), ("--gres=gpu:1", 4), ("-n2 --gpus=2", 6), ("-n2 --gpus-per-task=1", 8), ("--gpus=2 -c4", 4)]


def main():
    tally = Tally()
    for by_default, cases in (("", ASKED), ("DefCpuPerGPU=3", DEFAULT)):
        with lab(CONF.format(by_default=by_default), gres=GRES) as one:
            for partition in "ts":
                for words, told in cases:
                    answer = given(one, f"-p {partition} {words}")
                    got = sum(len(numbers(cpus)) for cpus in re.findall(r"\S+ ([\d,-]+) ", answer))
                    tally.note(f"{partition} {words:45}", got, told)
    return tally.close()


if __name__ == "__main__":
    sys.exit(main())
