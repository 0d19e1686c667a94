#!/usr/bin/env python3
# scripts/reference/scenarios/bf_window.py — backfill that looks four hours ahead in steps of five minutes, five jobs a user.
from scenario import ENFORCED, FAIR_SHARE, Scenario, main

CONF = f"""\
GresTypes=gpu
SchedulerType=sched/backfill
SchedulerParameters=bf_interval=60,bf_resolution=300,bf_window=240,bf_max_job_user=5
SelectType=select/cons_tres
SelectTypeParameters=CR_Core_Memory
{FAIR_SHARE}{ENFORCED}AccountingStorageTRES=gres/gpu
NodeName=g[1-6] Sockets=2 CoresPerSocket=16 ThreadsPerCore=1 RealMemory=256000 Gres=gpu:a100:4
PartitionName=gpu Nodes=ALL Default=YES MaxTime=1-0 State=UP
"""


def draw(rng):
    if rng.random() < 0.15:
        nodes = rng.choice((2, 2, 3, 4))
        return f"-N{nodes} --ntasks-per-node=4 -c 4 --gres=gpu:4 --mem=64000", nodes / 6
    gpus = rng.choice((1, 1, 1, 2, 2, 4))
    return f"-N1 --gres=gpu:{gpus} -c {4 * gpus} --mem={24000 * gpus}", gpus / 24


main(Scenario(1101, CONF, draw, gres_conf="NodeName=g[1-6] Name=gpu Type=a100 File=/dev/nvidia[0-3]\n"))
