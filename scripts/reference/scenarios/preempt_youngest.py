#!/usr/bin/env python3
# scripts/reference/scenarios/preempt_youngest.py — preempt/partition_prio: the youngest first, CANCEL after a GraceTime.
from scenario import ENFORCED, FAIR_SHARE, Scenario, main

CONF = f"""\
SchedulerType=sched/backfill
SchedulerParameters=bf_interval=30,preempt_youngest_first
SelectType=select/cons_tres
SelectTypeParameters=CR_Core_Memory
DefMemPerCPU=1000
PreemptType=preempt/partition_prio
PreemptMode=CANCEL
{FAIR_SHARE}{ENFORCED}
NodeName=y[1-8] Sockets=2 CoresPerSocket=8 ThreadsPerCore=1 RealMemory=64000
PartitionName=scrap Nodes=ALL Default=YES MaxTime=1-0 State=UP PriorityTier=1 GraceTime=120
PartitionName=again Nodes=y[1-4] MaxTime=1-0 State=UP PriorityTier=2 PreemptMode=REQUEUE GraceTime=60
PartitionName=owner Nodes=y[3-8] MaxTime=1-0 State=UP PriorityTier=5 PreemptMode=OFF
"""


def draw(rng):
    partition = rng.choice(("scrap", "scrap", "scrap", "again", "again", "owner", "owner"))
    tasks = rng.choice((1, 2, 4, 8, 8, 16))
    words = f"-p {partition} -n{tasks}"
    if rng.random() < 0.2:
        words, tasks = f"-p {partition} -N2 -n{2 * tasks}", 2 * tasks
    return words, tasks / 128


main(Scenario(5202, CONF, draw, jobs=120, load=1.35))
