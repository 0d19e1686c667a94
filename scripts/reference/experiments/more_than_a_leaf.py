#!/usr/bin/env python3
# scripts/reference/experiments/more_than_a_leaf.py — with bf_busy_nodes, --switches that no leaf has nodes enough for (scheduling.md §6.6).
"""Three leaf switches of three nodes each, of which some nodes are held whole for 30 to 50 minutes. Printed: where a job runs, for when (in tens of minutes)
and where it is planned, or that it has no START_TIME, and whether that is as the text says: a job of four nodes on one leaf has no plan at all while it
waits, with bf_busy_nodes and without, in a partition of whole nodes and in another."""
import sys

from lab import Tally, lab
from switches_with_busy_nodes import ask_all

CONF = """\
SelectType=select/cons_tres
SelectTypeParameters=CR_Core_Memory
TopologyPlugin=topology/tree
SchedulerType=sched/backfill
SchedulerParameters=bf_interval=30,bf_resolution=60,max_switch_wait=3600{busy}
DefMemPerCPU=10
PriorityType=priority/multifactor
NodeName=n[1-9] Sockets=2 CoresPerSocket=2 ThreadsPerCore=1 RealMemory=16000
PartitionName=p Nodes=ALL Default=YES MaxTime=INFINITE State=UP OverSubscribe={sharing}
"""
TREE = (
    "SwitchName=s0 Nodes=n[1-3]\nSwitchName=s1 Nodes=n[4-6]\nSwitchName=s2 Nodes=n[7-9]\n"
    "SwitchName=a Switches=s0\nSwitchName=b Switches=s[1-2]\nSwitchName=top Switches=a,b\n"
)
ASKED = ("-N4 --switches=1@50:00", "-N4 --switches=2@50:00", "-N3 --switches=1@50:00", "-N4")
# ({node: minutes for which it is held}, what the text says of ASKED with bf_busy_nodes, without)
CASES = [
    ({1: 40, 2: 40, 3: 40, 4: 30, 5: 30, 6: 30}, ("-", "30 n[4-7]", "runs n[7-9]", "30 n[4-7]"), ("-", "30 n[4-7]", "runs n[7-9]", "30 n[4-7]")),
    ({1: 40, 2: 40, 3: 40, 4: 30, 5: 30}, ("-", "runs n[6-9]", "runs n[7-9]", "runs n[6-9]"), ("-", "runs n[6-9]", "runs n[7-9]", "runs n[6-9]")),
    ({1: 40, 2: 40, 4: 30, 5: 30, 7: 50, 8: 50}, ("-", "30 n[3-6]", "-", "30 n[3-6]"), ("-", "30 n[4-6,9]", "30 n[4-6]", "30 n[4-6,9]")),
    ({node: 30 for node in range(1, 10)}, ("-", "30 n[1-4]", "30 n[1-3]", "30 n[1-4]"), ("-", "30 n[4-7]", "30 n[1-3]", "30 n[4-7]")),
]  # fmt: skip


def main():
    tally = Tally()
    for sharing in ("EXCLUSIVE", "NO"):
        for busy in (",bf_busy_nodes", ""):
            with lab(CONF.format(busy=busy, sharing=sharing), topology=TREE) as one:
                what = f"{sharing:9} {busy[1:]:13}"
                ask_all(one, tally, what, [(held, with_busy if busy else without) for held, with_busy, without in CASES], ASKED, 65)
    return tally.close()


if __name__ == "__main__":
    sys.exit(main())
