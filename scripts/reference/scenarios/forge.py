#!/usr/bin/env python3
# scripts/reference/scenarios/forge.py — an AI start-up: H100 and L40S under four tiers that suspend, requeue, cancel after a grace and spare, a partition with DenyAccounts, partition QOS with OverPartQOS, arrays whose %N users change, jobs held, requeued and moved between partitions by commands, nodes drained while backfill plans.
from scenario import Scenario, main

CONF = """\
SchedulerType=sched/backfill
SchedulerParameters=bf_continue,bf_interval=30,bf_window=2880,bf_resolution=120,bf_max_job_user=20,bf_max_job_assoc=40,bf_min_prio_reserve=1500,default_queue_depth=80,partition_job_depth=30,sched_min_interval=1000000,preempt_youngest_first
SelectType=select/cons_tres
SelectTypeParameters=CR_CPU_Memory
GresTypes=gpu
DefMemPerCPU=2000
PreemptType=preempt/partition_prio
PreemptMode=SUSPEND,GANG
SchedulerTimeSlice=60
PriorityType=priority/multifactor
PriorityFlags=NO_FAIR_TREE,MAX_TRES,ACCRUE_ALWAYS
FairShareDampeningFactor=3
PriorityWeightAge=1000
PriorityWeightFairshare=4000
PriorityWeightJobSize=600
PriorityWeightPartition=1000
PriorityWeightQOS=2000
PriorityMaxAge=0-3
PriorityDecayHalfLife=0-4
PriorityCalcPeriod=1
AccountingStorageTRES=gres/gpu,gres/gpu:h100,gres/gpu:l40s
AccountingStorageEnforce=associations,limits,qos
NodeName=h[1-4] Sockets=2 CoresPerSocket=24 ThreadsPerCore=2 RealMemory=1000000 Gres=gpu:h100:8 Feature=h100,nvlink Weight=50
NodeName=l[1-4] Sockets=2 CoresPerSocket=16 ThreadsPerCore=2 RealMemory=384000 Gres=gpu:l40s:4 Feature=l40s Weight=20
NodeName=c[1-4] Sockets=2 CoresPerSocket=16 ThreadsPerCore=2 RealMemory=256000 Feature=cpu Weight=1
PartitionName=spot Nodes=ALL MaxTime=1-0 DefaultTime=60 PriorityTier=1 PriorityJobFactor=1 PreemptMode=REQUEUE OverSubscribe=FORCE:1 GraceTime=30 State=UP
PartitionName=trial Nodes=h[1-4],l[1-4] MaxTime=06:00:00 DefaultTime=60 PriorityTier=1 PriorityJobFactor=2 PreemptMode=CANCEL GraceTime=60 OverSubscribe=FORCE:1 DenyAccounts=infra State=UP
PartitionName=work Nodes=ALL Default=YES MaxTime=1-0 DefaultTime=60 PriorityTier=5 PriorityJobFactor=10 PreemptMode=SUSPEND OverSubscribe=FORCE:1 TRESBillingWeights="CPU=1,Mem=0.1G,GRES/gpu:h100=20,GRES/gpu:l40s=6" State=UP
PartitionName=prod Nodes=h[2-4],l[3-4],c[1-2] MaxTime=04:00:00 DefaultTime=30 PriorityTier=9 PriorityJobFactor=30 PreemptMode=OFF OverSubscribe=FORCE:1 QOS=pprod DenyAccounts=interns State=UP
"""
GRES = "NodeName=h[1-4] Name=gpu Type=h100 File=/dev/nvidia[0-3] Cores=0-23\nNodeName=h[1-4] Name=gpu Type=h100 File=/dev/nvidia[4-7] Cores=24-47\nNodeName=l[1-4] Name=gpu Type=l40s File=/dev/nvidia[0-3]\n"
ACCOUNTS = """\
add account models Fairshare=50
add account llm parent=models Fairshare=60 GrpTRES=gres/gpu=26
add account speech parent=models Fairshare=40 GrpTRESRunMins=gres/gpu=1500
add account infra Fairshare=30
add account interns Fairshare=10 MaxTRES=gres/gpu=2 MaxJobs=10
add qos pprod MaxTRESPU=gres/gpu=12 GrpTRES=gres/gpu=20
add qos urgent Priority=500 MaxJobsPU=3 MaxTRESPU=gres/gpu=16 Flags=OverPartQOS
modify qos normal set Priority=50
add user lena,leo,luca Account=llm
add user saga,sol Account=speech
add user ina,ivan Account=infra
add user finn,faye Account=interns
modify user lena,leo,luca,saga,sol,ina,ivan set qos=normal,urgent defaultqos=normal
modify user finn,faye set qos=normal defaultqos=normal
"""
USERS = ("lena", "leo", "luca", "saga", "sol", "ina", "ivan", "finn", "faye")


