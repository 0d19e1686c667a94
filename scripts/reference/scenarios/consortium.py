#!/usr/bin/env python3
# scripts/reference/scenarios/consortium.py — a consortium's GPU cluster: partitions owned by groups over one pool, a preemptable one below them, GPUs whole and as shards, QOS of partitions, accounts by Fair Tree, hyperthreads.
from scenario import ENFORCED, Scenario, main

CONF = f"""\
SchedulerType=sched/backfill
SchedulerParameters=bf_interval=30,bf_continue,bf_window=4320,bf_resolution=60,bf_max_job_test=300,bf_max_job_part=60,bf_max_job_assoc=30,default_queue_depth=150,batch_sched_delay=3,max_rpc_cnt=150
SelectType=select/cons_tres
SelectTypeParameters=CR_CPU_Memory
GresTypes=gpu,shard
DefMemPerCPU=2000
PreemptType=preempt/partition_prio
PreemptMode=REQUEUE
JobRequeue=1
KillWait=20
CompleteWait=0
PriorityType=priority/multifactor
PriorityWeightAge=500
PriorityWeightFairshare=10000
PriorityWeightJobSize=200
PriorityWeightPartition=3000
PriorityWeightQOS=2000
PriorityFavorSmall=YES
PriorityMaxAge=0-12
PriorityDecayHalfLife=0-3
PriorityCalcPeriod=1
AccountingStorageTRES=gres/gpu,gres/shard
{ENFORCED}
NodeName=g[01-06] Sockets=2 CoresPerSocket=16 ThreadsPerCore=2 RealMemory=512000 Gres=gpu:a100:4,shard:32 Feature=a100,nvme Weight=20
NodeName=g[07-09] Sockets=2 CoresPerSocket=12 ThreadsPerCore=2 RealMemory=256000 Gres=gpu:rtx:8 Feature=rtx Weight=15
NodeName=b[01-08] Sockets=2 CoresPerSocket=16 ThreadsPerCore=2 RealMemory=256000 Feature=cpu,nvme Weight=5
NodeName=b[09-12] Sockets=2 CoresPerSocket=24 ThreadsPerCore=2 RealMemory=384000 Feature=cpu,new Weight=8
PartitionName=common Nodes=b[01-12] Default=YES MaxTime=2-0 DefaultTime=60 State=UP PriorityTier=2 PriorityJobFactor=10
PartitionName=gpu Nodes=g[01-09] MaxTime=1-0 DefaultTime=60 State=UP PriorityTier=2 PriorityJobFactor=10 DefCpuPerGPU=6 QOS=gpupart
PartitionName=astro Nodes=b[01-04],g[01-02] MaxTime=3-0 State=UP PriorityTier=3 PriorityJobFactor=50 AllowAccounts=astro DefMemPerCPU=3000
PartitionName=chem Nodes=b[05-08,11-12] MaxTime=3-0 State=UP PriorityTier=3 PriorityJobFactor=50 AllowAccounts=chem MaxNodes=4
PartitionName=preempt Nodes=ALL MaxTime=12:00:00 State=UP PriorityTier=1 PriorityJobFactor=1 MaxMemPerCPU=6000
PartitionName=inter Nodes=b[09-10],g09 MaxTime=02:00:00 DefaultTime=20 State=UP PriorityTier=4 PriorityJobFactor=100 MaxCPUsPerNode=32 PreemptMode=OFF QOS=inter
"""
GRES = ("NodeName=g[01-06] Name=gpu Type=a100 File=/dev/nvidia[0-1] Cores=0-15\nNodeName=g[01-06] Name=gpu Type=a100 File=/dev/nvidia[2-3] Cores=16-31\nNodeName=g[01-06] Name=shard Count=32\n"
        "NodeName=g[07-09] Name=gpu Type=rtx File=/dev/nvidia[0-3] Cores=0-11\nNodeName=g[07-09] Name=gpu Type=rtx File=/dev/nvidia[4-7] Cores=12-23\n")
