#!/usr/bin/env python3
# scripts/reference/experiments/reserved_leaves.py — which nodes a reservation of a count of nodes gets under topology/tree (lifecycle.md §13).
"""Leaves of four, six and five nodes, of which the first two stand under one switch; jobs on some nodes, whose limits end before the reservation begins (-t 5) or long after (-t 500). Printed: its nodes. Two minutes."""
import sys

from lab import Tally, hold, lab, release, reserved

CONF = """\
SelectType=select/cons_tres
SelectTypeParameters=CR_Core
SchedulerType=sched/backfill
SchedulerParameters=sched_interval=10,bf_interval=-1
PriorityType=priority/basic
TopologyPlugin=topology/tree
NodeName=n[01-15] CPUs=4 RealMemory=4000
PartitionName=all Nodes=ALL Default=YES MaxTime=INFINITE State=UP
PartitionName=some Nodes=n[02-13] MaxTime=INFINITE State=UP
"""
TREE = "SwitchName=a Nodes=n[01-04]\nSwitchName=b Nodes=n[05-10]\nSwitchName=c Nodes=n[11-15]\nSwitchName=ab Switches=a,b\nSwitchName=top Switches=ab,c\n"
CASES = [
    ([], "NodeCnt=1", "n01"), ([], "NodeCnt=2", "n[01-02]"), ([], "NodeCnt=4", "n[01-04]"), ([], "NodeCnt=5", "n[11-15]"), ([], "NodeCnt=6", "n[05-10]"), ([], "NodeCnt=7", "n[01,05-10]"), ([], "NodeCnt=11", "n[05-15]"), ([], "NodeCnt=12", "n[01,05-15]"), ([], "NodeCnt=15", "n[01-15]"),
    (["-w n01 -n1 -t 500"], "NodeCnt=3", "n[02-04]"), (["-w n01 -n1 -t 500"], "NodeCnt=4", "n[11-14]"), (["-w n[01-02] -N2 -t 500"], "NodeCnt=2", "n[03-04]"), (["-w n[01-02] -N2 -t 500"], "NodeCnt=3", "n[11-13]"), (["-w n02 -n1 -t 5"], "NodeCnt=2", "n[01-02]"),
    (["-w n[11-13] -N3 -t 500"], "NodeCnt=2", "n[14-15]"), (["-w n[11-13] -N3 -t 500"], "NodeCnt=3", "n[01-03]"), (["-w n[05-06] -N2 -t 500", "-w n[11-12] -N2 -t 500"], "NodeCnt=4", "n[01-04]"), (["-w n[03-06] -N4 -t 500", "-w n[11-12] -N2 -t 500"], "NodeCnt=4", "n[07-10]"),
    (["-w n[03-06] -N4 -t 500", "-w n[11-12] -N2 -t 500"], "NodeCnt=5", "n[01,07-10]"), (["-w n[03-06] -N4 -t 500", "-w n[11-12] -N2 -t 500"], "NodeCnt=7", "n[07-10,13-15]"), ([], "NodeCnt=3 PartitionName=some", "n[02-04]"), ([], "NodeCnt=2 PartitionName=some", "n[02-03]"), ([], "NodeCnt=5 PartitionName=some", "n[05-09]"),
    (["-w n[01-04] -N4 --exclusive -t 500"], "NodeCnt=3 Flags=IGNORE_JOBS", "n[11-13]"), (["-w n[06-07] -N2 -t 5"], "NodeCnt=6", "n[05-10]"), (["-w n[05-10] -N6 -t 500"], "NodeCnt=6", "n[01,11-15]"), (["-w n[02-03] -N2 -t 500"], "NodeCnt=13", "n[01,04-15]"), ([], "NodeCnt=3,4", "n[01-04,11-13]"),
]  # fmt: skip


def main():
    tally = Tally()
    with lab(CONF, topology=TREE) as one:
        for jobs, words, told in CASES:
            held = hold(one, jobs)
            tally.note(f"{'; '.join(jobs)} | {words} |", reserved(one, words), told)
            release(one, held)
    return tally.close()


if __name__ == "__main__":
    sys.exit(main())
