#!/usr/bin/env python3
# scripts/reference/scenarios/gpu_wishes.py — GPUs bound to cores and every way to wish for them: --cpus-per-gpu, --mem-per-gpu, --ntasks-per-gpu, --gpus-per-socket, --gpu-bind, --prefer, -C of alternatives, --exclusive, ExclusiveUser, deadlines.
from scenario import ACCOUNTS, ENFORCED, FAIR_SHARE, Scenario, main

CONF = f"""\
SchedulerType=sched/backfill
SchedulerParameters=bf_interval=30,bf_resolution=60,bf_window=2880
SelectType=select/cons_tres
SelectTypeParameters=CR_Core_Memory
GresTypes=gpu
DefMemPerCPU=2000
{FAIR_SHARE}PriorityWeightTRES=CPU=500,GRES/gpu=2000
AccountingStorageTRES=gres/gpu,gres/gpu:l40,gres/gpu:h100
{ENFORCED}
NodeName=l[1-4] Sockets=2 CoresPerSocket=16 ThreadsPerCore=1 RealMemory=256000 Gres=gpu:l40:4 Feature=l40,ib Weight=10
NodeName=h[1-3] Sockets=2 CoresPerSocket=24 ThreadsPerCore=2 RealMemory=512000 Gres=gpu:h100:4 Feature=h100,nvlink,ib Weight=30
NodeName=c[1-2] Sockets=2 CoresPerSocket=16 ThreadsPerCore=1 RealMemory=128000 Feature=cpu
PartitionName=gpu Nodes=l[1-4],h[1-3] Default=YES MaxTime=1-0 State=UP
PartitionName=mine Nodes=l4,h3 MaxTime=4:00:00 State=UP ExclusiveUser=YES PriorityTier=2
PartitionName=cpu Nodes=c[1-2],l[1-2] MaxTime=1-0 State=UP
"""
GRES = ("NodeName=l[1-4] Name=gpu Type=l40 File=/dev/nvidia[0-1] Cores=0-15\nNodeName=l[1-4] Name=gpu Type=l40 File=/dev/nvidia[2-3] Cores=16-31\n"
        "NodeName=h[1-3] Name=gpu Type=h100 File=/dev/nvidia[0-1] Cores=0-23\nNodeName=h[1-3] Name=gpu Type=h100 File=/dev/nvidia[2-3] Cores=24-47\n")


def draw(rng):
    kind = rng.random()
    if kind < 0.75:
        gpus = rng.choice((1, 1, 2, 2, 3, 4))
        words = rng.choice((
            f"--gpus={gpus} --cpus-per-gpu={rng.choice((2, 4, 6))}", f"--gpus={gpus} --mem-per-gpu=16G -c 4", f"-N1 --gres=gpu:{gpus} --cpus-per-gpu=4",
            f"--gpus={gpus} --ntasks-per-gpu=2", "-N1 --gpus-per-socket=1 --sockets-per-node=2 -c 4", f"-n{gpus} --gpus-per-task=1 -c 6", f"--gres=gpu:h100:{gpus} -c 8",
            f"--gres=gpu:l40:{gpus} -c 4", f"-N1 --gpus={gpus} -C l40|h100 -c 4", f"--gres=gpu:{gpus} -c 4 --prefer=h100", f"-N2 --gpus-per-node={min(gpus, 2)} -n4",
            f"-N1 --gres=gpu:{gpus} --exclusive", f"--gres=gpu:{gpus} -c 16 --gres-flags=enforce-binding", f"--gpus={gpus} -n {2 * gpus} -C nvlink", f"-N1 --gpus={gpus} -c 4 --mem=0"))
        share = gpus / 28
        if rng.random() < 0.12:
            words = "-p mine " + words
    else:
        cpus = rng.choice((2, 4, 8, 16, 32))
        words, share = f"-p cpu {rng.choice((f'-n{cpus}', f'-c {cpus}', f'-N1 -n{cpus} --prefer=cpu', f'-n{cpus} --exclusive=user', f'-N2 -n{cpus}'))}", cpus / 128
    extra = rng.random()
    if extra < 0.08:
        return words + " -a 0-4%2", share * 5
    if extra < 0.13:
        words += f" --deadline=now+{rng.choice((60, 180))}minutes"
    return words, share


main(Scenario(918226, CONF, draw, accounts=ACCOUNTS, gres_conf=GRES, jobs=160, window=9000, load=1.25))
