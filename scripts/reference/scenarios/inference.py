#!/usr/bin/env python3
# scripts/reference/scenarios/inference.py — A100 cut by MIG of two layouts, whole A100, GPUs shared by shards and by MPS, debug and batch partitions, fair tree, QOS by priority.
from scenario import ENFORCED, Scenario, main

CONF = f"""\
SchedulerType=sched/backfill
SchedulerParameters=bf_continue,bf_interval=30,bf_resolution=60
SelectType=select/cons_tres
SelectTypeParameters=CR_Core_Memory
GresTypes=gpu,mps,shard
DefMemPerCPU=4000
PriorityType=priority/multifactor
PriorityWeightAge=1000
PriorityWeightFairshare=10000
PriorityWeightJobSize=200
PriorityWeightPartition=2000
PriorityWeightQOS=5000
PriorityWeightTRES=CPU=100,GRES/gpu=2000
PriorityMaxAge=1-0
PriorityDecayHalfLife=1-0
AccountingStorageTRES=gres/gpu,gres/shard,gres/mps
{ENFORCED}
NodeName=mig1 Sockets=2 CoresPerSocket=32 RealMemory=512000 Gres=gpu:1g.5gb:14,gpu:3g.20gb:4 Weight=10
NodeName=mig2 Sockets=2 CoresPerSocket=32 RealMemory=512000 Gres=gpu:1g.10gb:28 Weight=10
NodeName=gpu[1-4] Sockets=2 CoresPerSocket=32 RealMemory=512000 Gres=gpu:a100:4 Weight=30
NodeName=sh[1-2] Sockets=2 CoresPerSocket=16 RealMemory=256000 Gres=gpu:l40s:4,shard:16 Weight=20
NodeName=mp1 Sockets=2 CoresPerSocket=16 RealMemory=256000 Gres=gpu:t4:2,mps:200 Weight=20
PartitionName=batch Nodes=ALL Default=YES MaxTime=1-0 DefaultTime=30 State=UP PriorityJobFactor=10
PartitionName=a100 Nodes=gpu[1-4] MaxTime=1-0 State=UP PriorityJobFactor=20
PartitionName=debug Nodes=mig1,sh1,mp1 MaxTime=30 State=UP PriorityTier=10 PriorityJobFactor=100
"""
GRES = ("NodeName=mig1 Name=gpu Type=1g.5gb File=/dev/nvidia[0-13]\nNodeName=mig1 Name=gpu Type=3g.20gb File=/dev/nvidia[14-17]\n"
        "NodeName=mig2 Name=gpu Type=1g.10gb File=/dev/nvidia[0-27]\nNodeName=gpu[1-4] Name=gpu Type=a100 File=/dev/nvidia[0-3]\n"
        "NodeName=sh[1-2] Name=gpu Type=l40s File=/dev/nvidia[0-3]\nNodeName=sh[1-2] Name=shard Count=16\n"
        "NodeName=mp1 Name=gpu Type=t4 File=/dev/nvidia[0-1]\nNodeName=mp1 Name=mps Count=200\n")
ACCOUNTS = """\
add account ml Fairshare=50
add account web Fairshare=30
add account edu Fairshare=20 MaxJobs=10
add user anna,arno Account=ml
add user bert,bine Account=web
add user carl,cora,chris Account=edu
add qos prod Priority=100 MaxTRESPerUser=gres/gpu=6
add qos dev Priority=30 MaxJobsPerUser=4 MaxWall=1:00:00
add qos batch Priority=1 GrpTRES=gres/gpu=24
modify user anna,arno,bert,bine,carl,cora,chris set qos=prod,dev,batch,normal defaultqos=normal
"""
USERS = ("anna", "arno", "bert", "bine", "carl", "cora", "chris")


def draw(rng):
    kind = rng.random()
    if kind < 0.22:
        n = rng.choice((1, 1, 1, 2, 4))
        words, share = f"--gres=gpu:{rng.choice(('1g.5gb', '1g.5gb', '1g.10gb', '1g.10gb'))}:{n} -c {rng.choice((1, 2, 4))}", n / 40
    elif kind < 0.30:
        n = rng.choice((1, 1, 2))
        words, share = f"--gres=gpu:3g.20gb:{n} -c 4", n / 20
    elif kind < 0.50:
        n = rng.choice((1, 1, 2, 4))
        words, share = rng.choice((f"--gres=gpu:a100:{n} -c {4 * n}", f"-p a100 --gpus={n} -n{n} -c 4", f"-p a100 -N1 --gpus-per-node={n} --mem={30 * n}G", f"-p a100 -N2 --gres=gpu:{n} --ntasks-per-node={n}", f"--gpus=a100:{n} --cpus-per-gpu=6")), n / 14
    elif kind < 0.68:
        n = rng.choice((1, 1, 2, 3, 4))
        words, share = f"--gres=shard:{n} -c {rng.choice((1, 2))}", n / 40
    elif kind < 0.78:
        n = rng.choice((10, 25, 50, 75))
        words, share = f"--gres=mps:{n} -c 2", n / 400
    elif kind < 0.84:
        words, share = f"--gres=gpu:l40s:{rng.choice((1, 1, 2))} -c 4", 0.05
    elif kind < 0.93:
        words, share = f"-p debug {rng.choice(('--gres=gpu:1', '--gres=gpu:1g.5gb:1', '--gres=shard:1', '--gres=mps:20', '-c 4'))} -t {rng.choice((5, 10, 20, 30))}", 0.01
    else:
        words, share = f"-n{rng.choice((4, 16, 32))}", 0.03
    words += rng.choice(("", "", "", " --qos=prod", " --qos=dev", " --qos=batch"))
    extra = rng.random()
    if extra < 0.10:
        count = rng.choice((4, 8, 12))
        words, share = f"{words} -a 1-{count}{rng.choice(('', '%4'))}", share * count
    elif extra < 0.16:
        words += f" -d {rng.choice(('afterok', 'afterany', 'after'))}:@1"
    elif extra < 0.18:
        words += " --begin=now+15minutes"
    return words, share


EVENTS = ((3000, "scontrol update NodeName=gpu3 State=DRAIN Reason=fan"), (4500, "scontrol update NodeName=gpu3 State=RESUME"), (2000, "scancel {j20}"))
main(Scenario(141421, CONF, draw, accounts=ACCOUNTS, gres_conf=GRES, jobs=200, window=8400, load=1.3, users=USERS, events=EVENTS))
