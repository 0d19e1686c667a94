#!/usr/bin/env python3
# scripts/reference/scenarios/biotech.py — a drug company: A100 whole and cut by MIG, L4 with shards, licences, four tiers that requeue or cancel with grace, users of several accounts (-A), submit limits of groups, limits and shares that an admin changes with sacctmgr during the day, held jobs.
from scenario import Scenario, main

CONF = """\
SchedulerType=sched/backfill
SchedulerParameters=bf_continue,bf_interval=30,bf_window=2880,bf_resolution=60,bf_max_job_user=15,bf_max_job_test=300,default_queue_depth=100,partition_job_depth=40,max_array_tasks=20,enable_user_top
SelectType=select/cons_tres
SelectTypeParameters=CR_Core_Memory
GresTypes=gpu,shard
Licenses=maestro:8,gauss:4
DefMemPerCPU=2000
MaxMemPerNode=600000
EnforcePartLimits=ALL
PreemptType=preempt/partition_prio
PreemptMode=REQUEUE
PreemptExemptTime=00:02:00
PriorityType=priority/multifactor
PriorityWeightAge=1000
PriorityWeightFairshare=8000
PriorityWeightJobSize=300
PriorityWeightPartition=1000
PriorityWeightQOS=2000
PriorityWeightTRES=CPU=200,Mem=100,GRES/gpu=800
PriorityMaxAge=0-8
PriorityDecayHalfLife=0-12
PriorityUsageResetPeriod=WEEKLY
PriorityCalcPeriod=1
AccountingStorageTRES=gres/gpu,gres/gpu:a100,gres/gpu:1g.5gb,gres/gpu:3g.20gb,gres/shard,license/maestro
AccountingStorageEnforce=associations,limits,qos
NodeName=dgx[1-2] Sockets=2 CoresPerSocket=32 ThreadsPerCore=2 RealMemory=1000000 Gres=gpu:a100:8 Feature=a100,nvlink Weight=50
NodeName=mig[1-2] Sockets=2 CoresPerSocket=16 ThreadsPerCore=2 RealMemory=500000 Gres=gpu:a100:1,gpu:3g.20gb:2,gpu:1g.5gb:7 Feature=a100,mig Weight=30
NodeName=l[1-3] Sockets=1 CoresPerSocket=24 ThreadsPerCore=2 RealMemory=250000 Gres=gpu:l4:4,shard:l4:16 Feature=l4 Weight=20
NodeName=c[01-08] Sockets=2 CoresPerSocket=16 ThreadsPerCore=2 RealMemory=250000 Feature=cpu Weight=10
NodeName=big1 Sockets=4 CoresPerSocket=16 ThreadsPerCore=2 RealMemory=2000000 Feature=cpu,big Weight=90
PartitionName=cpu Nodes=c[01-08],big1 Default=YES MaxTime=2-0 DefaultTime=60 PriorityTier=20 PriorityJobFactor=10 State=UP
PartitionName=gpu Nodes=dgx[1-2],mig[1-2],l[1-3] MaxTime=1-0 DefaultTime=60 PriorityTier=20 PriorityJobFactor=10 DefCpuPerGPU=4 DefMemPerGPU=16000 State=UP
PartitionName=urgent Nodes=c[01-04],dgx1,l[1-3] MaxTime=04:00:00 DefaultTime=30 PriorityTier=60 PriorityJobFactor=50 PreemptMode=OFF QOS=purg State=UP
PartitionName=jupyter Nodes=mig[1-2],l[1-3] MaxTime=08:00:00 DefaultTime=120 PriorityTier=40 PreemptMode=CANCEL GraceTime=60 MaxNodes=1 QOS=pjup State=UP
PartitionName=scavenge Nodes=ALL MaxTime=12:00:00 DefaultTime=60 PriorityTier=1 PriorityJobFactor=1 PreemptMode=REQUEUE State=UP
"""
GRES = """\
NodeName=dgx[1-2] Name=gpu Type=a100 File=/dev/nvidia[0-3] Cores=0-31
NodeName=dgx[1-2] Name=gpu Type=a100 File=/dev/nvidia[4-7] Cores=32-63
NodeName=mig[1-2] Name=gpu Type=a100 File=/dev/nvidia0
NodeName=mig[1-2] Name=gpu Type=3g.20gb File=/dev/nvidia[1-2]
NodeName=mig[1-2] Name=gpu Type=1g.5gb File=/dev/nvidia[3-9]
NodeName=l[1-3] Name=gpu Type=l4 File=/dev/nvidia[0-3]
NodeName=l[1-3] Name=shard Count=16
"""
ACCOUNTS = """\
add account chem Fairshare=50 GrpSubmitJobs=60
add account bio Fairshare=40 GrpTRES=gres/gpu=14
add account it Fairshare=10 MaxJobs=6
add account dock parent=chem Fairshare=60
add account md parent=chem Fairshare=40 GrpTRESRunMins=gres/gpu=3000
add qos purg MaxTRESPU=gres/gpu=4,cpu=64 MaxJobsPU=4
add qos pjup MaxTRESPU=gres/gpu=2,gres/shard=6 MaxJobsPA=8 MaxSubmitJobsPerUser=6
add qos high Priority=500 MaxJobsPU=3 UsageFactor=2
add qos low Priority=1 UsageFactor=0.25 GrpJobs=20
modify qos normal set Priority=100
add user dana,dirk Account=dock
add user mara,milo Account=md
add user bert,bibi,boyd Account=bio
add user ivan Account=it
add user dana,milo Account=bio
add user mara Account=it
modify user dana,dirk,mara,milo,bert,bibi,boyd,ivan set qos=normal,high,low defaultqos=normal
"""
USERS = ("dana", "dirk", "mara", "milo", "bert", "bibi", "boyd", "ivan")


