#!/usr/bin/env python3
# scripts/reference/experiments/top_of_equals.py — whose nice values `scontrol top` changes, and by how much (lifecycle.md §10.1).
"""Jobs of one user wait behind one of another, all with the same priority but for their nice values; one of them is typed to the top. Printed: their nice values afterwards, and
whether the text says so. About a minute."""
import sys

from lab import Tally, hold, lab

CONF = """\
SelectType=select/cons_tres
SelectTypeParameters=CR_Core
SchedulerType=sched/backfill
SchedulerParameters=bf_interval=60
PriorityType=priority/multifactor
PriorityWeightPartition=10000
AccountingStorageEnforce=associations,limits,qos
NodeName=n1 CPUs=8 RealMemory=64000
PartitionName=all Nodes=n1 Default=YES MaxTime=INFINITE State=UP PriorityJobFactor=10
"""
ACCOUNTS = "add account red\nadd user ada Account=red\nadd user bo Account=red\n"
# nice values, which of them is typed to the top, nice values afterwards
CASES = [
    ((0, 0), 1, (1, 0)), ((0, 0), 0, (0, 1)), ((0, 0, 0), 2, (1, 1, 0)), ((0, 10), 1, (10, 0)), ((0, 10), 0, (0, 10)), ((0, 5, 10), 2, (5, 10, 0)), ((0, 5, 10), 1, (2, 0, 13)),
    ((0, 0, 10), 2, (5, 5, 0)), ((10, 0, 0), 0, (0, 5, 5)), ((0, 0, 0, 7), 3, (2, 2, 3, 0)), ((0, 3, 3, 3), 1, (1, 0, 4, 4)), ((0, 1), 1, (1, 0)), ((0, 2), 1, (2, 0)), ((5,), 0, (5,)),
    ((0, 0, 10), 1, (1, 0, 9)), ((0, 0, 10), 0, (0, 1, 9)), ((4, 4, 4, 4, 4), 4, (5, 5, 5, 5, 4)), ((0, 0, 0, 0, 9), 4, (2, 2, 2, 3, 0)), ((2, 0, 0), 1, (2, 0, 1)),
    ((0, 0, 1), 2, (1, 1, 0)), ((0, 0, 0, 1), 3, (1, 1, 1, 0)), ((0, 2, 3), 2, (1, 4, 0)), ((0, 20, 3), 2, (1, 22, 0)), ((9, 0, 5), 2, (11, 3, 0)), ((9, 0, 0), 2, (9, 1, 0)),
    ((0, 1, 50), 1, (1, 0, 50)), ((0, 0, 50, 50), 1, (1, 0, 50, 49)), ((0, 0, 50, 50), 0, (0, 1, 50, 49)),
]  # fmt: skip


def main():
    tally = Tally()
    with lab(CONF, sacctmgr=ACCOUNTS) as one:
        hold(one, ["--uid=bo -n8 -t 600"])
        for before, which, told in CASES:
            ids = [one.sub(f"--uid=ada -n8 --nice={nice} -t 10") for nice in before]
            one.rest(5)
            one.out(f"scontrol top {ids[which]}")
            one.rest(2)
            tally.note(f"{before} {which}", tuple(int(one.job(number)["Nice"]) for number in ids), told)
            one.out("scancel " + " ".join(ids))
            one.rest(10)
    return tally.close()


if __name__ == "__main__":
    sys.exit(main())
