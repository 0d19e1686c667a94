#!/usr/bin/env python3
# scripts/reference/experiments/first_memory.py — by which memory the first test of a job with DefMemPerGPU chooses its node (gres.md §2.3).
"""Memory of some nodes is held, all GPUs are free. A job without memory options is submitted while its partitions are down; then one of them
comes up for one pass (or, in backfill, for two cycles) at a time: g is gpu, s is short. Held (-H), it is released first. Printed: where it
starts and with which memory [MB] after each step, `-` while it waits, and whether that is as the text says."""
import re
import sys

from lab import Tally, hold, lab, release

CONF = """\
SelectType=select/cons_tres
SelectTypeParameters=CR_Core_Memory
SchedulerType=sched/backfill
PriorityType=priority/basic
GresTypes=gpu
{default}
SchedulerParameters={parameters}
PreemptType=preempt/partition_prio
PreemptMode=REQUEUE
NodeName=g[1-3] Sockets=1 CoresPerSocket=16 ThreadsPerCore=1 RealMemory=64000 Gres=gpu:4
PartitionName=gpu Nodes=g[1-2] MaxTime=INFINITE State=UP DefMemPerGPU=3000 DefCpuPerGPU=2 PriorityTier=5
PartitionName=short Nodes=g[1-2] Default=YES MaxTime=INFINITE State=UP PriorityTier=5
PartitionName=wide Nodes=g[1-3] MaxTime=INFINITE State=UP PriorityTier=5
PartitionName=low Nodes=g[1-3] MaxTime=INFINITE State=UP
"""
GRES = "NodeName=g[1-3] Name=gpu File=/dev/nvidia[0-3]\n"
MAIN = "sched_interval=50000,bf_interval=-1"  # a pass for each partition that comes up, and no other
BACKFILL = "sched_interval=-1,bf_interval=10"
PARTITIONS = {"g": "gpu", "s": "short", "w": "wide"}
SOME = {"g1": 1000}
BOTH = {"g1": 1000, "g2": 1000}
# (loop, DefMemPer…, memory held by node, options, steps, what the text says)
CASES = [
    (MAIN, "", SOME, "-p gpu,short --gres=gpu:1", "ss", "- g2:64000"), (MAIN, "", SOME, "-p gpu,short --gpus=2", "ss", "- g2:64000"),
    (MAIN, "", SOME, "-p gpu,short --gres=gpu:1 -w g2", "s", "g2:64000"), (MAIN, "", SOME, "-p short,gpu --gres=gpu:1", "s", "g2:64000"),
    (MAIN, "", SOME, "-p gpu --gres=gpu:2", "g", "g1:6000"), (MAIN, "", SOME, "-H -p gpu --gres=gpu:2", "g", "g2:6000"),
    (MAIN, "", SOME, "-H -p gpu,short --gpus=2", "g", "g2:6000"), (MAIN, "", BOTH, "-p gpu,short --gres=gpu:1", "ss", "- -"),
    (MAIN, "", BOTH, "-H -p gpu --gres=gpu:2", "gg", "- g1:6000"), (MAIN, "", BOTH, "-H -p gpu,short --gpus=2", "gsg", "- - -"),
    (MAIN, "DefMemPerCPU=500", SOME, "-p gpu,short --gres=gpu:1", "ss", "- g1:1000"),
    (MAIN, "DefMemPerCPU=500", SOME, "-H -p gpu --gres=gpu:2", "g", "g1:6000"),
    (MAIN, "DefMemPerNode=7000", {"g1": 60000}, "-p gpu --gres=gpu:1", "g", "g1:3000"),
    (MAIN, "DefMemPerNode=7000", {"g1": 60000}, "-H -p gpu --gres=gpu:1", "g", "g2:3000"),
    (MAIN, "DefMemPerCPU=1500", {"g1": 59000}, "-H -p gpu --gres=gpu:1 -n2", "g", "g1:3000"),
    (MAIN, "DefMemPerCPU=1500", {"g1": 59000}, "-H -p gpu --gres=gpu:1 -n4", "g", "g2:3000"),  # of its CPUs g1 has memory for three
    (MAIN, "DefMemPerCPU=1500", {"g1": 57500}, "-H -p gpu --gres=gpu:1 -n4", "g", "g1:3000"),
    (MAIN, "DefMemPerCPU=1500", {"g1": 59000}, "-p gpu --gres=gpu:1 -n4", "g", "g1:3000"),
    (MAIN, "DefMemPerCPU=1500", {"g1": 59000}, "-H -p gpu --gres=gpu:1 -c4", "g", "g2:3000"),
    (MAIN, "DefMemPerCPU=1500", {"g1": 59000}, "-H -p gpu --gres=gpu:1 -n4 --ntasks-per-node=4", "g", "g2:3000"),
    (MAIN, "DefMemPerCPU=500", {"g1": 61500}, "-p gpu,short --gres=gpu:2", "s", "g2:64000"),  # not even one GPU's is free on g1
    (MAIN, "DefMemPerCPU=500", {"g1": 60000}, "-p gpu,short --gres=gpu:2", "s", "-"),  # one GPU's is, not that of two
    (BACKFILL, "DefMemPerCPU=500", SOME, "-p gpu,short --gres=gpu:1", "s", "g2:64000"),
    (BACKFILL, "DefMemPerCPU=500", BOTH, "-p gpu,short --gres=gpu:1", "s", "g1:1000"),
    (BACKFILL, "", SOME, "-H -p gpu --gres=gpu:2", "g", "g1:6000"), (BACKFILL, "", SOME, "-p gpu --gres=gpu:2", "g", "g1:6000"),
    # A job of `low` has g2, g3 is idle: it goes all the same, and then the default finds room on g1.
    (MAIN, "DefMemPerCPU=500", {"g1": 1000, "low": "g2"}, "-p gpu,wide --gres=gpu:1", "w", "g1:1000, low went"),
    # The tests that follow go by the partition's value. One candidate: its removal leads to g1, where nobody has to go, and the job waits all
    # the same. More: what the first removal led to is tried again without any.
    (MAIN, "", {"g1": 1000, "low": "g2"}, "-H -p gpu --gres=gpu:2", "g", "-"),
    (MAIN, "", {"low": "g1 g2"}, "-H -p gpu --gres=gpu:2", "g", "g2:6000"), (MAIN, "", {"low": "g2 g1"}, "-H -p gpu --gres=gpu:2", "g", "g1:6000"),
    (MAIN, "", {"low": "g1 g2 g2"}, "-H -p gpu --gpus=2", "g", "g1:6000"),
    (MAIN, "", {"low": "g1 g1 g2"}, "-H -p gpu --gres=gpu:2", "g", "g1:6000, low went"),
    (MAIN, "DefMemPerCPU=500", {"low": "g1 g2"}, "-p gpu,short --gres=gpu:1", "s", "g2:1000, low went"),
    (MAIN, "DefMemPerCPU=500", {"low": "g1 g2"}, "-p gpu,wide --gres=gpu:1", "w", "g2:1000, low went"),
]  # fmt: skip


