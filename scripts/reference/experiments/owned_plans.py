#!/usr/bin/env python3
# scripts/reference/experiments/owned_plans.py — is --exclusive=user, or ExclusiveUser, planned on a node that another's job holds whole (scheduling.md §5.2).
"""k1 is held for ten minutes, k2 for 300; then a job of bob's of 20 minutes, which only backfill looks at. Printed: where it is planned, or that it has no start. Five minutes."""
import sys

from lab import Tally, hold, lab, release

CONF = """\
SelectType=select/cons_tres
SelectTypeParameters=CR_CPU
SchedulerType=sched/backfill
SchedulerParameters=defer,sched_interval=50000,bf_interval=5
PriorityType=priority/basic
{preempt}
AccountingStorageEnforce=associations
NodeName=k[1-2] CPUs=8 RealMemory=96000
PartitionName=one Nodes=k[1-2] Default=YES MaxTime=INFINITE State=UP PriorityTier=2
PartitionName=two Nodes=k[1-2] MaxTime=INFINITE State=UP PriorityTier=2
PartitionName=forced Nodes=k[1-2] MaxTime=INFINITE State=UP PriorityTier=2 OverSubscribe=FORCE:2
PartitionName=own Nodes=k[1-2] MaxTime=INFINITE State=UP PriorityTier=2 ExclusiveUser=YES
PartitionName=whole Nodes=k[1-2] MaxTime=INFINITE State=UP PriorityTier=2 OverSubscribe=EXCLUSIVE
PartitionName=low Nodes=k[1-2] MaxTime=INFINITE State=UP PriorityTier=1
"""
ACCOUNTS = "add account red\nadd user ada Account=red\nadd user bob Account=red\n"
# who holds k1 and k2 and how, bob's job, what is told
CASES = [
    ("--uid=ada -p one --exclusive", "-p one -n2 --exclusive=user", "never"),
    ("--uid=ada -p two --exclusive", "-p one -n2 --exclusive=user", "never"),
    ("--uid=ada -p two --exclusive", "-p forced -n2 --exclusive=user", "never"),
    ("--uid=ada -p whole -n2", "-p one -n2 --exclusive=user", "never"),
    ("--uid=ada -p one --exclusive", "-p own -n2", "never"),
    ("--uid=bob -p one --exclusive", "-p one -n2 --exclusive=user", "k1"),
    ("--uid=ada -p one -n8", "-p one -n2 --exclusive=user", "never"),
    ("--uid=bob -p one -n8", "-p one -n2 --exclusive=user", "k1"),
    ("--uid=ada -p one -n8 --exclusive=user", "-p one -n2", "never"),
    ("--uid=ada -p one --exclusive", "-p one -n2", "k1"),
    ("--uid=ada -p own -n8", "-p one --exclusive", "never"),
    ("--uid=ada -p one --exclusive", "-p one --exclusive", "k1"),
    ("--uid=ada -p own --exclusive", "-p one -n2", "never"),
]  # fmt: skip


def ask(one, holder, words):
    ids = hold(one, [f"{holder} -w k1 -t 10", f"{holder} -w k2 -t 300"])
    job = one.sub(f"--uid=bob {words} -t 20")
    one.rest(30)
    shown = one.job(job)
    release(one, [job, *ids])
    if shown.get("JobState") != "PENDING":
        return f"runs on {shown.get('NodeList')}"
    return shown.get("SchedNodeList") or ("never" if shown.get("StartTime") == "Unknown" else "later")


def main():
    tally = Tally()
    for preempt in ("", "PreemptType=preempt/partition_prio\nPreemptMode=REQUEUE"):
        with lab(CONF.format(preempt=preempt), sacctmgr=ACCOUNTS) as one:
            for holder, words, told in CASES:
                tally.note(f"{preempt[12:21] or '-':9} {holder:40} {words}", ask(one, holder, words), told)
    return tally.close()


if __name__ == "__main__":
    sys.exit(main())
