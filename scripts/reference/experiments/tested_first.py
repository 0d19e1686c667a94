#!/usr/bin/env python3
# scripts/reference/experiments/tested_first.py — whose DefCpuPerGPU stays with a job that a limit keeps from being tested in the first of its partitions (gres.md §2.3).
"""Partitions six, none and two have a node each, and a QOS that lets a user run one job; di runs one in those that a case names. Printed: where a job starts and with how many CPUs,
and whether the text says so. About five minutes."""
import sys

from lab import Tally, hold, lab, release, started

CONF = """\
SelectType=select/cons_tres
SelectTypeParameters=CR_Core
SchedulerType=sched/backfill
PriorityType=priority/basic
GresTypes=gpu
AccountingStorageEnforce=associations,limits,qos
AccountingStorageTRES=gres/gpu
SchedulerParameters={parameters}
NodeName=g[1-3] Sockets=2 CoresPerSocket=24 ThreadsPerCore=1 RealMemory=64000 Gres=gpu:8
PartitionName=six Nodes=g1 MaxTime=INFINITE State=UP QOS=q_six DefCpuPerGPU=6
PartitionName=none Nodes=g2 Default=YES MaxTime=INFINITE State=UP QOS=q_none
PartitionName=two Nodes=g3 MaxTime=INFINITE State=UP QOS=q_two DefCpuPerGPU=2
"""
GRES = "NodeName=g[1-3] Name=gpu File=/dev/nvidia[0-7]\n"
ACCOUNTS = "add account red\nadd user di Account=red\nadd user ada Account=red\n" + "".join(f"add qos q_{each} MaxJobsPerUser=1\n" for each in ("six", "none", "two"))
MAIN = "sched_interval=20,bf_interval=-1"
BACKFILL = "sched_interval=-1,bf_interval=10"
# list, where the user is at the limit, whose node is full, options, what it gets
CASES = [
    ("six,two", "six", "", "--gres=gpu:2", "two:4"), ("six,none", "six", "", "--gres=gpu:2", "none:1"), ("none,six", "none", "", "--gres=gpu:2", "six:12"),
    ("none,two,six", "none", "two", "--gres=gpu:2", "six:4"), ("two,six", "", "two", "--gres=gpu:2", "six:4"), ("six,two", "", "six", "--gres=gpu:2", "two:12"),
    ("six,two", "six", "", "-H --gres=gpu:2", "two:4"), ("six,two", "", "six", "-H --gres=gpu:2", "two:12"), ("six,two", "six", "", "--gpus=2 -n2", "two:4"),
    ("six,two", "six", "", "--gres=gpu:2 -n1", "two:4"), ("six,two", "", "six", "--gres=gpu:2 -n1", "two:4"), ("six,none", "", "six", "--gres=gpu:2 -n1", "none:1"), ("none,six", "", "none", "--gres=gpu:2 -n1", "six:1"),
    ("none,six", "none", "", "--gres=gpu:2 -n1", "six:12"), ("six,two", "six", "", "--gpus-per-task=1 -n2", "two:4"), ("none,six", "none", "", "--gpus-per-task=1 -n2", "six:12"),
    ("two,six", "two", "", "--gpus-per-task=1 -n2", "six:12"), ("six,none", "six", "", "--gpus-per-task=1 -n2", "none:2"),
]  # fmt: skip


def ask(one, partitions, limited, full, words):
    held = hold(one, [f"--uid=di -p {each} -n1" for each in limited.split(",") if each] + [f"--uid=ada -p {each} -n48" for each in full.split(",") if each])
    number = one.sub(f"--uid=di -p {partitions} {words} -t 100")
    if "-H" in words:
        one.rest(30)
        one.out(f"scontrol release {number}")
    got = started(one, number, 120)
    release(one, [number, *held])
    return got


def main():
    tally = Tally()
    for loop, parameters in (("main", MAIN), ("backfill", BACKFILL)):
        with lab(CONF.format(parameters=parameters), gres=GRES, sacctmgr=ACCOUNTS) as one:
            for partitions, limited, full, words, told in CASES:
                tally.note(f"{loop:8} {partitions:12} limit {limited:5} full {full:5} {words:24}", ask(one, partitions, limited, full, words), told)
    return tally.close()


if __name__ == "__main__":
    sys.exit(main())
