#!/usr/bin/env python3
# scripts/reference/scenarios/works.py — a company's cluster: whole sockets, tiers that requeue each other after a warning, whole nodes of GPUs, jobs too young to reserve.
from scenario import ENFORCED, Scenario, main

CONF = f"""\
SchedulerType=sched/backfill
SchedulerParameters=bf_interval=30,bf_window=600,bf_min_age_reserve=180,bf_min_prio_reserve=1500,bf_continue,max_switch_wait=120,bf_max_job_user_part=5,default_queue_depth=40,no_backup_scheduling
SelectType=select/cons_tres
SelectTypeParameters=CR_Socket_Memory
GresTypes=gpu
DefMemPerNode=12000
PreemptType=preempt/partition_prio
PreemptMode=REQUEUE
PreemptExemptTime=00:03:00
PriorityType=priority/multifactor
PriorityFlags=ACCRUE_ALWAYS,NO_NORMAL_PART
PriorityWeightAge=2000
PriorityWeightFairshare=6000
PriorityWeightJobSize=1000
PriorityWeightPartition=10
PriorityWeightQOS=40
PriorityWeightAssoc=30
PriorityMaxAge=0-2
PriorityDecayHalfLife=0-1
PriorityCalcPeriod=2
JobRequeue=1
AccountingStorageTRES=gres/gpu,gres/gpu:a100,gres/gpu:l40
{ENFORCED}
NodeName=b[1-5] Sockets=4 CoresPerSocket=4 ThreadsPerCore=2 RealMemory=96000 Feature=cpu Weight=5
NodeName=c[1-3] Sockets=2 CoresPerSocket=8 ThreadsPerCore=1 RealMemory=64000 Feature=cpu,old Weight=1
NodeName=g[1-4] Sockets=2 CoresPerSocket=16 ThreadsPerCore=1 RealMemory=512000 Gres=gpu:a100:4,gpu:l40:2 Feature=gpu Weight=50
PartitionName=scavenge Nodes=ALL Default=YES MaxTime=1-0 State=UP PriorityTier=1 PriorityJobFactor=10 GraceTime=30
PartitionName=plan Nodes=b[1-5],c[1-3] MaxTime=12:00:00 State=UP PriorityTier=5 PriorityJobFactor=40 GraceTime=60
PartitionName=train Nodes=g[1-4] MaxTime=2-0 State=UP PriorityTier=5 PriorityJobFactor=60 DefMemPerGPU=40000 DefCpuPerGPU=4
PartitionName=urgent Nodes=ALL MaxTime=1:00:00 State=UP PriorityTier=20 PreemptMode=OFF MaxNodes=3 PriorityJobFactor=100
"""
GRES = ("NodeName=g[1-4] Name=gpu Type=a100 File=/dev/nvidia[0-1] Cores=0-15\nNodeName=g[1-4] Name=gpu Type=a100 File=/dev/nvidia[2-3] Cores=16-31\n"
        "NodeName=g[1-4] Name=gpu Type=l40 File=/dev/nvidia[4-5] Cores=0-31\n")
ACCOUNTS = """\
add account dev Fairshare=60
add account ops Fairshare=30 GrpJobs=12
add account ext Fairshare=10 MaxSubmitJobs=25
add user ann,art Account=dev
add user bob,bia Account=ops
add user cem,cho Account=ext
add qos gold Priority=60 MinTRESPerJob=gres/gpu=1 Flags=DenyOnLimit
add qos bulk Priority=5 MaxTRESPerUser=cpu=96,gres/gpu=6 GrpTRESMins=cpu=60000
modify qos normal set Priority=20
modify user ann,art,bob,bia,cem,cho set qos=normal,gold,bulk defaultqos=normal
modify user ann set Priority=50
"""
USERS = ("ann", "art", "bob", "bia", "cem", "cho")


def draw(rng):
    kind = rng.random()
    if kind < 0.38:
        gpus = rng.choice((1, 1, 1, 2, 2, 4, 8))
        asked = rng.choice((f"--gpus={gpus}", f"--gpus=a100:{gpus}", f"--gres=gpu:{min(gpus, 4)}", f"--gres=gpu:l40:{min(gpus, 2)}", f"--gpus-per-node={min(gpus, 4)} -N{1 if gpus < 8 else 2}",
                            f"--gpus={gpus} --cpus-per-gpu=4", f"--gpus-per-task=1 -n{gpus}", f"--gpus-per-socket={min(gpus, 2)} --sockets-per-node=1", f"--gres=gpu:a100:{min(gpus, 4)} -n8 --mem=60000",
                            f"--gpus={gpus} --mem-per-gpu=30000 -c 2"))
        words, share = f"{rng.choice(('-p train', '-p train', '-p train,scavenge', '-p scavenge'))} {asked}", gpus / 30
        words += rng.choice(("", "", "", " --qos=gold", " --qos=bulk"))
    elif kind < 0.50:
        words, share = f"-p urgent -n{rng.choice((4, 16, 24))}{rng.choice(('', ' --gres=gpu:1'))} -t {rng.choice((6, 15))}", 0.02
    else:
        tasks = rng.choice((1, 4, 8, 16, 32, 64))
        words, share = f"{rng.choice(('-p plan', '-p plan', '-p plan,scavenge', ''))} -n{tasks}", tasks / 230
        words += rng.choice(("", "", " -N2", " --exclusive" if tasks >= 16 else "", " -C old", " -c2" if tasks <= 8 else "", " --ntasks-per-node=8" if tasks >= 16 else "", " --mem=40000", " --mem-per-cpu=2000",
                             " --no-requeue", " --qos=bulk", " --cores-per-socket=8 -N1" if tasks <= 16 else ""))
    extra = rng.random()
    if extra < 0.05:
        words, share = f"{words} -a 0-5", share * 6
    elif extra < 0.08:
        words += " --dependency=singleton -J same"
    elif extra < 0.11:
        words += " --begin=now+5minutes"
    return words, share


main(Scenario(650127, CONF, draw, accounts=ACCOUNTS, gres_conf=GRES, jobs=170, window=7800, load=1.15, users=USERS))
