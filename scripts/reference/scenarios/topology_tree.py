#!/usr/bin/env python3
# scripts/reference/scenarios/topology_tree.py — twelve nodes under three leaf switches; some jobs want one switch, for a while.
from scenario import ENFORCED, FAIR_SHARE, Scenario, main

CONF = f"""\
SchedulerType=sched/backfill
SchedulerParameters=bf_interval=30
SelectType=select/cons_tres
SelectTypeParameters=CR_Core
TopologyPlugin=topology/tree
{FAIR_SHARE}{ENFORCED}
NodeName=t[01-12] Sockets=2 CoresPerSocket=8 ThreadsPerCore=1 RealMemory=64000
PartitionName=batch Nodes=ALL Default=YES MaxTime=1-0 State=UP
"""
TOPOLOGY = """\
SwitchName=leaf1 Nodes=t[01-04]
SwitchName=leaf2 Nodes=t[05-08]
SwitchName=leaf3 Nodes=t[09-12]
SwitchName=top Switches=leaf[1-3]
"""


def draw(rng):
    if rng.random() < 0.35:
        nodes = rng.choice((2, 3, 4, 5))
        wish = f" --switches=1@{rng.choice((5, 15, 30))}" if nodes <= 4 and rng.random() < 0.5 else ""
        return f"-N{nodes} --ntasks-per-node=16{wish}", nodes / 12
    tasks = rng.choice((1, 4, 8, 8, 16, 20))
    return f"-n{tasks}", tasks / 192


main(Scenario(1505, CONF, draw, topology_conf=TOPOLOGY, jobs=110))
