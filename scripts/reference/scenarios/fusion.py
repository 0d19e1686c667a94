#!/usr/bin/env python3
# scripts/reference/scenarios/fusion.py — a fusion laboratory: QOS that suspend, requeue and cancel each other, MinPrioThreshold, accrual limits, MaxTRESMins and MaxWall of QOS that override the partition's, ExclusiveUser and LLN partitions, local disks with --tmp, --prefer, --mincpus, -w and -x, usage reset daily, licences that come with a reservation, a partition with two memories by default.
from scenario import Scenario, main

CONF = """\
SchedulerType=sched/backfill
SchedulerParameters=bf_interval=30,bf_window=4320,bf_resolution=120,bf_max_job_user=6,bf_job_part_count_reserve=3,bf_min_age_reserve=90,default_queue_depth=150,sched_interval=40,assoc_limit_stop,preempt_strict_order
SelectType=select/cons_tres
SelectTypeParameters=CR_Core_Memory,CR_CORE_DEFAULT_DIST_BLOCK
GresTypes=gpu,nvme
Licenses=idl:4
DefMemPerCPU=2200
PreemptType=preempt/qos
PreemptMode=SUSPEND,GANG
SchedulerTimeSlice=45
PriorityType=priority/multifactor
PriorityFlags=NO_FAIR_TREE,SMALL_RELATIVE_TO_TIME,CALCULATE_RUNNING
PriorityWeightAge=1000
PriorityWeightFairshare=6000
PriorityWeightJobSize=900
PriorityWeightQOS=5000
PriorityWeightAssoc=300
PriorityMaxAge=0-6
PriorityDecayHalfLife=0
PriorityUsageResetPeriod=DAILY
PriorityCalcPeriod=1
AccountingStorageTRES=gres/gpu,gres/nvme,license/idl
AccountingStorageEnforce=associations,limits,qos
NodeName=p[01-08] Sockets=2 CoresPerSocket=14 ThreadsPerCore=1 RealMemory=128000 TmpDisk=400000 Gres=nvme:2 Feature=hsw,nvme Weight=10
NodeName=p[09-12] Sockets=2 CoresPerSocket=20 ThreadsPerCore=1 RealMemory=192000 TmpDisk=100000 Feature=skx Weight=15
NodeName=q[1-4] Sockets=2 CoresPerSocket=18 ThreadsPerCore=1 RealMemory=384000 TmpDisk=800000 Gres=gpu:v100:4 Feature=skx,gpu Weight=40
PartitionName=main Nodes=p[01-12] Default=YES MaxTime=08:00:00 DefaultTime=60 OverSubscribe=FORCE:1 QOS=pmain State=UP
PartitionName=private Nodes=p[05-08] ExclusiveUser=YES MaxTime=08:00:00 DefaultTime=60 PriorityJobFactor=3 OverSubscribe=FORCE:1 State=UP
PartitionName=spread Nodes=p[09-12],q[1-2] LLN=YES MaxTime=04:00:00 DefaultTime=45 PriorityJobFactor=2 MaxNodes=3 OverSubscribe=FORCE:1 State=UP
PartitionName=accel Nodes=q[1-4] MaxTime=12:00:00 DefaultTime=60 PriorityJobFactor=5 DefMemPerGPU=30000 OverSubscribe=FORCE:1 State=UP
"""
GRES = "NodeName=p[01-08] Name=nvme Count=2 Flags=CountOnly\nNodeName=q[1-4] Name=gpu Type=v100 File=/dev/nvidia[0-1] Cores=0-17\nNodeName=q[1-4] Name=gpu Type=v100 File=/dev/nvidia[2-3] Cores=18-35\n"
ACCOUNTS = """\
add account torus Fairshare=40
add account edge parent=torus Fairshare=40
add account core parent=torus Fairshare=60 GrpJobs=16
add account laser Fairshare=35 GrpTRES=cpu=160,gres/gpu=8
add account theory Fairshare=25 MaxJobs=10 Priority=200
add qos pmain GrpTRES=cpu=320 MaxTRESPU=cpu=140
add qos shot Priority=1000 MaxTRESPU=cpu=84 MaxWall=45 Flags=OverPartQOS
add qos std Priority=300 MaxJobsAccruePU=4 MaxTRESMinsPerJob=cpu=9000
add qos param Priority=50 GrpJobsAccrue=10 PreemptMode=requeue UsageFactor=0.5
add qos idle Priority=0 PreemptMode=cancel GraceTime=40 UsageFactor=0
add qos high Priority=600
modify qos high set MinPrioThres=2500
modify qos std set Preempt=idle,param
modify qos high set Preempt=idle,param
modify qos shot set Preempt=idle,param,std
add user edna,emil,ezra Account=edge
add user cora,colin Account=core
add user lara,levi Account=laser
add user theo,thea Account=theory
modify user edna,emil,ezra,cora,colin,lara,levi,theo,thea set qos=std,param,idle,high defaultqos=std
modify user edna,cora,lara set qos+=shot
"""
USERS = ("edna", "emil", "ezra", "cora", "colin", "lara", "levi", "theo", "thea")


