#!/usr/bin/env python3
# scripts/reference/scenarios/linear.py — whole nodes by select/linear with memory, of two sizes.
from scenario import ENFORCED, FAIR_SHARE, Scenario, main

CONF = f"""\
SchedulerType=sched/backfill
SchedulerParameters=bf_interval=30
SelectType=select/linear
SelectTypeParameters=CR_Memory
{FAIR_SHARE}{ENFORCED}
NodeName=s[01-10] Sockets=2 CoresPerSocket=8 ThreadsPerCore=1 RealMemory=64000 Weight=1
NodeName=b[1-4] Sockets=2 CoresPerSocket=16 ThreadsPerCore=1 RealMemory=256000 Weight=10 Feature=big
PartitionName=batch Nodes=ALL Default=YES MaxTime=1-0 State=UP
"""


def draw(rng):
    kind = rng.random()
    if kind < 0.2:
        return f"-N1 -C big --mem={rng.choice((64000, 128000, 200000))}", 1 / 14
    if kind < 0.4:
        nodes = rng.choice((2, 3, 4, 6))
        return f"-N{nodes} --mem=32000", nodes / 14
    if kind < 0.5:
        return "-n40 --mem=16000", 3 / 14
    return f"-n{rng.choice((1, 8, 16, 24))} --mem={rng.choice((8000, 32000, 60000))}", 1.3 / 14


main(Scenario(1404, CONF, draw, jobs=105, load=1.6))
