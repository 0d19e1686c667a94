#!/usr/bin/env python3
# scripts/reference/scenarios/ward.py — a university hospital's AI platform: QOS with grace, LimitFactor, UsageFactor and UsageFactorSafe, limits by account, usage that is reset every day, UsageThreshold, MIG, A30 and CPU nodes, a magnetic weekly reservation, DefCpuPerGPU and MaxCPUsPerNode, jobs that come late and must not wait.
from scenario import Scenario, main

CONF = """\
SchedulerType=sched/backfill
SchedulerParameters=bf_interval=30,bf_window=1440,bf_resolution=60,bf_max_job_part=60,bf_max_job_start=20,bf_min_age_reserve=60,default_queue_depth=60,batch_sched_delay=5,sched_min_interval=2000000,assoc_limit_stop,preempt_youngest_first,preempt_reorder_count=2
SelectType=select/cons_tres
SelectTypeParameters=CR_CPU_Memory
GresTypes=gpu
DefMemPerCPU=1000
CompleteWait=20
PreemptType=preempt/qos
PreemptMode=REQUEUE
PreemptExemptTime=00:03:00
PriorityType=priority/multifactor
PriorityFlags=MAX_TRES,CALCULATE_RUNNING
PriorityWeightAge=500
PriorityWeightFairshare=4000
PriorityWeightQOS=6000
PriorityWeightJobSize=100
PriorityMaxAge=0-3
PriorityDecayHalfLife=0
PriorityUsageResetPeriod=DAILY
PriorityCalcPeriod=1
AccountingStorageTRES=gres/gpu,gres/gpu:a30,gres/gpu:h100,gres/gpu:2g.20gb
AccountingStorageEnforce=associations,limits,qos,safe
NodeName=a[1-4] Sockets=2 CoresPerSocket=16 ThreadsPerCore=2 RealMemory=512000 Gres=gpu:a30:4 Feature=a30 Weight=20
NodeName=h[1-2] Sockets=2 CoresPerSocket=28 ThreadsPerCore=2 RealMemory=1000000 Gres=gpu:h100:2,gpu:2g.20gb:6 Feature=h100,mig Weight=60
NodeName=p[1-5] Sockets=2 CoresPerSocket=12 ThreadsPerCore=2 RealMemory=192000 Feature=cpu Weight=5
PartitionName=main Nodes=a[1-4],h[1-2],p[1-5] Default=YES MaxTime=1-0 DefaultTime=60 TRESBillingWeights="CPU=0.5,Mem=0.1G,GRES/gpu:a30=4,GRES/gpu:h100=16,GRES/gpu:2g.20gb=3" State=UP
PartitionName=gpu Nodes=a[1-4],h[1-2] MaxTime=12:00:00 DefaultTime=60 DefCpuPerGPU=8 DefMemPerGPU=32000 MaxCPUsPerNode=56 State=UP
PartitionName=prep Nodes=a[1-4],p[1-5] MaxTime=06:00:00 DefaultTime=30 MaxCPUsPerNode=24 OverSubscribe=YES:2 PriorityJobFactor=5 QOS=pprep State=UP
PartitionName=clinic Nodes=h1,a[1-2] MaxTime=01:00:00 DefaultTime=15 AllowQos=clinical PriorityTier=10 State=UP
"""
GRES = """\
NodeName=a[1-4] Name=gpu Type=a30 File=/dev/nvidia[0-1] Cores=0-15
NodeName=a[1-4] Name=gpu Type=a30 File=/dev/nvidia[2-3] Cores=16-31
NodeName=h[1-2] Name=gpu Type=h100 File=/dev/nvidia[0-1] Cores=0-27
NodeName=h[1-2] Name=gpu Type=2g.20gb File=/dev/nvidia[2-7] Cores=28-55
"""
ACCOUNTS = """\
add account radio Fairshare=30 MaxTRES=cpu=128 GrpJobs=25
add account onco Fairshare=30 GrpTRES=cpu=260,gres/gpu=9
add account genome Fairshare=20
add account students Fairshare=5 MaxTRES=cpu=16,gres/gpu=1 MaxWall=60
add qos clinical Priority=1000 MaxTRESPA=gres/gpu=6 MaxJobsPU=5 Flags=DenyOnLimit
add qos research Priority=200 MaxTRESPU=gres/gpu=8 GraceTime=60 UsageFactor=1
add qos batch Priority=50 MaxJobsPA=12 UsageFactor=0.5 GraceTime=30 Flags=UsageFactorSafe
add qos wide Priority=150 MaxJobsPU=2 GrpTRES=gres/gpu=12
add qos pay Priority=100 UsageThreshold=0.05 Flags=EnforceUsageThreshold
add qos pprep MaxTRESPU=cpu=96 MaxTRESPerNode=cpu=16
modify qos research set Preempt=batch
modify qos clinical set Preempt=batch,research,wide,pay
modify qos batch set PreemptMode=CANCEL
modify qos wide set LimitFactor=4
add user rita,rolf,remy Account=radio
add user olga,omar Account=onco
add user gwen,gil Account=genome
add user stan,suki,sven Account=students
modify user rita,rolf,remy,olga,omar,gwen,gil,stan,suki,sven set qos=research,batch,wide,pay defaultqos=research
modify user rita,olga,omar set qos+=clinical
"""
USERS = ("rita", "rolf", "remy", "olga", "omar", "gwen", "gil", "stan", "suki", "sven")


