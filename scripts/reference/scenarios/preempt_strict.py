#!/usr/bin/env python3
# scripts/reference/scenarios/preempt_strict.py — preempt_strict_order with preempt_reorder_count=3, jobs of one to four nodes.
from scenario import ACCOUNTS, ENFORCED, FAIR_SHARE, USERS, Scenario, main

CONF = f"""\
SchedulerType=sched/backfill
SchedulerParameters=bf_interval=30,preempt_strict_order,preempt_reorder_count=3
SelectType=select/cons_tres
SelectTypeParameters=CR_Core_Memory
DefMemPerCPU=1500
PreemptType=preempt/qos
PreemptMode=REQUEUE
PriorityWeightQOS=5000
{FAIR_SHARE}{ENFORCED}
NodeName=s[1-4] Sockets=2 CoresPerSocket=8 ThreadsPerCore=1 RealMemory=64000
NodeName=s[5-8] Sockets=2 CoresPerSocket=16 ThreadsPerCore=1 RealMemory=128000 Weight=5
PartitionName=batch Nodes=ALL Default=YES MaxTime=1-0 State=UP
"""
QOS = f"""\
add qos low Priority=10
add qos gone Priority=20 PreemptMode=CANCEL
add qos mid Priority=100 Preempt=low
add qos top Priority=1000 Preempt=low,gone,mid
modify user {','.join(USERS)} set qos=low,gone,mid,top defaultqos=low
"""


def draw(rng):
    qos = rng.choice(("low", "low", "low", "gone", "gone", "mid", "mid", "top"))
    nodes = rng.choice((1, 1, 1, 2, 2, 3, 4))
    each = rng.choice((2, 4, 8, 16))
    return f"--qos={qos} -N{nodes} --ntasks-per-node={each}", nodes * each / 192


main(Scenario(5303, CONF, draw, accounts=ACCOUNTS + QOS, jobs=110, load=1.3))
