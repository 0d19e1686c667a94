#!/usr/bin/env python3
# scripts/reference/scenarios/quotas.py — an AI company's quotas: four QOS that requeue and cancel each other with grace, GrpTRESMins, GrpSubmit, MaxTRESPU, MaxJobsPU, UsageFactor, bf_max_job_user, bf_min_age_reserve.
from scenario import Scenario, main

CONF = """\
SchedulerType=sched/backfill
SchedulerParameters=bf_continue,bf_interval=60,bf_max_job_user=8,bf_max_job_part=40,bf_min_age_reserve=300,bf_window=2880,bf_max_job_array_resv=4,default_queue_depth=60,sched_interval=45,batch_sched_delay=5,preempt_youngest_first
SelectType=select/cons_tres
SelectTypeParameters=CR_Core_Memory
GresTypes=gpu
DefMemPerCPU=4000
PreemptType=preempt/qos
PreemptMode=REQUEUE
JobRequeue=1
PriorityType=priority/multifactor
PriorityFlags=MAX_TRES
PriorityWeightAge=2000
PriorityWeightFairshare=10000
PriorityWeightQOS=8000
PriorityWeightTRES=GRES/gpu=1500
PriorityMaxAge=0-12
PriorityDecayHalfLife=0-8
PriorityCalcPeriod=2
AccountingStorageTRES=gres/gpu,gres/gpu:a100,gres/gpu:l40s
AccountingStorageEnforce=associations,limits,qos,safe
NodeName=a[01-06] Sockets=2 CoresPerSocket=32 ThreadsPerCore=1 RealMemory=1000000 Gres=gpu:a100:8 Feature=a100,nvlink Weight=50
NodeName=l[01-04] Sockets=2 CoresPerSocket=16 ThreadsPerCore=1 RealMemory=500000 Gres=gpu:l40s:4 Feature=l40s Weight=20
NodeName=c[01-02] Sockets=2 CoresPerSocket=24 ThreadsPerCore=1 RealMemory=256000 Feature=cpu Weight=5
PartitionName=train Nodes=a[01-06] Default=YES MaxTime=2-0 DefaultTime=60 State=UP DefCpuPerGPU=7 DefMemPerGPU=110000 TRESBillingWeights="CPU=0.5,Mem=0.02G,GRES/gpu:a100=4" PriorityJobFactor=10
PartitionName=infer Nodes=l[01-04] MaxTime=1-0 DefaultTime=60 State=UP DefCpuPerGPU=6 TRESBillingWeights="CPU=0.5,Mem=0.02G,GRES/gpu:l40s=1" PriorityJobFactor=10
PartitionName=any Nodes=a[01-06],l[01-04] MaxTime=08:00:00 DefaultTime=60 State=UP DefCpuPerGPU=4 TRESBillingWeights="GRES/gpu=2"
PartitionName=data Nodes=c[01-02],l[01-02] MaxTime=12:00:00 DefaultTime=30 State=UP MaxCPUsPerNode=24 TRESBillingWeights="CPU=1"
"""
GRES = "NodeName=a[01-06] Name=gpu Type=a100 File=/dev/nvidia[0-3] Cores=0-31\nNodeName=a[01-06] Name=gpu Type=a100 File=/dev/nvidia[4-7] Cores=32-63\nNodeName=l[01-04] Name=gpu Type=l40s File=/dev/nvidia[0-3]\n"
ACCOUNTS = """\
add qos scavenge Priority=0 UsageFactor=0.2 Flags=NoReserve GraceTime=30
add qos batch Priority=100 MaxTRESPerUser=gres/gpu=20 MaxJobsPerUser=12
add qos urgent Priority=400 MaxJobsPerUser=3 MaxTRESPerAccount=gres/gpu=24 UsageFactor=2
add qos debug Priority=600 MaxWall=30 MaxTRESPerUser=gres/gpu=2 MaxSubmitJobsPerUser=3 GrpTRES=gres/gpu=6
modify qos scavenge set PreemptMode=cancel
modify qos batch set Preempt=scavenge
modify qos urgent set Preempt=scavenge,batch
modify qos debug set Preempt=scavenge
add account llm Fairshare=50 GrpTRES=gres/gpu=40
add account vision Fairshare=30 GrpTRESMins=gres/gpu=6000
add account speech Fairshare=20 GrpSubmitJobs=25 MaxTRESPerJob=gres/gpu=8
add account pre parent=llm Fairshare=70
add account post parent=llm Fairshare=30
add user lin,lou Account=pre
add user meg Account=post
add user vic,val Account=vision
add user sol,sky Account=speech
modify user lin,lou,meg,vic,val,sol,sky set qos=scavenge,batch,urgent,debug defaultqos=batch
"""
USERS = ("lin", "lou", "meg", "vic", "val", "sol", "sky")