def draw(rng):
    kind = rng.random()
    if kind < 0.42:
        gpus = rng.choice((1, 1, 1, 2, 2, 4))
        words = "-p gpu " + rng.choice((f"-G {gpus}", f"--gres=gpu:a30:{gpus}", f"--gres=gpu:2g.20gb:{gpus}", f"-G h100:{min(2, gpus)} -c16", f"-n{gpus} --gpus-per-task=1", f"--gpus-per-node={gpus} -N2 -n2", f"-G a30:{gpus} --cpus-per-gpu=4 --mem-per-gpu=24G", f"-N1 -n{4 * gpus} --gres=gpu:{gpus} --ntasks-per-gpu=4" if gpus < 3 else "-N2 -n2 --gres=gpu:a30:2", f"-G {gpus} --gpus-per-socket={1 if gpus == 1 else gpus // 2} --sockets-per-node={1 if gpus == 1 else 2}", f"--gres=gpu:a30:{gpus} --gres-flags=disable-binding -c6"))
        share = gpus / 20
    elif kind < 0.62:
        cpus = rng.choice((1, 2, 4, 8, 8, 16, 24, 48))
        words = rng.choice(("", "-p prep ", "-p prep ")) + rng.choice((f"-n{cpus}", f"-c{cpus}", f"-n{cpus} -s", f"-N1 -n{min(cpus, 16)} --mem=30G", f"-n{cpus} --hint=nomultithread", f"-N2 -n{2 * min(cpus, 12)} -s", f"-n{max(1, cpus // 2)} -c2 -C cpu"))
        share = cpus / 420
    elif kind < 0.72:
        words, share = "-p clinic --qos=clinical " + rng.choice(("-G 1", "--gres=gpu:a30:2", "-G h100:1 -c8", "-n8", "-c16 --mem=64G", "--gres=gpu:2g.20gb:2")) + " -t 15", 0.05
    else:
        words, share = "--qos=batch " + rng.choice(("-p gpu -G 1", "-p gpu --gres=gpu:a30:2", "-n32", "-n64 -N2-4", "-p main -c24", "-p gpu,main -n8 -G 1", "-p prep,main -n16", "-p gpu --gres=gpu:2g.20gb:1", "-p main --gres=gpu:h100:1 --mem=100G")), 0.06
    if "--qos" not in words:
        words += rng.choice(("", "", "", "", " --qos=wide", " --qos=pay", " --qos=pay"))
    extra = rng.random()
    if extra < 0.09 and "clinic" not in words:
        return f"{words} -a {rng.choice(('1-4', '1-8%2', '0-5%3'))}", share * 5
    if extra < 0.16:
        words += f" -d {rng.choice(('afterok', 'afterany', 'aftercorr'))}:@{rng.randint(1, 5)}"
    elif extra < 0.24:
        words += rng.choice((" --nice=300", " --no-requeue", " --begin=now+600", " --reservation=trial", " --exclusive", " -x a1,p1", " --prefer=h100"))
    return words, share, 1 if rng.random() < 0.04 else 0


EVENTS = ((350, "scontrol create reservation ReservationName=trial Accounts=onco,radio StartTime=now+1500 Duration=40 Nodes=a[3-4] Flags=MAGNETIC,WEEKLY"), (1700, "sacctmgr -i modify qos batch set MaxJobsPA=6"), (2200, "scontrol update NodeName=p2 State=DRAIN Reason=disk"), (2900, "scontrol update NodeName=p2 State=RESUME"),
          (3500, "sacctmgr -i modify qos clinical set MaxTRESPA=gres/gpu=3"), (4000, "scontrol update NodeName=h2 State=DRAIN Reason=mig"), (4700, "scontrol update NodeName=h2 State=UNDRAIN"), (5200, "scontrol update PartitionName=gpu MaxCPUsPerNode=48"), (6000, "scontrol update PartitionName=prep State=DRAIN"), (6500, "scontrol update PartitionName=prep State=UP"))
EVENTS += ((10200, "scancel -t PENDING"),)  # what can never start, or not before tomorrow
main(Scenario(261129, CONF, draw, accounts=ACCOUNTS, gres_conf=GRES, jobs=230, window=7200, load=1.1, users=USERS, events=EVENTS))
