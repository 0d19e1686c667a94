#!/usr/bin/env python3
# scripts/reference/scenarios/slices.py — GPUs cut by MIG, shared by mps and by shards, and whole ones, as in `mig_mps_shard`, with sockets, several nodes, types, lists of partitions and arrays.
from scenario import ENFORCED, Scenario, main

CONF = f"""\
GresTypes=gpu,mps,shard
SchedulerType=sched/backfill
SchedulerParameters=bf_interval=30,bf_resolution=60
SelectType=select/cons_tres
SelectTypeParameters=CR_Core_Memory
PriorityType=priority/multifactor
PriorityWeightAge=1000
PriorityWeightFairshare=100000
PriorityWeightQOS=5000
PriorityDecayHalfLife=7-0
PriorityCalcPeriod=5
AccountingStorageTRES=gres/gpu,gres/mps,gres/shard
{ENFORCED}
NodeName=mig[01-02] Sockets=2 CoresPerSocket=16 ThreadsPerCore=2 RealMemory=512000 Gres=gpu:1g.10gb:8,gpu:2g.20gb:4,gpu:3g.40gb:2 Weight=20
NodeName=mps[01-02] Sockets=2 CoresPerSocket=16 ThreadsPerCore=1 RealMemory=256000 Gres=gpu:a100:2,mps:200 Weight=10
NodeName=sh[01-02] Sockets=2 CoresPerSocket=16 ThreadsPerCore=1 RealMemory=256000 Gres=gpu:a100:4,shard:32 Weight=10
NodeName=full[01-02] Sockets=2 CoresPerSocket=24 ThreadsPerCore=1 RealMemory=512000 Gres=gpu:a100:4,gpu:v100:2 Weight=5
PartitionName=mig Nodes=mig[01-02] MaxTime=1-0 State=UP
PartitionName=share Nodes=mps[01-02],sh[01-02] MaxTime=1-0 State=UP
PartitionName=gpu Nodes=full[01-02],mps[01-02],sh[01-02] Default=YES MaxTime=1-0 State=UP
PartitionName=quick Nodes=ALL MaxTime=20 State=UP PriorityTier=5
"""
GRES = ("NodeName=mig[01-02] Name=gpu Type=1g.10gb File=/dev/nvidia[0-3] Cores=0-15\nNodeName=mig[01-02] Name=gpu Type=1g.10gb File=/dev/nvidia[4-7] Cores=16-31\nNodeName=mig[01-02] Name=gpu Type=2g.20gb File=/dev/nvidia[8-9] Cores=0-15\n"
        "NodeName=mig[01-02] Name=gpu Type=2g.20gb File=/dev/nvidia[10-11] Cores=16-31\nNodeName=mig[01-02] Name=gpu Type=3g.40gb File=/dev/nvidia[12-13]\nNodeName=mps[01-02] Name=gpu Type=a100 File=/dev/nvidia0 Cores=0-15\nNodeName=mps[01-02] Name=gpu Type=a100 File=/dev/nvidia1 Cores=16-31\n"
        "NodeName=mps[01-02] Name=mps Count=200\nNodeName=sh[01-02] Name=gpu Type=a100 File=/dev/nvidia[0-1] Cores=0-15\nNodeName=sh[01-02] Name=gpu Type=a100 File=/dev/nvidia[2-3] Cores=16-31\nNodeName=sh[01-02] Name=shard Count=32\n"
        "NodeName=full[01-02] Name=gpu Type=a100 File=/dev/nvidia[0-1] Cores=0-23\nNodeName=full[01-02] Name=gpu Type=a100 File=/dev/nvidia[2-3] Cores=24-47\nNodeName=full[01-02] Name=gpu Type=v100 File=/dev/nvidia[4-5]\n")
ACCOUNTS = """\
add account ml Fairshare=40
add account plat Fairshare=30
add account ds Fairshare=20
add user alice,ann Account=ml
add user bob,ben Account=plat
add user carol,cy Account=ds
"""
USERS = ("alice", "ann", "bob", "ben", "carol", "cy")


def draw(rng):
    kind = rng.random()
    cores = rng.choice(("-c 2 --mem=4000", "-c 4 --mem=16000", "-n 4 --mem-per-cpu=2000", "-n 2 -c 3 --mem=8000", "-c 8 --mem=30000"))
    if kind < 0.3:
        words = rng.choice(("--gres=gpu:1g.10gb:1", "--gres=gpu:1g.10gb:2", "--gres=gpu:2g.20gb:1", "--gres=gpu:3g.40gb:1", "--gres=gpu:1g.10gb:1,gpu:2g.20gb:1", "--gres=gpu:1g.10gb:4 -N2", "--gpus=1g.10gb:6 -N1-2", "--gres=gpu:2", "--gpus=3g.40gb:3", "--gpus-per-task=2g.20gb:1 -n3", "--gpus=5"))
        share, where = 0.05, rng.choice((" -p mig", " -p mig", " -p mig", " -p mig,quick -t 15"))
    elif kind < 0.5:
        words = f"--gres=mps:{rng.choice((10, 25, 50, 50, 100))}"
        share, where = 0.05, rng.choice((" -p share", " -p share", " -p gpu", " -p share,gpu"))
    elif kind < 0.72:
        words = f"--gres=shard:{rng.choice((1, 2, 4, 6, 8))}"
        share, where = 0.05, rng.choice((" -p share", " -p share", " -p gpu", " -p share,quick -t 12"))
    else:
        gpus = rng.choice((1, 1, 2, 2, 3, 4, 6))
        words = rng.choice((f"--gres=gpu:{min(gpus, 4)}", f"--gres=gpu:a100:{min(gpus, 4)}", f"--gpus={gpus}", f"--gpus=a100:{gpus}", f"--gres=gpu:v100:{min(gpus, 2)}", f"--gpus-per-node={min(gpus, 2)} -N2", f"--gpus-per-task=1 -n {min(gpus, 4)}", f"--gres=gpu:a100:1,gpu:v100:1", f"--gpus-per-socket={min(gpus, 2)} --sockets-per-node=1"))
        share, where = gpus / 24, rng.choice((" -p gpu", " -p gpu", " -p gpu", " -p share", " -p gpu,share"))
    if "-n" in words and "-n" in cores:
        cores = "-c 2 --mem=4000"
    words = f"{words} {cores}{where}"
    extra = rng.random()
    if extra < 0.08 and "-t" not in words:
        words, share = f"{words} -a 0-{rng.choice(('3', '5%2'))}", share * 4
    elif extra < 0.11:
        words += " --exclusive"
    elif extra < 0.14:
        words += " --gres-flags=enforce-binding"
    return words, share


main(Scenario(510004, CONF, draw, accounts=ACCOUNTS, gres_conf=GRES, jobs=190, window=7600, load=1.3, users=USERS))
