#!/usr/bin/env python3
# scripts/reference/scenarios/bf_licenses.py — backfill that plans licences, and whole-node jobs that stand in its map.
from scenario import ENFORCED, FAIR_SHARE, Scenario, main

CONF = f"""\
SchedulerType=sched/backfill
SchedulerParameters=bf_interval=30,bf_licenses
SelectType=select/cons_tres
SelectTypeParameters=CR_Core_Memory
DefMemPerCPU=1000
CompleteWait=16
Licenses=solver:6,mesh:10,lab
{FAIR_SHARE}{ENFORCED}
NodeName=b[1-8] Sockets=2 CoresPerSocket=8 ThreadsPerCore=1 RealMemory=64000
PartitionName=batch Nodes=b[1-8] Default=YES MaxTime=1-0 State=UP
"""


def draw(rng):
    tasks = rng.choice((1, 2, 4, 8, 16, 24))
    words, share = f"-n{tasks}", tasks / 128
    kind = rng.random()
    if kind < 0.5:
        words += " -L " + rng.choice(("solver:1", "solver:2", "solver:4", "mesh:3", "mesh:5,solver:1", "lab"))
    elif kind < 0.65:
        nodes = rng.choice((1, 1, 2, 3))
        words, share = f"-N{nodes} --exclusive", nodes / 8
        if rng.random() < 0.4:
            words += " -L mesh:4"
    return words, share


main(Scenario(6106, CONF, draw, jobs=95, load=1.0))
