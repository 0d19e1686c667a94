#!/usr/bin/env python3
# scripts/reference/experiments/range_over_weights.py — -N1-3 under topology/tree over nodes of two weights (scheduling.md §6.6).
"""Nodes of weight 1 under two leaves, of weight 10 under a third. Some are held whole; printed: which the job gets. Four minutes."""
import re
import sys

from lab import Tally, hold, lab, release, shown

CONF = """\
SelectType=select/cons_tres
SelectTypeParameters={parts}
SchedulerType=sched/backfill
SchedulerParameters=sched_interval=2,bf_interval=5
PriorityType=priority/basic
{tree}NodeName=a[1-3] Sockets=2 CoresPerSocket=8 ThreadsPerCore=1 RealMemory=16000 Weight=1
NodeName=b[1-4] Sockets=2 CoresPerSocket=8 ThreadsPerCore=1 RealMemory=16000 Weight=10
PartitionName=p Nodes=a[1-3],b[1-4] Default=YES MaxTime=INFINITE State=UP
"""
TREE = "SwitchName=s1 Nodes=a1\nSwitchName=s2 Nodes=a[2-3]\nSwitchName=s3 Nodes=b[1-4]\nSwitchName=top Switches=s1,s2,s3\n"
# What is held, and jobs with the nodes that they get.
CASES = (
    (2, "a[2-3]", ("-N1-3 -n8", "a1"), ("-N1-3 -n16", "a1"), ("-N1-3 -n24", "a1,b[1-2]"), ("-N2-3 -n8", "a1,b[1-2]"), ("-N1-2 -n2", "a1"), ("-N1-3 -n1", "a1")),
    (1, "a1", ("-N1-3 -n8", "a[2-3]"), ("-N2-3 -n8", "a[2-3]"), ("-N3-4 -n8", "a[2-3],b[1-2]"), ("-N1-4 -n40", "a[2-3],b[1-2]"), ("-N1-3 -n20", "a[2-3]")),
    (1, "a3", ("-N1-3 -n8", "a[1-2]"), ("-N3-4 -n8", "a[1-2],b[1-2]"), ("-N1-4 -n8 -w a2", "a[1-2]"), ("-N3-4 -n8 -w a2", "a[1-2],b[1-2]"), ("-N1-5 -n8 -w b1", "a[1-2],b1")),
    (3, "a[1-3]", ("-N1-3 -n8", "b[1-3]")),
    (1, "b4", ("-N1-5 -n8", "a[1-3]"), ("-N4-5 -n8", "a[1-3],b[1-2]")),
)  # fmt: skip


def main():
    tally = Tally()
    for parts in ("CR_Core", "CR_Socket"):
        with lab(CONF.format(parts=parts, tree="TopologyPlugin=topology/tree\n"), topology=TREE) as one:
            for count, held, *jobs in CASES:
                holders = hold(one, [f"-w {held} --exclusive -t 100 -N{count}"])
                for words, told in jobs:
                    got = re.search(r" NodeList=([a-z]\S*)", shown(one, f"-t 10 {words}"))
                    tally.note(f"{parts} {held} held: {words:14}", got[1] if got else "waits", told)
                release(one, holders)
    return tally.close()


if __name__ == "__main__":
    sys.exit(main())
