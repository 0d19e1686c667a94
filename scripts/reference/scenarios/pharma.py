#!/usr/bin/env python3
# scripts/reference/scenarios/pharma.py — screening at a pharma firm: long arrays at 50 GPUs of three makes, CR_Pack_Nodes with shards, MaxCPUsPerNode beside GPUs, assoc_limit_stop under preempt/qos, weights and features, limits by node and by account.
from scenario import Scenario, main

CONF = """\
SchedulerType=sched/backfill
SchedulerParameters=bf_continue,bf_interval=60,bf_resolution=60,bf_window=2880,bf_max_job_array_resv=8,bf_max_job_start=20,sched_max_job_start=12,assoc_limit_stop,default_queue_depth=80,batch_sched_delay=2,preempt_reorder_count=2
SelectType=select/cons_tres
SelectTypeParameters=CR_Core_Memory,CR_Pack_Nodes
GresTypes=gpu,shard
DefMemPerCPU=4000
MaxMemPerCPU=16000
MaxArraySize=2001
PreemptType=preempt/qos
PreemptMode=REQUEUE
PreemptExemptTime=00:02:00
PriorityType=priority/multifactor
PriorityFlags=MAX_TRES,CALCULATE_RUNNING,SMALL_RELATIVE_TO_TIME
PriorityWeightAge=1500
PriorityWeightFairshare=7000
PriorityWeightJobSize=1000
PriorityWeightQOS=5000
PriorityWeightTRES=CPU=300,GRES/gpu=1200
PriorityMaxAge=0-6
PriorityDecayHalfLife=0-12
PriorityCalcPeriod=1
AccountingStorageTRES=gres/gpu,gres/gpu:l40s,gres/gpu:a10,gres/shard
AccountingStorageEnforce=associations,limits,qos,safe
NodeName=l[01-04] Sockets=2 CoresPerSocket=24 ThreadsPerCore=1 RealMemory=512000 Gres=gpu:l40s:8 Feature=l40s,big Weight=40
NodeName=a[01-04] Sockets=1 CoresPerSocket=32 ThreadsPerCore=1 RealMemory=256000 Gres=gpu:a10:4 Feature=a10 Weight=20
NodeName=s[1-2] Sockets=1 CoresPerSocket=16 ThreadsPerCore=1 RealMemory=128000 Gres=gpu:t4:2,shard:8 Feature=t4 Weight=10
NodeName=c[01-06] Sockets=2 CoresPerSocket=16 ThreadsPerCore=1 RealMemory=128000 Feature=cpu Weight=1
PartitionName=screen Nodes=ALL Default=YES MaxTime=1-0 DefaultTime=30 State=UP MaxCPUsPerNode=28 TRESBillingWeights="CPU=1,GRES/gpu:l40s=12,GRES/gpu:a10=6"
PartitionName=md Nodes=l[01-04],a[01-04] MaxTime=2-0 DefaultTime=60 State=UP DefCpuPerGPU=4 DefMemPerGPU=24000 TRESBillingWeights="CPU=1,GRES/gpu:l40s=12,GRES/gpu:a10=6"
PartitionName=light Nodes=s[1-2],a[03-04] MaxTime=04:00:00 DefaultTime=15 State=UP QOS=light
"""
GRES = ("NodeName=l[01-04] Name=gpu Type=l40s File=/dev/nvidia[0-3] Cores=0-23\nNodeName=l[01-04] Name=gpu Type=l40s File=/dev/nvidia[4-7] Cores=24-47\n"
        "NodeName=a[01-04] Name=gpu Type=a10 File=/dev/nvidia[0-3]\nNodeName=s[1-2] Name=gpu Type=t4 File=/dev/nvidia[0-1]\nNodeName=s[1-2] Name=shard Count=8\n")
