#!/usr/bin/env python3
# scripts/reference/experiments/spread_limit.py — --spread-job and a partition's MaxNodes (limits.md §1.3).
"""Eight nodes; `lim` has all and MaxNodes=3. Printed: the Reason, or the partition and how many nodes. A minute."""
import sys

from lab import Tally, lab, release

CONF = """\
SelectType=select/cons_tres
SelectTypeParameters=CR_Core
SchedulerType=sched/backfill
SchedulerParameters=bf_interval=3000
PriorityType=priority/basic
EnforcePartLimits={enforce}
NodeName=n[1-8] CPUs=8 RealMemory=64000
PartitionName=lim Nodes=ALL Default=YES MaxTime=INFINITE State=UP MaxNodes=3
PartitionName=all Nodes=ALL MaxTime=INFINITE State=UP
"""
LIMIT, REFUSED = "PartitionNodeLimit", "Requested partition configuration not available now"
CASES = [
    ("NO", "-p lim -n3 --spread-job", "lim 3"), ("NO", "-p lim -n4 --spread-job", LIMIT), ("NO", "-p lim -n12 --ntasks-per-node=4 --spread-job", LIMIT), ("NO", "-p lim -n4", "lim 1"),
    ("NO", "-p lim -N1-3 -n12 --spread-job", "lim 3"), ("NO", "-p lim -N2 -n12 --spread-job", "lim 2"), ("NO", "-p lim --spread-job", "lim 1"), ("NO", "-p lim,all -n4 --spread-job", "all 4"),
    ("NO", "-p lim,all -n12 --spread-job", "all 8"), ("ANY", "-p lim -n4 --spread-job", REFUSED), ("ANY", "-p lim,all -n4 --spread-job", "all 4"), ("ALL", "-p lim,all -n4 --spread-job", REFUSED),
]  # fmt: skip


def ask(one, words):
    number = one.sub(words)
    if not number.isdigit():
        return number.rpartition(": ")[2]
    one.until(lambda: one.job(number).get("JobState") == "RUNNING", 10)
    job = one.job(number)
    release(one, [number])
    return f"{job['Partition']} {job['NumNodes']}" if job["JobState"] == "RUNNING" else job["Reason"]


def main():
    tally = Tally()
    for enforce in ("NO", "ANY", "ALL"):
        with lab(CONF.format(enforce=enforce)) as one:
            for which, words, told in CASES:
                if which == enforce:
                    tally.note(f"{enforce:3} {words:46}", ask(one, words), told)
    return tally.close()


if __name__ == "__main__":
    sys.exit(main())