def draw(rng):
    kind = rng.random()
    if kind < 0.28:
        cpus = rng.choice((1, 2, 4, 8, 16, 32, 64))
        words = rng.choice((f"-n{cpus}", f"-c{cpus} -n1", f"-N1 -n{cpus}", f"-N2 -n{max(2, cpus)}", f"-n{max(1, cpus // 4)} -c4 --mem-per-cpu=4G", f"-n{cpus} --mem=60G -N1", "-n16 --mem=900G -C big", f"-n{cpus} --exclusive"))
        words += rng.choice(("", "", "", " -L maestro:2", " -L maestro:1,gauss:1", " -L gauss:2"))
        share = cpus / 500
    elif kind < 0.58:
        gpus = rng.choice((1, 1, 1, 2, 2, 4, 8))
        words = "-p gpu " + rng.choice((f"--gres=gpu:a100:{gpus}", f"-G {gpus} -C 'a100|l4'", f"--gpus-per-node=a100:{gpus} -N1 -n{gpus}", f"-G a100:{gpus} -n{2 * gpus} -c2", f"--gres=gpu:l4:{min(4, gpus)}", f"-n{gpus} --gpus-per-task=a100:1 --cpus-per-gpu=6", f"-G l4:{gpus} --mem-per-gpu=20G", "--gres=gpu:a100:8 -N2 -n8 --exclusive" if gpus == 8 else f"--gres=gpu:{gpus}"))
        share = gpus / 22
    elif kind < 0.74:
        words = "-p jupyter " + rng.choice(("--gres=gpu:1g.5gb:1", "--gres=gpu:1g.5gb:2 -c4", "--gres=gpu:3g.20gb:1", "--gres=shard:2", "--gres=shard:4 -c4", "--gres=shard:l4:3", "--gres=gpu:1g.5gb:1 --mem=12G", "--gres=gpu:3g.20gb:1 -c8"))
        share = 0.025
    elif kind < 0.82:
        words = "-p urgent " + rng.choice(("-n32", "-n16 -N2", "-G 2", "--gres=gpu:a100:4 -c16", "--gres=shard:4", "-c8 --mem=40G", "--gres=gpu:l4:2"))
        words += f" -t {rng.choice((10, 20, 40))}"
        share = 0.05
    else:
        words = "-p scavenge " + rng.choice(("-n16", "-n64", "-N4 -n64", "--gres=gpu:1", "-G 4", "--gres=gpu:l4:1", "--gres=gpu:1g.5gb:1", "-c16 --gres=gpu:a100:2 --no-requeue", "--gres=shard:4", "-p scavenge,cpu -n32"))
        share = 0.06
    extra = rng.random()
    if extra < 0.08 and "urgent" not in words:
        return f"{words} -a 1-{rng.choice(('4', '6%2', '8%3', '5'))}", share * 5
    if extra < 0.16:
        words += f" -d {rng.choice(('afterok', 'afterany', 'afternotok'))}:@{rng.randint(1, 5)}"
    elif extra < 0.24:
        words += rng.choice((" --qos=high", " --qos=low", " --qos=low", " --nice=200"))
    elif extra < 0.27:
        words += rng.choice((" -A bio", " -A md", " -A it"))
    elif extra < 0.33:
        words += rng.choice((" -H", " -d singleton -J weekly", " --begin=now+15minutes", " -x c01,dgx1", " --time-min=5"))
    return words, share, 1 if rng.random() < 0.05 else 0


EVENTS = ((1000, "scontrol release {j0}"), (2300, "scontrol release {j28}"), (4100, "scontrol release {j92}"), (1500, "sacctmgr -i modify account bio set GrpTRES=gres/gpu=8"), (2000, "scontrol update NodeName=c03 State=DRAIN Reason=fan"), (2600, "sacctmgr -i modify account dock set Fairshare=20"),
          (3000, "scontrol update NodeName=c03 State=RESUME"), (3300, "sacctmgr -i modify qos low set GrpJobs=8"), (3800, "scontrol update PartitionName=scavenge State=DOWN"), (4300, "scontrol update PartitionName=scavenge State=UP"),
          (4600, "sacctmgr -i modify user bert where account=bio set MaxJobs=2"), (5200, "sacctmgr -i modify account bio set GrpTRES=gres/gpu=16"), (5600, "scontrol update NodeName=l2 State=DOWN Reason=xid"), (6100, "scontrol update NodeName=l2 State=RESUME"))
main(Scenario(261127, CONF, draw, accounts=ACCOUNTS, gres_conf=GRES, jobs=210, window=7200, load=1.15, users=USERS, events=EVENTS))
