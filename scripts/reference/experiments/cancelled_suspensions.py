#!/usr/bin/env python3
# scripts/reference/experiments/cancelled_suspensions.py — what a run is charged that ends while it is suspended (priority.md §6.3).
"""Four CPUs run, stand still and are cancelled at seconds behind a tick; printed: what sshare has of it at the next but one. One minute."""
import sys

from lab import Tally, lab

CONF = """\
SelectType=select/cons_tres
SelectTypeParameters=CR_Core
SchedulerType=sched/backfill
SchedulerParameters=sched_interval=2,bf_interval=5
PriorityType=priority/multifactor
PriorityDecayHalfLife=0
PriorityUsageResetPeriod=YEARLY
PriorityCalcPeriod=2
AccountingStorageEnforce=associations,limits
NodeName=n[1-2] CPUs=4 RealMemory=4000
PartitionName=p Nodes=n[1-2] Default=YES MaxTime=INFINITE State=UP
"""
ACCOUNTS = "add account red\nadd user di,eve Account=red\n"
PERIOD = 120
# Seconds behind a tick: it is suspended, goes on (None: never), and is cancelled. Charged: CPU-seconds, of a start some four seconds behind the tick.
CASES = (
    (30, None, 60, 30 * 4),
    (30, None, 200, PERIOD * 4),
    (150, None, 180, 150 * 4),
    (30, 60, 90, 90 * 4),
    (None, None, 60, 60 * 4),
)


def raw(one, user):
    return int(one.out(f"sshare -h -P -u {user} -o RawUsage").splitlines()[-1] or 0)


def tick(one):
    """It has just been: what always runs has been charged."""
    before = raw(one, "eve")
    one.until(lambda: raw(one, "eve") != before, 2 * PERIOD)
    return one.cluster.clock.now()


def charged(one, stop, go, cancel):
    before, began = raw(one, "di"), tick(one)
    number = one.sub("--uid=di -n4 -w n1")
    for at, command in sorted((at, word) for at, word in ((stop, "scontrol suspend"), (go, "scontrol resume"), (cancel, "scancel")) if at):
        one.rest(began + at - one.cluster.clock.now())
        one.out(f"{command} {number}")
    one.rest(10)
    tick(one)
    return raw(one, "di") - before


def main():
    tally = Tally()
    with lab(CONF, sacctmgr=ACCOUNTS) as one:
        one.sub("--uid=eve -n1 -w n2")
        for stop, go, cancel, told in CASES:
            got = charged(one, stop, go, cancel)
            near = told if abs(got - told) <= 40 else got
            tally.note(f"suspended {stop}, on {go}, cancelled {cancel}: {got}", near, told)
    return tally.close()


if __name__ == "__main__":
    sys.exit(main())
