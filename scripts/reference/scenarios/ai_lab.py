#!/usr/bin/env python3
# scripts/reference/scenarios/ai_lab.py — a company's AI laboratory: H100 and A100 nodes, one of them cut by MIG, tiers that requeue each other, GPUs by type, billing by GPU, classic keys of backfill.
from scenario import ENFORCED, Scenario, main

CONF = f"""\
SchedulerType=sched/backfill
SchedulerParameters=bf_interval=30,bf_continue,bf_resolution=120,bf_window=2880,bf_max_job_user_part=8,default_queue_depth=100,preempt_youngest_first,bf_hetjob_immediate
SelectType=select/cons_tres
SelectTypeParameters=CR_Core_Memory
GresTypes=gpu
DefMemPerCPU=6000
PreemptType=preempt/partition_prio
PreemptMode=REQUEUE
PriorityType=priority/multifactor
PriorityFlags=MAX_TRES
PriorityWeightAge=1000
PriorityWeightFairshare=6000
PriorityWeightJobSize=300
PriorityWeightPartition=2000
PriorityWeightQOS=3000
PriorityWeightTRES=GRES/gpu=1500
PriorityMaxAge=0-6
PriorityDecayHalfLife=0-6
PriorityCalcPeriod=2
AccountingStorageTRES=gres/gpu,gres/gpu:h100,gres/gpu:a100,gres/gpu:1g.10gb
{ENFORCED}
NodeName=h[1-4] Sockets=2 CoresPerSocket=24 ThreadsPerCore=2 RealMemory=1000000 Gres=gpu:h100:8 Feature=h100 Weight=20
NodeName=a[1-4] Sockets=2 CoresPerSocket=16 ThreadsPerCore=2 RealMemory=500000 Gres=gpu:a100:4 Feature=a100 Weight=10
NodeName=m1 Sockets=2 CoresPerSocket=16 ThreadsPerCore=2 RealMemory=500000 Gres=gpu:1g.10gb:14 Feature=mig Weight=5
NodeName=c[1-3] Sockets=2 CoresPerSocket=16 ThreadsPerCore=2 RealMemory=250000 Feature=cpu Weight=1
PartitionName=research Nodes=h[1-4],a[1-4] Default=YES MaxTime=1-0 DefaultTime=60 State=UP PriorityTier=10 PriorityJobFactor=20 TRESBillingWeights="CPU=0.25,Mem=0.02G,GRES/gpu:h100=8,GRES/gpu:a100=4"
PartitionName=prod Nodes=h[1-4] MaxTime=12:00:00 State=UP PriorityTier=30 PriorityJobFactor=60 PreemptMode=OFF QOS=prod TRESBillingWeights="CPU=0.25,GRES/gpu:h100=8"
PartitionName=dev Nodes=m1,a4 MaxTime=04:00:00 State=UP PriorityTier=20 PriorityJobFactor=40 QOS=dev MaxNodes=1
PartitionName=free Nodes=ALL MaxTime=08:00:00 State=UP PriorityTier=1 PriorityJobFactor=1 GraceTime=20
PartitionName=cpu Nodes=c[1-3] MaxTime=1-0 State=UP PriorityTier=10 DefMemPerCPU=3000 PriorityJobFactor=10
"""
GRES = ("NodeName=h[1-4] Name=gpu Type=h100 File=/dev/nvidia[0-3] Cores=0-23\nNodeName=h[1-4] Name=gpu Type=h100 File=/dev/nvidia[4-7] Cores=24-47\n"
        "NodeName=a[1-4] Name=gpu Type=a100 File=/dev/nvidia[0-1] Cores=0-15\nNodeName=a[1-4] Name=gpu Type=a100 File=/dev/nvidia[2-3] Cores=16-31\n"
        "NodeName=m1 Name=gpu Type=1g.10gb File=/dev/nvidia[0-6] Cores=0-15\nNodeName=m1 Name=gpu Type=1g.10gb File=/dev/nvidia[7-13] Cores=16-31\n")
