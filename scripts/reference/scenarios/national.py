#!/usr/bin/env python3
# scripts/reference/scenarios/national.py — a national laboratory: whole nodes only, queues as QOS with charge factors and accrual limits, debug and premium, GPUs by constraint, a fat partition of shared nodes.
from scenario import ENFORCED, Scenario, main

CONF = f"""\
SchedulerType=sched/backfill
SchedulerParameters=bf_interval=40,bf_window=1440,bf_resolution=120,bf_continue,bf_max_job_test=250,bf_max_job_user=6,bf_min_prio_reserve=3000,default_queue_depth=150,sched_min_interval=3000000,batch_sched_delay=15,bf_hetjob_prio=min
SelectType=select/cons_tres
SelectTypeParameters=CR_Core_Memory
GresTypes=gpu
JobRequeue=0
KillWait=20
CompleteWait=8
PriorityType=priority/multifactor
PriorityFlags=NO_NORMAL_ALL,MAX_TRES
PriorityFavorSmall=NO
PriorityWeightAge=400
PriorityWeightFairshare=1500
PriorityWeightJobSize=1000
PriorityWeightQOS=1
PriorityWeightPartition=100
PriorityMaxAge=0-6
PriorityDecayHalfLife=0-3
PriorityCalcPeriod=2
AccountingStorageTRES=gres/gpu,license/cfs,license/scratch
Licenses=cfs:30,scratch:12
{ENFORCED}
NodeName=nid[001-012] Sockets=2 CoresPerSocket=16 ThreadsPerCore=2 RealMemory=256000 Feature=cpu,milan Weight=10
NodeName=nid[013-018] Sockets=1 CoresPerSocket=32 ThreadsPerCore=2 RealMemory=256000 Gres=gpu:a100:4 Feature=gpu,a100,hbm40g Weight=20
NodeName=nid[019-020] Sockets=1 CoresPerSocket=32 ThreadsPerCore=2 RealMemory=256000 Gres=gpu:a100:4 Feature=gpu,a100,hbm80g Weight=40
NodeName=mem[1-2] Sockets=2 CoresPerSocket=8 ThreadsPerCore=2 RealMemory=1000000 Feature=fat Weight=10
PartitionName=regular Nodes=nid[001-020] Default=YES MaxTime=1-0 DefaultTime=10 State=UP OverSubscribe=EXCLUSIVE PriorityJobFactor=10 TRESBillingWeights="CPU=0.015625,GRES/gpu=0.5" DenyQos=shared
PartitionName=debug Nodes=nid[001-002,013] MaxTime=30 MaxNodes=2 State=UP OverSubscribe=EXCLUSIVE PriorityTier=2 PriorityJobFactor=40 AllowQos=debug
PartitionName=shared Nodes=mem[1-2],nid[011-012] MaxTime=12:00:00 State=UP DefMemPerCPU=1900 MaxMemPerNode=900000 AllowQos=shared,premium TRESBillingWeights="CPU=1,Mem=0.25G" LLN=YES
"""
GRES = "NodeName=nid[013-020] Name=gpu Type=a100 File=/dev/nvidia[0-3]\n"
ACCOUNTS = """\
add account m101 Fairshare=50 GrpTRESMins=billing=9000
add account m202 Fairshare=25
add account m303 Fairshare=20 GrpWall=2000
add account dasrepo Fairshare=5 MaxJobs=3
add user uma,uri Account=m101
add user vic,val Account=m202
add user wes,wyn Account=m303
add user xia Account=dasrepo
add qos regular Priority=100 MaxJobsAccruePerUser=2
add qos premium Priority=900 UsageFactor=2 MaxJobsPerUser=2 MaxSubmitJobsPerUser=5
add qos debug Priority=1500 MaxJobsPerUser=1 MaxSubmitJobsPerUser=5 MaxTRESPerUser=node=2
add qos low Priority=0 UsageFactor=0.5 MaxJobsAccruePerAccount=3 MaxTRESPerAccount=node=6
add qos shared Priority=200 MaxTRESPerUser=cpu=32 MaxTRESPerJob=cpu=20 Flags=DenyOnLimit
modify user uma,uri,vic,val,wes,wyn,xia set qos=regular,premium,debug,low,shared defaultqos=regular
"""
USERS = ("uma", "uri", "vic", "val", "wes", "wyn", "xia")


