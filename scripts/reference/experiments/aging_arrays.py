#!/usr/bin/env python3
# scripts/reference/experiments/aging_arrays.py — since when what %N holds back of an array ages, by which loop started its first task (priority.md §3.1).
"""`-a 0-3%1` on an idle cluster, twenty times: which loop comes first is a matter of tenths of a second. Started by backfill the rest has no AccrueTime until another slot is free; by a pass it mostly has that of the start.
Where the array waits first, all of it ages from when it was found eligible. Printed: who started the first task, and the rest's AccrueTime. About two minutes."""
import re
import sys

from lab import Tally, hold, lab, release

CONF = """\
SelectType=select/cons_tres
SelectTypeParameters=CR_Core
SchedulerType=sched/backfill
SchedulerParameters=bf_interval=7
PriorityType=priority/multifactor
PriorityWeightAge=1000
{enforce}NodeName=n[1-2] CPUs=2 RealMemory=64000
PartitionName=all Nodes=n[1-2] Default=YES MaxTime=INFINITE State=UP
"""
ACCOUNTS = "add account red\nadd user ada Account=red\nadd user bo Account=red\n"


def since(one, array):
    """AccrueTime of what no task has left."""
    rest = next(line for line in one.out(f"scontrol -o show job {array}").splitlines() if "%1" in line)
    return re.search(r"AccrueTime=(\S+)", rest)[1]


def ask(one, turn):
    """Who started the first task of an array, and whether its rest ages."""
    one.rest(11 + turn % 7)
    array = one.sub("--uid=ada -a 0-3%1 -n1")
    one.until(lambda: one.job(f"{array}_0").get("JobState") == "RUNNING", 60)
    by = one.job(f"{array}_0").get("Scheduler")
    ages = since(one, array) != "Unknown"
    release(one, [array])
    return by, ages


def waits(one):
    """Of an array that waited a minute: whether the rest ages since it came."""
    held = hold(one, ["--uid=bo -w n1 -n2", "--uid=bo -w n2 -n2"])
    array = one.sub("--uid=ada -a 0-3%1 -n1")
    one.rest(60)
    came = since(one, array)
    release(one, held[:1])
    one.until(lambda: one.job(f"{array}_0").get("JobState") == "RUNNING", 120)
    kept = since(one, array)
    release(one, [array, *held[1:]])
    return "since it came" if came == kept != "Unknown" else f"{came}, {kept}"


def main():
    tally = Tally()
    for enforce in ("", "AccountingStorageEnforce=limits\n"):
        with lab(CONF.format(enforce=enforce), sacctmgr=ACCOUNTS) as one:
            tally.note(f"{enforce.strip() or 'no limits':32} waited", waits(one), "since it came")
            passes = []
            for turn in range(10):
                by, ages = ask(one, turn)
                if by == "Backfill":
                    tally.note("  by backfill", "ages" if ages else "does not age", "does not age")
                else:
                    passes.append(ages)
            print(f"  by a pass: {sum(passes)} of {len(passes)} age")
    return tally.close()


if __name__ == "__main__":
    sys.exit(main())
