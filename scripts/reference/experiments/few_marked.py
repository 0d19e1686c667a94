#!/usr/bin/env python3
# scripts/reference/experiments/few_marked.py — whether a test for GPUs marks nodes that are too few for the job (scheduling.md §5.5).
"""n1 is held, and planned for longer than the window; n3 has GPUs, n2 none. A job is tested before one that wants a node's CPUs, which is planned on n3 if that bears a
mark, else on n2. Printed: where it is planned, and whether the text says so. About four minutes."""
import sys

from lab import Tally, hold, lab, release

CONF = """\
SelectType=select/cons_tres
SelectTypeParameters=CR_Core_Memory
SchedulerType=sched/backfill
SchedulerParameters=sched_interval={main},bf_interval=10,bf_window=1440,bf_max_job_user={most},bf_min_age_reserve={age}
PriorityType=priority/basic
GresTypes=gpu
DefMemPerCPU=100
AccountingStorageEnforce=associations,limits,qos
AccountingStorageTRES=gres/gpu
NodeName=n1 CPUs=8 RealMemory=64000 Gres=gpu:4
NodeName=n2 CPUs=8 RealMemory=64000
NodeName=n3 CPUs=8 RealMemory=64000 Gres=gpu:4
NodeName=n4 CPUs=8 RealMemory=64000
PartitionName=all Nodes=n[1-3] Default=YES MaxTime=INFINITE State=UP
PartitionName=later Nodes=n[1-3] MaxTime=INFINITE State=UP
PartitionName=other Nodes=n4 MaxTime=INFINITE State=UP
"""
GRES = "NodeName=n[1,3] Name=gpu File=/dev/nvidia[0-3]\n"
ACCOUNTS = "add qos few GrpTRES=gres/gpu=3\nadd account red\nadd user di Account=red QOS=normal,few\nadd user ada Account=red\nadd user bo Account=red\n"
# In the second, backfill tests di's first job alone, which waits for n4: the other is tested by main passes. That nobody is tested there after it, a job of `later` that wants
# more nodes than are left sees to. In the third it is too young for a plan, and tested for now alone.
BACKFILL, MAIN, YOUNG = {"main": -1, "most": 0, "age": 0}, {"main": 20, "most": 1, "age": 0}, {"main": -1, "most": 0, "age": 300}
NAMES = {id(BACKFILL): "backfill", id(MAIN): "main", id(YOUNG): "young"}
WHOLE, BOTH = "-n8 --gres=gpu:4", "-n8 --gres=gpu:4 and n3's GPUs"
# loop, what n1 is held with, who is tested first, where the plan is
CASES = [
    (BACKFILL, WHOLE, "", "n2"), (BACKFILL, WHOLE, "-n2 --gpus=8", "n3"), (BACKFILL, WHOLE, "-N2 -n2 --gres=gpu:4", "n2"), (BACKFILL, WHOLE, "-N2 -n16 --gres=gpu:4", "n2"),
    (BACKFILL, WHOLE, "-N2 -n2 --gpus=5", "n2"), (BACKFILL, WHOLE, "-N1-2 -n16 --gres=gpu:4", "n3"), (BACKFILL, WHOLE, "-n16 --gres=gpu:4", "n3"),
    (MAIN, WHOLE, "", "n2"), (MAIN, WHOLE, "-n2 --gpus=8", "n3"), (MAIN, WHOLE, "-N2 -n2 --gres=gpu:4", "n3"), (MAIN, "-n8", "-N2 -n2 --gpus=5", "n3"),
    (MAIN, WHOLE, "-n9 --gpus=2", "n3"), (MAIN, WHOLE, "-n9 --gpus=2 --qos=few", "n3"), (MAIN, BOTH, "-n1 --gpus=2", "n3"), (MAIN, BOTH, "-n1 --gpus=2 --qos=few", "n3"),
    (YOUNG, WHOLE, "", "n2"), (YOUNG, WHOLE, "-n2 --gpus=8", "n3"), (YOUNG, WHOLE, "-N2 -n2 --gres=gpu:4", "n3"), (YOUNG, "-n8", "-N2 -n2 --gres=gpu:4", "n3"),
    (YOUNG, "-n1 --mem=64000", "-N2 -n2 --gres=gpu:4", "n2"), (YOUNG, "-n8", "-n9 --gres=gpu:4", "n3"),
    (YOUNG, "-n8", "-N2 -n2 --gpus=5", "n3"),
]  # fmt: skip


def ask(one, loop, first, words):
    gpus = " --gres=gpu:4" if first == BOTH else ""
    held = hold(one, [f"--uid=ada -w n1 {first.partition(' and ')[0]} -t 120", "--uid=ada -w n2 -n1 -t 60", f"--uid=ada -w n3 -n1{gpus} -t 60"])
    waiting = []
    if loop is MAIN:
        held += hold(one, ["--uid=ada -p other -n8 -t 120"])
        waiting.append(one.sub("--uid=di --priority=2000 -p other -n8 -t 30"))
    plan, asks, last = "--uid=bo -w n1 -n8 -t 6-0", f"--uid=di --priority=1000 {words}", "--uid=ada --priority=800 -p later -N1 -n8 -t 30"
    plan += f" --priority={1500 if loop is MAIN else 1100}"
    waiting.append(one.sub(plan))
    if loop is YOUNG:
        number = one.sub(last)
        one.rest(310)
        waiting.append(one.sub(f"{asks} -t 20")) if words else None
        waiting.append(one.sub("--uid=ada -n1 --begin=now+5days"))  # its test takes away what that of the job before has left
    else:
        waiting.append(one.sub(f"{asks} -t 6-0")) if words else None
        waiting.append(one.sub("--uid=bo --priority=950 -p later -N3 -n3 -t 30")) if loop is MAIN else None
        number = one.sub(last)
    one.until(lambda: one.job(number).get("SchedNodeList"), 60)
    one.rest(40)
    found = one.job(number).get("SchedNodeList")
    release(one, [number, *waiting, *held])
    return found


def main():
    tally = Tally()
    for parameters in (BACKFILL, MAIN, YOUNG):
        with lab(CONF.format(**parameters), gres=GRES, sacctmgr=ACCOUNTS) as one:
            for loop, first, words, told in CASES:
                if loop is parameters:
                    tally.note(f"{NAMES[id(loop)]:8} {first:34} {words:28}", ask(one, loop, first, words), told)
    return tally.close()


if __name__ == "__main__":
    sys.exit(main())
