#!/usr/bin/env python3
# scripts/reference/scenarios/arrays_changed.py — arrays with limits and steps, dependencies of and on their tasks, and an admin who holds, cancels, requeues and throttles some of them.
from scenario import ENFORCED, FAIR_SHARE, Scenario, main

CONF = f"""\
GresTypes=gpu
SchedulerType=sched/backfill
SchedulerParameters=bf_interval=30,bf_resolution=60,bf_max_job_array_resv=4
SelectType=select/cons_tres
SelectTypeParameters=CR_Core_Memory
{FAIR_SHARE}\
AccountingStorageTRES=gres/gpu
MaxArraySize=1001
{ENFORCED}
NodeName=node[01-04] Sockets=2 CoresPerSocket=16 ThreadsPerCore=2 RealMemory=256000 Gres=gpu:a100:4
NodeName=fat01 Sockets=4 CoresPerSocket=8 ThreadsPerCore=1 RealMemory=512000 Feature=fat Weight=5
PartitionName=gpu Nodes=node[01-04] Default=YES MaxTime=1-0 DefMemPerCPU=2000 State=UP
PartitionName=any Nodes=ALL MaxTime=4:00:00 DefMemPerCPU=2000 State=UP PriorityTier=2
"""
GRES = ("NodeName=node[01-04] Name=gpu Type=a100 File=/dev/nvidia[0-1] Cores=0-15\nNodeName=node[01-04] Name=gpu Type=a100 File=/dev/nvidia[2-3] Cores=16-31\n")


def draw(rng):
    gpus = rng.choice((0, 0, 1, 1, 2, 4))
    words = rng.choice(("-N1 -c 4", "-n 4 -c 2", "-n 8", "-c 16 --mem=40000", "-N2 -n 4", "-n 3 -c 3 --mem-per-cpu=3000"))
    words += rng.choice((f" --gres=gpu:{gpus}", f" --gpus={gpus}", f" --gpus-per-node={gpus}")) if gpus else ""
    words += rng.choice(("", "", "", " -p any", " -p gpu,any", " -p any,gpu"))
    share = gpus / 16 + 0.04
    kind = rng.random()
    if kind < 0.36:
        tasks, spec = rng.choice(((4, "0-3"), (6, "1-6%2"), (5, "0-20:5"), (4, "3,5,8,13"), (8, "0-7%3"), (10, "1-10%1"), (12, "0-11%5"), (6, "10-15%6")))
        words, share = f"{words} -a {spec}", share * tasks
    if rng.random() < 0.42:
        words += " --dependency=" + rng.choice(("afterok:@1", "afterok:@2", "afterany:@1", "afterany:@2:@4", "afternotok:@1", "after:@1", "after:@2+3", "aftercorr:@1", "aftercorr:@2", "singleton -J same", "singleton -J other", "afterok:@1?afternotok:@3", "afterok:@2,afterany:@3", "afterany:@1_3", "afterok:@2_1"))
        words += rng.choice(("", " --kill-on-invalid-dep=yes"))
    elif rng.random() < 0.12:
        words += rng.choice((" --begin=now+8minutes", " --nice=300", " --no-requeue", " --time-min=2"))
    return words, share, 1 if rng.random() < 0.18 else 0


EVENTS = ((700, "scontrol hold {j5}"), (1000, "scancel {j8}"), (1300, "scontrol release {j5}"), (1500, "scontrol update JobId={j16} ArrayTaskThrottle=1"), (1800, "scancel {j19}_1"), (2100, "scontrol hold {j23}"), (2500, "scontrol update JobId={j23} Nice=100"),
          (2700, "scontrol release {j23}"), (3000, "scontrol update JobId={j31} TimeLimit=60"), (3200, "scontrol requeue {j29}"), (3500, "scancel {j37}_[2-4]"), (3800, "scontrol update JobId={j40} Dependency="), (4000, "scontrol update JobId={j44} ArrayTaskThrottle=4"), (4300, "scancel -t PENDING -u ben"),
          (4600, "scontrol hold {j52}"), (4900, "scontrol update NodeName=node02 State=DRAIN Reason=fan"), (5200, "scontrol release {j52}"), (5600, "scontrol update NodeName=node02 State=RESUME"), (5900, "scontrol update JobId={j68} Partition=any"), (6300, "scancel {j70}"), (6600, "scontrol update JobId={j75}_2 Priority=5000"), (6900, "scontrol requeuehold {j71}"), (7300, "scontrol release {j71}"),
          (9000, "scontrol update JobId={j52} Dependency="))
main(Scenario(510002, CONF, draw, gres_conf=GRES, jobs=105, window=7200, load=1.15, events=EVENTS))
