#!/usr/bin/env python3
# scripts/reference/experiments/failed_begins.py — GPUs that shards hold, taken for free where jobs might be preempted (scheduling.md §8.7 step 8).
"""s1's GPUs are held by shards, s2's and s3's by jobs; on s2 a job of `filler` might be preempted, or there is none. Backfill tests an array for a GPU, then a job for a CPU of s3.
Printed: which of the array's tasks have a record of their own, and whether the other job runs after one cycle. Two minutes."""
import re
import sys

from lab import Tally, hold, lab, release

CONF = """\
SelectType=select/cons_tres
SelectTypeParameters=CR_Core_Memory
SchedulerType=sched/backfill
SchedulerParameters=sched_interval=-1,bf_interval=30
GresTypes=gpu,shard
PriorityType=priority/basic
DefMemPerCPU=100
PreemptType=preempt/qos
PreemptMode=REQUEUE
AccountingStorageEnforce=associations,qos
NodeName=s[1-3] CPUs=16 RealMemory=64000 Gres=gpu:t4:2,shard:8
PartitionName=all Nodes=ALL Default=YES MaxTime=INFINITE State=UP
"""
GRES = "NodeName=s[1-3] Name=gpu Type=t4 File=/dev/nvidia[0-1]\nNodeName=s[1-3] Name=shard Count=8\n"
ACCOUNTS = "add qos filler\nmodify qos normal set Preempt=filler\nadd account red\nadd user ada Account=red QOS=normal,filler\n"
SHARDS, GPUS = ["-w s1 --gres=shard:3 -t 100", "-w s1 --gres=shard:4 -t 100"], ["-w s1 --gres=gpu:2 -t 100"]
FILLER = ["--qos=filler -w s2 -n4 -t 100"]
# who holds s1 and who might be preempted, what the array asks for, what is told
CASES = [
    (SHARDS + FILLER, "--gres=gpu:1", "task 0, runs"), (SHARDS, "--gres=gpu:1", "none, waits"), (GPUS + FILLER, "--gres=shard:1", "task 0, runs"), (GPUS, "--gres=shard:1", "none, waits"),
    (GPUS + FILLER, "--gres=gpu:1", "none, waits"),
]  # fmt: skip


def ask(one, held, words):
    ids = []
    for each in [*held, "-w s2 --gres=gpu:2 -t 100", "-w s3 --gres=gpu:2 -t 60"]:
        ids += hold(one, [f"--uid=ada {each}"])
    array = one.sub(f"--uid=ada -n1 {words} -t 60 -a 0-3", seconds=3000)
    other = one.sub("--uid=ada -w s3 -n1 -t 80")
    one.rest(40)
    tasks = re.findall(r" ArrayTaskId=(\d+) .*JobState=PENDING", one.out(f"scontrol -o show job {array}"))
    runs = one.job(other).get("JobState") == "RUNNING"
    release(one, [array, other, *ids])
    return f"{'task ' + ','.join(tasks) if tasks else 'none'}, {'runs' if runs else 'waits'}"


def main():
    tally = Tally()
    with lab(CONF, gres=GRES, sacctmgr=ACCOUNTS) as one:
        for held, words, told in CASES:
            tally.note(f"{'; '.join(held):100} {words:15}", ask(one, held, words), told)
    return tally.close()


if __name__ == "__main__":
    sys.exit(main())
