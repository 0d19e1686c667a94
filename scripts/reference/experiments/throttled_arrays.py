#!/usr/bin/env python3
# scripts/reference/experiments/throttled_arrays.py — whether the pass that starts as many tasks of an array as %N allows takes the begin time of the rest away (priority.md §3.1, limits.md §8).
"""Passes come with submissions alone (sched_interval and bf_interval 3000), so that the background loop tests nothing in between. Printed: EligibleTime and AccrueTime of the rest of `-a 1-6%2` behind the pass that starts two tasks, and behind
the next pass; under a limit on jobs that age also which tasks have records of their own. Six of twelve were told beforehand (of the others the text had what there is room for left whole). About five minutes."""
import re
import sys

from lab import Tally, lab, release

CONF = """\
SelectType=select/cons_tres
SelectTypeParameters=CR_Core
SchedulerType=sched/backfill
SchedulerParameters=bf_interval=3000,sched_interval=3000,batch_sched_delay=1
PriorityType=priority/multifactor
PriorityWeightAge=1000
AccountingStorageEnforce=limits
NodeName=n[1-4] CPUs=2 RealMemory=64000
PartitionName=all Nodes=n[1-4] Default=YES MaxTime=INFINITE State=UP
"""
ACCOUNTS = "add account red\nadd user ada Account=red\nadd user bo Account=red\n"


def records(one, array):
    """`3-6%2 E-A-`: the pending records of the array, with an E or A that is set or -."""
    found = []
    for line in one.out(f"scontrol -o show job {array}").splitlines():
        if "JobState=PENDING" not in line:
            continue
        task = re.search(r"ArrayTaskId=(\S+)", line)[1]
        found.append(task + " " + "".join(letter if re.search(rf"{key}Time=(\S+)", line)[1] != "Unknown" else "-" for letter, key in (("E", "Eligible"), ("A", "Accrue"))))
    return ", ".join(sorted(found))


def ask(one, words):
    """The rest behind the next pass, and behind the one after it."""
    array = one.sub(f"--uid=ada {words} -n1")
    one.until(lambda: one.job(f"{array}_2").get("JobState") == "RUNNING", 60)
    got = [records(one, array)]
    others = []
    for _ in range(2):
        others.append(one.sub("--uid=bo -n1"))
        one.until(lambda: one.job(others[-1]).get("JobState") == "RUNNING", 60)
        got.append(records(one, array))
    release(one, [array, *others])
    return got


CASES = [
    ("modify user ada set maxjobsaccrue=3", "-a 1-6%2", "3 -A, 4 -A, 5 -A, 6 --"),
    ("modify user ada set maxjobsaccrue=3", "-a 1-4%2", "3 -A, 4 --"),
    ("modify user ada set maxjobsaccrue=3", "-a 1-5%2", "3 -A, 4 -A, 5 -A"),
    ("modify account red set grpjobsaccrue=2", "-a 1-6%2", "3 -A, 4 -A, 5-6%2 --"),
]


def main():
    tally = Tally()
    for limit in dict.fromkeys(limit for limit, _, _ in CASES):
        with lab(CONF, sacctmgr=ACCOUNTS + limit + "\n") as one:
            one.rest(60)
            for _, words, told in (case for case in CASES if case[0] == limit):
                for _ in range(3):
                    first, *later = ask(one, words)
                    tally.note(f"{limit.rpartition(' ')[2]:16} {words:9} {first}; ", "; ".join(later), f"{told}; {told}")
    with lab(CONF, sacctmgr=ACCOUNTS) as one:
        for _ in range(4):
            print(f"no limit         -a 1-6%2  {'; '.join(ask(one, '-a 1-6%2'))}")
    return tally.close()


if __name__ == "__main__":
    sys.exit(main())
