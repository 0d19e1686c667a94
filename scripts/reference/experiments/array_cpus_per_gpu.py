#!/usr/bin/env python3
# scripts/reference/experiments/array_cpus_per_gpu.py — whose DefCpuPerGPU the tasks of an array of several partitions have (gres.md §2.3).
"""Partitions six, none and two have a node and a GPU each. Tasks start one after the other, each where a GPU is free; printed: where and with how many CPUs."""
import sys

from lab import lab

CONF = """\
SelectType=select/cons_tres
SelectTypeParameters=CR_Core_Memory
SchedulerType=sched/backfill
PriorityType=priority/basic
GresTypes=gpu
DefMemPerCPU=100
SchedulerParameters={parameters}
NodeName=g[1-3] Sockets=1 CoresPerSocket=16 ThreadsPerCore=1 RealMemory=64000 Gres=gpu:2
PartitionName=six Nodes=g1 MaxTime=INFINITE State=UP DefCpuPerGPU=6 {six}
PartitionName=none Nodes=g2 Default=YES MaxTime=INFINITE State=UP
PartitionName=two Nodes=g3 MaxTime=INFINITE State=UP DefCpuPerGPU=2
"""
GRES = "NodeName=g[1-3] Name=gpu File=/dev/nvidia[0-1]\n"
MAIN = "sched_interval=50000,bf_interval=-1"
BACKFILL = "sched_interval=-1,bf_interval=10"
# the list of partitions, what `six` has beside: the runs of tasks 0 to 5 as PARTITION:CPUS
CASES = [
    ("six,none,two", "", "six:6 six:6 none:6 none:1 two:1 two:2"), ("none,six,two", "", "none:1 none:1 six:1 six:6 two:6 two:2"),
    ("two,none,six", "", "two:2 two:2 none:2 none:1 six:1 six:6"), ("none,two", "", "none:1 none:1 two:1 two:2"),
    ("six,none,two", "PriorityTier=5", "six:6 six:6 none:6 none:1 two:1 two:2"), ("none,six,two", "PriorityTier=5", "six:6 six:6 none:6 none:1 two:1 two:2"),
    ("two,none,six", "PriorityTier=5", "six:6 six:6 two:6 two:2 none:2 none:1"),
]  # fmt: skip


def ask(one, partitions):
    one.out("scontrol update partitionname=six state=down")
    one.out("scontrol update partitionname=none state=down")
    one.out("scontrol update partitionname=two state=down")
    one.rest(20)
    number = one.sub(f"-p {partitions} --gres=gpu:1 --mem=100 -a 0-5 -t 100")
    one.rest(20)
    for name in ("six", "none", "two"):
        one.out(f"scontrol update partitionname={name} state=up")
    one.rest(80)
    rows = one.out("squeue -h -r -t R -o '%K|%P|%C|%N'").splitlines()
    one.out(f"scancel {number}")
    one.rest(60)
    return " ".join(f"{partition}:{cpus}" for _, partition, cpus, _ in sorted(row.split("|") for row in rows))


def main():
    wrong = 0
    for loop, parameters in (("main", MAIN), ("backfill", BACKFILL)):
        for six in ("", "PriorityTier=5"):
            with lab(CONF.format(parameters=parameters, six=six), GRES) as one:
                for partitions, of_six, expected in CASES:
                    if of_six != six:
                        continue
                    found = ask(one, partitions)
                    wrong += found != expected
                    print(f"{loop}, six {six or 'as the others'}, {partitions}: {found}" + ("" if found == expected else f", expected {expected}"), flush=True)
    print(f"{wrong} answers are not as the text says")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