def hold_memory(one, held):
    """The ids of the jobs that hold it, those of `low` apart: each has half of a node's memory, or all of it if it is the only one."""
    nodes = held.get("low", "").split()
    mib = 64000 if len(nodes) == 1 else 32000
    return (
        hold(one, [f"-p short -w {node} -n1 --mem={mib}" for node, mib in held.items() if node != "low"]),
        hold(one, [f"-p low -w {node} -n1 --mem={mib}" for node in nodes]),
    )


def set_state(one, partition, state):
    one.out(f"scontrol update partitionname={partition} state={state}")
    one.rest(30)


def place(one, number):
    """`g1:3000` of a job that runs."""
    told = one.out(f"scontrol -o -d show job {number}")
    memory = re.search(r" Nodes=(\S+) CPU_IDs=\S+ Mem=(\d+)", told)
    return f"{memory[1]}:{memory[2]}" if memory and "JobState=RUNNING" in told else "-"


def ask(one, held, options, steps):
    holders, low = hold_memory(one, held)
    for partition in PARTITIONS.values():
        set_state(one, partition, "down")
    number = one.sub(options)
    if "-H" in options:
        one.out(f"scontrol release {number}")
        one.rest(20)
    places = []
    for step in steps:
        set_state(one, PARTITIONS[step], "up")
        places.append(place(one, number))
        set_state(one, PARTITIONS[step], "down")
    went = any(one.job(each).get("JobState") != "RUNNING" for each in low)
    release(one, [*holders, *low, number])
    for partition in PARTITIONS.values():
        set_state(one, partition, "up")
    return " ".join(places) + (", low went" if went else "")


def main():
    tally = Tally()
    for loop, default in dict.fromkeys(case[:2] for case in CASES):
        with lab(CONF.format(parameters=loop, default=default), GRES) as one:
            for _, _, held, options, steps, told in (case for case in CASES if case[:2] == (loop, default)):
                by = "main" if loop == MAIN else "backfill"
                tally.note(f"{by:8} | {default:18} | {held} | {options} | {steps} |", ask(one, held, options, steps), told)
    return tally.close()


if __name__ == "__main__":
    sys.exit(main())
