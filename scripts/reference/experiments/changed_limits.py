#!/usr/bin/env python3
# scripts/reference/experiments/changed_limits.py — does a change by sacctmgr wake the main scheduler (scheduling.md §2.1)?
"""A job waits at a limit, passes come only when asked for. Printed: the change, what the job is a minute later and after the next submission,
and what is not as the text says: no change asks for a pass."""
import sys

from lab import Tally, lab

CONF = """\
SchedulerType=sched/backfill
SchedulerParameters=sched_interval=50000,bf_interval=-1
PriorityType=priority/multifactor
PriorityWeightAge=1
SelectType=select/cons_tres
SelectTypeParameters=CR_Core
AccountingStorageEnforce=associations,limits,qos
NodeName=n[1-3] Sockets=1 CoresPerSocket=4 ThreadsPerCore=1 RealMemory=64000
PartitionName=p Nodes=n[1-3] Default=YES MaxTime=INFINITE State=UP
"""
# what holds the job and takes it back, what lets it go
CASES = [("qos normal set GrpJobs=0", "qos normal set GrpJobs=5"), ("qos normal set GrpJobs=0", "qos normal set GrpJobs=-1"), ("qos normal set MaxTRESPerUser=cpu=1", "qos normal set MaxTRESPerUser=cpu=-1"),
         ("account root set GrpTRES=cpu=1", "account root set GrpTRES=cpu=-1"), ("user root set MaxJobs=0", "user root set MaxJobs=9")]  # fmt: skip


def main():
    tally = Tally()
    with lab(CONF, sacctmgr="modify account root set GrpJobs=100\n") as one:
        for before, after in CASES:
            one.out(f"sacctmgr -i modify {before}")
            number = one.sub("-n2 -t 60")
            one.rest(20)
            seen = [one.job(number)["JobState"]]
            one.out(f"sacctmgr -i modify {after}")
            one.rest(60)
            seen.append(one.job(number)["JobState"])
            other = one.sub("-n1 -t 60")
            one.rest(15)
            seen.append(one.job(number)["JobState"])
            tally.note(f"{before}; {after}:", " ".join(seen), "PENDING PENDING RUNNING")
            one.out(f"scancel {number} {other}")
            one.rest(15)
    return tally.close()


if __name__ == "__main__":
    sys.exit(main())
