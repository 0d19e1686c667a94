#!/usr/bin/env python3
# scripts/reference/experiments/fewer_kept.py — a job that keeps the DefCpuPerGPU of one partition, in another whose own is smaller (gres.md §2.3).
"""Partitions six, two and none have a node of 48 cores each. That of six is full, so that a job of a list is tested there, keeps six CPUs a GPU, and goes on to the next partition, on whose node
as many cores are free as a case names. Printed: where the job starts and with how many CPUs, by either loop, and whether the text says so. About four minutes."""
import sys

from lab import Tally, hold, lab, release, started

CONF = """\
SelectType=select/cons_tres
SelectTypeParameters=CR_Core
SchedulerType=sched/backfill
PriorityType=priority/basic
GresTypes=gpu
SchedulerParameters={parameters}
NodeName=g[1-3] Sockets=2 CoresPerSocket=24 ThreadsPerCore=1 RealMemory=64000 Gres=gpu:8
PartitionName=six Nodes=g1 MaxTime=INFINITE State=UP DefCpuPerGPU=6
PartitionName=none Nodes=g2 Default=YES MaxTime=INFINITE State=UP
PartitionName=two Nodes=g3 MaxTime=INFINITE State=UP DefCpuPerGPU=2
"""
GRES = "NodeName=g[1-3] Name=gpu File=/dev/nvidia[0-7]\n"
MAIN = "sched_interval=20,bf_interval=-1"
BACKFILL = "sched_interval=-1,bf_interval=10"
# second partition of the list, options, {free cores of its node: CPUs that the job gets, 0 if it waits}
CASES = [
    ("two", "--gres=gpu:1", {1: 0, 2: 2, 3: 3, 4: 4, 5: 5, 6: 6, 7: 6}),
    ("two", "--gres=gpu:2", {3: 0, 4: 4, 6: 6, 8: 8, 11: 11, 12: 12, 13: 12}),
    ("two", "--gpus=2", {3: 0, 4: 4, 6: 6, 8: 8, 11: 11}),
    ("two", "--gpus=2 -n1", {3: 0, 4: 4, 6: 4, 8: 4, 11: 4}),
    ("two", "--gpus-per-task=1 -n2", {3: 0, 4: 4, 6: 4, 8: 4, 11: 4}),
    ("none", "--gres=gpu:2", {1: 1, 5: 5, 13: 12}),
    ("none", "--gpus=2", {1: 1, 5: 5, 13: 12}),
]  # fmt: skip


def ask(one, second, free, words):
    held = hold(one, ["-p six -n48", f"-p {second} -n{48 - free}"])
    number = one.sub(f"-p six,{second} {words} -t 100")
    got = started(one, number, 70)
    release(one, [number, *held])
    return got


def main():
    tally = Tally()
    for loop, parameters in (("main", MAIN), ("backfill", BACKFILL)):
        with lab(CONF.format(parameters=parameters), GRES) as one:
            for second, words, tolds in CASES:
                for free, told in tolds.items():
                    tally.note(f"{loop:8} six,{second:4} {words:22} {free:2} free", ask(one, second, free, words), f"{second}:{told}" if told else "waits")
    return tally.close()


if __name__ == "__main__":
    sys.exit(main())
