#!/usr/bin/env python3
# scripts/reference/scenarios/suspend_lists.py — SUSPEND,GANG over threads and lists of partitions: two suspended tiers, one of FORCE:2, partitions that overlap in part, jobs of several nodes, holds and cancellations.
from scenario import ACCOUNTS, ENFORCED, FAIR_SHARE, Scenario, main

CONF = f"""\
SchedulerType=sched/backfill
SchedulerParameters=bf_interval=30,bf_resolution=60,bf_continue
SelectType=select/cons_tres
SelectTypeParameters=CR_CPU_Memory
DefMemPerCPU=1000
{FAIR_SHARE}
PreemptType=preempt/partition_prio
PreemptMode=SUSPEND,GANG
SchedulerTimeSlice=120
{ENFORCED}
NodeName=a[1-5] Sockets=2 CoresPerSocket=8 ThreadsPerCore=2 RealMemory=128000
NodeName=b[1-3] Sockets=2 CoresPerSocket=12 ThreadsPerCore=1 RealMemory=96000 Weight=5
PartitionName=free Nodes=ALL Default=YES MaxTime=1-0 State=UP PriorityTier=1 OverSubscribe=FORCE:2
PartitionName=work Nodes=a[1-5],b1 MaxTime=1-0 State=UP PriorityTier=4 OverSubscribe=FORCE:1
PartitionName=owner Nodes=b[1-3] MaxTime=8:00:00 State=UP PriorityTier=4 OverSubscribe=FORCE:1
PartitionName=rush Nodes=a[1-3],b[1-2] MaxTime=1:00:00 State=UP PriorityTier=8 PreemptMode=OFF OverSubscribe=FORCE:1
"""
EVENTS = ((2900, "scontrol hold {j30}"), (3600, "scontrol release {j30}"), (3800, "scancel {j40}"), (4300, "scontrol suspend {j45}"), (4800, "scontrol resume {j45}"), (5200, "scontrol requeue {j52}"), (6000, "scontrol update NodeName=a4 State=DRAIN Reason=x"), (6900, "scontrol update NodeName=a4 State=RESUME"))


def draw(rng):
    part = rng.choice(("free", "free", "free", "work", "work", "owner", "rush", "work,free", "owner,free"))
    cpus = rng.choice((2, 4, 8, 12, 16, 24))
    nodes = rng.choice((2, 2, 3))
    words, share = rng.choice(((f"-n{cpus}", cpus / 240), (f"-c {cpus}", cpus / 240), (f"-N1 -n{cpus} --mem=20G", cpus / 240), (f"-N{nodes} --ntasks-per-node={min(cpus, 12)}", nodes * cpus / 240)))
    words = f"-p {part} {words}"
    if part == "rush":
        words += f" -t {rng.choice((10, 20, 40))}"
    if rng.random() < 0.08:
        return words + " -a 1-4", share * 4
    return words, share


main(Scenario(918225, CONF, draw, accounts=ACCOUNTS, jobs=110, window=8000, load=1.15, events=EVENTS))
