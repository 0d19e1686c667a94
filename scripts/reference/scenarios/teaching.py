#!/usr/bin/env python3
# scripts/reference/scenarios/teaching.py — a teaching cluster: A30 slices and T4, a QOS for a reservation that comes every day, GrpTRESMins that decay within the hour, factors of limits, CR_LLN over GPUs, CALCULATE_RUNNING and DEPTH_OBLIVIOUS.
from scenario import ENFORCED, Scenario, main

CONF = f"""\
SchedulerType=sched/backfill
SchedulerParameters=bf_continue,bf_interval=30,bf_max_job_user=12,bf_resolution=60,default_queue_depth=50,sched_min_interval=500000
SelectType=select/cons_tres
SelectTypeParameters=CR_Core_Memory,CR_LLN
GresTypes=gpu
DefMemPerCPU=2000
EnforcePartLimits=ALL
JobRequeue=0
PriorityType=priority/multifactor
PriorityFlags=CALCULATE_RUNNING,DEPTH_OBLIVIOUS
PriorityWeightAge=1000
PriorityWeightFairshare=8000
PriorityWeightQOS=3000
PriorityWeightAssoc=500
PriorityMaxAge=0-6
PriorityDecayHalfLife=0-1
PriorityCalcPeriod=1
AccountingStorageTRES=gres/gpu
{ENFORCED}
NodeName=mg[1-2] Sockets=2 CoresPerSocket=16 ThreadsPerCore=1 RealMemory=256000 Gres=gpu:a30_1g.6gb:8 Feature=mig Weight=2
NodeName=t[1-5] Sockets=1 CoresPerSocket=16 ThreadsPerCore=1 RealMemory=128000 Gres=gpu:t4:2 Feature=t4 Weight=2
NodeName=c[1-4] Sockets=1 CoresPerSocket=24 ThreadsPerCore=1 RealMemory=96000 Feature=cpu Weight=1
PartitionName=class Nodes=mg[1-2],t[1-5] Default=YES MaxTime=04:00:00 DefaultTime=30 State=UP MaxNodes=2 PriorityJobFactor=10
PartitionName=thesis Nodes=ALL MaxTime=2-0 DefaultTime=60 State=UP QOS=thesis
PartitionName=batch Nodes=c[1-4],t[4-5] MaxTime=1-0 DefaultTime=60 State=UP MaxCPUsPerNode=20
"""
GRES = "NodeName=mg[1-2] Name=gpu Type=a30_1g.6gb File=/dev/nvidia[0-7]\nNodeName=t[1-5] Name=gpu Type=t4 File=/dev/nvidia[0-1]\n"
ACCOUNTS = """\
add account cs Fairshare=50
add account ml Parent=cs Fairshare=60 GrpTRESMins=gres/gpu=400
add account sys Parent=cs Fairshare=40
add account bio Fairshare=30 GrpTRESMins=cpu=9000
add account staff Fairshare=20
add user s1,s2,s3 Account=ml
add user s4,s5 Account=sys
add user b1,b2 Account=bio
add user prof Account=staff
add qos thesis MaxTRESPerUser=gres/gpu=4,cpu=64 MaxJobsPerUser=8
add qos lesson Priority=50 Flags=RequiresReservation MaxTRESPerUser=gres/gpu=2
add qos short Priority=80 MaxWall=20 MaxTRESPerUser=cpu=16 GrpTRES=cpu=96 LimitFactor=2
add qos long Priority=10 MaxTRESPerAccount=gres/gpu=6 MaxJobsPerAccount=10 UsageFactor=1.5
modify user s1,s2,s3,s4,s5,b1,b2,prof set qos=normal,lesson,short,long defaultqos=normal
"""
USERS = ("s1", "s2", "s3", "s4", "s5", "b1", "b2", "prof")


def draw(rng):
    kind = rng.random()
    if kind < 0.35:
        gpus = rng.choice((1, 1, 1, 2, 2))
        words = rng.choice((f"--gres=gpu:{gpus} -c4", f"--gres=gpu:t4:{gpus}", f"-G a30_1g.6gb:{gpus} -c2", f"--gpus={gpus} --cpus-per-gpu=4", f"-n{gpus} --gpus-per-task=1 -c3", "-C mig --gres=gpu:1 --mem=16G", f"-N2 --gpus-per-node={gpus} -n4", "-C 'mig|t4' -G 1 -c2"))
        share = gpus / 24
    elif kind < 0.6:
        gpus = rng.choice((1, 2, 2, 4))
        words = "-p thesis " + rng.choice((f"--gpus={gpus} -c6", f"-n{gpus} --gpus-per-task=1", f"--gres=gpu:t4:2 -N{max(1, gpus // 2)}", f"-G {gpus} --mem-per-gpu=20G", f"-N1 -n{4 * gpus} --mem=30G", f"-n{8 * gpus}"))
        words += rng.choice(("", "", " --qos=long"))
        share = gpus / 24
    elif kind < 0.85:
        cpus = rng.choice((1, 2, 4, 8, 16, 20))
        words = "-p batch " + rng.choice((f"-n{cpus}", f"-c{cpus}", f"-N1 -n{cpus} --mem=24G", f"-N2 -n{max(2, cpus)}", f"-n{cpus} --ntasks-per-node=4", f"-n{cpus} --spread-job"))
        share = cpus / 150
    elif kind < 0.93:
        words, share = f"{rng.choice(('-G 1 -c2', '-c4', '-n2 --mem=4G'))} --qos=short -t {rng.choice((5, 10, 20))}", 0.01
    else:
        words, share = f"--reservation=lab --qos=lesson {rng.choice(('-G 1 -c2', '--gres=gpu:1', '-c4'))} -t {rng.choice((10, 15))}", 0.01
    extra = rng.random()
    if extra < 0.08:
        return f"{words} -a 1-{rng.choice(('4', '8%2', '10%4'))}", share * 6
    if extra < 0.12:
        words += f" -d {rng.choice(('afterok', 'afterany', 'afternotok'))}:@{rng.randint(1, 4)}"
    elif extra < 0.17:
        words += rng.choice((" --begin=now+400", " --nice=200", " --requeue", " --use-min-nodes"))
    return words, share, 1 if rng.random() < 0.08 else 0


EVENTS = ((60, "scontrol create reservation ReservationName=lab Accounts=ml,sys StartTime=now+1740 Duration=40 Nodes=mg1,t1 Flags=DAILY,IGNORE_JOBS"), (3300, "sacctmgr -i modify account ml set GrpTRESMins=gres/gpu=300"), (4200, "scontrol update PartitionName=thesis State=DRAIN"),
          (4800, "scontrol update PartitionName=thesis State=UP"), (5200, "scancel {j70}"), (5600, "sacctmgr -i modify qos short set GrpTRES=cpu=48"), (6200, "scontrol update NodeName=t3 State=DRAIN Reason=fan"), (7300, "scontrol update NodeName=t3 State=RESUME"), (9600, "scancel --state=PENDING --qos=lesson"))
main(Scenario(261101, CONF, draw, accounts=ACCOUNTS, gres_conf=GRES, jobs=220, window=8800, load=1.25, users=USERS, events=EVENTS))
