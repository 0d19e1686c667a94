#!/usr/bin/env python3
# scripts/reference/scenarios/training.py — a company's H100 cluster: whole nodes for training, single GPUs for people, QOS that requeue the cheap ones, a QOS for each partition, TRES in the priority.
from scenario import Scenario, main

CONF = """\
SchedulerType=sched/backfill
SchedulerParameters=bf_interval=30,bf_continue,bf_resolution=60,bf_window=2880,bf_max_job_test=300,bf_running_job_reserve,bf_job_part_count_reserve=2,default_queue_depth=100,batch_sched_delay=6,enable_user_top,nohold_on_prolog_fail
SelectType=select/cons_tres
SelectTypeParameters=CR_Core_Memory
GresTypes=gpu
PreemptType=preempt/qos
PreemptMode=REQUEUE
PreemptExemptTime=00:02:00
PriorityType=priority/multifactor
PriorityWeightAge=1000
PriorityWeightFairshare=5000
PriorityWeightJobSize=200
PriorityWeightPartition=1000
PriorityWeightQOS=4000
PriorityWeightTRES=CPU=100,Mem=100,GRES/gpu=2000
PriorityMaxAge=0-8
PriorityDecayHalfLife=0-6
PriorityCalcPeriod=1
AccountingStorageTRES=gres/gpu,gres/gpu:h100
AccountingStorageEnforce=associations,limits,qos,safe
NodeName=h[1-8] Sockets=2 CoresPerSocket=16 ThreadsPerCore=1 RealMemory=1000000 Gres=gpu:h100:8 Feature=h100
NodeName=cpu[1-3] Sockets=2 CoresPerSocket=12 ThreadsPerCore=1 RealMemory=200000 Feature=cpu Weight=1
PartitionName=batch Nodes=h[1-8] Default=YES MaxTime=1-0 DefaultTime=01:00:00 State=UP DefCpuPerGPU=4 DefMemPerGPU=100000 TRESBillingWeights="CPU=1,Mem=0.01G,GRES/gpu=8" PriorityJobFactor=50
PartitionName=interactive Nodes=h[7-8] MaxTime=02:00:00 State=UP DefCpuPerGPU=2 DefMemPerGPU=40000 QOS=interactive PriorityTier=3 PriorityJobFactor=100 TRESBillingWeights="CPU=1,Mem=0.01G,GRES/gpu=8"
PartitionName=prep Nodes=cpu[1-3],h[1-2] MaxTime=06:00:00 State=UP DefMemPerCPU=4000 MaxCPUsPerNode=8 PriorityJobFactor=10
"""
GRES = "NodeName=h[1-8] Name=gpu Type=h100 File=/dev/nvidia[0-3] Cores=0-15\nNodeName=h[1-8] Name=gpu Type=h100 File=/dev/nvidia[4-7] Cores=16-31\n"
ACCOUNTS = """\
add account core Fairshare=60 GrpTRES=gres/gpu=48
add account research Fairshare=30
add account interns Fairshare=10 GrpTRES=gres/gpu=16 MaxTRESPerJob=gres/gpu=8
add user kim,kai Account=core
add user lea,lev Account=research
add user mia,max Account=interns
add qos free Priority=0 UsageFactor=0 MaxTRESPerUser=gres/gpu=24
add qos prod Priority=100 Preempt=free MaxTRESPerAccount=gres/gpu=40 MaxJobsPerUser=5
add qos interactive Priority=50 MaxJobsPerUser=1 MaxTRESPerUser=gres/gpu=2 Flags=OverPartQOS
modify qos normal set Priority=20 Preempt=free MaxWall=12:00:00
modify user kim,kai set qos=normal,free,prod defaultqos=normal
modify user lea,lev set qos=normal,free defaultqos=normal
modify user mia,max set qos=normal,free defaultqos=free
"""
USERS = ("kim", "kai", "lea", "lev", "mia", "max")


def draw(rng):
    kind = rng.random()
    if kind < 0.2:
        nodes = rng.choice((1, 1, 2, 2, 3, 4))
        words = f"-N{nodes} {rng.choice((f'--gres=gpu:h100:8 --ntasks-per-node=8', '--gpus-per-node=8', f'--gpus={8 * nodes} --exclusive', '--gpus-per-node=h100:8 --ntasks-per-node=8 -c4', '--gres=gpu:8 --mem=0', '--gpus-per-task=1 --ntasks-per-node=8'))}"
        share = nodes / 8
        words += rng.choice(("", "", " --qos=prod", " --qos=free", " --time-min=10"))
    elif kind < 0.68:
        gpus = rng.choice((1, 1, 1, 2, 2, 4, 4, 6))
        words = rng.choice((f"--gres=gpu:{gpus}", f"--gpus={gpus}", f"--gpus={gpus} -N1", f"-G h100:{gpus} -c {2 * gpus}", f"--gpus-per-task=1 -n{gpus}", f"--gres=gpu:{gpus} -n{gpus} -c3 --mem={60 * gpus}G", f"-n1 --gpus={gpus} --cpus-per-gpu=6",
                            f"--gpus={gpus} --mem-per-gpu=150G", f"--gres=gpu:{gpus} --mem-per-cpu=8G", f"-n{gpus} --ntasks-per-gpu=1"))
        share = gpus / 64
        words += rng.choice(("", "", "", " --qos=free", " --qos=free", " --qos=prod", " -p interactive,batch" if gpus <= 2 else ""))
    elif kind < 0.8:
        words, share = f"-p interactive --gpus={rng.choice((1, 1, 2))} -t {rng.choice((10, 30))}", 0.01
    else:
        tasks = rng.choice((1, 4, 8, 16, 24))
        words, share = f"-p prep -n{tasks}{rng.choice(('', ' -N2' if tasks > 1 else '', ' -c2' if tasks <= 8 else '', ' --mem=20000', ' -C cpu'))}", tasks / 300
    extra = rng.random()
    if extra < 0.07:
        words, share = f"{words} -a 1-{rng.choice(('4', '6%2', '8'))}", share * 5
    elif extra < 0.10:
        words += " --dependency=afterok:@2"
    elif extra < 0.13:
        words += " --no-requeue"
    elif extra < 0.15:
        words += " --hold"
    return words, share


EVENTS = ((1500, "scontrol create reservation ReservationName=service Nodes=h3 StartTime=now+20minutes Duration=25 Users=root Flags=MAINT,IGNORE_JOBS"), (2600, "scontrol update NodeName=cpu2 State=DRAIN Reason=disk"),
          (4200, "scontrol update NodeName=cpu2 State=RESUME"), (5000, "scontrol top {j94}"), (5200, "sacctmgr -i modify qos free set MaxTRESPerUser=gres/gpu=16"))
main(Scenario(880311, CONF, draw, accounts=ACCOUNTS, gres_conf=GRES, jobs=170, window=7800, load=1.25, users=USERS, events=EVENTS))
