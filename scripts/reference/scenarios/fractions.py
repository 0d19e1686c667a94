#!/usr/bin/env python3
# scripts/reference/scenarios/fractions.py — a teaching hospital's GPUs in fractions: MIG slices of two sizes, shards, whole GPUs, DefMemPerGPU, partition QOS, classes of a course, few SchedulerParameters.
from scenario import ENFORCED, Scenario, main

CONF = f"""\
SchedulerParameters=bf_continue,bf_max_job_user=10,bf_min_age_reserve=120
SelectType=select/cons_tres
SelectTypeParameters=CR_CPU_Memory
GresTypes=gpu,shard
DefMemPerCPU=3000
PriorityType=priority/multifactor
PriorityFlags=ACCRUE_ALWAYS,SMALL_RELATIVE_TO_TIME
PriorityWeightAge=1000
PriorityWeightFairshare=5000
PriorityWeightJobSize=300
PriorityWeightPartition=2000
PriorityWeightTRES=CPU=200,GRES/gpu=1000
PriorityMaxAge=0-3
PriorityDecayHalfLife=0-4
AccountingStorageTRES=gres/gpu,gres/shard,gres/gpu:1g.10gb,gres/gpu:3g.40gb
{ENFORCED}
NodeName=mig[1-3] Sockets=2 CoresPerSocket=16 ThreadsPerCore=2 RealMemory=500000 Gres=gpu:1g.10gb:7,gpu:3g.40gb:4 Feature=mig
NodeName=sh[1-3] Sockets=2 CoresPerSocket=12 ThreadsPerCore=1 RealMemory=250000 Gres=gpu:t4:4,shard:16 Feature=t4
NodeName=big[1-2] Sockets=2 CoresPerSocket=24 ThreadsPerCore=1 RealMemory=750000 Gres=gpu:a100:4 Feature=a100
PartitionName=slices Nodes=mig[1-3] Default=YES MaxTime=08:00:00 DefaultTime=30 State=UP DefMemPerGPU=16000 QOS=slices
PartitionName=share Nodes=sh[1-3] MaxTime=08:00:00 DefaultTime=30 State=UP
PartitionName=whole Nodes=big[1-2],sh[1-3] MaxTime=1-0 DefaultTime=60 State=UP DefCpuPerGPU=5 DefMemPerGPU=50000 PriorityJobFactor=20
PartitionName=course Nodes=mig1,sh1 MaxTime=01:00:00 DefaultTime=10 State=UP PriorityTier=10 QOS=course
"""
GRES = ("NodeName=mig[1-3] Name=gpu Type=1g.10gb File=/dev/nvidia[0-6]\nNodeName=mig[1-3] Name=gpu Type=3g.40gb File=/dev/nvidia[7-10]\n"
        "NodeName=sh[1-3] Name=gpu Type=t4 File=/dev/nvidia[0-3]\nNodeName=sh[1-3] Name=shard Count=16\nNodeName=big[1-2] Name=gpu Type=a100 File=/dev/nvidia[0-1] Cores=0-23\nNodeName=big[1-2] Name=gpu Type=a100 File=/dev/nvidia[2-3] Cores=24-47\n")
ACCOUNTS = """\
add account radio Fairshare=40
add account geno Fairshare=40
add account teach Fairshare=20 GrpTRES=cpu=80
add user ruth,ron Account=radio
add user gus,gina Account=geno
add user t1,t2,t3 Account=teach
add qos slices MaxTRESPerUser=gres/gpu=6 MaxJobsPerUser=10
add qos course MaxTRESPerUser=gres/gpu=1 MaxJobsPerUser=2 MaxSubmitJobsPerUser=6
"""
USERS = ("ruth", "ron", "gus", "gina", "t1", "t2", "t3")


def draw(rng):
    kind = rng.random()
    if kind < 0.4:
        count = rng.choice((1, 1, 1, 2, 3))
        words = rng.choice((f"--gres=gpu:1g.10gb:{count} -c{2 * count}", f"--gres=gpu:3g.40gb:{min(count, 2)} -c4 --mem=40G", f"--gres=gpu:{count} -c2", f"--gpus=1g.10gb:{count}", f"-G 3g.40gb:{min(count, 2)} -n2", f"--gpus={count} --cpus-per-gpu=4", f"-n{count} --gpus-per-task=1g.10gb:1 -c2", "--gres=gpu:1g.10gb:1,gpu:3g.40gb:1 -c6", f"--gpus-per-node=1g.10gb:{count} -N2 -n4"))
        share = count / 33
    elif kind < 0.65:
        shards = rng.choice((1, 2, 2, 4, 8))
        words = "-p share " + rng.choice((f"--gres=shard:{shards} -c2", f"--gres=shard:{shards} --mem=8G", f"--gres=shard:{shards} -n{shards}", "--gres=gpu:1 -c4", "--gpus=2 -c4", f"--gres=shard:t4:{shards} -c1"))
        share = shards / 48
    elif kind < 0.85:
        gpus = rng.choice((1, 1, 2, 2, 4))
        words = "-p whole " + rng.choice((f"--gres=gpu:a100:{gpus}", f"--gpus={gpus}", f"--gres=gpu:{gpus} -n{gpus} -c3", f"-N1 --gpus={gpus} --mem-per-gpu=90G", f"--gres=gpu:t4:{gpus} -c4", f"-N2 --gpus-per-node={min(gpus, 2)}", f"-n{gpus} --gpus-per-task=1"))
        share = gpus / 20
    elif kind < 0.95:
        words, share = f"-p course {rng.choice(('--gres=gpu:1g.10gb:1', '--gres=shard:2', '--gpus=1 -c2', '-c4'))} -t {rng.choice((5, 10, 30))}", 0.01
    else:
        words, share = f"-p {rng.choice(('slices', 'share', 'whole', 'slices,share'))} -n{rng.choice((2, 8, 20))}", 0.02
    extra = rng.random()
    if extra < 0.08:
        return f"{words} -a 0-{rng.choice(('4', '9%3', '7%2'))}", share * 5
    if extra < 0.12:
        words += f" -d {rng.choice(('afterok', 'afternotok', 'afterany'))}:@{rng.randint(1, 3)}"
    elif extra < 0.15:
        words += rng.choice((" --begin=now+300", " --deadline=now+3hours -t 20", " --nice=300"))
    return words, share, 1 if rng.random() < 0.06 else 0


EVENTS = ((1000, "scontrol create reservation ReservationName=lesson Accounts=teach StartTime=now+1200 Duration=45 Nodes=mig1"), (4000, "scontrol update NodeName=big2 State=DRAIN Reason=fan"), (5200, "scontrol update NodeName=big2 State=RESUME"),
          (3000, "scontrol release {j40}"), (4800, "scancel {j100}"), (6000, "scontrol update PartitionName=share State=DOWN"), (6600, "scontrol update PartitionName=share State=UP"))
main(Scenario(515104, CONF, draw, accounts=ACCOUNTS, gres_conf=GRES, jobs=230, window=8600, load=1.3, users=USERS, events=EVENTS))
