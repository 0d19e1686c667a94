#!/usr/bin/env python3
# scripts/reference/experiments/alternative_victims.py — whom a job with alternative features displaces (preemption.md §4).
"""Nodes a1, a2 with feature a and b1, b2 with b, full of preemptable jobs or free. Printed: the feature of the node that an urgent job of one node comes to, by what it asks for and who runs where, in the order
in which they started. About three minutes."""
import sys

from lab import Tally, hold, lab, release

CONF = """\
SelectType=select/cons_tres
SelectTypeParameters=CR_Core
SchedulerType=sched/backfill
SchedulerParameters={more}
PriorityType=priority/multifactor
PriorityWeightQOS=1000
PreemptType=preempt/qos
PreemptMode=REQUEUE
AccountingStorageEnforce=associations,limits,qos
NodeName=a[1-2] CPUs=4 RealMemory=4000 Feature=a
NodeName=b[1-2] CPUs=4 RealMemory=4000 Feature=b
PartitionName=all Nodes=ALL Default=YES MaxTime=INFINITE State=UP
"""
ACCOUNTS = "add qos low Priority=0\nadd qos high Priority=100 Preempt=low\nadd account red\nadd user di Account=red QOS=low,high DefaultQOS=low\n"
FULL = ["a1", "a2", "b1", "b2"]
CASES = [("[a|b]", FULL, "a"), ("[b|a]", FULL, "b"), ("[a|b]", ["b1", "b2", "a1", "a2"], "a"), ("[b|a]", ["b1", "b2", "a1", "a2"], "b"), ("[a|b]", ["a1", "a2", "b1"], "a"), ("[b|a]", ["a1", "b1", "b2"], "b"), ("[a|b]", ["a1", "b1", "b2"], "a")]  # fmt: skip


def ask(one, features, full):
    held = []
    for node in full:
        held += hold(one, [f"--uid=di -w {node} -n4 -t 500"])
        one.rest(15)
    number = one.sub(f"--uid=di --qos=high -C '{features}' -N1 -n4 -t 10")
    one.until(lambda: one.job(number).get("JobState") == "RUNNING", 200)
    found = one.job(number)
    one.out(f"scancel {number} {' '.join(held)}")
    one.rest(60)
    return found.get("NodeList", "")[:2] if found.get("JobState") == "RUNNING" else "waits"


def main():
    tally = Tally()
    for more in ("sched_interval=10,bf_interval=-1", "sched_interval=10,bf_interval=-1,preempt_youngest_first", "sched_interval=-1,bf_interval=10"):
        with lab(CONF.format(more=more), sacctmgr=ACCOUNTS) as one:
            for features, full, told in CASES:
                tally.note(f"{more.partition(',')[0]} {more.rpartition(',')[2]:24} {features:6} full: {','.join(full):14}", ask(one, features, full)[:1], told)
    return tally.close()


if __name__ == "__main__":
    sys.exit(main())