def draw(rng):
    kind = rng.random()
    qos = rng.choice(("", "", "", " --qos=scavenge", " --qos=scavenge", " --qos=urgent"))
    if kind < 0.16:
        nodes = rng.choice((1, 1, 2, 2, 3))
        words = rng.choice((f"-N{nodes} --gpus-per-node=8", f"-N{nodes} --gres=gpu:a100:8 --ntasks-per-node=8 -c8", f"-N{nodes} --gpus-per-node=a100:8 --exclusive", f"-n{8 * nodes} --gpus-per-task=1"))
        words, share = words + qos, nodes / 7
    elif kind < 0.6:
        gpus = rng.choice((1, 1, 2, 2, 4, 4, 6))
        words = rng.choice((f"--gres=gpu:{gpus}", f"--gpus={gpus}", f"-N1 --gpus={gpus} -c {4 * gpus}", f"--gpus-per-task=1 -n{gpus}", f"--gres=gpu:a100:{gpus} --mem={80 * gpus}G", f"-p any --gpus={gpus}", f"-p any --gres=gpu:{min(gpus, 4)} -C '[a100|l40s]'", f"-p any -G l40s:{min(gpus, 4)}", f"-p train,any --gres=gpu:{gpus}"))
        words, share = words + qos, gpus / 58
    elif kind < 0.78:
        gpus = rng.choice((1, 1, 2, 4))
        words = rng.choice((f"-p infer --gres=gpu:{gpus}", f"-p infer --gpus={gpus} --mem-per-gpu=60G", f"-p infer -n{gpus} --gpus-per-task=1 -c4", f"-p infer,any --gpus={gpus}"))
        words, share = words + qos, gpus / 58
    elif kind < 0.88:
        words, share = f"{rng.choice(('--gpus=1', '-p infer --gres=gpu:1', '-p any --gpus=2'))} --qos=debug -t {rng.choice((5, 15, 30))}", 0.01
    else:
        cpus = rng.choice((1, 4, 8, 16, 24))
        words, share = f"-p data {rng.choice((f'-n{cpus}', f'-c{cpus}', f'-c{cpus} --mem=40G', f'-N2 -n{max(2, cpus)}'))}", cpus / 600
    extra = rng.random()
    if extra < 0.07:
        return f"{words} -a 0-{rng.choice(('5', '7%3', '9%2'))}", share * 6
    if extra < 0.11:
        words += f" --dependency={rng.choice(('afterany', 'afterok'))}:@{rng.randint(1, 4)}"
    elif extra < 0.14:
        words += rng.choice((" --no-requeue", " --begin=now+600", " --nice=500"))
    return words, share, 1 if rng.random() < 0.03 else 0


EVENTS = ((2100, "scontrol hold {j55}"), (3000, "scontrol release {j55}"), (3500, "scontrol update JobId={j90} TimeLimit=20"), (4300, "scontrol requeue {j95}"),
          (5000, "scontrol update NodeName=a03 State=DRAIN Reason=ecc"), (6200, "scontrol update NodeName=a03 State=RESUME"), (6600, "sacctmgr -i modify qos batch set MaxTRESPerUser=gres/gpu=28"))
main(Scenario(515102, CONF, draw, accounts=ACCOUNTS, gres_conf=GRES, jobs=210, window=8800, load=1.25, users=USERS, events=EVENTS))
