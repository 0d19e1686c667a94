#!/usr/bin/env python3
# scripts/reference/scenarios/gpu_campus.py — a campus with two kinds of GPUs, all ways to ask for them, arrays, chains and a QOS that is preempted.
from scenario import ACCOUNTS, ENFORCED, USERS, Scenario, main

CONF = f"""\
SchedulerType=sched/backfill
SchedulerParameters=bf_interval=45,bf_max_job_user=8,bf_window=720,bf_resolution=120,default_queue_depth=30
SelectType=select/cons_tres
SelectTypeParameters=CR_Core_Memory,CR_Pack_Nodes
GresTypes=gpu
DefMemPerCPU=2000
PriorityType=priority/multifactor
PriorityWeightAge=2000
PriorityWeightFairshare=8000
PriorityWeightJobSize=1000
PriorityWeightPartition=3000
PriorityWeightQOS=4000
PriorityWeightTRES=cpu=500,gres/gpu=3000
PriorityFavorSmall=YES
PriorityMaxAge=0-3
PriorityDecayHalfLife=0-6
PriorityCalcPeriod=2
AccountingStorageTRES=gres/gpu,gres/gpu:a40,gres/gpu:h100
PreemptType=preempt/qos
PreemptMode=REQUEUE
PreemptExemptTime=00:03:00
{ENFORCED}
NodeName=a[1-4] Sockets=2 CoresPerSocket=16 ThreadsPerCore=1 RealMemory=256000 Gres=gpu:a40:4 Feature=a40 Weight=10
NodeName=h[1-2] Sockets=2 CoresPerSocket=24 ThreadsPerCore=1 RealMemory=512000 Gres=gpu:h100:4 Feature=h100,nvlink Weight=40
NodeName=k[1-3] Sockets=2 CoresPerSocket=16 ThreadsPerCore=1 RealMemory=128000 Feature=cpu Weight=1
PartitionName=cpu Nodes=k[1-3] Default=YES MaxTime=1-0 State=UP PriorityJobFactor=1
PartitionName=gpu Nodes=a[1-4],h[1-2] MaxTime=12:00:00 State=UP PriorityJobFactor=5 DefMemPerGPU=24000 DefCpuPerGPU=4 TRESBillingWeights="CPU=1.0,Mem=0.1G,GRES/gpu=8.0"
PartitionName=short Nodes=ALL MaxTime=30 State=UP PriorityJobFactor=10 MaxNodes=2
"""
GRES = ("NodeName=a[1-4] Name=gpu Type=a40 File=/dev/nvidia[0-1] Cores=0-15\n"
        "NodeName=a[1-4] Name=gpu Type=a40 File=/dev/nvidia[2-3] Cores=16-31\n"
        "NodeName=h[1-2] Name=gpu Type=h100 File=/dev/nvidia[0-3]\n")
QOS = f"""\
add qos idle Priority=1
add qos base Priority=100 Preempt=idle MaxTRESPerUser=gres/gpu=10
add qos paper Priority=500 Preempt=idle MaxTRESPerUser=gres/gpu=4 MaxJobsPerUser=3
modify user {','.join(USERS)} set qos=base,paper,idle defaultqos=base
"""


def draw(rng):
    kind = rng.random()
    if kind < 0.3:
        tasks = rng.choice((1, 4, 8, 16, 32))
        words, share = f"-n{tasks} --mem-per-cpu={rng.choice((1000, 2000, 4000))}", tasks / 96
    else:
        gpus = rng.choice((1, 1, 1, 2, 2, 4, 4, 8))
        words, share = "-p " + rng.choice(("gpu", "gpu", "gpu,short")) + " ", gpus / 24
        words += rng.choice((
            f"--gres=gpu:{min(gpus, 4)}", f"--gpus={gpus}", f"-N1 --gpus-per-node={min(gpus, 4)}",
            f"-n{gpus} --gpus-per-task=1 -c {rng.choice((2, 4, 6))}", f"--gres=gpu:a40:{min(gpus, 4)} -c {2 * min(gpus, 4)}",
            f"--gpus=h100:{min(gpus, 8)}", f"--gres=gpu:{min(gpus, 4)} -C nvlink"))  # fmt: skip
        if "short" in words:
            words += f" -t {rng.choice((10, 20, 30))}"
    words += rng.choice(("", "", "", " --qos=idle", " --qos=idle", " --qos=paper"))
    extra = rng.random()
    if extra < 0.08:
        words, share = f"{words} -a 0-5%{rng.choice((2, 3))}", share * 6
    elif extra < 0.16:
        words += f" --dependency=afterany:@{rng.randint(1, 4)}"
    return words, share


main(Scenario(770311, CONF, draw, accounts=ACCOUNTS + QOS, gres_conf=GRES, jobs=110, load=1.2))
