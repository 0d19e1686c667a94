#!/usr/bin/env python3
# scripts/reference/scenarios/least_loaded.py — CR_LLN: each job goes to the node with the least load, of twelve.
from scenario import ENFORCED, FAIR_SHARE, Scenario, main

CONF = f"""\
SchedulerType=sched/backfill
SchedulerParameters=bf_interval=30,bf_resolution=120
SelectType=select/cons_tres
SelectTypeParameters=CR_Core_Memory,CR_LLN
DefMemPerCPU=2000
{FAIR_SHARE}{ENFORCED}
NodeName=l[01-09] Sockets=2 CoresPerSocket=8 ThreadsPerCore=1 RealMemory=64000
NodeName=l[10-12] Sockets=2 CoresPerSocket=12 ThreadsPerCore=2 RealMemory=128000
PartitionName=batch Nodes=ALL Default=YES MaxTime=1-0 State=UP
"""


def draw(rng):
    if rng.random() < 0.12:
        nodes = rng.choice((2, 3))
        return f"-N{nodes} --ntasks-per-node=8", nodes / 16
    cpus = rng.choice((1, 2, 4, 4, 8, 12, 16))
    return f"-n1 -c {cpus}", cpus / 250


main(Scenario(1606, CONF, draw, jobs=130, load=1.7))
