#!/usr/bin/env python3
# scripts/reference/scenarios/university.py — a university's cluster as most are: CPU nodes, two kinds of GPU nodes, a big one; faculties with groups, a QOS each, few keys set.
from scenario import Scenario, main

CONF = """\
SchedulerType=sched/backfill
SchedulerParameters=bf_continue,bf_window=4320,bf_resolution=60,bf_max_job_user=30,bf_max_job_test=500,default_queue_depth=200,max_array_tasks=1000
SelectType=select/cons_tres
SelectTypeParameters=CR_Core_Memory
GresTypes=gpu
DefMemPerCPU=3500
EnforcePartLimits=ALL
PriorityType=priority/multifactor
PriorityWeightAge=2000
PriorityWeightFairshare=10000
PriorityWeightJobSize=1000
PriorityWeightPartition=1000
PriorityWeightQOS=3000
PriorityMaxAge=0-12
PriorityDecayHalfLife=0-8
AccountingStorageTRES=gres/gpu,gres/gpu:a100,gres/gpu:rtx6000
AccountingStorageEnforce=associations,limits,qos
JobRequeue=0
NodeName=cn[01-12] Sockets=2 CoresPerSocket=16 ThreadsPerCore=1 RealMemory=190000 Feature=cascade Weight=10
NodeName=cn[13-16] Sockets=2 CoresPerSocket=24 ThreadsPerCore=1 RealMemory=250000 Feature=icelake Weight=12
NodeName=ga[1-3] Sockets=2 CoresPerSocket=16 ThreadsPerCore=1 RealMemory=500000 Gres=gpu:a100:4 Feature=a100 Weight=50
NodeName=gr[1-2] Sockets=2 CoresPerSocket=12 ThreadsPerCore=1 RealMemory=250000 Gres=gpu:rtx6000:8 Feature=rtx Weight=40
NodeName=big1 Sockets=4 CoresPerSocket=16 ThreadsPerCore=1 RealMemory=2000000 Feature=big Weight=100
PartitionName=cpu Nodes=cn[01-16] Default=YES MaxTime=3-0 DefaultTime=60 State=UP PriorityJobFactor=10 TRESBillingWeights="CPU=1,Mem=0.25G"
PartitionName=short Nodes=cn[01-16],ga1 MaxTime=60 State=UP PriorityTier=2 PriorityJobFactor=50 QOS=short TRESBillingWeights="CPU=1,Mem=0.25G"
PartitionName=gpu Nodes=ga[1-3],gr[1-2] MaxTime=2-0 State=UP PriorityJobFactor=20 QOS=gpu DefMemPerCPU=8000 TRESBillingWeights="CPU=1,Mem=0.1G,GRES/gpu:a100=16,GRES/gpu:rtx6000=4"
PartitionName=bigmem Nodes=big1 MaxTime=1-0 State=UP DefMemPerCPU=30000 PriorityJobFactor=10 MinNodes=1
"""
GRES = ("NodeName=ga[1-3] Name=gpu Type=a100 File=/dev/nvidia[0-1] Cores=0-15\nNodeName=ga[1-3] Name=gpu Type=a100 File=/dev/nvidia[2-3] Cores=16-31\n"
        "NodeName=gr[1-2] Name=gpu Type=rtx6000 File=/dev/nvidia[0-3] Cores=0-11\nNodeName=gr[1-2] Name=gpu Type=rtx6000 File=/dev/nvidia[4-7] Cores=12-23\n")
ACCOUNTS = """\
add account science Fairshare=60
add account physics parent=science Fairshare=50
add account chemistry parent=science Fairshare=30 GrpTRES=cpu=320
add account medicine Fairshare=30 MaxJobs=30
add account teaching Fairshare=10 GrpTRES=cpu=128,gres/gpu=4 MaxWall=02:00:00
add user pia,pit Account=physics
add user che,chu Account=chemistry
add user mel,moe Account=medicine
add user stu,sue Account=teaching
add qos short MaxTRESPerUser=cpu=96 GrpJobs=25
add qos gpu MaxTRESPerUser=gres/gpu=10 MaxJobsPerUser=8
add qos high Priority=50 MaxTRESPerUser=cpu=64 MaxJobsPerUser=2
add qos long Priority=5 MaxTRESPerUser=cpu=128
modify qos normal set Priority=20 MaxTRESPerUser=cpu=256
modify user pia,pit,che,chu,mel,moe,stu,sue set qos=normal,high,long defaultqos=normal
modify user pia set Fairshare=3
"""
USERS = ("pia", "pit", "che", "chu", "mel", "moe", "stu", "sue")


