#!/usr/bin/env python3
# scripts/reference/scenarios/builtin_basic.py — first come, first served: priority/basic and sched/builtin, in two partitions.
from scenario import Scenario, main

CONF = """\
SchedulerType=sched/builtin
SelectType=select/cons_tres
SelectTypeParameters=CR_Core_Memory
PriorityType=priority/basic
NodeName=p[01-16] Sockets=1 CoresPerSocket=8 ThreadsPerCore=1 RealMemory=32000
PartitionName=main Nodes=p[01-12] Default=YES MaxTime=1-0 State=UP
PartitionName=side Nodes=p[11-16] MaxTime=1-0 State=UP
"""


def draw(rng):
    where = rng.choice(("", "", "-p side "))
    if rng.random() < 0.15:
        nodes = rng.choice((2, 3, 4))
        return f"{where}-N{nodes} --exclusive --mem=0", nodes / 16
    tasks = rng.choice((1, 2, 4, 8, 8, 12))
    return f"{where}-n{tasks} --mem-per-cpu={rng.choice((1000, 2000, 4000))}", tasks / 128


main(Scenario(1909, CONF, draw, jobs=120, load=1.15))
