#!/usr/bin/env python3
# scripts/reference/scenarios/tuned.py — a tuned backfill: defer, sched_min_interval, bf_resolution 300, bf_max_job_user, bf_max_job_part, bf_busy_nodes, bf_max_time, --time-min, whole nodes and GPUs.
from scenario import ACCOUNTS, ENFORCED, FAIR_SHARE, Scenario, main

CONF = f"""\
SchedulerType=sched/backfill
SchedulerParameters=defer,sched_min_interval=2000000,bf_continue,bf_interval=60,bf_max_time=300,bf_resolution=300,bf_window=1440,bf_max_job_test=500,bf_max_job_user=6,bf_max_job_part=30,bf_busy_nodes,default_queue_depth=50,bf_min_prio_reserve=500,max_rpc_cnt=150
SelectType=select/cons_tres
SelectTypeParameters=CR_Core_Memory
GresTypes=gpu
{FAIR_SHARE}DefMemPerCPU=2000
AccountingStorageTRES=gres/gpu
{ENFORCED}
NodeName=w[01-08] Sockets=2 CoresPerSocket=8 ThreadsPerCore=1 RealMemory=64000
NodeName=g[01-03] Sockets=2 CoresPerSocket=16 ThreadsPerCore=1 RealMemory=256000 Gres=gpu:v100:4
PartitionName=main Nodes=w[01-08] Default=YES MaxTime=1-0 State=UP
PartitionName=gpu Nodes=g[01-03] MaxTime=1-0 State=UP
PartitionName=debug Nodes=w[01-02],g01 MaxTime=30 State=UP PriorityTier=2
"""
GRES = "NodeName=g[01-03] Name=gpu Type=v100 File=/dev/nvidia[0-3]\n"


def draw(rng):
    kind = rng.random()
    if kind < 0.55:
        nodes = rng.choice((1, 1, 2, 3, 4, 6))
        words, share = rng.choice((f"-N{nodes} --exclusive", f"-N{nodes} --ntasks-per-node=8", f"-n{8 * nodes}", f"-n{4 * nodes} -c 2", f"-N{nodes} -n{16 * nodes}")), nodes / 9
    elif kind < 0.85:
        gpus = rng.choice((1, 1, 2, 4))
        words, share = f"-p gpu {rng.choice((f'--gres=gpu:{gpus} -c 4', f'--gpus={gpus} -c 4', f'-N1 --gres=gpu:{gpus} -n {4 * gpus}', f'-N2 --gres=gpu:{gpus} -n 4'))}", gpus / 12
    else:
        words, share = rng.choice(("-p debug -n4 -t 15", "-p debug -N1 --gres=gpu:1 -t 10", "-p debug -N1 -n16 -t 30")), 0.05
    extra = rng.random()
    if extra < 0.1 and " -t" not in words:
        words += " -t 120 --time-min=30"
    elif extra < 0.18:
        return words + " -a 1-8%4", share * 8
    elif extra < 0.24:
        words += " --dependency=afterany:@2"
    return words, share


main(Scenario(918214, CONF, draw, accounts=ACCOUNTS, gres_conf=GRES, jobs=150, window=9600, load=1.2))
