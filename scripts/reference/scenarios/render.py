#!/usr/bin/env python3
# scripts/reference/scenarios/render.py — a film studio: frames as arrays with %N and aftercorr, many licences, holds, releases and top, partitions that share one pool, a tier that suspends another, GPUs of two makes with mps, nodes that come and go, a partition with FORCE:2.
from scenario import Scenario, main

CONF = """\
SchedulerType=sched/backfill
SchedulerParameters=bf_continue,bf_interval=20,bf_window=720,bf_resolution=60,bf_max_job_array_resv=3,bf_max_job_assoc=10,partition_job_depth=15,default_queue_depth=80,max_array_tasks=60,sched_min_interval=1000000,enable_user_top,bf_busy_nodes
SelectType=select/cons_tres
SelectTypeParameters=CR_Core
GresTypes=gpu,mps
Licenses=maya:6,arnold:24,nuke:5
MaxArraySize=200
PreemptType=preempt/partition_prio
PreemptMode=SUSPEND,GANG
SchedulerTimeSlice=60
PriorityType=priority/multifactor
PriorityFlags=DEPTH_OBLIVIOUS,MAX_TRES
PriorityWeightAge=2000
PriorityWeightFairshare=2000
PriorityWeightPartition=1000
PriorityWeightQOS=3000
PriorityMaxAge=0-2
PriorityDecayHalfLife=0-4
PriorityCalcPeriod=1
AccountingStorageTRES=gres/gpu,license/arnold
AccountingStorageEnforce=associations,limits,qos
NodeName=r[01-10] Sockets=2 CoresPerSocket=8 ThreadsPerCore=2 RealMemory=64000 Feature=farm Weight=1
NodeName=q[1-4] Sockets=2 CoresPerSocket=8 ThreadsPerCore=2 RealMemory=128000 Gres=gpu:rtx:2,mps:200 Feature=farm,gpu Weight=10
NodeName=t[1-2] Sockets=2 CoresPerSocket=16 ThreadsPerCore=2 RealMemory=256000 Gres=gpu:a40:4 Feature=gpu Weight=30
PartitionName=farm Nodes=r[01-10],q[1-4] Default=YES MaxTime=12:00:00 DefaultTime=30 PriorityTier=10 PreemptMode=SUSPEND State=UP
PartitionName=rush Nodes=r[01-06] MaxTime=02:00:00 DefaultTime=20 PriorityTier=50 PriorityJobFactor=100 PreemptMode=OFF QOS=prush State=UP
PartitionName=gpu Nodes=q[1-4],t[1-2] MaxTime=06:00:00 DefaultTime=30 PriorityTier=10 PreemptMode=OFF OverSubscribe=NO DefCpuPerGPU=3 State=UP
PartitionName=sim Nodes=t[1-2],r[07-10] MaxTime=1-0 DefaultTime=60 PriorityTier=10 MaxNodes=4 PreemptMode=OFF State=UP
PartitionName=idle Nodes=r[01-10] MaxTime=08:00:00 DefaultTime=30 PriorityTier=1 PriorityJobFactor=1 PreemptMode=REQUEUE State=UP
"""
GRES = "NodeName=q[1-4] Name=gpu Type=rtx File=/dev/nvidia[0-1]\nNodeName=q[1-4] Name=mps Count=100 File=/dev/nvidia0\nNodeName=q[1-4] Name=mps Count=100 File=/dev/nvidia1\nNodeName=t[1-2] Name=gpu Type=a40 File=/dev/nvidia[0-1] Cores=0-15\nNodeName=t[1-2] Name=gpu Type=a40 File=/dev/nvidia[2-3] Cores=16-31\n"
ACCOUNTS = """\
add account film Fairshare=60
add account ads Fairshare=30 GrpTRES=cpu=160
add account rnd Fairshare=10 MaxJobs=12
add account comp parent=film Fairshare=50
add account light parent=film Fairshare=50 GrpTRES=license/arnold=14
add qos prush MaxTRESPU=cpu=48 MaxJobsPU=5 Priority=500
add qos hero Priority=800 MaxJobsPU=6
modify qos normal set Priority=100 MaxSubmitJobsPerUser=80
add user carl,cleo Account=comp
add user lars,lena,lou Account=light
add user adam,anja Account=ads
add user rufus Account=rnd
modify user carl,cleo,lars,lena,lou,adam,anja,rufus set qos=normal,hero defaultqos=normal
"""
USERS = ("carl", "cleo", "lars", "lena", "lou", "adam", "anja", "rufus")


