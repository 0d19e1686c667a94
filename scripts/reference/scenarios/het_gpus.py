#!/usr/bin/env python3
# scripts/reference/scenarios/het_gpus.py — heterogeneous jobs over GPU and CPU nodes, licences, dependencies, preemption by QOS, arrays.
from scenario import ACCOUNTS, ENFORCED, FAIR_SHARE, USERS, Scenario, main

CONF = f"""\
SchedulerType=sched/backfill
SchedulerParameters=bf_interval=30,bf_resolution=60,bf_hetjob_prio=min
SelectType=select/cons_tres
SelectTypeParameters=CR_Core_Memory
GresTypes=gpu
Licenses=matlab:8,ansys:3
{FAIR_SHARE}PriorityWeightQOS=5000
AccountingStorageTRES=gres/gpu
PreemptType=preempt/qos
PreemptMode=REQUEUE
{ENFORCED}
NodeName=g[01-03] Sockets=2 CoresPerSocket=32 ThreadsPerCore=1 RealMemory=512000 Gres=gpu:a100:8
NodeName=c[01-04] Sockets=2 CoresPerSocket=32 ThreadsPerCore=1 RealMemory=256000
PartitionName=gpu Nodes=g[01-03] Default=YES MaxTime=1-0 State=UP
PartitionName=cpu Nodes=c[01-04] MaxTime=1-0 State=UP
"""
GRES = "NodeName=g[01-03] Name=gpu Type=a100 File=/dev/nvidia[0-7]\n"
QOS = f"""\
add qos low Priority=1
add qos high Priority=100 preempt=low
modify user {','.join(USERS)} set qos+=low,high
"""


def draw(rng):
    kind = rng.random()
    if kind < 0.15:
        gpus = rng.choice((1, 2, 4))
        words, share = rng.choice((f"-p cpu -n{rng.choice((8, 16, 32))} --mem-per-cpu=1G : -p gpu -N1 --gres=gpu:{gpus} -c 4 --mem=8G", f"-p gpu -N1 --gres=gpu:{gpus} -c 8 --mem=16G : -p gpu -N1 --gres=gpu:1 -c 4 --mem=8G", f"-p cpu -N2 --ntasks-per-node=16 --mem=16G : -p gpu --gpus={gpus} -c 4 --mem=8G : -p cpu -n4 --mem=4G")), 0.2
        return words, share
    if kind < 0.6:
        gpus = rng.choice((1, 2, 2, 4, 8))
        words, share = f"-N1 --gres=gpu:{gpus} -c {2 * gpus} --mem={8 * gpus}G", gpus / 24
    else:
        cpus = rng.choice((4, 8, 16, 32, 64))
        words, share = f"-p cpu -n{cpus} --mem-per-cpu=1G", cpus / 256
    words += rng.choice(("", "", "", " -L matlab:2", " -L ansys", " -L matlab:1,ansys:1"))
    words += rng.choice(("", "", " --qos=low", " --qos=high"))
    extra = rng.random()
    if extra < 0.08:
        return words + " -a 1-4", share * 4
    if extra < 0.16:
        words += f" --dependency={rng.choice(('afterok', 'afterany'))}:@2"
    return words, share


main(Scenario(918217, CONF, draw, accounts=ACCOUNTS + QOS, gres_conf=GRES, jobs=130, window=9000, load=1.2))
