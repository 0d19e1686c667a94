#!/usr/bin/env python3
# scripts/reference/experiments/owned_since.py — is a node owned by ExclusiveUser as its partition is now, or was when the job started (scheduling.md §5.2).
"""ada's job runs on k1 in `late`, whose ExclusiveUser is then edited, or was before bob's job came. Printed: whether bob's job runs on k1 then. Three minutes."""
import sys

from lab import Tally, hold, lab, release

CONF = """\
SelectType=select/cons_tres
SelectTypeParameters=CR_CPU
SchedulerType=sched/backfill
SchedulerParameters=bf_interval={}
PriorityType=priority/basic
AccountingStorageEnforce=associations
NodeName=k[1-2] CPUs=8 RealMemory=96000
PartitionName=one Nodes=k[1-2] Default=YES MaxTime=INFINITE State=UP
PartitionName=late Nodes=k[1-2] MaxTime=INFINITE State=UP
"""
ACCOUNTS = "add account red\nadd user ada Account=red\nadd user bob Account=red\n"
# ExclusiveUser of late when ada's starts, her job, when bob's is submitted, when it may run; bob's job, what is told
CASES = [
    ("NO", "-p late -n2", "NO", "YES", "-p one -n2", "runs"),
    ("YES", "-p late -n2", "YES", "NO", "-p one -n2", "waits"),
    ("YES", "-p late -n2", "YES", "YES", "-p one -n2", "waits"),
    ("NO", "-p one -n2", "NO", "YES", "-p late -n2", "waits"),
    ("NO", "-p one -n2", "YES", "NO", "-p late -n2", "runs"),
    ("NO", "-p one -n2", "YES", "YES", "-p late -n2", "waits"),
    ("NO", "-p late -n2", "YES", "YES", "-p late -n2", "waits"),
    ("NO", "-p late -n2", "YES", "YES", "-p one -n2", "runs"),
]  # fmt: skip


def ask(one, at_start, holder, at_submission, at_last, words):
    def edit(word):
        one.out(f"scontrol update PartitionName=late ExclusiveUser={word}")

    edit(at_start)
    ids = hold(one, [f"--uid=ada {holder} -w k1 -t 300"])
    edit(at_submission)
    job = one.sub(f"--uid=bob {words} -w k1 -t 300 --begin=now+20")
    edit(at_last)
    one.rest(110)
    runs = one.job(job).get("JobState") == "RUNNING"
    release(one, [job, *ids])
    return "runs" if runs else "waits"


def main():
    tally = Tally()
    for interval in ("-1", "30"):
        with lab(CONF.format(interval), sacctmgr=ACCOUNTS) as one:
            for *how, told in CASES:
                tally.note(f"{interval:3} {' '.join(how)}", ask(one, *how), told)
    return tally.close()


if __name__ == "__main__":
    sys.exit(main())