def draw(rng):
    kind = rng.random()
    if kind < 0.62:
        nodes = rng.choice((1, 1, 1, 2, 2, 3, 4, 4, 6, 8, 10))
        gpu = rng.random() < 0.42
        if gpu:
            nodes = min(nodes, 6)
            words = rng.choice((f"-N{nodes} -C gpu --gpus-per-node=4", f"-N{nodes} -C gpu -G {4 * nodes}", f"-N{nodes} -C gpu --ntasks-per-node=4 -c32 --gpus-per-task=1", f"-N{nodes} -C gpu", f"-n{4 * nodes} -c16 -C 'gpu&hbm40g' --gpus={4 * nodes}",
                                f"-N{min(nodes, 2)} -C 'gpu&hbm80g' --gres=gpu:4", f"-N{nodes} -C gpu --gpus-per-node=2 -n{2 * nodes}"))
        else:
            words = rng.choice((f"-N{nodes} -C cpu", f"-n{64 * nodes} -C cpu", f"-N{nodes} -n{32 * nodes} -c2 -C cpu", f"-N1-{nodes} -C cpu", f"-N{nodes} -C 'cpu|gpu'", f"-N{nodes} --ntasks-per-core=1 --ntasks-per-node=32 -C cpu",
                                f"-N{nodes} -C cpu -L cfs:{rng.choice((2, 5))}", f"-N{nodes} -C cpu -L scratch:3,cfs", f"-N{nodes} -C milan --mem=200G"))
        words += rng.choice(("", "", "", "", " --qos=premium", " --qos=low", " --qos=low", " --time-min=5"))
        share = nodes / 20
    elif kind < 0.76:
        words, share = f"-p debug --qos=debug {rng.choice(('-N1', '-N2', '-n64', '-N1 -C gpu --gpus=4', '-N1-2 -n96'))} -t {rng.choice((4, 10, 30))}", 0.02
    else:
        cpus = rng.choice((1, 2, 4, 8, 16, 24))
        words, share = f"-p shared --qos={rng.choice(('shared', 'shared', 'shared', 'premium'))} -n{cpus}{rng.choice(('', ' --mem=100G', ' --mem-per-cpu=8000', ' -c2' if cpus <= 8 else '', ' -C fat', ' --hint=nomultithread', ' -N1'))}", cpus / 300
    extra = rng.random()
    if extra < 0.06:
        words, share = f"{words} -a 0-{rng.choice(('3', '5%1', '7%2'))}", share * 4
    elif extra < 0.11:
        words += f" --dependency={rng.choice(('afterok', 'afterany', 'after'))}:@1"
    elif extra < 0.14:
        words += f" --nice={rng.choice((50, 300))}"
    return words, share


EVENTS = ((1800, "scontrol create reservation ReservationName=maint StartTime=now+40minutes Duration=20 Nodes=nid[003-006],mem1 Users=root Flags=MAINT"), (2500, "scontrol update NodeName=nid015 State=DRAIN Reason=gpu_off_bus"),
          (3900, "scontrol update NodeName=nid015 State=RESUME"), (4500, "scontrol hold {j70}"), (5100, "scontrol release {j70}"), (5400, "sacctmgr -i modify qos low set MaxTRESPerAccount=node=12"))
main(Scenario(411902, CONF, draw, accounts=ACCOUNTS, gres_conf=GRES, jobs=170, window=7800, load=1.1, users=USERS, events=EVENTS))
