#!/usr/bin/env python3
# scripts/reference/experiments/suspended_devices.py — whole nodes beside a job that an admin has suspended (scheduling.md §5.3).
"""A job of two CPUs is suspended on n1, which has eight, and four GPUs. Told: jobs with --exclusive and of an EXCLUSIVE partition wait while it holds a GPU, and
start where it has none; --exclusive=user and others start as far as GPUs are left. About three minutes."""
import sys

from lab import Tally, became_of, hold, lab, release

CONF = """\
SelectType=select/cons_tres
SelectTypeParameters=CR_Core_Memory
SchedulerType=sched/backfill
SchedulerParameters=bf_interval=10,sched_interval=10
PriorityType=priority/multifactor
GresTypes=gpu
NodeName=n[1-2] CPUs=8 CoresPerSocket=8 RealMemory=8000 Gres=gpu:4
NodeName=m1 CPUs=8 CoresPerSocket=8 RealMemory=8000
PartitionName=p Nodes=ALL Default=YES DefMemPerCPU=100
PartitionName=x Nodes=ALL OverSubscribe=EXCLUSIVE DefMemPerCPU=100
"""
GRES = "NodeName=n[1-2] Name=gpu File=/dev/nvidia[0-3]\n"
WAITS, RUNS = "waits Resources", "runs"
WHOLE = "-N1 -w n1 --exclusive", "-N1 -w n1 -p x", "-N1 -w n1 --exclusive --gres=gpu:1", "-N1 -w n1 --exclusive --gpus=2", "-N1 -w n1 --exclusive --mem=7000"
OTHERS = {"-N1 -w n1 -n8": (RUNS, RUNS), "-N1 -w n1 --exclusive=user": (RUNS, RUNS), "-N1 -w n1 --exclusive=user --gres=gpu:1": (RUNS, WAITS),
          "-N1 -w n1 -n8 --gres=gpu:3": (RUNS, WAITS), "-N1 --exclusive -x m1": (RUNS, RUNS), "-N2 --exclusive -x m1": (WAITS, WAITS)}


def main():
    tally = Tally()
    with lab(CONF, GRES, rate=40) as one:
        for held, words in enumerate(("-N1 -w n1 -n2 --gres=gpu:1", "-N1 -w n1 -n2 --gres=gpu:4", "-N1 -w n1 -n2")):
            jobs = hold(one, [words])
            one.out(f"scontrol suspend {jobs[0]}")
            one.rest(5)
            print(words)
            for asked in WHOLE:
                tally.note(f"  {asked:44}", became_of(one, asked + " -t 10"), RUNS if held == 2 else WAITS)
            for asked, told in OTHERS.items() if held < 2 else ():
                tally.note(f"  {asked:44}", became_of(one, asked + " -t 10"), told[held])
            one.out(f"scontrol resume {jobs[0]}")
            release(one, jobs)
    return tally.close()


if __name__ == "__main__":
    sys.exit(main())
