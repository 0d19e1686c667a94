#!/usr/bin/env python3
# scripts/reference/scenarios/desk.py — users and an admin who change their minds: nice, hold, release, top, requeue, updates of size, limit, QOS, partition and account, on GPU nodes.
from scenario import ACCOUNTS, ENFORCED, FAIR_SHARE, USERS, Scenario, main

CONF = f"""\
SchedulerType=sched/backfill
SchedulerParameters=bf_interval=30,bf_resolution=60,enable_user_top
SelectType=select/cons_tres
SelectTypeParameters=CR_Core_Memory
GresTypes=gpu
{FAIR_SHARE}PriorityWeightQOS=5000
PriorityWeightPartition=1000
AccountingStorageTRES=gres/gpu
{ENFORCED}
NodeName=n[01-04] Sockets=2 CoresPerSocket=16 ThreadsPerCore=1 RealMemory=256000 Gres=gpu:a100:4
NodeName=n[05-06] Sockets=2 CoresPerSocket=16 ThreadsPerCore=1 RealMemory=256000
PartitionName=gpu Nodes=n[01-04] Default=YES MaxTime=1-0 State=UP PriorityJobFactor=5
PartitionName=cpu Nodes=n[03-06] MaxTime=1-0 State=UP PriorityJobFactor=1
"""
GRES = "NodeName=n[01-04] Name=gpu Type=a100 File=/dev/nvidia[0-3]\n"
QOS = f"""\
add qos low Priority=1
add qos high Priority=100 MaxJobsPerUser=3
modify user {','.join(USERS)} set qos+=low,high
"""
EVENTS = (
    (1800, "scontrol hold {j12}"), (1900, "scontrol update JobId={j14} Nice=500"), (2400, "scontrol release {j12}"),
    (2700, "scontrol update JobId={j25} QOS=high"), (2900, "scontrol update JobId={j28} TimeLimit=30"),
    (3200, "scontrol update JobId={j33} NumCPUs=8"), (3400, "scontrol requeue {j20}"), (3600, "scontrol update JobId={j38} Partition=cpu"),
    (3900, "scontrol update JobId={j40} Priority=20000"), (4100, "scontrol hold {j44}"), (4200, "scontrol update JobId={j46} Gres=gpu:1"),
    (4400, "scontrol uhold {j48}"), (4500, "scontrol release {j44}"), (4800, "scancel {j52}"), (5000, "scontrol release {j48}"),
    (5200, "scontrol requeuehold {j50}"), (5400, "scontrol update JobId={j60} MinMemoryNode=64000"), (5600, "scontrol update JobId={j62} ExcNodeList=n01"),
    (5800, "scontrol release {j50}"), (5900, "scontrol suspend {j58}"), (6100, "scontrol update JobId={j68} Dependency=afterany:{j66}"),
    (6300, "scontrol resume {j58}"), (6500, "scontrol top {j73}"), (6600, "scontrol update JobId={j64} StartTime=now+900"),
    (6900, "scontrol update JobId={j68} Account=red"), (7100, "scontrol update JobId={j70} QOS=low"), (7400, "scancel -u ada -t PENDING"),
    (7700, "scontrol update JobId={j80} Nice=-500"), (7900, "scontrol update JobId={j83} Features="), (8200, "scontrol requeue {j78}"),
    (8400, "scontrol update JobId={j88} MinNodes=2"), (8700, "scontrol update PartitionName=cpu PriorityTier=5"),
)


def draw(rng):
    if rng.random() < 0.65:
        gpus = rng.choice((1, 1, 2, 2, 4))
        words, share = rng.choice((f"-N1 --gres=gpu:{gpus} -c 4", f"--gpus={gpus} -c {2 * gpus}", f"-N2 --gres=gpu:{gpus} -n 4", f"-n{gpus} --gpus-per-task=1 -c 4")), gpus / 16
    else:
        cpus = rng.choice((4, 8, 16, 32))
        words, share = f"-p cpu -n{cpus}", cpus / 128
    words += f" --mem={rng.choice((8, 16, 40))}G" + rng.choice(("", "", "", " --qos=low", " --qos=high", " --nice=100"))
    if rng.random() < 0.08:
        return words + " -a 1-5%2", share * 5
    return words, share


main(Scenario(918219, CONF, draw, accounts=ACCOUNTS + QOS, gres_conf=GRES, jobs=120, window=9000, load=1.25, events=EVENTS))
