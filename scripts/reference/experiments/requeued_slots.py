#!/usr/bin/env python3
# scripts/reference/experiments/requeued_slots.py — what %N leaves of the begin time of a task that was requeued (lifecycle.md §3, priority.md §3.1).
"""`-a 1-2%2` with room for one from now on, one of whose tasks is requeued: %N holds it back. Whether it has an AccrueTime when its two minutes are over is a toss between two threads with limits enforced, as with the rest of an array
(aging_arrays.py); without, it has one at once. sched_interval=-1 lets the background loop come first. Printed: EligibleTime and AccrueTime within the two minutes and behind them. About six minutes."""
import sys

from lab import Tally, lab, release

CONF = """\
SelectType=select/cons_tres
SelectTypeParameters=CR_Core
SchedulerType=sched/backfill
SchedulerParameters={loops}
PriorityType=priority/multifactor
PriorityWeightAge=1000
AccountingStorageEnforce={enforce}
NodeName=n[1-2] CPUs=2 RealMemory=64000
PartitionName=all Nodes=n[1-2] Default=YES MaxTime=INFINITE State=UP
"""
ACCOUNTS = "add account red\nadd user ada Account=red\n"


def times(one, number):
    job = one.job(number)
    return " ".join(f"{key[:-4]}:{'-' if job.get(key) == 'Unknown' else 'set'}" for key in ("EligibleTime", "AccrueTime"))


def running(one, number):
    return one.job(number).get("JobState") == "RUNNING"


def ask(one, which):
    """Whether this task, requeued, has both times within its two minutes, and behind them."""
    array = one.sub("--uid=ada -a 1-2%2 -n1")
    one.until(lambda: running(one, f"{array}_1") and running(one, f"{array}_2"), 60)
    one.out(f"scontrol requeue {array}_{which}")
    one.rest(5)
    one.out(f"scontrol update JobId={array} ArrayTaskThrottle=1")
    one.rest(40)
    within = times(one, f"{array}_{which}")
    one.rest(140)
    behind = times(one, f"{array}_{which}")
    release(one, [array])
    return within, behind


def main():
    tally = Tally()
    for enforce, loops in (("limits", "bf_interval=3000,sched_interval=10"), ("limits", "bf_interval=10,sched_interval=-1"), ("associations", "bf_interval=3000,sched_interval=10")):
        with lab(CONF.format(enforce=enforce, loops=loops), sacctmgr=ACCOUNTS) as one:
            print(enforce, loops)
            age = 0
            for which in (2, 2, 1, 1, 2, 1, 2, 1):
                within, behind = ask(one, which)
                tally.note("  within", within, "Eligible:set Accrue:" + ("-" if enforce == "limits" else "set"))
                if enforce == "limits" and "-1" not in loops:
                    age += "Accrue:set" in behind
                else:
                    tally.note("  behind", behind, "Eligible:- Accrue:" + ("-" if enforce == "limits" else "set"))
            if "-1" not in loops and enforce == "limits":
                print(f"  {age} of 8 age")
    return tally.close()


if __name__ == "__main__":
    sys.exit(main())
