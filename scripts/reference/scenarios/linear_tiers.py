#!/usr/bin/env python3
# scripts/reference/scenarios/linear_tiers.py — select/linear with GPUs under preempt/partition_prio (REQUEUE, CANCEL after grace), topology/tree, weights, arrays.
from scenario import ACCOUNTS, ENFORCED, FAIR_SHARE, Scenario, main

CONF = f"""\
SchedulerType=sched/backfill
SchedulerParameters=bf_interval=30,bf_resolution=60
SelectType=select/linear
GresTypes=gpu
TopologyPlugin=topology/tree
{FAIR_SHARE}PriorityFavorSmall=YES
PreemptType=preempt/partition_prio
PreemptMode=REQUEUE
{ENFORCED}
NodeName=n[01-08] Sockets=2 CoresPerSocket=8 ThreadsPerCore=1 RealMemory=64000
NodeName=g[01-04] Sockets=2 CoresPerSocket=16 ThreadsPerCore=1 RealMemory=128000 Gres=gpu:4 Weight=10
PartitionName=idle Nodes=ALL MaxTime=1-0 State=UP PriorityTier=1 GraceTime=90 PreemptMode=CANCEL
PartitionName=main Nodes=ALL Default=YES MaxTime=1-0 State=UP PriorityTier=5
PartitionName=gpu Nodes=g[01-04] MaxTime=1-0 State=UP PriorityTier=9 PreemptMode=OFF
"""
GRES = "NodeName=g[01-04] Name=gpu File=/dev/nvidia[0-3]\n"
TOPOLOGY = "SwitchName=a Nodes=n[01-04]\nSwitchName=b Nodes=n[05-08]\nSwitchName=c Nodes=g[01-04]\nSwitchName=top Switches=a,b,c\n"


def draw(rng):
    part = rng.choice(("idle", "idle", "main", "main", "main", "gpu", "gpu"))
    nodes = rng.choice((1, 1, 1, 2, 2, 3, 4))
    if part == "gpu":
        nodes = min(nodes, 2)
        words = rng.choice((f"-N{nodes} --gres=gpu:{rng.choice((1, 2, 4))}", f"-N{nodes} --gres=gpu:4 -n {8 * nodes}", f"-n{16 * nodes}"))
    else:
        words = rng.choice((f"-N{nodes}", f"-n{16 * nodes}", f"-n{8 * nodes}", f"-N{nodes} -n{12 * nodes}", f"-N1-{nodes}", f"-N{nodes} --exclusive", f"-c {rng.choice((4, 8, 16))}"))
    words = f"-p {part} {words}"
    if rng.random() < 0.08:
        return words + " -a 1-4", nodes * 4 / 12
    return words, nodes / 12


main(Scenario(918222, CONF, draw, accounts=ACCOUNTS, gres_conf=GRES, topology_conf=TOPOLOGY, jobs=130, window=9000, load=1.15))
