#!/usr/bin/env python3
# scripts/reference/scenarios/suspend_qos.py — preempt/qos with SUSPEND,GANG: over the cores of a lower QOS, in one partition and between two.
from scenario import ACCOUNTS, ENFORCED, FAIR_SHARE, USERS, Scenario, main

CONF = f"""\
SchedulerType=sched/backfill
SchedulerParameters=bf_interval=30
SchedulerTimeSlice=60
SelectType=select/cons_tres
SelectTypeParameters=CR_Core_Memory
PreemptType=preempt/qos
PreemptMode=SUSPEND,GANG
{FAIR_SHARE}PriorityWeightQOS=20000
{ENFORCED}
NodeName=m[1-6] Sockets=2 CoresPerSocket=8 ThreadsPerCore=1 RealMemory=64000
PartitionName=all Nodes=ALL Default=YES MaxTime=1-0 State=UP OverSubscribe=FORCE:1
PartitionName=half Nodes=m[1-3] MaxTime=1-0 State=UP OverSubscribe=FORCE:1
"""
QOS = f"""\
add qos spare Priority=10
add qos cut Priority=50 PreemptMode=cancel
add qos work Priority=100
add qos rush Priority=1000 Preempt=spare,cut
modify user {','.join(USERS)} set qos=spare,cut,work,rush defaultqos=work
"""


def draw(rng):
    qos = rng.choice(("spare", "spare", "spare", "spare", "cut", "work", "rush", "rush"))
    tasks = rng.choice((2, 4, 8, 8, 16))
    where = rng.choice(("all", "all", "all", "half"))
    words = f"--qos={qos} -p {where} -n{tasks} --mem-per-cpu={rng.choice((1000, 1500, 2500))}"
    return words, tasks / 96


main(Scenario(6107, CONF, draw, accounts=ACCOUNTS + QOS, jobs=85, window=5000, load=1.6))
