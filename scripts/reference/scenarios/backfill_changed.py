#!/usr/bin/env python3
# scripts/reference/scenarios/backfill_changed.py — one partition of GPU nodes as in `backfill`, with least times, begin times, whole nodes, holds, limits that are changed and bf_busy_nodes beside bf_max_job_user.
from scenario import ENFORCED, Scenario, main

CONF = f"""\
GresTypes=gpu
SchedulerType=sched/backfill
SchedulerParameters=bf_interval=45,bf_resolution=180,bf_max_job_user=12,bf_busy_nodes,bf_continue,bf_window=2880,default_queue_depth=25
SelectType=select/cons_tres
SelectTypeParameters=CR_Core_Memory,CR_CORE_DEFAULT_DIST_BLOCK
PriorityType=priority/multifactor
PriorityWeightAge=3000
PriorityWeightFairshare=100000
PriorityWeightJobSize=20000
PriorityDecayHalfLife=0-6
PriorityMaxAge=0-6
PriorityCalcPeriod=2
AccountingStorageTRES=gres/gpu
{ENFORCED}
NodeName=node[01-05] Sockets=2 CoresPerSocket=32 ThreadsPerCore=1 RealMemory=512000 Gres=gpu:a100:8
NodeName=old[01-03] Sockets=2 CoresPerSocket=10 ThreadsPerCore=2 RealMemory=192000 Gres=gpu:p100:2 Weight=3
PartitionName=gpu Nodes=ALL Default=YES MaxTime=1-0 DefaultTime=45 State=UP
"""
GRES = ("NodeName=node[01-05] Name=gpu Type=a100 File=/dev/nvidia[0-7]\nNodeName=old[01-03] Name=gpu Type=p100 File=/dev/nvidia[0-1]\n")
ACCOUNTS = """\
add account ml Fairshare=40
add account plat Fairshare=30
add account ds Fairshare=20
add user alice,ann Account=ml
add user bob,ben Account=plat
add user carol,cy Account=ds
"""
USERS = ("alice", "ann", "bob", "ben", "carol", "cy")


def draw(rng):
    gpus = rng.choice((1, 1, 2, 2, 4, 4, 8, 8))
    cpus, memory = rng.choice((4, 8, 12)), rng.choice((8000, 32000, 64000))
    nodes = rng.choice((1, 1, 1, 1, 2, 3)) if gpus >= 4 else rng.choice((1, 1, 1, 2))
    words = rng.choice((f"-N{nodes} --gres=gpu:{gpus} -c {cpus} --mem={memory}", f"-N{nodes} --gres=gpu:a100:{gpus} -c {cpus} --mem={memory}", f"-N1 --gres=gpu:{gpus} -c {cpus} --mem={memory}", f"--gpus={gpus * nodes} -n {gpus} -c 2 --mem={memory}", f"-N{nodes} --gpus-per-node={gpus} --ntasks-per-node=2 -c 4 --mem={memory}",
                        f"-N{nodes} --exclusive --gres=gpu:{min(gpus, 2)}", f"-N{nodes} -n {4 * nodes} -c 4 --mem=30000", f"-N1-2 -n 60 --mem-per-cpu=1000"))
    share = gpus * nodes / 46
    extra = rng.random()
    if extra < 0.12:
        words += f" -t {rng.choice((90, 150, 240))} --time-min={rng.choice((10, 30, 60))}"
    elif extra < 0.2:
        words += f" --begin=now+{rng.choice((5, 12, 25))}minutes"
    elif extra < 0.26:
        words, share = f"{words} -a 0-{rng.choice(('3', '5%2'))}", share * 4
    elif extra < 0.3:
        words += " --nice=3000"
    elif extra < 0.34:
        words += rng.choice((" -w node03" if nodes == 1 else " -x node03", " -x old[01-03]"))
    return words, share


EVENTS = ((1500, "scontrol hold {j12}"), (2000, "scontrol update JobId={j20} TimeLimit=240"), (2600, "scontrol release {j12}"), (3100, "scancel {j33}"), (3600, "scontrol update JobId={j41} TimeLimit=10"), (4200, "scancel {j50} {j55}"), (4800, "scontrol update JobId={j60} TimeLimit=+60"), (5400, "scontrol update NodeName=node05 State=DRAIN Reason=x"), (6300, "scontrol update NodeName=node05 State=RESUME"), (7000, "scancel {j88}"))
main(Scenario(510005, CONF, draw, accounts=ACCOUNTS, gres_conf=GRES, jobs=150, window=8400, load=1.2, users=USERS, events=EVENTS))
