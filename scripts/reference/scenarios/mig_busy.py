#!/usr/bin/env python3
# scripts/reference/scenarios/mig_busy.py — MIG slices of several sizes, MPS and shards on nodes of several GPUs under load, arrays, QOS with limits by type.
from scenario import ACCOUNTS, ENFORCED, FAIR_SHARE, USERS, Scenario, main

CONF = f"""\
SchedulerType=sched/backfill
SchedulerParameters=bf_interval=30,bf_resolution=60
SelectType=select/cons_tres
SelectTypeParameters=CR_Core_Memory
GresTypes=gpu,mps,shard
{FAIR_SHARE}PriorityWeightQOS=2000
AccountingStorageTRES=gres/gpu,gres/gpu:1g.10gb,gres/gpu:3g.40gb,gres/mps,gres/shard
{ENFORCED}
NodeName=m[1-3] Sockets=2 CoresPerSocket=16 ThreadsPerCore=2 RealMemory=256000 Gres=gpu:1g.10gb:8,gpu:3g.40gb:4,gpu:7g.80gb:2
NodeName=s[1-2] Sockets=2 CoresPerSocket=16 ThreadsPerCore=1 RealMemory=256000 Gres=gpu:a30:4,shard:16
NodeName=p1 Sockets=2 CoresPerSocket=16 ThreadsPerCore=1 RealMemory=256000 Gres=gpu:t4:4,mps:400
PartitionName=mig Nodes=m[1-3] Default=YES MaxTime=1-0 State=UP DefMemPerCPU=2000
PartitionName=share Nodes=s[1-2],p1 MaxTime=8:00:00 State=UP DefMemPerCPU=2000
PartitionName=any Nodes=ALL MaxTime=2:00:00 State=UP DefMemPerCPU=2000
"""
GRES = ("NodeName=m[1-3] Name=gpu Type=1g.10gb File=/dev/nvidia[0-7]\nNodeName=m[1-3] Name=gpu Type=3g.40gb File=/dev/nvidia[8-11]\nNodeName=m[1-3] Name=gpu Type=7g.80gb File=/dev/nvidia[12-13]\n"
        "NodeName=s[1-2] Name=gpu Type=a30 File=/dev/nvidia[0-1] Cores=0-15\nNodeName=s[1-2] Name=gpu Type=a30 File=/dev/nvidia[2-3] Cores=16-31\nNodeName=s[1-2] Name=shard Count=16\n"
        "NodeName=p1 Name=gpu Type=t4 File=/dev/nvidia[0-3]\nNodeName=p1 Name=mps Count=400\n")
QOS = f"""\
add qos slim Priority=10 MaxTRESPerUser=gres/gpu:1g.10gb=6
add qos wide Priority=100 MaxTRESPerUser=gres/gpu=5,gres/shard=12
modify user {','.join(USERS)} set qos+=slim,wide
"""


def draw(rng):
    kind = rng.random()
    if kind < 0.45:
        words, share = rng.choice(((f"--gres=gpu:1g.10gb:{rng.choice((1, 1, 2, 3))} -c 2", 0.06), ("--gres=gpu:3g.40gb:1 -c 4", 0.08), ("--gres=gpu:3g.40gb:2 -c 4 --mem=20G", 0.15), ("--gres=gpu:7g.80gb:1 -c 8", 0.15), ("--gres=gpu:1 -c 2", 0.05), ("--gres=gpu:2 -c 4", 0.08), ("-N1 --gpus=3g.40gb:1 -c 4", 0.08), ("--gres=gpu:1g.10gb:1,gpu:3g.40gb:1 -c 4", 0.12), ("-N2 --gres=gpu:7g.80gb:1 -n4", 0.3)))
    elif kind < 0.85:
        words, share = rng.choice(((f"--gres=shard:{rng.choice((1, 2, 4))} -c 2", 0.06), (f"--gres=mps:{rng.choice((20, 25, 50, 100))} -c 2", 0.08), ("--gres=gpu:1 -c 4", 0.1), ("--gres=gpu:a30:2 -c 8", 0.2), ("--gres=gpu:t4:1 -c 2", 0.1), ("--gpus=2 -c 4", 0.2), ("--gres=shard:2 -n2 -c 2", 0.08)))
        words = "-p share " + words
    else:
        words, share = rng.choice((("-p any --gres=gpu:1 -c 2 -t 60", 0.06), ("-p any --gres=gpu:2 -n2 -t 40", 0.12), ("-p any -n8 -t 30", 0.08), ("-p any --gpus=3 -n3 -t 60", 0.15)))
    words += rng.choice(("", "", "", " --qos=slim", " --qos=wide", " --mem=8G"))
    if rng.random() < 0.1:
        return words + " -a 1-6%3", share * 5
    return words, share


main(Scenario(918218, CONF, draw, accounts=ACCOUNTS + QOS, gres_conf=GRES, jobs=170, window=9000, load=1.3))
