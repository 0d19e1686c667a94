#!/usr/bin/env python3
# scripts/reference/experiments/owned_nodes.py — whose a node is that a job with --exclusive=user holds, when others of its user's jobs end there (scheduling.md §5.5).
"""Jobs of ada's run on k1, some with --exclusive=user; one of them ends, or none. Printed: whether a job of bob's runs there then. Two minutes."""
import sys

from lab import Tally, hold, lab, release

CONF = """\
SelectType=select/cons_tres
SelectTypeParameters=CR_CPU
SchedulerType=sched/backfill
SchedulerParameters=bf_interval=30
PriorityType=priority/basic
PreemptType=preempt/partition_prio
PreemptMode=SUSPEND,GANG
AccountingStorageEnforce=associations
NodeName=k[1-2] Sockets=2 CoresPerSocket=10 ThreadsPerCore=1 RealMemory=96000
PartitionName=plan Nodes=k[1-2] Default=YES MaxTime=INFINITE State=UP PriorityTier=3 OverSubscribe=FORCE:1
PartitionName=slow Nodes=k[1-2] MaxTime=INFINITE State=UP PriorityTier=2 OverSubscribe=FORCE:1 PreemptMode=SUSPEND
"""
ACCOUNTS = "add account red\nadd user ada Account=red\nadd user bob Account=red\n"
OWNER, SECOND = "--uid=ada -p slow -w k1 -n2 --exclusive=user", "--uid=ada -p plan -w k1 -n2 --exclusive=user"
# ada's jobs, which of them ends (none: -), bob's, what is told
CASES = [
    ([OWNER], None, "-p plan -w k1 -n4", "waits"), ([OWNER, "--uid=ada -p plan -w k1 -n4"], None, "-p plan -w k1 -n4", "waits"), ([OWNER, "--uid=ada -p plan -w k1 -n4"], 1, "-p plan -w k1 -n4", "waits"),
    ([OWNER, "--uid=ada -p plan -w k1 -n20"], 1, "-p plan -w k1 -n4", "waits"), ([OWNER, "--uid=ada -p plan -w k1,k2 -n40"], 1, "-p plan -w k1 -n4", "waits"), ([OWNER, "--uid=ada -p plan -w k1,k2 -n40"], None, "-p plan -w k1 -n4", "waits"),
    ([OWNER, SECOND], 1, "-p plan -w k1 -n4", "waits"), ([OWNER, SECOND], 0, "-p plan -w k1 -n4", "waits"), ([OWNER, SECOND, "--uid=ada -p plan -w k1 -n4"], 2, "-p plan -w k1 -n4", "waits"),
    (["--uid=ada -p plan -w k1 -n4", OWNER], 0, "-p plan -w k1 -n4", "waits"), ([OWNER, "--uid=ada -p slow -w k1 -n4"], 1, "-p slow -w k1 -n4", "waits"),
]  # fmt: skip


def ask(one, jobs, ends, words):
    ids = []
    for each in jobs:
        ids += hold(one, [f"{each} -t 900"])
    if ends is not None:
        release(one, [ids[ends]])
    job = one.sub(f"--uid=bob {words} -t 900")
    one.rest(60)
    runs = one.job(job).get("JobState") == "RUNNING"
    release(one, [job, *ids])
    return "runs" if runs else "waits"


def main():
    tally = Tally()
    with lab(CONF, sacctmgr=ACCOUNTS) as one:
        for jobs, ends, words, told in CASES:
            tally.note(f"{'; '.join(jobs):120} ends: {ends} {words}", ask(one, jobs, ends, words), told)
    return tally.close()


if __name__ == "__main__":
    sys.exit(main())
