#!/usr/bin/env python3
# scripts/reference/experiments/spared_partitions.py — over whose jobs one of a higher tier is laid, where several could be suspended (scheduling.md §6.3).
"""Two full nodes, each held by a job of one of five partitions, and a job of a higher tier that comes. The partition of the lowest tier is taken, of equal
ones the later in slurm.conf. About five minutes."""
import itertools
import sys

from lab import Tally, hold, lab, release

TIERS = {"a1": 1, "b2": 2, "c1": 1, "d3": 3, "e2": 2}
CONF = """\
SelectType=select/cons_tres
SelectTypeParameters=CR_Core
SchedulerType=sched/backfill
PriorityType=priority/basic
PreemptType=preempt/partition_prio
PreemptMode=SUSPEND,GANG
SchedulerTimeSlice=600
NodeName=n[1-2] Sockets=2 CoresPerSocket=4 ThreadsPerCore=1 RealMemory=16000
PartitionName=top Nodes=n[1-2] MaxTime=INFINITE State=UP PriorityTier=9
""" + "".join(
    f"PartitionName={name} Nodes=n[1-2] MaxTime=INFINITE State=UP PriorityTier={tier}{' PreemptMode=REQUEUE' if name == 'c1' else ''}\n" for name, tier in TIERS.items()
)


def main():
    tally = Tally()
    order = list(TIERS)
    with lab(CONF) as one:
        for pair in itertools.permutations(TIERS, 2):
            ids = hold(one, [f"-p {name} -w n{node} -n8" for node, name in enumerate(pair, 1)])
            number = one.sub("-p top -n2")
            one.until(lambda: one.job(number).get("JobState") == "RUNNING", 8)  # noqa: B023
            taken = min(pair, key=lambda name: (TIERS[name], -order.index(name)))
            tally.note(" ".join(pair), one.job(number).get("NodeList"), f"n{pair.index(taken) + 1}")
            release(one, [number, *ids])
    return tally.close()


if __name__ == "__main__":
    sys.exit(main())