def draw(rng):
    kind = rng.random()
    if kind < 0.24:
        cpus = rng.choice((2, 4, 8, 8, 16))
        size = rng.choice((6, 8, 12, 16))
        return (f"-c{cpus} -a 1-{size}%{rng.choice((2, 3, 4, 6))}" + rng.choice(("", " -L arnold:1", " -L arnold:2", " -L arnold:1", " --qos=hero")) + rng.choice(("", "", "", " -d aftercorr:@1", " -d afterok:@2"))), cpus * size / 300
    if kind < 0.46:
        cpus = rng.choice((1, 2, 4, 8, 16, 32))
        words, share = rng.choice((f"-n{cpus}", f"-c{cpus}", f"-n{cpus} -L nuke:1", f"-n{cpus} -L maya:1", f"-n{cpus} -N1-2", f"-c{cpus} -L maya:1,arnold:3", f"-n{cpus} --exclusive")), cpus / 350
    elif kind < 0.56:
        words, share = "-p rush " + rng.choice(("-n16", "-c8", "-c4 -L arnold:1", "-N2 -n32", "-n8 -L nuke:1", "-c16")) + f" -t {rng.choice((5, 10, 20))}", 0.05
    elif kind < 0.76:
        gpus = rng.choice((1, 1, 2, 4))
        words, share = "-p gpu " + rng.choice((f"-G a40:{gpus}", f"--gres=gpu:{gpus}" if gpus < 3 else f"--gres=gpu:a40:{gpus}", f"--gres=mps:{rng.choice((25, 50, 50, 100))} -c2", f"-G {gpus} -n{gpus}", "--gres=gpu:rtx:1 -c4", f"--gres=mps:50 -c4", f"--gpus-per-task=1 -n{gpus}", "-G rtx:2 -N1 -L maya:1")), gpus / 18
    elif kind < 0.86:
        words, share = "-p sim " + rng.choice(("-N2 -n32", "-N1 -n32", "-n64", "-N4 --exclusive", "-n24 -L maya:1", "-N2 -n8 -c4")), 0.12
    else:
        words, share = "-p idle " + rng.choice(("-n16", "-c32", "-n8", "-N3 -n48", "-c8 -a 1-6%3", "-p idle,farm -c8")), 0.1
    extra = rng.random()
    if " -a" not in words and extra < 0.16:
        words += f" -d {rng.choice(('afterok', 'afterany', 'after'))}:@{rng.randint(1, 4)}"
    elif extra < 0.24:
        words += rng.choice((" --nice=500", " --qos=hero", " -J comp -d singleton", " --begin=now+8minutes", " -w r03" if " -p" not in words else " --no-requeue"))
    return words, share, 1 if rng.random() < 0.05 else 0


EVENTS = ((900, "scontrol update NodeName=r08 State=DRAIN Reason=disk"), (1600, "scontrol hold {j30}"), (2100, "scontrol release {j30}"), (2300, "scontrol update NodeName=r08 State=RESUME"), (3600, "scontrol top {j70}"), (2900, "sacctmgr -i modify account ads set GrpTRES=cpu=96"),
          (4050, "scontrol update JobId={j90} Partition=farm"), (3700, "scontrol update NodeName=q3 State=DOWN Reason=xid"), (4100, "scontrol update NodeName=q3 State=RESUME"), (4640, "scancel {j110}"), (4700, "scontrol update PartitionName=idle State=INACTIVE"), (5200, "scontrol update PartitionName=idle State=UP"), (5600, "scontrol update JobId={j125} Priority=100000"))
EVENTS += ((10200, "scancel -t PENDING"),)  # what can never start, or not before tomorrow
main(Scenario(261130, CONF, draw, accounts=ACCOUNTS, gres_conf=GRES, jobs=160, window=7200, load=1.05, users=USERS, events=EVENTS))
