#!/usr/bin/env python3
# scripts/reference/experiments/full_marked.py — which nodes a test for GPUs marks that have no free CPUs, memory or GPUs, and how much (scheduling.md §5.5).
"""n1 is held, and planned for longer than the window; n[3-4] have four GPUs each, n2 none. A job is tested before one that wants a node's CPUs once all is free there; of n[2-4]
that one is planned on the node that bears the highest mark, of equal ones on the first. Printed: where, and whether the text says so. About three minutes."""
import sys

from lab import Tally, hold, lab, release

CONF = """\
SelectType=select/cons_tres
SelectTypeParameters=CR_Core_Memory
SchedulerType=sched/backfill
SchedulerParameters=sched_interval=-1,bf_interval=10,bf_window=1440,bf_min_age_reserve={age}
PriorityType=priority/basic
GresTypes=gpu
DefMemPerCPU=100
AccountingStorageTRES=gres/gpu
NodeName=n1 CPUs=8 RealMemory=64000 Gres=gpu:4
NodeName=n2 CPUs=8 RealMemory=64000
NodeName=n[3-4] CPUs=8 RealMemory=64000 Gres=gpu:4
PartitionName=all Nodes=n[1-4] Default=YES MaxTime=INFINITE State=UP
"""
GRES = "NodeName=n[1,3-4] Name=gpu File=/dev/nvidia[0-3]\n"
ACCOUNTS = "add account red\nadd user di Account=red\nadd user ada Account=red\nadd user bo Account=red\n"
# In the second the job that is tested first is too young for a plan.
PLANS, YOUNG = {"age": 0}, {"age": 300}
CPUS, GPUS, MEMORY = "-n8", "-n1 --gres=gpu:4", "-n1 --mem=64000"
# loop, what n2, n3 and n4 are held with, who is tested first, where the plan is
CASES = [
    (YOUNG, "-n1", "-n1", "-n1", "", "n2"), (YOUNG, CPUS, CPUS, CPUS, "", "n2"), (YOUNG, CPUS, CPUS, CPUS, "--gpus=1", "n3"), (YOUNG, CPUS, CPUS, CPUS, "-N1 --gres=gpu:2", "n3"),
    (YOUNG, CPUS, CPUS, CPUS, "-N2 --gres=gpu:4", "n3"), (YOUNG, CPUS, CPUS + " --gres=gpu:3", CPUS, "--gpus=1", "n3"), (YOUNG, CPUS, CPUS + " --gres=gpu:3", CPUS, "--gpus=2", "n4"),
    (YOUNG, CPUS, CPUS + " --gres=gpu:4", CPUS, "--gpus=1", "n4"), (YOUNG, CPUS, "-n1", CPUS, "-n9 --gpus=1", "n3"), (YOUNG, CPUS, "-n1 --gres=gpu:3", CPUS, "-n9 --gpus=1", "n3"),
    (YOUNG, CPUS, "-n1 --gres=gpu:3", CPUS, "-n9 --gpus=2", "n4"), (YOUNG, CPUS, GPUS, CPUS, "-n9 --gpus=1", "n4"), (YOUNG, CPUS, MEMORY, CPUS, "--gpus=1", "n4"), (YOUNG, CPUS, MEMORY, MEMORY, "--gpus=1", "n2"),
    (YOUNG, CPUS, CPUS, "-n1", "-n1 --gpus=1", "n3"), (YOUNG, CPUS, CPUS, "-n1", "-n1 --gpus=2", "n3"), (YOUNG, CPUS, CPUS + " --gres=gpu:3", "-n1", "-n1 --gpus=2", "n4"), (YOUNG, CPUS, CPUS + " --gres=gpu:4", "-n1", "-n1 --gpus=1", "n4"),
    (YOUNG, CPUS, MEMORY, "-n1", "-n1 --gpus=1", "n4"),
    (PLANS, CPUS, CPUS, CPUS, "", "n2"), (PLANS, CPUS, CPUS, CPUS, "-N1 --gpus=1", "n4"),  # n3 is planned away
]  # fmt: skip


def ask(one, loop, first, words):
    held = hold(one, ["--uid=ada -w n1 -n8 -t 120", *(f"--uid=ada -w n{number} {how} -t 60" for number, how in zip((2, 3, 4), first))])
    plan, asks, last = "--uid=bo -w n1 -n8 -t 6-0 --priority=1100", f"--uid=di --priority=1000 {words}", "--uid=ada --priority=800 -N1 -n8 -t 30"
    number = one.sub(last) if loop is YOUNG else None
    one.rest(310 if loop is YOUNG else 0)
    waiting = [one.sub(plan)]
    asked = one.sub(f"{asks} -H -t {'20' if loop is YOUNG else '6-0'}") if words else None
    number = number or one.sub(last)
    waiting.append(one.sub("--uid=ada -n1 --begin=now+5days"))  # its test takes away what those of the jobs before have left
    if asked:
        waiting.append(asked)
        one.out(f"scontrol release {asked}")
    one.until(lambda: one.job(number).get("SchedNodeList"), 60)
    one.rest(40)
    found = one.job(number).get("SchedNodeList")
    release(one, [number, *waiting, *held])
    return found


def main():
    tally = Tally()
    for parameters in (PLANS, YOUNG):
        with lab(CONF.format(**parameters), gres=GRES, sacctmgr=ACCOUNTS) as one:
            for loop, *first, words, told in CASES:
                if loop is parameters:
                    tally.note(f"{'young' if loop is YOUNG else 'plans'} {', '.join(first):44} {words:20}", ask(one, loop, first, words), told)
    return tally.close()


if __name__ == "__main__":
    sys.exit(main())
