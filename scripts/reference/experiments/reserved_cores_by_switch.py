#!/usr/bin/env python3
# scripts/reference/experiments/reserved_cores_by_switch.py — the nodes of a reservation of nodes and cores under topology/tree (lifecycle.md §13).
"""Eight nodes of four cores: three under one switch, five under the other. Printed are nodes and their number of cores, with all idle and with cores held. About a minute."""
import re
import sys

from lab import Tally, hold, lab, release

CONF = """\
SelectType=select/cons_tres
SelectTypeParameters=CR_Core
PriorityType=priority/basic
TopologyPlugin=topology/tree
SchedulerParameters=bf_interval=-1
NodeName=n[1-8] Sockets=1 CoresPerSocket=4 ThreadsPerCore=1 RealMemory=64000
PartitionName=all Nodes=n[1-8] Default=YES MaxTime=1-0 State=UP
"""
TREE = "SwitchName=s1 Nodes=n[1-3]\nSwitchName=s2 Nodes=n[4-8]\nSwitchName=top Switches=s[1-2]\n"
HELD = ["-w n1 -n2 -t 600", "-w n5 -n4 -t 600", "-w n6 -n1 -t 600"]
BUSY = "Requested nodes are busy"
# what is asked; with all idle; beside HELD
CASES = [
    ("NodeCnt=3 CoreCnt=6", "n[1-3] 6", "n[1-3] 6"), ("NodeCnt=4 CoreCnt=8", "n[4-7] 8", "n[4,6-8] 8"), ("NodeCnt=2 CoreCnt=4", "n[1-2] 4", "n[1-2] 4"), ("NodeCnt=6 CoreCnt=12", "n[1,4-8] 12", "n[1-2,4,6-8] 12"),
    ("NodeCnt=3 CoreCnt=12", "n[1-3] 12", "n[4,7-8] 12"), ("NodeCnt=3 CoreCnt=9", "n[1-3] 9", "n[4,6-7] 9"), ("NodeCnt=4 CoreCnt=13", "n[4-7] 13", "n[4,6-8] 13"), ("NodeCnt=3 CoreCnt=4", "n[1-3] 4", "n[1-3] 4"), ("NodeCnt=3 CoreCnt=8", "n[1-3] 8", "n[1-3] 8"), ("NodeCnt=5 CoreCnt=20", "n[4-8] 20", "n[2-4,7-8] 20"),
    ("CoreCnt=6", "n[1-2] 6", "n[1-2] 6"), ("CoreCnt=16", "n[1-4] 16", "n[1-4,6] 16"), ("NodeCnt=8 CoreCnt=16", "n[1-8] 16", BUSY), ("NodeCnt=1 CoreCnt=3", "n1 3", "n2 3"),
]  # fmt: skip


def picked(one, words):
    said = one.out(f"scontrol create reservation ReservationName=r StartTime=now+1hour Duration=10 Users=root {words}")
    shown = re.search(r" Nodes=(\S+) NodeCnt=\d+ CoreCnt=(\d+)", one.out("scontrol -o show reservation r"))
    one.out("scontrol delete ReservationName=r")
    return f"{shown[1]} {shown[2]}" if shown else said.rpartition(": ")[2].splitlines()[0]


def main():
    tally = Tally()
    with lab(CONF, topology=TREE) as one:
        for words, told, _ in CASES:
            tally.note(f"idle {words:24}", picked(one, words), told)
        held = hold(one, HELD)
        for words, _, told in CASES:
            tally.note(f"held {words:24}", picked(one, words), told)
        release(one, held)
    return tally.close()


if __name__ == "__main__":
    sys.exit(main())
