#!/usr/bin/env python3
# scripts/reference/experiments/updated_in_closed.py — updates of jobs that wait in a partition that is INACTIVE or DOWN (lifecycle.md §10.1).
"""scontrol says `Requested partition configuration not available now`; printed: whether the job has changed. A minute."""
import sys

from lab import Tally, lab

CONF = """\
SchedulerType=sched/backfill
PriorityType=priority/basic
SelectType=select/cons_tres
SelectTypeParameters=CR_Core
AccountingStorageEnforce=associations
NodeName=a[1-2] Sockets=1 CoresPerSocket=4 ThreadsPerCore=1 RealMemory=16000
PartitionName=x Nodes=a1 MaxTime=INFINITE State=UP Default=YES
PartitionName=y Nodes=a2 MaxTime=INFINITE State=UP
"""
ACCOUNTS = "add qos low\nadd account acc\nadd user root Account=acc\nmodify user root set qos=normal,low\n"
# The key, and what scontrol shows behind.
CASES = (
    ("Nice=500", "Nice", "500"),
    ("TimeLimit=7", "TimeLimit", "00:07:00"),
    ("Priority=77", "Priority", "77"),
    ("QOS=low", "QOS", "low"),
    ("NumNodes=1", "NumNodes", "1"),
    ("StartTime=now+3hours", "Reason", "BeginTime"),
    ("Partition=y", "Partition", "y"),
    ("JobName=z", "JobName", "z"),
)


def main():
    tally = Tally()
    with lab(CONF, sacctmgr=ACCOUNTS) as one:
        one.sub("-p x -n4 -t 1000")
        for state in ("INACTIVE", "DOWN", "DRAIN"):
            for key, name, told in CASES:
                number = one.sub("-p x -n4 -t 10")
                one.rest(3)
                one.out(f"scontrol update PartitionName=x State={state}")
                said = one.out(f"scontrol update JobId={number} {key}")
                one.rest(3)
                tally.note(f"{state:9} {key:22} {said or 'nothing said':80}", one.job(number).get(name), told)
                one.out(f"scancel {number}")
                one.out("scontrol update PartitionName=x State=UP")
    return tally.close()


if __name__ == "__main__":
    sys.exit(main())
