#!/usr/bin/env python3
# scripts/reference/scenarios/oversubscribe.py — cores shared by up to two jobs (OverSubscribe=YES and FORCE), memory by none.
from scenario import ENFORCED, FAIR_SHARE, Scenario, main

CONF = f"""\
SchedulerType=sched/backfill
SchedulerParameters=bf_interval=30
SelectType=select/cons_tres
SelectTypeParameters=CR_Core_Memory
DefMemPerCPU=1000
{FAIR_SHARE}{ENFORCED}
NodeName=o[1-8] Sockets=2 CoresPerSocket=8 ThreadsPerCore=1 RealMemory=64000
PartitionName=share Nodes=o[1-6] Default=YES MaxTime=1-0 State=UP OverSubscribe=YES:2
PartitionName=forced Nodes=o[7-8] MaxTime=1-0 State=UP OverSubscribe=FORCE:2
"""


def draw(rng):
    if rng.random() < 0.25:
        tasks = rng.choice((2, 4, 8, 16))
        return f"-p forced -n{tasks} --mem-per-cpu=1500", tasks / 128
    shared = " -s" if rng.random() < 0.5 else ""
    tasks = rng.choice((2, 4, 8, 8, 16, 24))
    return f"-p share -n{tasks} --mem-per-cpu={rng.choice((1000, 2000))}{shared}", tasks / 128


main(Scenario(1707, CONF, draw, jobs=115, load=1.55))