ACCOUNTS = """\
add account astro Fairshare=40
add account chem Fairshare=35 GrpTRESRunMins=cpu=40000
add account bio Fairshare=15 MaxTRESPerJob=cpu=128
add account class Fairshare=10 GrpTRES=cpu=96,gres/gpu=6 MaxJobs=8 MaxSubmitJobs=20 MaxWall=02:00:00
add user ada,al Account=astro
add user bea Account=chem
add user bob Account=chem Fairshare=3
add user cid,cat Account=bio
add user dan,dot Account=class
add qos gpupart MaxTRESPerUser=gres/gpu=12 Flags=DenyOnLimit
add qos inter MaxTRESPerUser=cpu=32,gres/gpu=2 MaxJobsPerUser=2
add qos high Priority=50 MaxJobsPerAccount=6
modify qos normal set Priority=10
modify user ada,al,bea,bob,cid set qos=normal,high defaultqos=normal
"""
USERS = ("ada", "al", "bea", "bob", "cid", "cat", "dan", "dot")


def draw(rng):
    kind = rng.random()
    if kind < 0.34:
        gpus = rng.choice((1, 1, 1, 2, 2, 3, 4, 4, 8))
        words = rng.choice((f"--gpus={gpus}", f"--gres=gpu:{min(gpus, 4)}", f"--gres=gpu:a100:{min(gpus, 4)} -c8", f"--gres=gpu:rtx:{gpus} -n{gpus}", f"--gpus-per-node={min(gpus, 4)} -N{max(1, gpus // 4)}", f"-G rtx:{gpus} --cpus-per-gpu=4",
                            f"-C a100 --gpus={gpus}", f"--gres=gpu:{min(gpus, 4)} -N1 -n2 -c4 --mem=40G", "--gres=shard:4 -c2", "--gres=shard:8 -n4", "--gres=shard:16 --mem=30G", f"--gpus={gpus} --mem-per-gpu=20G", f"--gpus-per-task=1 -n{min(gpus, 4)} -c3"))
        words += rng.choice((" -p gpu", " -p gpu", " -p gpu", " -p preempt", " -p gpu,preempt"))
        share = gpus / 52
    elif kind < 0.5:
        cpus = rng.choice((4, 16, 32, 64, 96))
        words = rng.choice((f"-p astro -n{cpus}", f"-p astro -N{1 + cpus // 40} --exclusive", f"-p astro --gres=gpu:a100:{rng.choice((1, 2, 4))} -n{min(cpus, 32)}", f"-p chem -n{cpus} --ntasks-per-core=1", f"-p chem -N{max(1, cpus // 32)} --ntasks-per-node=16", f"-p chem,common -n{cpus}", f"-p astro,common -n{cpus} --mem-per-cpu=4000"))
        share = cpus / 600
    elif kind < 0.6:
        words, share = f"-p inter {rng.choice(('-n1', '-c8', '--gres=gpu:1 -c4', '-n16', '-c40', '-N2 -n4'))} -t {rng.choice((10, 20, 40))}", 0.01
    else:
        cpus = rng.choice((1, 1, 2, 4, 8, 16, 32, 64))
        words = rng.choice((f"-n{cpus}", f"-c{cpus}", f"-n{cpus} --mem=50G", f"-n{cpus} -C new", f"-n{cpus} --hint=nomultithread", f"-n{cpus} -N1", f"-N{1 + cpus // 24} -n{cpus}", f"-n{cpus} --mem-per-cpu=5000", f"-n{cpus} --threads-per-core=1", f"-n{max(2, cpus)} -N2 --ntasks-per-node={max(1, cpus // 2)}", f"-c{cpus} -C '[nvme|new]'"))
        words += rng.choice((" -p common", " -p common", " -p common", " -p preempt", " -p common,preempt", " -p common --qos=high"))
        share = cpus / 600
    extra = rng.random()
    if extra < 0.08:
        words, share = f"{words} -a 0-{rng.choice(('3', '9%4', '5'))}", share * 5
    elif extra < 0.12:
        words += f" --dependency={rng.choice(('afterok', 'afterany', 'singleton'))}".replace("afterok", "afterok:@1").replace("afterany", "afterany:@2")
    elif extra < 0.15:
        words += f" --nice={rng.choice((50, 200))}"
    return words, share, 1 if rng.random() < 0.04 else 0


EVENTS = ((1800, "scontrol update NodeName=b03 State=DRAIN Reason=disk"), (2600, "scontrol create reservation ReservationName=course Accounts=class StartTime=now+600 Duration=40 Nodes=b09,g09"), (3300, "scontrol update NodeName=b03 State=RESUME"), (4100, "scontrol hold {j70}"), (4700, "scontrol release {j70}"))
main(Scenario(330871, CONF, draw, accounts=ACCOUNTS, gres_conf=GRES, jobs=220, window=8400, load=1.2, users=USERS, events=EVENTS))
