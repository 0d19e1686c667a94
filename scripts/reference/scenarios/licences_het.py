#!/usr/bin/env python3
# scripts/reference/scenarios/licences_het.py — licences that run out, and heterogeneous jobs of two and three components.
from scenario import ENFORCED, FAIR_SHARE, Scenario, main

CONF = f"""\
SchedulerType=sched/backfill
SchedulerParameters=bf_interval=30
SelectType=select/cons_tres
SelectTypeParameters=CR_Core_Memory
DefMemPerCPU=1000
GresTypes=gpu
Licenses=solver:6,mesh:10,lab
AccountingStorageTRES=gres/gpu,license/solver
{FAIR_SHARE}{ENFORCED}
NodeName=c[1-6] Sockets=2 CoresPerSocket=8 ThreadsPerCore=1 RealMemory=64000
NodeName=q[1-3] Sockets=2 CoresPerSocket=8 ThreadsPerCore=1 RealMemory=128000 Gres=gpu:4 Weight=10
PartitionName=cpu Nodes=c[1-6] Default=YES MaxTime=1-0 State=UP
PartitionName=gpu Nodes=q[1-3] MaxTime=1-0 State=UP
"""
GRES = "NodeName=q[1-3] Name=gpu File=/dev/nvidia[0-3]\n"


def draw(rng):
    tasks = rng.choice((1, 2, 4, 8, 16))
    words, share = f"-n{tasks}", tasks / 144
    kind = rng.random()
    if kind < 0.45:
        words += " -L " + rng.choice(("solver:1", "solver:2", "solver:4", "mesh:3", "mesh:5,solver:1", "lab"))
    elif kind < 0.7:
        gpus = rng.choice((1, 2, 4))
        words, share = f"{words} : -p gpu -n{gpus} --gres=gpu:{gpus}", share + 4 * gpus / 144
        if rng.random() < 0.3:
            words, share = words + " : -p cpu -n4", share + 4 / 144
    elif kind < 0.85:
        gpus = rng.choice((1, 2, 4))
        words, share = f"-p gpu -n{gpus} --gres=gpu:{gpus}", 4 * gpus / 144
    return words, share


main(Scenario(5808, CONF, draw, gres_conf=GRES, jobs=95, load=1.1))
