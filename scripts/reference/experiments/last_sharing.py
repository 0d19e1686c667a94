#!/usr/bin/env python3
# scripts/reference/experiments/last_sharing.py — `--exclusive` and `--oversubscribe` of one job: the last one counts (scheduling.md §5.3).
"""One node of 8 CPUs in a partition of OverSubscribe=YES:2, in one of NO and in one of FORCE:2. Each job's options, what scontrol shows as OverSubscribe, and the CPUs that it gets. About a minute."""
import sys

from lab import Tally, hold, lab, release

CONF = """\
SelectType=select/cons_tres
SelectTypeParameters=CR_Core
SchedulerType=sched/backfill
PriorityType=priority/basic
NodeName=n1 CPUs=8
PartitionName=yes Nodes=n1 MaxTime=INFINITE State=UP Default=YES OverSubscribe=YES:2
PartitionName=no Nodes=n1 MaxTime=INFINITE State=UP
PartitionName=force Nodes=n1 MaxTime=INFINITE State=UP OverSubscribe=FORCE:2
"""
CASES = (
    ("-p yes --exclusive -s", "YES 1"), ("-p yes -s --exclusive", "NO 8"), ("-p yes --exclusive", "NO 8"), ("-p yes -s", "YES 1"),
    ("-p no --exclusive -s", "YES 1"), ("-p no -s --exclusive", "NO 8"), ("-p force --exclusive -s", "YES 1"), ("-p force -s --exclusive", "YES 8"),
    ("-p yes --exclusive=user -s", "YES 1"), ("-p yes -s --exclusive=user", "USER 1"),
)


def main():
    tally = Tally()
    with lab(CONF) as one:
        for words, told in CASES:
            ids = hold(one, [f"-n1 {words}"])
            job = one.job(ids[0])
            tally.note(f"{words:32}", f"{job.get('OverSubscribe')} {job.get('NumCPUs')}", told)
            release(one, ids)
    return tally.close()


if __name__ == "__main__":
    sys.exit(main())