def draw(rng):
    kind = rng.random()
    cpus = rng.choice((1, 2, 4, 8, 14, 20, 28, 40, 56))
    if kind < 0.42:
        words, share = rng.choice((f"-n{cpus}", f"-c{min(cpus, 14)}", f"-n{cpus} --tmp=200G", f"-n{cpus} --gres=nvme:1", f"-n{cpus} --prefer=skx", f"-N2 -n{max(2, cpus)} -C hsw", f"-n{cpus} --mincpus=10 -N1-3", f"-N1 -n{min(cpus, 20)} --mem=50G", f"-n{cpus} -x p[01-02]", f"-n{cpus} --ntasks-per-node=7", f"-n{min(cpus, 14)} -w p03", f"-n{cpus} -L idl:1", f"-N1 --exclusive --mem=0")), cpus / 400
    elif kind < 0.56:
        words, share = "-p private " + rng.choice((f"-n{cpus}", f"-c{min(cpus, 14)}", f"-N1 -n{min(cpus, 28)}", f"-N2 -n{max(2, cpus)}", f"-n{cpus} --gres=nvme:2")), cpus / 300
    elif kind < 0.72:
        words, share = "-p spread " + rng.choice((f"-n{cpus}", f"-c{min(cpus, 18)}", f"-n{cpus} -N2-3" if cpus > 1 else "-n1", f"-n{cpus} --mem-per-cpu=4G", "-p spread,main -n12", "-n6 -L idl:1")), cpus / 350
    else:
        gpus = rng.choice((1, 1, 2, 4))
        words, share = "-p accel " + rng.choice((f"-G {gpus} -N1", f"--gres=gpu:{gpus} -n{4 * gpus}", f"-n{gpus} --gpus-per-task=1 -c4", f"-N2 --gpus-per-node={gpus} --ntasks-per-node=2 -c3", f"--gres=gpu:v100:{gpus} -c9 --gres-flags=enforce-binding", f"-G {gpus} --cpus-per-gpu=5 --mem-per-gpu=20G", f"--gpus-per-socket={max(1, gpus // 2)} --sockets-per-node=2 -n{2 * gpus} -N1", f"-G {gpus} --prefer=nvme")), gpus / 14
    words += rng.choice(("", "", "", " --qos=param", " --qos=idle", " --qos=high", " --qos=shot -t 20"))
    extra = rng.random()
    if extra < 0.1:
        return f"{words} -a {rng.choice(('1-5', '0-9%3', '1-6%2', '1-12%5'))}", share * 5
    if extra < 0.2:
        words += f" -d {rng.choice(('afterok', 'afterany', 'afternotok', 'after'))}:@{rng.randint(1, 4)}"
    elif extra < 0.28:
        words += rng.choice((" --nice=100", " --begin=now+7minutes", " --time-min=5", " -H", " --reservation=campaign", " -J sweep -d singleton", " --no-requeue"))
    return words, share, 1 if rng.random() < 0.05 else 0


EVENTS = ((500, "scontrol create reservation ReservationName=campaign Accounts=torus StartTime=now+1200 Duration=45 NodeCnt=2 Features=hsw PartitionName=main Licenses=idl:1 Flags=MAGNETIC"), (1700, "scontrol update NodeName=p09 State=DRAIN Reason=disk"), (2300, "scontrol update NodeName=p09 State=RESUME"), (2600, "scontrol release {j45}"), (2900, "sacctmgr -i modify qos pmain set MaxTRESPU=cpu=80"), (3300, "scontrol update JobId={j63} QOS=high"), (3700, "scontrol suspend {j69}"), (4100, "scontrol resume {j74}"), (4300, "scontrol update NodeName=q3 State=DOWN Reason=gpu"), (4900, "scontrol update NodeName=q3 State=RESUME"),
          (5200, "sacctmgr -i modify qos pmain set MaxTRESPU=cpu=140"), (5500, "scontrol update NodeName=p[01-02] Weight=50"), (5900, "scontrol update PartitionName=spread MaxNodes=2"), (6300, "scontrol requeue {j120}"), (9500, "scancel -t PENDING"))
main(Scenario(261207, CONF, draw, accounts=ACCOUNTS, gres_conf=GRES, jobs=180, window=7200, load=1.6, users=USERS, events=EVENTS))