def draw(rng):
    kind = rng.random()
    if kind < 0.50:
        cpus = rng.choice((1, 1, 4, 8, 16, 32, 64))
        words = rng.choice((f"-n{cpus}", f"-n{cpus}", f"-c{min(cpus, 32)}", f"-n{cpus} -N{1 if cpus <= 32 else 2}", f"-n1 -c{min(cpus, 24)} --mem={rng.choice((8, 32, 100, 180))}G", f"-n{cpus} --mem-per-cpu={rng.choice((2, 5, 7))}G",
                            f"-N{rng.choice((1, 2, 3))} --ntasks-per-node={rng.choice((8, 16, 32))}", f"-n{cpus} -C icelake", f"-n{cpus} -C 'cascade|icelake'", f"-N{rng.choice((1, 2, 4))} --exclusive", f"-N{rng.choice((1, 2))} --exclusive --mem=0"))
        words += rng.choice(("", "", "", "", " --qos=high", " --qos=long"))
        share = cpus / 560
        if rng.random() < 0.15:
            count = rng.choice((4, 8, 12, 20))
            words, share = f"{words} -a 1-{count}{rng.choice(('', '', '%4'))}", share * count
    elif kind < 0.62:
        cpus = rng.choice((1, 2, 4, 16, 32))
        words, share = f"-p {rng.choice(('short', 'short', 'short,cpu'))} -n{cpus} -t {rng.choice((5, 15, 30, 60))}", 0.01
    elif kind < 0.92:
        gpus = rng.choice((1, 1, 1, 1, 2, 2, 4, 8))
        words = rng.choice((f"--gres=gpu:{min(gpus, 8)} -c {2 * gpus}", f"--gres=gpu:a100:{min(gpus, 4)} -n1 -c{rng.choice((4, 8))}", f"--gres=gpu:rtx6000:{gpus} -c2", f"--gpus={gpus} -c 2", f"-G a100:{gpus} -n{gpus} -c4", f"--gres=gpu:{min(gpus, 4)} -N2 --ntasks-per-node={min(gpus, 4)}",
                            f"--gpus-per-node={min(gpus, 4)} --cpus-per-gpu=4 --mem=60G", f"--gres=gpu:1 -C a100 --mem=32G", f"--gpus-per-task=1 -n{gpus} -c3"))
        words, share = f"-p gpu {words}", gpus / 28
        if rng.random() < 0.1:
            words, share = f"{words} -a 0-{rng.choice((3, 5))}", share * 5
    else:
        words, share = f"-p bigmem -c{rng.choice((1, 8, 16))} --mem={rng.choice((200, 500, 900, 1500))}G", 0.03
    extra = rng.random()
    if extra < 0.06:
        words += f" --dependency={rng.choice(('afterok', 'afterany'))}:@1"
    elif extra < 0.09:
        words += " --begin=now+10minutes"
    elif extra < 0.11:
        words += " --nice=200"
    elif extra < 0.14:
        return words, share, 1
    return words, share


EVENTS = ((1600, "scontrol create reservation ReservationName=course Nodes=cn[05-08] StartTime=now+30minutes Duration=40 Accounts=teaching"), (2700, "scontrol update NodeName=gr2 State=DRAIN Reason=psu"), (4300, "scontrol update NodeName=gr2 State=RESUME"),
          (3600, "scontrol hold {j50}"), (4000, "scontrol release {j50}"))
main(Scenario(520417, CONF, draw, accounts=ACCOUNTS, gres_conf=GRES, jobs=180, window=7800, load=1.2, users=USERS, events=EVENTS))
