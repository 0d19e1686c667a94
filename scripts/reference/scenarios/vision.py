#!/usr/bin/env python3
# scripts/reference/scenarios/vision.py — a computer vision group: A100 in three MIG profiles, whole A100 in a box of eight, T4 with mps and L4 with shards, limits of slices by QOS and user, CR_Core without memory, one task a core, --ntasks-per-gpu, --gpus-per-socket, NO_NORMAL priorities, a QOS without reservations, preemption by QOS within.
from scenario import Scenario, main

CONF = """\
SchedulerType=sched/backfill
SchedulerParameters=bf_continue,bf_interval=30,bf_window=720,bf_resolution=60,bf_max_job_array_resv=3,bf_max_job_start=10,bf_busy_nodes,default_queue_depth=100,sched_interval=30,max_rpc_cnt=64,preempt_reorder_count=3
SelectType=select/cons_tres
SelectTypeParameters=CR_Core,CR_ONE_TASK_PER_CORE
GresTypes=gpu,mps,shard
PreemptType=preempt/qos
PreemptMode=REQUEUE,WITHIN
PreemptExemptTime=00:01:30
PriorityType=priority/multifactor
PriorityFlags=NO_NORMAL_QOS,NO_NORMAL_PART
PriorityFavorSmall=YES
PriorityWeightAge=1500
PriorityWeightFairshare=3000
PriorityWeightJobSize=1000
PriorityWeightPartition=200
PriorityWeightQOS=10
PriorityWeightTRES=GRES/gpu=600
PriorityMaxAge=0-2
PriorityDecayHalfLife=0-2
PriorityCalcPeriod=1
AccountingStorageTRES=gres/gpu,gres/gpu:1g.5gb,gres/gpu:2g.10gb,gres/gpu:3g.20gb,gres/gpu:a100
AccountingStorageEnforce=associations,limits,qos
NodeName=m[1-3] Sockets=2 CoresPerSocket=16 ThreadsPerCore=2 RealMemory=512000 Gres=gpu:1g.5gb:4,gpu:2g.10gb:4,gpu:3g.20gb:4 Feature=mig Weight=20
NodeName=d1 Sockets=2 CoresPerSocket=32 ThreadsPerCore=2 RealMemory=1000000 Gres=gpu:a100:8 Feature=dgx Weight=90
NodeName=t[1-3] Sockets=2 CoresPerSocket=8 ThreadsPerCore=2 RealMemory=192000 Gres=gpu:t4:2,mps:t4:200 Feature=t4 Weight=5
NodeName=k[1-2] Sockets=1 CoresPerSocket=24 ThreadsPerCore=2 RealMemory=256000 Gres=gpu:l4:4,shard:l4:16 Feature=l4 Weight=10
PartitionName=slices Nodes=m[1-3] Default=YES MaxTime=12:00:00 DefaultTime=45 PriorityJobFactor=3 State=UP
PartitionName=whole Nodes=d1,k[1-2],t[1-3] MaxTime=1-0 DefaultTime=60 PriorityJobFactor=2 DefCpuPerGPU=4 State=UP
PartitionName=share Nodes=t[1-3],k[1-2] MaxTime=04:00:00 DefaultTime=30 PriorityJobFactor=1 QOS=pshare OverSubscribe=YES State=UP
PartitionName=label Nodes=m[1-3],t[1-3],k[1-2] MaxTime=02:00:00 DefaultTime=20 PriorityTier=4 AllowAccounts=field,lab State=UP
"""
GRES = """\
NodeName=m[1-3] Name=gpu Type=1g.5gb File=/dev/nvidia[0-3] Cores=0-15
NodeName=m[1-3] Name=gpu Type=2g.10gb File=/dev/nvidia[4-7] Cores=16-31
NodeName=m[1-3] Name=gpu Type=3g.20gb File=/dev/nvidia[8-11]
NodeName=d1 Name=gpu Type=a100 File=/dev/nvidia[0-3] Cores=0-31
NodeName=d1 Name=gpu Type=a100 File=/dev/nvidia[4-7] Cores=32-63
NodeName=t[1-3] Name=gpu Type=t4 File=/dev/nvidia[0-1]
NodeName=t[1-3] Name=mps Count=200
NodeName=k[1-2] Name=gpu Type=l4 File=/dev/nvidia[0-3]
NodeName=k[1-2] Name=shard Count=16
"""
ACCOUNTS = """\
add account lab Fairshare=50
add account robots parent=lab Fairshare=50 GrpTRES=gres/gpu:3g.20gb=6
add account scenes parent=lab Fairshare=50
add account field Fairshare=30 GrpJobs=14
add account guest Fairshare=5 MaxTRES=gres/gpu=2 MaxWall=90
add qos demo Priority=90 MaxTRESPU=gres/gpu=6 MaxJobsPU=6
add qos scav Priority=1 Flags=NoReserve MaxTRESPU=gres/gpu:1g.5gb=5
add qos pshare MaxTRESPU=cpu=24 MaxJobsPU=6
modify qos normal set Priority=40 Preempt=scav
modify qos demo set Preempt=scav,normal
modify qos scav set PreemptMode=CANCEL
add user rex,rhea,roy Account=robots
add user sage,siri Account=scenes
add user fay,fitz Account=field
add user gabe Account=guest
modify user rex,rhea,roy,sage,siri,fay,fitz,gabe set qos=normal,scav defaultqos=normal
modify user rex,sage,fay set qos+=demo
"""
USERS = ("rex", "rhea", "roy", "sage", "siri", "fay", "fitz", "gabe")