ACCOUNTS = """\
add account vision Fairshare=40 GrpTRES=gres/gpu=24
add account speech Fairshare=30
add account infra Fairshare=20 MaxTRESPerJob=gres/gpu=16
add account intern Fairshare=10 GrpTRES=gres/gpu=6 MaxJobs=6
add user ana,axl Account=vision
add user bo,bly Account=speech
add user cy Account=infra
add user di,dov Account=intern
add qos prod Priority=80 GrpTRES=gres/gpu=24
add qos dev MaxTRESPerUser=gres/gpu=3 MaxJobsPerUser=3
add qos big Priority=40 MinTRESPerJob=gres/gpu=8 MaxJobsPerUser=2
modify qos normal set Priority=20 MaxTRESPerUser=gres/gpu=20
modify user ana,axl,bo,bly,cy,di,dov set qos=normal,big defaultqos=normal
"""
USERS = ("ana", "axl", "bo", "bly", "cy", "di", "dov")


def draw(rng):
    kind = rng.random()
    if kind < 0.5:
        gpus = rng.choice((1, 1, 1, 2, 2, 4, 4, 8, 16))
        words = rng.choice((f"--gpus={gpus}", f"--gpus={gpus} --cpus-per-gpu=6", f"--gres=gpu:{min(gpus, 8)} -c{2 * min(gpus, 8)}", f"-G h100:{gpus} -n{gpus} -c4", f"--gres=gpu:a100:{min(gpus, 4)} -n{min(gpus, 4)}",
                            f"--gpus-per-node={min(gpus, 8)} -N{1 if gpus < 16 else 2} --ntasks-per-node={min(gpus, 8)}", f"--gpus={gpus} --mem-per-gpu=60G", f"--gres=gpu:h100:{min(gpus, 8)} --exclusive", f"-N1 --gpus={min(gpus, 8)} -c{3 * min(gpus, 8)} --mem=100G",
                            f"--gpus={gpus} -C a100" if gpus <= 8 else f"--gpus={gpus} -C h100", f"--gpus-per-socket={max(1, min(gpus, 4) // 2)} --sockets-per-node=1 -c4"))
        words += rng.choice(("", "", "", " -p free", " -p research,free", " --qos=big" if gpus >= 8 else ""))
        share = gpus / 48
    elif kind < 0.62:
        gpus = rng.choice((4, 8, 8, 16))
        words, share = f"-p prod {rng.choice((f'--gpus-per-node=8 -N{max(1, gpus // 8)} --ntasks-per-node=8', f'--gres=gpu:h100:{min(gpus, 8)} -c8', f'--gpus={gpus} -n{gpus}'))} -t {rng.choice((10, 20, 40))}", gpus / 96
    elif kind < 0.8:
        words, share = f"-p dev {rng.choice(('--gres=gpu:1g.10gb:1', '--gres=gpu:1g.10gb:2 -c4', '--gres=gpu:a100:1 -c8', '--gpus=1', '--gpus=1 -c2 --mem=20G'))} -t {rng.choice((15, 30, 60))}", 0.01
    else:
        cpus = rng.choice((1, 4, 16, 32, 64))
        words, share = f"-p {rng.choice(('cpu', 'cpu', 'cpu,free', 'free'))} -n{cpus}{rng.choice(('', ' -N2' if cpus > 1 else '', ' --mem-per-cpu=2000', ' -C cpu', ' --hint=nomultithread', ' --ntasks-per-core=1'))}", cpus / 500
    extra = rng.random()
    if extra < 0.07:
        words, share = f"{words} -a 0-{rng.choice(('3', '7%2', '5'))}", share * 5
    elif extra < 0.11:
        words += f" --dependency={rng.choice(('afterok', 'afterany'))}:@1"
    elif extra < 0.14:
        words += " --no-requeue"
    return words, share


EVENTS = ((2200, "scontrol update NodeName=h3 State=DRAIN Reason=nvlink"), (3600, "scontrol update NodeName=h3 State=RESUME"), (4400, "scontrol update JobId={j60} Nice=500"), (5000, "sacctmgr -i modify account intern set GrpTRES=gres/gpu=10"))
main(Scenario(906613, CONF, draw, accounts=ACCOUNTS, gres_conf=GRES, jobs=170, window=7800, load=1.15, users=USERS, events=EVENTS))
