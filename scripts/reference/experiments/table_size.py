#!/usr/bin/env python3
# scripts/reference/experiments/table_size.py — how many plans fill a map of bf_node_space_size slots (scheduling.md §8.4).
"""Six nodes, each held by a job. Jobs that wait are planned on nodes of their own, at other times (`apart`), at the same times (`alike`), or one behind the other on one node, so that equal neighbours of the map
are merged (`chain`). Printed: whose StartTime is told after a cycle, by `p`: of those planned and of the one that finds the map full. About three minutes."""
import sys

from lab import Tally, hold, lab, release

CONF = """\
SelectType=select/cons_tres
SelectTypeParameters=CR_Core
SchedulerType=sched/backfill
SchedulerParameters=sched_interval=10,bf_interval=15,bf_resolution=60,bf_max_job_test=100,bf_node_space_size={}
PriorityType=priority/basic
NodeName=n[1-6] CPUs=4 RealMemory=4000
PartitionName=all Nodes=ALL Default=YES MaxTime=INFINITE State=UP
"""
HELD = [f"-w n{node} -n4 -t {20 + 7 * node}" for node in range(1, 7)]
SAME = [f"-w n{node} -n4 -t 30" for node in range(1, 7)]
APART = [f"-w n{node} -n4 -t {100 + 31 * node}" for node in range(1, 7)]
ALIKE = [f"-w n{node} -n4 -t 100" for node in range(1, 7)]
CHAIN = [f"-w n1 -n4 -t {30 + node}" for node in range(6)]
# slots, how they wait, how many of six are told
CASES = [(4, "apart"), (5, "apart"), (6, "apart"), (7, "apart"), (9, "apart"), (4, "alike"), (5, "alike"), (4, "chain"), (5, "chain"), (6, "chain"), (7, "chain"), (8, "chain")]
TOLD = {"apart": lambda size: size // 2 + 1, "alike": lambda _: 6, "chain": lambda size: min(6, size - 1)}


def asked(size, way):
    held, waiting = {"apart": (HELD, APART), "alike": (SAME, ALIKE), "chain": (SAME, CHAIN)}[way]
    with lab(CONF.format(size)) as one:
        ids = hold(one, held)
        pending = [one.sub(words) for words in waiting]
        one.rest(50)
        starts = [one.job(number).get("StartTime") for number in pending]
        release(one, ids + pending)
    return "".join("-" if start in (None, "Unknown") else "p" for start in starts)


def main():
    tally = Tally()
    for size, way in CASES:
        told = TOLD[way](size)
        tally.note(f"bf_node_space_size={size} | {way} |", asked(size, way), "p" * told + "-" * (6 - told))
    return tally.close()


if __name__ == "__main__":
    sys.exit(main())
