#!/usr/bin/env python3
# scripts/reference/experiments/sockets_of_nodes.py — how many tasks the client counts where parts of a node are asked for (scheduling.md §5.6).
"""One node of 2 × 4 cores, two of 2 × 4 cores with two threads. Printed: CPUs and tasks of the job, and whether they are as the text says."""
import re
import sys

from lab import Tally, lab, shown

CONF = """\
SelectType=select/cons_tres
SelectTypeParameters=CR_Core
SchedulerType=sched/backfill
PriorityType=priority/basic
GresTypes=gpu
NodeName=p1 Sockets=2 CoresPerSocket=4 ThreadsPerCore=1 RealMemory=16000 Gres=gpu:a100:4
NodeName=q[1-2] Sockets=2 CoresPerSocket=4 ThreadsPerCore=2 RealMemory=16000
PartitionName=p Nodes=p1 MaxTime=INFINITE State=UP Default=YES
PartitionName=q Nodes=q[1-2] MaxTime=INFINITE State=UP
"""
GRES = """\
NodeName=p1 Name=gpu Type=a100 File=/dev/nvidia[0-1] Cores=0-3
NodeName=p1 Name=gpu Type=a100 File=/dev/nvidia[2-3] Cores=4-7
"""
# (partition, options, what the text says)
CASES = [
    ("p", "-N1 --sockets-per-node=2", "2 CPUs, 2 tasks"), ("p", "--sockets-per-node=2", "1 CPUs, 1 tasks"), ("p", "-N1-2 --sockets-per-node=2", "1 CPUs, 1 tasks"),
    ("p", "-N1 -c6 --sockets-per-node=2", "12 CPUs, 2 tasks, PartitionConfig"), ("p", "-c6 --sockets-per-node=2", "6 CPUs, 1 tasks"), ("p", "-c3 --sockets-per-node=2", "3 CPUs, 1 tasks"),
    ("p", "-N1 -c3 --sockets-per-node=2", "6 CPUs, 2 tasks"), ("p", "-N1 --cores-per-socket=2", "2 CPUs, 2 tasks"), ("p", "-N1 --sockets-per-node=2 --cores-per-socket=2", "4 CPUs, 4 tasks"),
    ("p", "-N1 --sockets-per-node=2 --cores-per-socket=2 --threads-per-core=1", "4 CPUs, 4 tasks"), ("p", "-N1 -B 2:2", "4 CPUs, 4 tasks"), ("p", "-B 2:2", "4 CPUs, 4 tasks"),
    ("p", "-B 2", "2 CPUs, 2 tasks"), ("p", "-N1 -n1 --sockets-per-node=2", "1 CPUs, 1 tasks"), ("p", "-N1 -c4 --sockets-per-node=2 --gres=gpu:1", "8 CPUs, 2 tasks"),
    ("p", "--gpus-per-socket=1 --sockets-per-node=2", "1 CPUs, 1 tasks"), ("p", "--gpus-per-socket=1 --sockets-per-node=2 -N1", "2 CPUs, 2 tasks"), ("p", "--gpus-per-socket=1 --sockets-per-node=2 -c2", "2 CPUs, 1 tasks"),
    ("p", "-N1 --threads-per-core=1", "1 CPUs, 1 tasks"), ("p", "-N1 --ntasks-per-node=3 --sockets-per-node=2", "3 CPUs, 3 tasks"), ("p", "-N1 --ntasks-per-socket=2 --sockets-per-node=2", "2 CPUs, 2 tasks"),
    ("q", "-N2 --sockets-per-node=2", "4 CPUs, 4 tasks"), ("q", "-N1-2 --sockets-per-node=2", "4 CPUs, 2 tasks"), ("q", "-N2 -B 2:2:2", "16 CPUs, 16 tasks"),
    ("q", "-N1 -B 2:2:1", "8 CPUs, 4 tasks"), ("q", "-N2 -c3 --sockets-per-node=2", "14 CPUs, 4 tasks"), ("q", "-N1 --threads-per-core=2", "2 CPUs, 2 tasks"),
    ("q", "-N1 --cores-per-socket=3 -c2", "6 CPUs, 3 tasks"),
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
