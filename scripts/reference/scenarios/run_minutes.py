#!/usr/bin/env python3
# scripts/reference/scenarios/run_minutes.py — limits of associations and QOS: running TRES minutes, jobs, TRES a user, minutes a job.
from scenario import ACCOUNTS, ENFORCED, FAIR_SHARE, USERS, Scenario, main

CONF = f"""\
GresTypes=gpu
SchedulerType=sched/backfill
SchedulerParameters=bf_interval=30
SelectType=select/cons_tres
SelectTypeParameters=CR_Core_Memory
{FAIR_SHARE}PriorityWeightQOS=3000
{ENFORCED}AccountingStorageTRES=gres/gpu
NodeName=g[1-6] Sockets=2 CoresPerSocket=16 ThreadsPerCore=1 RealMemory=256000 Gres=gpu:a100:4
PartitionName=gpu Nodes=ALL Default=YES MaxTime=1-0 State=UP
"""
LIMITS = f"""\
modify account red set GrpTRESRunMins=cpu=2600
modify account green set GrpTRES=gres/gpu=8 MaxJobs=4
modify account blue set GrpTRESRunMins=gres/gpu=700 MaxTRESMinsPerJob=cpu=4000
add qos fast Priority=100 MaxTRESPerUser=gres/gpu=6 MaxWall=60 GrpTRESRunMins=gres/gpu=360
add qos std Priority=10 MaxJobsPerUser=5 GrpTRES=cpu=150
modify user {','.join(USERS)} set qos=fast,std defaultqos=std
"""


def draw(rng):
    gpus = rng.choice((1, 1, 2, 2, 4))
    words = f"-N1 --gres=gpu:{gpus} -c {4 * gpus} --mem={20000 * gpus}"
    if rng.random() < 0.3:
        return f"{words} --qos=fast -t {rng.choice((15, 30, 45))}", gpus / 24
    return words, gpus / 24


main(Scenario(1808, CONF, draw, accounts=ACCOUNTS + LIMITS, load=1.35,
              gres_conf="NodeName=g[1-6] Name=gpu Type=a100 File=/dev/nvidia[0-3]\n"))
