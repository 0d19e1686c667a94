#!/usr/bin/env python3
# scripts/reference/scenarios/minutes.py — GPU minutes that run out: GrpTRESMins, GrpTRESRunMins, MaxTRESMins, GrpWall, UsageFactor, NoDecay, limits of jobs, nested accounts.
from scenario import Scenario, main

CONF = """\
SchedulerType=sched/backfill
SchedulerParameters=bf_interval=30,bf_resolution=60,bf_continue,bf_max_job_user=20
SelectType=select/cons_tres
SelectTypeParameters=CR_Core_Memory
GresTypes=gpu
PriorityType=priority/multifactor
PriorityWeightAge=2000
PriorityWeightFairshare=20000
PriorityWeightQOS=3000
PriorityWeightJobSize=1000
PriorityMaxAge=0-6
PriorityDecayHalfLife=0-3
PriorityCalcPeriod=2
AccountingStorageEnforce=associations,limits,qos,safe
AccountingStorageTRES=gres/gpu
NodeName=a[01-04] Sockets=2 CoresPerSocket=24 ThreadsPerCore=1 RealMemory=384000 Gres=gpu:a100:4
NodeName=c[01-02] Sockets=2 CoresPerSocket=24 ThreadsPerCore=1 RealMemory=192000
PartitionName=gpu Nodes=a[01-04] Default=YES MaxTime=12:00:00 State=UP TRESBillingWeights="CPU=1.0,Mem=0.25G,GRES/gpu=12"
PartitionName=cpu Nodes=c[01-02] MaxTime=12:00:00 State=UP TRESBillingWeights="CPU=1.0,Mem=0.25G"
"""
GRES = "NodeName=a[01-04] Name=gpu Type=a100 File=/dev/nvidia[0-3]\n"
ACCOUNTS = """\
add account science Fairshare=60
add account phys parent=science Fairshare=30 GrpTRESRunMins=gres/gpu=600
add account bio parent=science Fairshare=20 GrpTRESMins=gres/gpu=900
add account eng Fairshare=40 GrpJobs=8 MaxSubmitJobs=30
add account guest Fairshare=5 GrpTRES=cpu=24 GrpSubmitJobs=20 GrpWall=300
add user pia,paul Account=phys
add user bob,bea Account=bio
add user eva,emil Account=eng
add user gus Account=guest
modify user paul set MaxJobs=3
modify user emil set GrpTRES=gres/gpu=3
add qos std Priority=10
add qos fast Priority=100 MaxTRESMinsPerJob=gres/gpu=60 MaxJobsPerUser=2 MaxWall=60
add qos cheap Priority=1 UsageFactor=0.5 GrpTRESRunMins=cpu=6000
add qos grant Priority=50 GrpTRESMins=gres/gpu=500 Flags=NoDecay
modify user pia,paul,bob,bea,eva,emil,gus set qos=std,fast,cheap,grant defaultqos=std
"""
USERS = ("pia", "paul", "bob", "bea", "eva", "emil", "gus")


def draw(rng):
    if rng.random() < 0.65:
        gpus = rng.choice((1, 1, 1, 2, 2, 4))
        words, share = rng.choice((f"-N1 --gres=gpu:{gpus} -c {6 * gpus}", f"--gpus={gpus} -n{gpus} -c 4", f"-N1 --gres=gpu:a100:{gpus} -c 8 --mem=40G")), gpus / 16
    else:
        cpus = rng.choice((1, 4, 8, 16, 24))
        words, share = f"-p cpu -n{cpus} --mem-per-cpu=2G", cpus / 144
    words += rng.choice(("", "", "", " --qos=fast", " --qos=cheap", " --qos=grant"))
    if rng.random() < 0.08:
        return words + " -a 1-6%2", share * 5
    return words, share


main(Scenario(918213, CONF, draw, accounts=ACCOUNTS, gres_conf=GRES, jobs=150, window=9600, load=1.2, users=USERS))
