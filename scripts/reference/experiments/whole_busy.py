#!/usr/bin/env python3
# scripts/reference/experiments/whole_busy.py — whom a job blocks whose own nodes have left the pass, where others of its partition are held whole (scheduling.md §4.3).
"""Node g1 has the one GPU, which runs. `first` waits for it in gpu, so that g1 leaves the pass; `second` wants a GPU in all; `third` would run on a free node of all. Printed: whether it does,
by what holds n1; where jobs may preempt it always does. About three minutes."""
import sys

from lab import Tally, hold, lab, release

CONF = """\
SelectType={select}
SelectTypeParameters={parameters}
SchedulerType=sched/backfill
SchedulerParameters=sched_interval=15,bf_interval=-1
PriorityType=priority/basic
GresTypes=gpu
{more}NodeName=n[1-2] CPUs=4 RealMemory=4000
NodeName=g1 CPUs=4 RealMemory=4000 Gres=gpu:1
PartitionName=all Nodes=n[1-2],g1 Default=YES MaxTime=INFINITE State=UP
PartitionName=gpu Nodes=g1 MaxTime=INFINITE State=UP
PartitionName=whole Nodes=n1 OverSubscribe=EXCLUSIVE MaxTime=INFINITE State=UP
"""
GRES = "NodeName=g1 Name=gpu File=/dev/nvidia0\n"
CONS = {"select": "select/cons_tres", "parameters": "CR_Core", "more": ""}
PREEMPTS = {**CONS, "more": "PreemptType=preempt/partition_prio\nPreemptMode=REQUEUE\n"}
CASES = [("", "starts"), ("-w n1 -n1", "starts"), ("-w n1 -n4", "starts"), ("-w n1 --exclusive", "waits"), ("-p whole -n1", "waits"), ("-w n1 --exclusive=user", "starts")]


def ask(one, holds):
    held = hold(one, ["-p gpu --gres=gpu:1 -n1", *([holds] if holds else [])])
    waiting = [one.sub("-p gpu --gres=gpu:1 -n1"), one.sub("-p all --gres=gpu:1 -n1")]
    one.rest(20)
    third = one.sub("-p all -n1")
    started = one.until(lambda: one.job(third).get("JobState") == "RUNNING", 45)
    release(one, [third, *waiting, *held])
    return "starts" if started else "waits"


def main():
    tally = Tally()
    for name, conf in (("no preemption", CONS), ("preemption", PREEMPTS)):
        with lab(CONF.format(**conf), gres=GRES) as one:
            for holds, told in CASES:
                tally.note(f"{name:14} n1: {holds or '-':24}", ask(one, holds), told if conf is CONS else "starts")
    return tally.close()


if __name__ == "__main__":
    sys.exit(main())
