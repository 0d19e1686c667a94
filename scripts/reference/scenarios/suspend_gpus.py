#!/usr/bin/env python3
# scripts/reference/scenarios/suspend_gpus.py — GPU nodes whose lower partitions are suspended: three tiers, one of them FORCE:2, arrays, jobs of two nodes.
from scenario import ACCOUNTS, ENFORCED, FAIR_SHARE, Scenario, main

CONF = f"""\
SchedulerType=sched/backfill
SchedulerParameters=bf_interval=30,bf_resolution=60
SelectType=select/cons_tres
SelectTypeParameters=CR_Core_Memory
GresTypes=gpu
{FAIR_SHARE}PriorityWeightPartition=2000
AccountingStorageTRES=gres/gpu
PreemptType=preempt/partition_prio
PreemptMode=SUSPEND,GANG
SchedulerTimeSlice=60
{ENFORCED}
NodeName=g[01-04] Sockets=2 CoresPerSocket=16 ThreadsPerCore=1 RealMemory=512000 Gres=gpu:a100:4
NodeName=c[01-03] Sockets=2 CoresPerSocket=16 ThreadsPerCore=1 RealMemory=256000
PartitionName=scavenge Nodes=ALL MaxTime=1-0 State=UP PriorityTier=1 PriorityJobFactor=1 PreemptMode=REQUEUE OverSubscribe=FORCE:1
PartitionName=batch Nodes=ALL Default=YES MaxTime=1-0 State=UP PriorityTier=5 PriorityJobFactor=5 PreemptMode=SUSPEND OverSubscribe=FORCE:1
PartitionName=express Nodes=g[01-04],c01 MaxTime=2:00:00 State=UP PriorityTier=9 PriorityJobFactor=10 PreemptMode=OFF OverSubscribe=FORCE:1
"""
GRES = "NodeName=g[01-04] Name=gpu Type=a100 File=/dev/nvidia[0-3]\n"


def draw(rng):
    part = rng.choice(("scavenge", "batch", "batch", "batch", "express", "express"))
    if rng.random() < 0.6:
        gpus = rng.choice((1, 1, 2, 2, 4))
        words, share = rng.choice((f"--gres=gpu:{gpus} -c {4 * gpus}", f"--gres=gpu:a100:{gpus} -c 4", f"-N1 --gpus={gpus} -c 8")), gpus / 16
    else:
        cpus = rng.choice((2, 4, 8, 16, 32))
        words, share = rng.choice((f"-n{cpus}", f"-c {cpus}", f"-N1 -n{cpus}", f"-N2 --ntasks-per-node={cpus}")), cpus / 224
    words = f"-p {part} {words} --mem={rng.choice((8, 16, 32))}G"
    if rng.random() < 0.1:
        return words + " -a 0-4%2", share * 5
    return words, share


main(Scenario(918211, CONF, draw, accounts=ACCOUNTS, gres_conf=GRES, jobs=120, window=8400, load=1.1))