def draw(rng):
    kind = rng.random()
    if kind < 0.42:
        profile, gpus = rng.choice(("1g.5gb", "1g.5gb", "2g.10gb", "3g.20gb")), rng.choice((1, 1, 1, 2, 3))
        words, share = rng.choice((f"--gres=gpu:{profile}:{gpus} -c4", f"-G {profile}:{gpus} -N1", f"--gres=gpu:{gpus} -n4", f"-n{gpus} --gpus-per-task={profile}:1 -c2", f"--gres=gpu:{profile}:1,gpu:3g.20gb:1 -c6", f"-G {gpus} -n{2 * gpus} --ntasks-per-gpu=2", f"-N2 --gpus-per-node={profile}:{gpus} --ntasks-per-node=2", f"--gpus={gpus} --cpus-per-gpu=3")), gpus / 36
    elif kind < 0.66:
        gpus = rng.choice((1, 1, 2, 2, 4))
        words, share = "-p whole " + rng.choice((f"-G {gpus}", f"--gres=gpu:a100:{gpus} -n{4 * gpus}", f"--gpus-per-socket=a100:{max(1, gpus // 2)} --sockets-per-node=2 -N1 -n{2 * gpus} -C dgx", f"-n{gpus} --gpus-per-task=1 -c6", f"--gpus=l4:{gpus}", f"--gres=gpu:t4:{min(gpus, 2)} -c4", f"-G {gpus} --ntasks-per-gpu=1 -c3", f"-C dgx -G {gpus} --exclusive", f"-N2 -n4 --gpus-per-node={min(gpus, 2)} -C 't4|l4'")), gpus / 22
    elif kind < 0.84:
        words, share = "-p share " + rng.choice(("--gres=mps:25 -c2", "--gres=mps:50", "--gres=mps:100 -n2", "--gres=shard:2 -c2", "--gres=shard:4 -n4", "--gres=shard:1", "--gres=shard:8 -N1 -c4", "-n4 -s", "--gres=gpu:1 -c2", "-c6")), 0.03
    else:
        words, share = "-p label " + rng.choice(("-n8", "--gres=gpu:1g.5gb:1", "-c4", "-n16 -N2", "--gres=shard:2 -c2", "-G 1 -C t4", "-n4 --ntasks-per-core=2")) + f" -t {rng.choice((8, 15, 30))}", 0.03
    if "-p share" not in words and "-p label" not in words:
        words += rng.choice(("", "", "", "", " --qos=scav", " --qos=scav"))
    extra = rng.random()
    if extra < 0.1:
        return f"{words} -a {rng.choice(('1-6%2', '0-9%4', '1-5', '0-20:4'))}", share * 5
    if extra < 0.2:
        words += f" -d {rng.choice(('afterok', 'afterany', 'afternotok'))}:@{rng.randint(1, 4)}"
    elif extra < 0.28:
        words += rng.choice((" --nice=50", " --begin=now+3minutes", " --no-requeue", " -H", " --time-min=4", " --spread-job"))
    return words, share, 1 if rng.random() < 0.05 else 0


EVENTS = ((1400, "scontrol update NodeName=m2 State=DRAIN Reason=mig"), (2000, "scontrol update NodeName=m2 State=RESUME"), (2500, "scontrol release {j35}"), (2800, "sacctmgr -i modify qos pshare set MaxJobsPU=3"), (3200, "scontrol update JobId={j80} QOS=scav"), (3700, "scontrol update PartitionName=whole State=INACTIVE"), (4100, "scontrol update PartitionName=whole State=UP"), (4400, "scontrol update NodeName=t1 State=DOWN Reason=mps"), (4900, "scontrol update NodeName=t1 State=RESUME"), (5300, "scontrol requeue {j118}"), (5700, "scontrol update JobId={j131} ArrayTaskThrottle=1"), (9000, "scancel -t PENDING"))
main(Scenario(261204, CONF, draw, accounts=ACCOUNTS, gres_conf=GRES, jobs=190, window=7200, load=1.6, users=USERS, events=EVENTS))
