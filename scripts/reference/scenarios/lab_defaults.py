#!/usr/bin/env python3
# scripts/reference/scenarios/lab_defaults.py — a group's six nodes set up by a blog post: no SchedulerParameters, no DefMem (so jobs without --mem hold their nodes' memory), no limits enforced, priority by fair share alone.
from scenario import ACCOUNTS, Scenario, main

CONF = """\
SelectType=select/cons_tres
SelectTypeParameters=CR_Core_Memory
GresTypes=gpu
PriorityType=priority/multifactor
PriorityWeightFairshare=1000
PriorityWeightAge=100
AccountingStorageTRES=gres/gpu
NodeName=n[1-4] CPUs=32 Sockets=2 CoresPerSocket=8 ThreadsPerCore=2 RealMemory=128000
NodeName=gpu1 CPUs=48 Sockets=2 CoresPerSocket=12 ThreadsPerCore=2 RealMemory=256000 Gres=gpu:4
NodeName=gpu2 CPUs=64 Sockets=1 CoresPerSocket=32 ThreadsPerCore=2 RealMemory=512000 Gres=gpu:2
PartitionName=all Nodes=n[1-4],gpu[1-2] Default=YES MaxTime=INFINITE State=UP
PartitionName=gpu Nodes=gpu[1-2] MaxTime=INFINITE State=UP
PartitionName=long Nodes=n[1-2] MaxTime=14-0 State=UP
"""
GRES = "NodeName=gpu1 Name=gpu File=/dev/nvidia[0-3]\nNodeName=gpu2 Name=gpu File=/dev/nvidia[0-1]\n"


def draw(rng):
    kind = rng.random()
    if kind < 0.5:
        cpus = rng.choice((1, 1, 2, 4, 8, 16, 32, 48))
        words = rng.choice((f"-n{cpus}", f"-c{cpus} --mem=8G", f"-n{cpus} --mem-per-cpu=2G", f"-N2 -n{2 * cpus if cpus < 32 else 32}", f"-n{cpus} --mem=20000", "-N1 --exclusive", f"-c{cpus}", f"-p long -n{min(cpus, 32)} --mem-per-cpu=1500", f"-N1 -n{cpus} --hint=nomultithread --mem=16G"))
        share = cpus / 200 + (0.08 if "mem" not in words else 0)
    else:
        gpus = rng.choice((1, 1, 1, 2, 2, 3, 4))
        words = rng.choice((f"-p gpu --gres=gpu:{gpus}", f"--gres=gpu:{gpus} --mem=30G", f"-p gpu --gres=gpu:{gpus} -c8 --mem=40G", f"-p gpu --gpus={gpus} --mem-per-gpu=24G", f"--gpus={gpus} -n{gpus} --mem=50G", f"-p gpu -N1 --gpus-per-node={gpus} -c4 --mem=0", f"--gpus-per-task=1 -n{gpus} -c4 --mem-per-cpu=4G", f"-p gpu --gres=gpu:{gpus} --cpus-per-gpu=6 --mem=60G"))
        share = gpus / 6
    extra = rng.random()
    if extra < 0.07:
        return f"{words} --array=1-{rng.choice((4, 8))}", share * 6
    if extra < 0.13:
        words += f" -d afterok:@{rng.randint(1, 3)}"
    elif extra < 0.17:
        words += " --nice=100"
    return words, share


main(Scenario(515101, CONF, draw, accounts=ACCOUNTS, gres_conf=GRES, jobs=150, window=8400, load=1.15))