ACCOUNTS = """\
add account docking Fairshare=40 MaxTRESPerJob=gres/gpu=8
add account dynamics Fairshare=40 GrpTRES=gres/gpu=30
add account qsar Fairshare=20 GrpTRESRunMins=cpu=20000
add user dana,drew Account=docking
add user mia,max,moe Account=dynamics
add user quin Account=qsar
add qos light MaxTRESPerUser=gres/shard=6 MaxJobsPerUser=6
add qos filler Priority=0 UsageFactor=0.1
add qos lead Priority=500 MaxTRESPerUser=gres/gpu=12 MaxTRESPerNode=gres/gpu=4 Flags=DenyOnLimit
add qos bulk Priority=50 MaxTRESPerAccount=cpu=160 MaxSubmitJobsPerUser=200
modify qos lead set Preempt=filler,bulk
modify qos bulk set Preempt=filler
modify qos normal set Preempt=filler Priority=100
modify user dana,drew,mia,max,moe,quin set qos=normal,filler,lead,bulk defaultqos=normal
"""
USERS = ("dana", "drew", "mia", "max", "moe", "quin")


def draw(rng):
    kind = rng.random()
    qos = rng.choice(("", "", "", " --qos=filler", " --qos=filler", " --qos=bulk", " --qos=lead"))
    if kind < 0.3:
        gpus = rng.choice((1, 1, 1, 2))
        words = rng.choice((f"--gres=gpu:{gpus} -c4", f"--gpus={gpus} -c2 --mem=12G", f"-n{gpus} --gpus-per-task=1 -c3", f"--gres=gpu:l40s:{gpus} -c4", f"-C 'a10|l40s' -G {gpus} -c2", f"-n{4 * gpus} --ntasks-per-gpu=4"))
        share = gpus / 54
    elif kind < 0.6:
        gpus = rng.choice((1, 2, 2, 4, 4, 8))
        words = "-p md " + rng.choice((f"--gpus={gpus}", f"--gres=gpu:{min(gpus, 4)}", f"-N2 --gpus-per-node={min(gpus, 4)} -n{2 * gpus}", f"--gpus={gpus} -N1-2", f"-G l40s:{gpus} --gpus-per-task=1", f"-n{gpus} --gpus-per-task=1 --mem-per-gpu=40G", f"--gpus-per-node={min(gpus, 4)} -N1 --exclusive", f"-G {gpus} -n{2 * gpus} --use-min-nodes"))
        share = gpus / 50
    elif kind < 0.72:
        words = "-p light " + rng.choice(("--gres=shard:1 -c1", "--gres=shard:2 -c2", "--gres=shard:3", "-G 1 -c2", "--gres=gpu:1", "-n2 -c2"))
        share = 0.02
    else:
        cpus = rng.choice((1, 4, 8, 16, 28, 48))
        words = rng.choice((f"-n{cpus}", f"-c{min(cpus, 28)}", f"-n{cpus} --mem-per-cpu=9000", f"-N2 -n{max(2, cpus)} -m block", f"-n{cpus} -C 'cpu&!l40s'" if rng.random() < 0.05 else f"-n{cpus} -C cpu", f"-N2-4 -n{max(4, cpus)}"))
        share = cpus / 500
    extra = rng.random()
    if "-p light" not in words:
        words += qos
    if extra < 0.18 and share < 0.1:
        return f"{words} -a 0-{rng.choice(('9', '19%5', '29%10', '14'))}", share * 14
    if extra < 0.22:
        words += f" -d {rng.choice(('afterok', 'afterany', 'aftercorr'))}:@{rng.randint(1, 4)}"
    elif extra < 0.26:
        words += rng.choice((" --nice=400", " --no-requeue", " --begin=now+300", " -x l01", " -w a02"))
    return words, share, 1 if rng.random() < 0.04 else 0


EVENTS = ((2000, "scontrol update JobId={j30} ArrayTaskThrottle=2"), (3900, "scontrol requeue {j60}"), (3600, "scontrol update NodeName=l03 State=DRAIN Reason=xid"), (4900, "scontrol update NodeName=l03 State=RESUME"), (5700, "scontrol update JobId={j110} Nice=2000"), (6000, "sacctmgr -i modify qos bulk set MaxTRESPerAccount=cpu=220"))
main(Scenario(261104, CONF, draw, accounts=ACCOUNTS, gres_conf=GRES, jobs=170, window=8800, load=1.2, users=USERS, events=EVENTS))
