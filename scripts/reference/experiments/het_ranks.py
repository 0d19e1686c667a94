#!/usr/bin/env python3
# scripts/reference/experiments/het_ranks.py — from when on a heterogeneous job ranks by its group in passes of the main loop (scheduling.md §3.2).
"""bf_hetjob_prio=max: one component has priority 100 in `low`, where nodes are idle, the other 300 in `high`, whose nodes are held. A plain job of 200 is submitted to `low`; a pass starts it
unless the component ranks before it there, and then backfill does. A minute and a half."""
import re
import sys

from lab import Tally, hold, lab, release

CONF = """\
SelectType=select/cons_tres
SelectTypeParameters=CR_Core
SchedulerType=sched/backfill
SchedulerParameters=sched_interval=600,bf_interval=100,bf_hetjob_prio=max
PriorityType=priority/basic
NodeName=n[1-4] CPUs=8 RealMemory=64000
PartitionName=low Nodes=n[1-2] Default=YES MaxTime=INFINITE State=UP
PartitionName=high Nodes=n[3-4] MaxTime=INFINITE State=UP PriorityTier={tier}
"""
# cycles of backfill between the components and the plain job, whose priority was set between, and by whom the plain job is started
CASES = [(0, "", "Main"), (1, "", "Backfill"), (1, "+1 Priority=100", "Backfill"), (2, "+1 Priority=100", "Main")]


def last_cycle(one):
    return re.search(r"Last cycle when: (.*)", one.out("sdiag").split("Backfilling")[1]).group(1)


def ask(one, cycles, change):
    held = hold(one, ["-p high -N2 -n16"])
    held.append(one.sub("-p high --priority=1 -N2 -n16"))  # who waits, so that there are cycles
    before = last_cycle(one)
    one.until(lambda: last_cycle(one) != before, 300)
    leader = one.sub("-p low --priority=100 -n1 : -p high --priority=300 -n1")
    for i in range(cycles):
        before = last_cycle(one)
        one.until(lambda: last_cycle(one) != before, 300)
        if change and i == 0:
            one.out(f"scontrol update JobId={leader}{change}")
    plain = one.sub("-p low --priority=200 -n1")
    one.until(lambda: one.job(plain).get("JobState") == "RUNNING", 300)
    found = one.job(plain).get("Scheduler")
    release(one, [leader, plain, *held])
    return found


def main():
    tally = Tally()
    for tier in (1, 2):
        with lab(CONF.format(tier=tier)) as one:
            for cycles, change, told in CASES:
                told = "Backfill" if tier == 2 and cycles else told  # the tier stays
                tally.note(f"tier {tier}, {cycles} cycles {change:16}", ask(one, cycles, change), told)
    return tally.close()


if __name__ == "__main__":
    sys.exit(main())
