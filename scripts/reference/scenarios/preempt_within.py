#!/usr/bin/env python3
# scripts/reference/scenarios/preempt_within.py — preempt/qos with REQUEUE,WITHIN: jobs of one QOS preempt each other too.
from scenario import ACCOUNTS, ENFORCED, USERS, Scenario, main

CONF = f"""\
SchedulerType=sched/backfill
SchedulerParameters=bf_interval=30
SelectType=select/cons_tres
SelectTypeParameters=CR_Core_Memory
GresTypes=gpu
PriorityType=priority/multifactor
PriorityWeightAge=1000
PriorityWeightFairshare=3000
PriorityWeightQOS=20000
PriorityMaxAge=0-4
PriorityDecayHalfLife=0-4
PriorityCalcPeriod=1
AccountingStorageTRES=gres/gpu
PreemptType=preempt/qos
PreemptMode=REQUEUE,WITHIN
PreemptExemptTime=00:04:00
{ENFORCED}
NodeName=g[1-6] Sockets=2 CoresPerSocket=12 ThreadsPerCore=1 RealMemory=192000 Gres=gpu:v100:4
PartitionName=gpu Nodes=ALL Default=YES MaxTime=1-0 State=UP
"""
GRES = "NodeName=g[1-6] Name=gpu Type=v100 File=/dev/nvidia[0-3]\n"
QOS = f"""\
add qos spare Priority=10
add qos work Priority=100 Preempt=spare
add qos rush Priority=1000 Preempt=spare,work MaxTRESPerUser=gres/gpu=8
modify user {','.join(USERS)} set qos=spare,work,rush defaultqos=work
"""


def draw(rng):
    gpus = rng.choice((1, 1, 1, 2, 2, 4))
    words = f"--gres=gpu:{gpus} -c {3 * gpus} --mem={16000 * gpus}"
    words += rng.choice((" --qos=spare", " --qos=spare", "", "", " --qos=rush"))
    if rng.random() < 0.3:
        words += f" --nice={rng.choice((500, 2000))}"
    if rng.random() < 0.15:
        words += " --no-requeue"
    return words, gpus / 24


main(Scenario(5101, CONF, draw, accounts=ACCOUNTS + QOS, gres_conf=GRES, jobs=100, load=1.25))
