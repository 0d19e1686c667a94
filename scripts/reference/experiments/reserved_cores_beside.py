#!/usr/bin/env python3
# scripts/reference/experiments/reserved_cores_beside.py — which nodes a reservation of a count of cores, or of nodes, gets beside another of the same time (lifecycle.md §13).
"""Six idle nodes of four cores, of which a first reservation has some. Printed: the nodes of a second one, by its flags."""
import re
import sys

from lab import Tally, lab, ranges

CONF = """\
SelectType=select/cons_tres
SelectTypeParameters=CR_Core
SchedulerType=sched/backfill
PriorityType=priority/basic
NodeName=n[1-6] Sockets=1 CoresPerSocket=4 ThreadsPerCore=1 RealMemory=16000
PartitionName=p Nodes=n[1-6] MaxTime=INFINITE State=UP Default=YES
"""
FIRSTS = {"Nodes=n1": [4, 0, 0], "Nodes=n[1-3]": [4, 4, 4], "Nodes=n[2-3]": [0, 4, 4], "Nodes=n[1-6]": [4] * 6, "Nodes=n1 CoreCnt=2": [2], "CoreCnt=6": [4, 2], "CoreCnt=9": [4, 4, 1], "CoreCnt=6 Flags=OVERLAP": [4, 2], "Nodes=n[1-3] Flags=MAINT": [4, 4, 4]}  # cores of n1, n2 …
SECONDS = [f"{what}{flags}" for what in ("CoreCnt=3", "CoreCnt=13", "CoreCnt=17", "CoreCnt=22", "NodeCnt=2 CoreCnt=6", "NodeCnt=2", "NodeCnt=5", "NodeCnt=7") for flags in ("", " Flags=OVERLAP", " Flags=MAINT")]


def by_cores(taken, nodes, cores):
    """By index; of a count of nodes those that have their share."""
    free = [(i, 4 - used) for i, used in enumerate(taken) if 4 - used >= (cores // nodes if nodes else 1)]
    got = []
    for i, most in free[: nodes or 6]:
        if cores > 0:
            got.append(i + 1)
            cores -= min(most, -(-cores // nodes) if nodes else most)
            nodes -= 1 if nodes else 0
    return got if cores <= 0 else []


def told(first, second):
    """Cores beside those of others, else with flags as if there were no others; whole nodes of others last, or not at all."""
    taken = (FIRSTS[first] + [0] * 6)[:6]
    nodes, cores = (int(match[1]) if (match := re.search(rf"{key}=(\d+)", second)) else 0 for key in ("NodeCnt", "CoreCnt"))
    flagged = "Flags" in second
    if cores:
        got = by_cores(taken, nodes, cores) or (by_cores([0] * 6, nodes, cores) if flagged else [])
    else:
        whole = [i + 1 for i in range(6) if taken[i] == 4 and "CoreCnt" not in first]
        able = [i for i in range(1, 7) if i not in whole] + (whole if flagged else [])
        got = able[:nodes]
    text = ranges(got)
    return "Requested nodes are busy" if not got else f"n{text}" if len(got) == 1 else f"n[{text}]"


def shown(one, first, second):
    """What the second has: its nodes and cores by node, or what scontrol said."""
    one.out(f"scontrol create reservation ReservationName=a Users=root StartTime=now+1800 Duration=60 {first}")
    said = one.out(f"scontrol create reservation ReservationName=b Users=root StartTime=now+1800 Duration=60 {second}")
    text = one.out("scontrol show reservation b")
    for name in "ab":
        one.out(f"scontrol delete reservationname={name}")
    nodes = re.search(r" Nodes=(\S+)", text)
    if not nodes:
        return said.rpartition(": ")[2]
    return nodes[1]


def main():
    tally = Tally()
    with lab(CONF) as one:
        for first in FIRSTS:
            for second in SECONDS:
                tally.note(f"{first} | {second} |", shown(one, first, second), told(first, second))
    return tally.close()


if __name__ == "__main__":
    sys.exit(main())
