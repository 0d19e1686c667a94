#!/usr/bin/env python3
# scripts/reference/scenarios/observatory.py — an observatory's site: MIG slices beside GPUs with shards, heterogeneous jobs, reservations whose nodes and times change, nodes whose weights and features change.
from scenario import ENFORCED, Scenario, main

CONF = f"""\
SchedulerType=sched/backfill
SchedulerParameters=bf_interval=30,bf_continue,bf_window=1500,bf_resolution=60,bf_max_job_part=40,bf_hetjob_prio=min,bf_hetjob_immediate,default_queue_depth=80,partition_job_depth=30,preempt_youngest_first
SelectType=select/cons_tres
SelectTypeParameters=CR_Core_Memory,CR_Pack_Nodes
GresTypes=gpu,shard
DefMemPerCPU=2500
PreemptType=preempt/qos
PreemptMode=REQUEUE
PreemptExemptTime=00:02:00
CompleteWait=8
KillWait=15
Licenses=idl:4
PriorityType=priority/multifactor
PriorityFlags=MAX_TRES,SMALL_RELATIVE_TO_TIME
PriorityWeightAge=1000
PriorityWeightFairshare=6000
PriorityWeightJobSize=800
PriorityWeightQOS=4000
PriorityWeightPartition=1500
PriorityMaxAge=0-2
PriorityDecayHalfLife=0-3
PriorityUsageResetPeriod=NONE
PriorityCalcPeriod=1
AccountingStorageTRES=gres/gpu,gres/shard,license/idl
{ENFORCED}
NodeName=d[1-6] Sockets=2 CoresPerSocket=12 ThreadsPerCore=1 RealMemory=128000 Feature=disk Weight=2
NodeName=s[1-3] Sockets=2 CoresPerSocket=16 ThreadsPerCore=2 RealMemory=256000 Gres=gpu:a40:4,shard:16 Feature=sky,gpu Weight=10
NodeName=m[1-2] Sockets=2 CoresPerSocket=16 ThreadsPerCore=1 RealMemory=384000 Gres=gpu:1g.12gb:8,gpu:3g.47gb:4 Feature=mig Weight=15
NodeName=x1 Sockets=2 CoresPerSocket=24 ThreadsPerCore=1 RealMemory=768000 Gres=gpu:h200:8 Feature=gpu,big Weight=30
PartitionName=reduce Nodes=d[1-6],s[1-3] Default=YES MaxTime=12:00:00 DefaultTime=40 State=UP PriorityJobFactor=10 TRESBillingWeights="CPU=1.0,Mem=0.1G"
PartitionName=accel Nodes=s[1-3],m[1-2],x1 MaxTime=12:00:00 State=UP PriorityJobFactor=30 DefMemPerGPU=12000 DefCpuPerGPU=3 TRESBillingWeights="CPU=1.0,GRES/gpu=8,GRES/shard=2"
PartitionName=view Nodes=m1,s1,d1 MaxTime=1:00:00 DefaultTime=15 State=UP PriorityTier=3 PriorityJobFactor=80 MaxCPUsPerNode=12
PartitionName=idle Nodes=ALL MaxTime=4:00:00 State=UP PriorityJobFactor=1 AllowQos=scrap
"""
GRES = ("NodeName=s[1-3] Name=gpu Type=a40 File=/dev/nvidia[0-1] Cores=0-15\nNodeName=s[1-3] Name=gpu Type=a40 File=/dev/nvidia[2-3] Cores=16-31\nNodeName=s[1-3] Name=shard Count=16\n"
        "NodeName=m[1-2] Name=gpu Type=1g.12gb File=/dev/nvidia[0-7]\nNodeName=m[1-2] Name=gpu Type=3g.47gb File=/dev/nvidia[8-9] Cores=0-15\nNodeName=m[1-2] Name=gpu Type=3g.47gb File=/dev/nvidia[10-11] Cores=16-31\n"
        "NodeName=x1 Name=gpu Type=h200 File=/dev/nvidia[0-3] Cores=0-23\nNodeName=x1 Name=gpu Type=h200 File=/dev/nvidia[4-7] Cores=24-47\n")
ACCOUNTS = """\
add account radio Fairshare=50
add account optic Fairshare=30
add account guest Fairshare=10 GrpTRES=gres/gpu=6,cpu=70
add user lea,lou Account=radio
add user max,mia Account=optic
add user ned,nia Account=guest
add qos scrap Priority=1 UsageFactor=0.25
add qos night Priority=60 Preempt=scrap MaxTRESPerUser=gres/gpu=8 GrpTRES=gres/gpu=14
add qos alert Priority=200 Preempt=scrap,normal MaxJobsPerUser=2 MaxWall=40 PreemptExemptTime=00:00:00
modify qos normal set Priority=20 Preempt=scrap
modify user lea,lou,max,mia,ned,nia set qos=normal,scrap,night,alert defaultqos=normal
"""
USERS = ("lea", "lou", "max", "mia", "ned", "nia")