def draw(rng):
    part = rng.choice(("spot", "trial", "work", "work", "work", "work", "prod", "prod", "spot,work", "work,prod"))
    if rng.random() < 0.65:
        gpus = rng.choice((1, 1, 1, 2, 2, 4, 8))
        words, share = rng.choice((f"-G {gpus} -N1 -c8", f"--gres=gpu:{gpus} -c{4 * gpus}", f"--gres=gpu:h100:{gpus} -n{gpus} -c6", f"-N1 --gpus-per-node={gpus} --cpus-per-gpu=6 --mem-per-gpu=24G", f"-n{gpus} --gpus-per-task=1 -c4", f"-G {gpus} -n{2 * gpus} --mem-per-gpu=30G", f"--gres=gpu:l40s:{min(gpus, 4)} -n4", f"-N2 --gpus-per-node={min(gpus, 4)} --ntasks-per-node=4")), gpus / 34
    else:
        cpus = rng.choice((2, 4, 8, 16, 32, 64))
        words, share = rng.choice((f"-n{cpus}", f"-c{cpus}", f"-N1 -n{cpus} --mem=60G", f"-N2 --ntasks-per-node={cpus}", f"-n{cpus} -C cpu", f"-N1 -c{cpus} --mem-per-cpu=3G")), cpus / 500
    words = f"-p {part} {words}" + rng.choice(("", "", "", "", "", " --qos=urgent"))
    extra = rng.random()
    if extra < 0.11:
        return f"{words} -a {rng.choice(('0-7%2', '1-6%3', '0-9%1', '1-5'))}", share * 6
    if extra < 0.2:
        words += f" -d {rng.choice(('afterok', 'afterany', 'after', 'afternotok'))}:@{rng.randint(1, 4)}"
    elif extra < 0.28:
        words += rng.choice((" --nice=200", " --no-requeue", " -H", " -J chain -d singleton", " --begin=now+4minutes", " -x l2"))
    return words, share, 1 if rng.random() < 0.06 else 0


EVENTS = ((1500, "scontrol update NodeName=h1 State=DRAIN Reason=xid79"), (2400, "scontrol release {j20}"), (2600, "scontrol update NodeName=h1 State=RESUME"), (2900, "scontrol update JobId={j60} Partition=work"), (3200, "scontrol hold {j70}"), (3300, "scontrol update JobId={j66} ArrayTaskThrottle=4"), (3700, "scontrol update NodeName=l3 State=DOWN Reason=psu"), (4000, "scontrol requeue {j75}"), (4300, "scontrol release {j70}"), (4600, "scontrol update NodeName=l3 State=RESUME"),
          (4900, "scontrol update PartitionName=trial State=DOWN"), (5300, "scontrol update JobId={j110} QOS=urgent"), (5500, "scontrol update PartitionName=trial State=UP"), (5800, "sacctmgr -i modify account llm set GrpTRES=gres/gpu=18"), (6300, "scontrol update JobId={j130} TimeLimit=20"), (6600, "scancel {j133}"), (9600, "scancel -t PENDING"))
main(Scenario(261201, CONF, draw, accounts=ACCOUNTS, gres_conf=GRES, jobs=170, window=7200, load=2.2, users=USERS, events=EVENTS))
