#!/usr/bin/env python3
# scripts/reference/experiments/reserved_by_switch.py — which nodes a reservation of a count of nodes gets under topology/tree (lifecycle.md §13).
"""Twelve nodes under four leaves of 3, 2, 3 and 4, of other weights each; jobs of 500 minutes or another reservation on some. Printed: the nodes of a reservation in half an hour. Two minutes."""
import sys

from lab import Tally, hold, lab, release, reserved

CONF = """\
SelectType=select/{select}
SchedulerType=sched/backfill
SchedulerParameters=sched_interval=10,bf_interval=-1
TopologyPlugin=topology/tree
PriorityType=priority/basic
NodeName=a[1-4] CPUs=4 RealMemory=4000 Weight=3 Feature=fa
NodeName=b[1-3] CPUs=4 RealMemory=4000 Weight=2 Feature=fb
NodeName=c[1-5] CPUs=4 RealMemory=4000
PartitionName=all Nodes=ALL Default=YES MaxTime=INFINITE State=UP
PartitionName=bc Nodes=b[1-3],c[1-5] MaxTime=INFINITE State=UP
"""
TOPOLOGY = """\
SwitchName=s1 Nodes=c[1-3]
SwitchName=s2 Nodes=c[4-5]
SwitchName=s3 Nodes=b[1-3]
SwitchName=s4 Nodes=a[1-4]
SwitchName=t1 Switches=s[1-2]
SwitchName=t2 Switches=s[3-4]
"""
TOP = "SwitchName=top Switches=t[1-2]\n"
BUSY = "Requested nodes are busy"
# who is there before, words, nodes
CASES = [
    ("", "NodeCnt=1", "c4"), ("", "NodeCnt=2", "c[4-5]"), ("", "NodeCnt=3", "c[1-3]"), ("", "NodeCnt=4", "a[1-4]"), ("", "NodeCnt=5", "c[1-5]"), ("", "NodeCnt=6", "a[1-4],b[1-2]"),
    ("", "NodeCnt=8", "a[1-4],c[1-4]"), ("", "NodeCnt=9", "a[1-4],c[1-5]"), ("", "NodeCnt=10", "a[1-4],b[1-3],c[1-3]"), ("", "NodeCnt=11", "a[1-4],b[1-3],c[1-4]"),
    ("", "NodeCnt=4 PartitionName=bc", "c[1-4]"), ("c1", "NodeCnt=1", "c2"), ("c1", "NodeCnt=3", "b[1-3]"), ("c1", "NodeCnt=5", "a[1-4],b1"), ("c1,c4", "NodeCnt=1", "c5"),
    ("b2,c2,c3", "NodeCnt=3", "a[1-3]"), ("a1", "NodeCnt=8", "b[1-3],c[1-5]"), ("a1,b1", "NodeCnt=7", "a[2-4],c[1-4]"), ("a1,b1", "NodeCnt=9", "a[2-4],b2,c[1-5]"),
    ("c1", "NodeCnt=3 Flags=IGNORE_JOBS", "b[1-3]"), ("c4", "NodeCnt=2 Flags=IGNORE_JOBS", "c[1-2]"), ("c1", "NodeCnt=11 Flags=IGNORE_JOBS", "a[1-4],b[1-3],c[2-5]"),
    ("reserved c1", "NodeCnt=5 Flags=MAINT", "a[1-4],b1"), ("reserved c[1-5]", "NodeCnt=9 Flags=MAINT", "a[1-4],b[1-3],c[4-5]"),
    ("reserved c[4-5]", "NodeCnt=9 Flags=OVERLAP", "a[1-4],b[1-2],c[1-3]"), ("reserved a[1-2],b1,c1", "NodeCnt=10 Flags=OVERLAP", "a[1-4],b[2-3],c[2-5]"),
    ("", "NodeCnt=4 Features=fa|fb", "a[1-4]"), ("", "NodeCnt=5 Features=fa|fb", "a[1-4],b1"), ("", "NodeCnt=7 Features=[fa*2&fb*1]", "a[1-2],b1"), ("", "NodeCnt=2 Features=[fa*2&fb*1]", "a[1-2],b1"),
]  # fmt: skip
WITHOUT_TOP = [("", "NodeCnt=5", "c[1-5]"), ("", "NodeCnt=7", "a[1-4],b[1-3]"), ("", "NodeCnt=8", BUSY)]


def ask(one, before, words):
    held = []
    if before.startswith("reserved "):
        one.out(f"scontrol create reservation ReservationName=o Users=root StartTime=now+30minutes Duration=30 Nodes={before[9:]} Flags=OVERLAP")
    else:
        held = hold(one, [f"-w {node} -n1 -t 500" for node in before.split(",") if node])
    got = reserved(one, words)
    one.out("scontrol delete ReservationName=o")
    release(one, held)
    return got


def main():
    tally = Tally()
    for select, topology, cases in (("cons_tres\nSelectTypeParameters=CR_Core", TOPOLOGY + TOP, CASES), ("linear", TOPOLOGY + TOP, CASES[:10]), ("linear", TOPOLOGY, WITHOUT_TOP)):
        with lab(CONF.format(select=select), topology=topology) as one:
            for before, words, told in cases:
                tally.note(f"{select.partition(chr(10))[0]:9} {before:22} {words:30}", ask(one, before, words), told)
    return tally.close()


if __name__ == "__main__":
    sys.exit(main())
