#!/usr/bin/env python3
# scripts/reference/scenarios/upkeep.py — nodes drained, failed and rebooted, reservations of users, accounts, GPUs and for upkeep, partitions closed, under backfill.
from scenario import ACCOUNTS, ENFORCED, FAIR_SHARE, Scenario, main

CONF = f"""\
SchedulerType=sched/backfill
SchedulerParameters=bf_interval=30,bf_resolution=60,bf_continue
SelectType=select/cons_tres
SelectTypeParameters=CR_Core_Memory
GresTypes=gpu
{FAIR_SHARE}AccountingStorageTRES=gres/gpu
{ENFORCED}
NodeName=n[01-06] Sockets=2 CoresPerSocket=16 ThreadsPerCore=1 RealMemory=256000 Gres=gpu:a100:4 Feature=a100
NodeName=n[07-10] Sockets=2 CoresPerSocket=16 ThreadsPerCore=1 RealMemory=128000 Feature=cpu Weight=5
PartitionName=all Nodes=ALL Default=YES MaxTime=1-0 State=UP
PartitionName=gpu Nodes=n[01-06] MaxTime=8:00:00 State=UP
"""
GRES = "NodeName=n[01-06] Name=gpu Type=a100 File=/dev/nvidia[0-3]\n"
EVENTS = (
    (600, "scontrol update NodeName=n03 State=DRAIN Reason=fan"),
    (1500, "scontrol create reservation ReservationName=course Users=ada,bea StartTime=now+1200 Duration=60 Nodes=n[01-02]"),
    (1700, "scontrol update NodeName=n03 State=RESUME"),
    (2000, "scontrol update NodeName=n08 State=DOWN Reason=psu"),
    (2600, "scontrol update NodeName=n08 State=RESUME"),
    (2700, "scontrol create reservation ReservationName=green Accounts=green StartTime=now+600 Duration=90 TRES=gres/gpu=4 PartitionName=gpu"),
    (3300, "scontrol update PartitionName=gpu State=DOWN"),
    (3800, "scontrol update PartitionName=gpu State=UP"),
    (4000, "scontrol create reservation ReservationName=upkeep Users=root StartTime=now+3000 Duration=30 Nodes=n[04-06] Flags=MAINT,IGNORE_JOBS"),
    (4400, "scontrol update NodeName=n05 State=FAIL Reason=ecc"),
    (5200, "scontrol update NodeName=n05 State=RESUME"),
    (5400, "scontrol update PartitionName=gpu MaxTime=60"),
    (5600, "scontrol create reservation ReservationName=cores Users=cal StartTime=now Duration=45 NodeCnt=2 Flags=ANY_NODES"),
    (6000, "scontrol update PartitionName=gpu MaxTime=480"),
    (6500, "scontrol delete ReservationName=cores"),
    (7300, "scontrol update NodeName=n09 State=DRAIN Reason=kernel"),
    (8000, "scontrol update NodeName=n09 State=RESUME"),
)


def draw(rng):
    kind = rng.random()
    if kind < 0.55:
        gpus = rng.choice((1, 1, 2, 2, 4))
        words, share = f"-p {rng.choice(('gpu', 'gpu', 'all', 'gpu,all'))} {rng.choice((f'-N1 --gres=gpu:{gpus} -c 4', f'--gpus={gpus} -c 4', f'-N2 --gres=gpu:{gpus} --ntasks-per-node=2'))}", gpus / 24
    else:
        cpus = rng.choice((2, 4, 8, 16, 32))
        words, share = rng.choice((f"-n{cpus}", f"-N1 -n{cpus}", f"-N2 -n{cpus}", f"-N3 --ntasks-per-node={cpus}", f"-n{cpus} -C cpu")), cpus / 220
    words += f" --mem={rng.choice((4, 8, 16))}G"
    extra = rng.random()
    if extra < 0.06:
        words += rng.choice((" --reservation=course", " --reservation=green", " --no-requeue", " --no-requeue"))
    elif extra < 0.13:
        return words + " -a 1-5", share * 5
    return words, share


main(Scenario(918215, CONF, draw, accounts=ACCOUNTS, gres_conf=GRES, jobs=150, window=9600, load=1.15, events=EVENTS))
