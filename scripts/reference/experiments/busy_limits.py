#!/usr/bin/env python3
# scripts/reference/experiments/busy_limits.py — for how many GPUs a job counts that waits for busy nodes (scheduling.md §4.3).
"""Nodes of 4, 2, 0 and 7 GPUs are held by ada; di, whose account may have so many GPUs in all, uses one elsewhere. Each job is asked under rising limits: printed is the largest that stops it, and whether
the text says so. About five minutes."""
import sys

from lab import Tally, lab

CONF = """\
SelectType=select/cons_tres
SelectTypeParameters=CR_Core
SchedulerType=sched/backfill
PriorityType=priority/basic
GresTypes=gpu
AccountingStorageEnforce=associations,limits,qos
AccountingStorageTRES=gres/gpu
SchedulerParameters=sched_interval=50000,bf_interval=-1
NodeName=n1 Sockets=1 CoresPerSocket=8 ThreadsPerCore=1 RealMemory=64000 Gres=gpu:a:4 Feature=x
NodeName=n2 Sockets=1 CoresPerSocket=8 ThreadsPerCore=1 RealMemory=64000 Gres=gpu:a:2 Feature=x,y
NodeName=n3 Sockets=1 CoresPerSocket=8 ThreadsPerCore=1 RealMemory=64000 Feature=z
NodeName=n4 Sockets=1 CoresPerSocket=8 ThreadsPerCore=1 RealMemory=64000 Gres=gpu:a:7 Feature=y
NodeName=n5 Sockets=1 CoresPerSocket=8 ThreadsPerCore=1 RealMemory=64000 Gres=gpu:a:1
PartitionName=all Nodes=n[1-4] Default=YES MaxTime=INFINITE State=UP
PartitionName=whole Nodes=n[1-4] MaxTime=INFINITE State=UP OverSubscribe=EXCLUSIVE
PartitionName=rest Nodes=n5 MaxTime=INFINITE State=UP
"""
GRES = "NodeName=n1 Name=gpu Type=a File=/dev/nvidia[0-3]\nNodeName=n2 Name=gpu Type=a File=/dev/nvidia[0-1]\nNodeName=n4 Name=gpu Type=a File=/dev/nvidia[0-6]\nNodeName=n5 Name=gpu Type=a File=/dev/nvidia0\n"
ACCOUNTS = "add account red\nadd account intern GrpTRES=gres/gpu=60\nadd user ada Account=red\nadd user di Account=intern\n"
# the job, and its GPUs
CASES = [("--exclusive", 4), ("--gres=gpu:1 --exclusive", 7), ("--gres=gpu:1 --exclusive -N2", 11), ("--exclusive -w n2", 2), ("--exclusive -C z", 0), ("--gres=gpu:1 -C y -p whole", 7), ("-p whole -N3", 6), ("--gpus=1 -n8", 7),
         ("--gpus=2", 7), ("--gpus=2 --cpus-per-gpu=4", 2), ("--gres=gpu:1 -n8", 1), ("--gres=gpu:1 -n12", 1), ("--gpus-per-node=1 -N2", 2), ("--ntasks-per-gpu=4 -n8", 2), ("-p whole --gpus=2 -N2", 11),
         ("--gpus-per-task=1 -n1", 7), ("--gpus-per-task=1 -n2", 2), ("--gpus-per-task=1 -n2 -c3", 7), ("--gpus-per-task=1 -n2 -c4", 7), ("--gpus-per-task=1 -n4", 4), ("--gpus-per-task=2 -n2", 4), ("--gpus-per-task=1 -n2 -N2", 6), ("--gpus-per-task=1 -n8", 11)]  # fmt: skip
LARGEST = 15


def stopped(one, words, limit):
    one.out(f"sacctmgr -i modify account intern set GrpTRES=gres/gpu={limit}")
    one.rest(4)
    number = one.sub(f"--uid=di -t 50 {words}")
    one.rest(10)
    reason = one.job(number).get("Reason")
    one.out(f"scancel {number}")
    one.rest(4)
    return reason == "AssocGrpGRES"


def main():
    tally = Tally()
    with lab(CONF, gres=GRES, sacctmgr=ACCOUNTS) as one:
        for node in (1, 2, 3, 4):
            one.sub(f"--uid=ada -w n{node} -n8 -t 100")
        one.sub("--uid=di -p rest --gres=gpu:1 -n1 -t 100")
        one.rest(30)
        for words, told in CASES:
            got = max((limit for limit in range(1, LARGEST) if stopped(one, words, limit)), default=0)
            tally.note(f"  {words:34}", got, told)
    return tally.close()


if __name__ == "__main__":
    sys.exit(1 if main() else 0)
