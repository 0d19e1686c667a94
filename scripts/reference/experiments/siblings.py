#!/usr/bin/env python3
# scripts/reference/experiments/siblings.py — in which order slurmctld lists siblings of the account tree (priority.md §7.3).
"""Nobody has usage, and each account has a user of one share and one of none, so that Fair Tree's ranks tell which account is gone through
first. Printed: the LFT of the accounts; the accounts, by rank, after slurmctld was started and after each command; and whether the text says
so. About two minutes."""
import sys

from lab import Tally, lab

CONF = """\
SelectType=select/cons_tres
SchedulerType=sched/backfill
PriorityType=priority/multifactor
PriorityCalcPeriod=1
PriorityWeightFairshare=1000
AccountingStorageEnforce=associations,limits
NodeName=n1 CPUs=8
PartitionName=all Nodes=n1 Default=YES State=UP
"""
ACCOUNTS = """\
add account chem
add account alga
add account math
add user alice Account=chem
add user bob Account=chem Fairshare=0
add user ina Account=alga
add user jon Account=alga Fairshare=0
add user cy Account=math
add user dan Account=math Fairshare=0
"""
OLDEST_LAST, BY_NAME = "math alga chem", "alga chem math"
# What an admin says, and the order after the next tick.
CASES = [
    ("", OLDEST_LAST), ("modify account chem set GrpTRESMins=cpu=100000", OLDEST_LAST), ("modify user alice set MaxJobs=5", OLDEST_LAST),
    ("modify account chem set Fairshare=1", BY_NAME),
]  # fmt: skip
OTHERS = [("add user eve Account=chem", BY_NAME), ("modify user alice set Fairshare=2", BY_NAME), ("add account zoo", BY_NAME)]


def order(one):
    rows = [line.split("|") for line in one.out("sshare -a -l -P").splitlines()]
    account, user, rank = (rows[0].index(name) for name in ("Account", "User", "FairShare"))
    of = {}
    for row in rows[1:]:
        name = row[account].strip()
        if row[user] and name != "root":
            of[name] = max(of.get(name, 0), float(row[rank]))
    return " ".join(sorted(of, key=lambda name: -of[name]))


def ask(tally, cases):
    with lab(CONF, sacctmgr=ACCOUNTS) as one:
        left = [line.split("|") for line in one.out("sacctmgr -nP show assoc format=Account,User,LFT").splitlines()]
        told = [row[0] for row in sorted(left, key=lambda row: int(row[2])) if not row[1] and row[0] != "root"]
        tally.note("by LFT:", " ".join(told), OLDEST_LAST)
        for command, expected in cases:
            if command:
                one.out(f"sacctmgr -i {command}")
            one.rest(130)
            tally.note(f"{command or 'as started'}:", order(one), expected)


def main():
    tally = Tally()
    ask(tally, CASES)
    for case in OTHERS:
        ask(tally, [case])
    return tally.close()


if __name__ == "__main__":
    sys.exit(main())
