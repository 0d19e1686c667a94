#!/usr/bin/env python3
# scripts/reference/scenarios/slices_gang.py — time slices under preempt/none: PreemptMode=GANG, OverSubscribe=FORCE:2 and YES:3 on GPU nodes, CR_CPU_Memory, arrays.
from scenario import ACCOUNTS, ENFORCED, FAIR_SHARE, Scenario, main

CONF = f"""\
SchedulerType=sched/backfill
SchedulerParameters=bf_interval=30,bf_resolution=60
SelectType=select/cons_tres
SelectTypeParameters=CR_CPU_Memory
GresTypes=gpu
PreemptMode=GANG
SchedulerTimeSlice=90
{FAIR_SHARE}
{ENFORCED}
NodeName=g[01-03] Sockets=2 CoresPerSocket=16 ThreadsPerCore=1 RealMemory=256000 Gres=gpu:4
NodeName=c[01-03] Sockets=2 CoresPerSocket=16 ThreadsPerCore=1 RealMemory=128000
PartitionName=batch Nodes=c[01-03],g01 Default=YES MaxTime=1-0 State=UP OverSubscribe=FORCE:2
PartitionName=gpu Nodes=g[01-03] MaxTime=1-0 State=UP OverSubscribe=YES:3
PartitionName=solo Nodes=c03,g03 MaxTime=4:00:00 State=UP OverSubscribe=NO
"""
GRES = "NodeName=g[01-03] Name=gpu File=/dev/nvidia[0-3]\n"


def draw(rng):
    kind = rng.random()
    cpus = rng.choice((2, 4, 8, 16, 32))
    if kind < 0.5:
        words, share = f"{rng.choice((f'-n{cpus}', f'-c {cpus}', f'-N2 --ntasks-per-node={cpus}'))} --mem={rng.choice((8, 16, 40))}G", cpus / 192
    elif kind < 0.85:
        gpus = rng.choice((1, 1, 2, 4))
        words, share = f"-p gpu --gres=gpu:{gpus} -c {rng.choice((4, 8, 16))} --mem={rng.choice((8, 32))}G{rng.choice(('', ' -s'))}", gpus / 12
    else:
        words, share = f"-p solo -n{cpus} --mem=16G", cpus / 100
    if rng.random() < 0.08:
        return words + " -a 1-4", share * 4
    return words, share


main(Scenario(918223, CONF, draw, accounts=ACCOUNTS, gres_conf=GRES, jobs=110, window=7800, load=1.2))
