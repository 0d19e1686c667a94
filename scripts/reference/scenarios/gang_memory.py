#!/usr/bin/env python3
# scripts/reference/scenarios/gang_memory.py — SUSPEND,GANG and FORCE:2 where memory, which a suspended job keeps, is short.
from scenario import ENFORCED, FAIR_SHARE, Scenario, main

CONF = f"""\
SchedulerType=sched/backfill
SchedulerParameters=bf_interval=30
SchedulerTimeSlice=60
SelectType=select/cons_tres
SelectTypeParameters=CR_Core_Memory
PreemptType=preempt/partition_prio
PreemptMode=SUSPEND,GANG
{FAIR_SHARE}{ENFORCED}
NodeName=m[1-6] Sockets=2 CoresPerSocket=8 ThreadsPerCore=1 RealMemory=64000
PartitionName=slow Nodes=ALL Default=YES MaxTime=1-0 State=UP PriorityTier=1 OverSubscribe=FORCE:2
PartitionName=fast Nodes=m[1-4] MaxTime=1-0 State=UP PriorityTier=5 PreemptMode=OFF OverSubscribe=FORCE:1
"""


def draw(rng):
    fast = rng.random() < 0.25
    tasks = rng.choice((2, 4, 8, 8, 16)) if not fast else rng.choice((4, 8, 16))
    memory = rng.choice((1000, 2000, 3000, 4000))
    words = f"-p {'fast' if fast else 'slow'} -n{tasks} --mem-per-cpu={memory}"
    if rng.random() < 0.15:
        words, tasks = f"{words} -N2-2", tasks
    return words, tasks / 96


main(Scenario(5404, CONF, draw, jobs=95, load=1.6))
