#!/usr/bin/env python3
# scripts/reference/experiments/typed_limits.py — for how many GPUs of a type a job counts that asks for any type, or for whole nodes (limits.md §2).
"""A node of eight GPUs of type a, idle or held by ada. di's account may have so many of that type. Each job is asked under limits of 1, 3 and 7: printed
is the largest that stops it, with gres/gpu beside gres/gpu:a among AccountingStorageTRES and without, and whether the text says so. About five minutes."""
import sys

from lab import Tally, lab

CONF = """\
SelectType=select/cons_tres
SelectTypeParameters=CR_Core
SchedulerType=sched/backfill
PriorityType=priority/basic
GresTypes=gpu
AccountingStorageEnforce=associations,limits,qos
AccountingStorageTRES={tres}
SchedulerParameters=sched_interval=50000,bf_interval=-1
NodeName=n1 Sockets=2 CoresPerSocket=8 ThreadsPerCore=1 RealMemory=64000 Gres=gpu:a:8
PartitionName=all Nodes=n1 Default=YES MaxTime=INFINITE State=UP
PartitionName=whole Nodes=n1 MaxTime=INFINITE State=UP OverSubscribe=EXCLUSIVE
"""
GRES = "NodeName=n1 Name=gpu Type=a File=/dev/nvidia[0-7]\n"
ACCOUNTS = "add account red\nadd account intern GrpTRES=gres/gpu:a=60\nadd user ada Account=red\nadd user di Account=intern\n"
BOTH, TYPED = "gres/gpu,gres/gpu:a", "gres/gpu:a"
# (AccountingStorageTRES, options, largest limit that stops it on the idle node, on the busy one)
CASES = [
    (BOTH, "--gres=gpu:a:4", 3, 3), (BOTH, "--gres=gpu:4", 0, 0), (BOTH, "--gpus=a:4", 3, 7), (BOTH, "--gpus=4", 0, 0),
    (BOTH, "-N1 --gpus-per-node=4", 0, 0), (BOTH, "-n4 --gpus-per-task=1", 0, 0), (BOTH, "-n4 --gpus-per-task=a:1", 3, 7), (BOTH, "-n4 --ntasks-per-gpu=1", 0, 0),
    (BOTH, "--gpus=4 --cpus-per-gpu=2", 0, 0), (BOTH, "--exclusive", 7, 7), (BOTH, "--exclusive --gres=gpu:2", 7, 7), (BOTH, "--exclusive --gpus=2", 7, 7), (BOTH, "-p whole --gres=gpu:a:2", 7, 7),
    (TYPED, "--gres=gpu:a:4", 3, 3), (TYPED, "--gres=gpu:4", 3, 3), (TYPED, "--gpus=4", 3, 7), (TYPED, "--exclusive --gres=gpu:2", 7, 7),
]  # fmt: skip


def stopped(one, words, limit):
    one.out(f"sacctmgr -i modify account intern set GrpTRES=gres/gpu:a={limit}")
    one.rest(4)
    number = one.sub(f"--uid=di -t 50 {words}")
    one.rest(10)
    reason = one.job(number).get("Reason")
    one.out(f"scancel {number}")
    one.rest(12)
    return reason == "AssocGrpGRES"


def main():
    tally = Tally()
    for tres in (BOTH, TYPED):
        with lab(CONF.format(tres=tres), gres=GRES, sacctmgr=ACCOUNTS) as one:
            for state in ("idle", "busy"):
                if state == "busy":
                    one.sub("--uid=ada -n16 -t 100")
                    one.rest(30)
                for of, words, idle, busy in CASES:
                    if of != tres:
                        continue
                    got = max((limit for limit in (1, 3, 7) if stopped(one, words, limit)), default=0)
                    tally.note(f"{tres:20} {state} {words:28}", got, idle if state == "idle" else busy)
    return tally.close()


if __name__ == "__main__":
    sys.exit(main())