def draw(rng):
    kind = rng.random()
    if kind < 0.36:
        gpus = rng.choice((1, 1, 2, 2, 3, 4, 6))
        words = rng.choice((f"--gpus={gpus}", f"--gres=gpu:a40:{min(gpus, 4)}", f"--gres=gpu:1g.12gb:{gpus}", f"--gres=gpu:3g.47gb:{min(gpus, 4)} -n 4", f"--gpus=h200:{gpus} --cpus-per-gpu=4", f"--gres=gpu:{min(gpus, 4)} -n 4 -c 2", f"--gpus-per-task=1 -n {gpus}", f"--gres=shard:{rng.choice((1, 2, 4, 8))} -c 2", f"--gres=shard:{rng.choice((2, 4, 6))}", f"-C gpu --gpus={gpus}", f"--gpus={gpus} --mem-per-gpu=20000", f"--gpus-per-node={min(gpus, 4)} -N2"))
        words, share = words + " -p accel", gpus / 40
        words += rng.choice(("", "", "", " --qos=night", " --qos=scrap", " --qos=alert -t 20"))
    elif kind < 0.46:
        words, share = f"-p view {rng.choice(('-n 2', '-c 4', '--gres=gpu:1g.12gb:1 -c 2', '--gres=shard:1', '-n 6', '-L idl:1'))} -t {rng.choice((8, 15, 30))}", 0.01
    elif kind < 0.55:
        words, share = f"-p idle --qos=scrap {rng.choice(('-n 12', '-n 24', '--gpus=2', '--gres=gpu:1 -c 4', '-N2 -n 24', '-n 4', '-N1 --exclusive'))}", 0.07
    elif kind < 0.63:
        words, share = rng.choice(("-n 4 -p reduce : -n 2 --gres=gpu:1 -p accel", "-n 12 -p reduce : -N1 -n 12 -p reduce", "-n 1 -p reduce : --gpus=2 -n 2 -p accel", "-N1 -n 4 -C disk -p reduce : -n 8 -C sky -p reduce : -n 1 -p reduce")), 0.08
    else:
        cpus = rng.choice((1, 2, 4, 8, 12, 24, 36, 48))
        words = rng.choice((f"-n {cpus}", f"-n {cpus}", f"-n {cpus} -N{max(1, cpus // 12)}", f"-c {min(cpus, 24)}", f"-n {cpus} --mem-per-cpu=4000", f"-n {cpus} -C disk", f"-n {cpus} -C 'disk|sky'", f"-n {cpus} -L idl:1", f"-N2 --exclusive", f"-n {cpus} -x d[1-2]", f"-n {max(2, cpus)} --ntasks-per-node={max(1, cpus // 2)}"))
        words, share = words + rng.choice((" -p reduce", " -p reduce", " -p reduce,accel", " -p reduce --qos=alert -t 25", " -p reduce --qos=night")), cpus / 280
    extra = rng.random()
    if " : " in words:
        return words, share
    if extra < 0.07:
        words, share = f"{words} -a 0-{rng.choice(('3', '5%2'))}", share * 4
    elif extra < 0.12:
        words += rng.choice((" --dependency=afterok:@1", " --dependency=afterany:@2", " --nice=100", " --begin=now+6minutes"))
    elif extra < 0.17:
        words += " --reservation=survey"
    return words, share


EVENTS = ((5, "scontrol create reservation ReservationName=survey Users=lea,lou,max,mia,ned,nia StartTime=now+1200 Duration=80 Nodes=d[5-6],s3"), (1500, "scontrol create reservation ReservationName=work Users=root StartTime=now+1800 Duration=30 NodeCnt=2 Features=disk Flags=MAINT"),
          (2500, "scontrol update ReservationName=survey Nodes=d6,s[2-3]"), (3100, "scontrol update ReservationName=survey EndTime=now+3000"), (3600, "scontrol update NodeName=d[1-2] Weight=50"), (4000, "scontrol update ReservationName=work Nodes=d[3-4]"),
          (4300, "scontrol update NodeName=d3 State=DRAIN Reason=dust"), (4700, "scontrol create reservation ReservationName=flex Accounts=optic StartTime=now+600 Duration=50 CoreCnt=16 Nodes=x1 Flags=FLEX"), (5200, "scontrol update NodeName=d3 State=RESUME"), (5600, "scontrol delete ReservationName=survey"), (6000, "scontrol update PartitionName=reduce Nodes=d[1-6],s[1-2]"), (6600, "scontrol delete ReservationName=flex"))
main(Scenario(510012, CONF, draw, accounts=ACCOUNTS, gres_conf=GRES, jobs=175, window=7800, load=1.1, users=USERS, events=EVENTS))
