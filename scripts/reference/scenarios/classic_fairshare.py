#!/usr/bin/env python3
# scripts/reference/scenarios/classic_fairshare.py — the classic fair share (NO_FAIR_TREE) with dampening, over two levels of accounts.
from scenario import ENFORCED, Scenario, main

CONF = f"""\
SchedulerType=sched/backfill
SchedulerParameters=bf_interval=30
SelectType=select/cons_tres
SelectTypeParameters=CR_Core_Memory
PriorityType=priority/multifactor
PriorityFlags=NO_FAIR_TREE
FairShareDampeningFactor=3
PriorityWeightAge=500
PriorityWeightFairshare=20000
PriorityMaxAge=0-6
PriorityDecayHalfLife=0-1
PriorityCalcPeriod=1
{ENFORCED}
NodeName=c[1-8] Sockets=2 CoresPerSocket=8 ThreadsPerCore=1 RealMemory=64000
PartitionName=batch Nodes=ALL Default=YES MaxTime=1-0 State=UP TRESBillingWeights="CPU=1.0,Mem=0.25G"
"""
ACCOUNTS = """\
add account lab Fairshare=60
add account inst Fairshare=40
add account red parent=lab Fairshare=2
add account green parent=lab Fairshare=1
add account blue parent=inst Fairshare=1
add user ada Account=red Fairshare=3
add user abe Account=red Fairshare=1
add user bea,ben Account=green Fairshare=1
add user cal,cyd Account=blue Fairshare=2
"""


def draw(rng):
    tasks = rng.choice((1, 2, 4, 4, 8, 8, 16, 32))
    return f"-n{tasks} --mem-per-cpu={rng.choice((1000, 2000, 3000))}", tasks / 128


main(Scenario(1303, CONF, draw, accounts=ACCOUNTS, jobs=120))
