#!/usr/bin/env python3
# scripts/reference/experiments/reserved_too_many.py — a reservation of more nodes than there are beside those of others, under topology/tree (lifecycle.md §13).
"""The nodes and switches of reserved_by_switch.py. Printed: the nodes of a reservation in half an hour. One minute."""
import sys

from lab import Tally, hold, lab, release, reserved
from reserved_by_switch import BUSY, CONF, TOP, TOPOLOGY

# who is there before, words, nodes
CASES = [
    ("", "NodeCnt=13", "a[1-4],b[1-3],c[1-5]"), ("", "NodeCnt=9 PartitionName=bc", "b[1-3],c[1-5]"), ("reserved c[1-5]", "NodeCnt=7", "a[1-4],b[1-3]"), ("reserved c[1-5]", "NodeCnt=8", "a[1-4],b[1-3]"),
    ("reserved c[1-5]", "NodeCnt=12", "a[1-4],b[1-3]"), ("reserved a[1-4],b[1-3],c[1-4]", "NodeCnt=2", "c5"), ("reserved b1", "NodeCnt=8 PartitionName=bc", "b[2-3],c[1-5]"), ("c1", "NodeCnt=13", BUSY),
    ("reserved c[1-5]", "NodeCnt=8 Flags=IGNORE_JOBS", "a[1-4],b[1-3]"), ("c1", "NodeCnt=13 Flags=IGNORE_JOBS", "a[1-4],b[1-3],c[1-5]"),
    ("reserved c[1-5]", "NodeCnt=4,4", "a[1-4],b[1-3]"), ("reserved c[1-5]", "NodeCnt=3,5", "a[1-4],b[1-3]"), ("", "NodeCnt=8,8", "a[1-4],b[1-3],c[1-5]"), ("reserved a[1-4],b[1-3],c[1-4]", "NodeCnt=1,1", "c5"),
]  # fmt: skip
WITHOUT_TOP = [("", "NodeCnt=13", BUSY), ("reserved c[1-5]", "NodeCnt=8", "a[1-4],b[1-3]"), ("reserved c5", "NodeCnt=12", BUSY)]


def main():
    tally = Tally()
    for top, cases in ((TOP, CASES), ("", WITHOUT_TOP)):
        with lab(CONF.format(select="cons_tres"), topology=TOPOLOGY + top) as one:
            for before, words, told in cases:
                other = before.startswith("reserved ")
                if other:
                    one.out(f"scontrol create reservation ReservationName=other Users=root StartTime=now Duration=500 Nodes={before.split()[1]}")
                held = hold(one, [f"-t 500 -w {node} -n1" for node in before.split(",")]) if before and not other else []
                tally.note(f"{before:30} {words:28}", reserved(one, words), told)
                release(one, held)
                if other:
                    one.out("scontrol delete ReservationName=other")
    return tally.close()


if __name__ == "__main__":
    sys.exit(main())
