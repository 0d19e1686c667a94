#!/usr/bin/env python3
# scripts/reference/experiments/changed_min_nodes.py — jobs that came before MinNodes of their partition is changed (limits.md §1.3).
"""Jobs are held while `scontrol update PartitionName= MinNodes=` changes the partition that they name, or wait for busy nodes meanwhile. Printed: the nodes that they get then, or why they wait. Two minutes."""
import sys

from lab import Tally, hold, lab, release

CONF = """\
SchedulerType=sched/backfill
SchedulerParameters=sched_interval=2,bf_interval=5
PriorityType=priority/basic
SelectType=select/cons_tres
SelectTypeParameters=CR_Core
NodeName=a[1-4] Sockets=1 CoresPerSocket=2 ThreadsPerCore=1 RealMemory=16000
PartitionName=p Nodes=a[1-4] MaxTime=INFINITE State=UP Default=YES
PartitionName=q Nodes=a[1-4] MaxTime=INFINITE State=UP MinNodes=2
PartitionName=o Nodes=a[1-4] MaxTime=INFINITE State=UP
"""
LIMIT = "waits PartitionNodeLimit"
# The partition, MinNodes from now on, the job, and what becomes of it.
CASES = (
    ("p", 2, "-n1", LIMIT),
    ("p", 2, "-n2", LIMIT),
    ("p", 2, "-n3", LIMIT),
    ("p", 2, "-N1", LIMIT),
    ("p", 2, "-N2 -n2", "a[1-2]"),
    ("p", 2, "-N1-3", LIMIT),
    ("p", 2, "-N2-3 -n3", "a[1-3]"),
    ("p", 2, "-n2 -a 0-0", LIMIT),
    ("q", 1, "-n1", "a[1-2]"),
    ("q", 1, "-n3", "a[1-2]"),
    ("q", 1, "-N1-3 -n3", "a[1-3]"),
    ("q", 3, "-n1", LIMIT),
    ("q", 3, "-N2 -n2", LIMIT),
    ("q", 3, "-N1-3 -n3", LIMIT),
    ("q", 3, "-N3 -n3", "a[1-3]"),
)
LATER = (("p", 2, "-n1", LIMIT), ("p", 2, "-N2 -n2", "a[1-2]"), ("p,o", 2, "-n1", "a1"))


def changed(one, name, most, words, full):
    """With all nodes busy until the change, or the job held."""
    holders = hold(one, ["-p o -N4 -n8 -t 1000"]) if full else []
    number = one.sub(f"-p {name} {words} -t 10{'' if full else ' -H'}")
    one.rest(5)
    one.out(f"scontrol update PartitionName={name.partition(',')[0]} MinNodes={most}")
    if full:
        one.rest(10)
        release(one, holders)
    else:
        one.out(f"scontrol release {number}")
    one.rest(25)
    job = one.job(number)
    release(one, [number])
    one.out(f"scontrol update PartitionName={name.partition(',')[0]} MinNodes={2 if name == 'q' else 0}")
    return job["NodeList"] if job["JobState"] == "RUNNING" else f"waits {job['Reason']}"


def main():
    tally = Tally()
    with lab(CONF) as one:
        for name, most, words, told in CASES:
            tally.note(f"{name} to MinNodes={most}, {words} held |", changed(one, name, most, words, False), told)
        for name, most, words, told in LATER:
            tally.note(f"{name} to MinNodes={most}, {words} behind full nodes |", changed(one, name, most, words, True), told)
    return tally.close()


if __name__ == "__main__":
    sys.exit(main())
