#!/usr/bin/env python3
# scripts/reference/scenarios/gpu_lists.py — GPU jobs that name two or three partitions in any order, of which one has defaults by GPU; nobody is preempted.
from scenario import ACCOUNTS, ENFORCED, USERS, Scenario, main

CONF = f"""\
SchedulerType=sched/backfill
SchedulerParameters=bf_interval=60,bf_continue,bf_max_job_part=40
SelectType=select/cons_tres
SelectTypeParameters=CR_CPU_Memory
GresTypes=gpu
DefMemPerNode=20000
PriorityType=priority/multifactor
PriorityWeightAge=3000
PriorityWeightFairshare=9000
PriorityWeightPartition=2000
PriorityWeightTRES=cpu=1000,gres/gpu=2000
PriorityMaxAge=0-2
PriorityDecayHalfLife=0-4
PriorityCalcPeriod=2
AccountingStorageTRES=gres/gpu
{ENFORCED}
NodeName=v[1-5] Sockets=2 CoresPerSocket=10 ThreadsPerCore=2 RealMemory=192000 Gres=gpu:v100:4 Feature=v100
NodeName=c[1-4] Sockets=2 CoresPerSocket=12 ThreadsPerCore=2 RealMemory=96000 Feature=cpu
PartitionName=gpu Nodes=v[1-5] MaxTime=1-0 State=UP PriorityJobFactor=4 DefMemPerGPU=30000 DefCpuPerGPU=6
PartitionName=rest Nodes=v[1-5],c[1-4] Default=YES MaxTime=4:00:00 State=UP PriorityJobFactor=1 DefMemPerCPU=1500 MaxMemPerNode=150000
PartitionName=quick Nodes=v[3-5],c[1-2] MaxTime=1:00:00 State=UP PriorityJobFactor=10
"""
GRES = "NodeName=v[1-5] Name=gpu Type=v100 File=/dev/nvidia[0-3]\n"
QOS = f"""\
add qos day Priority=10 MaxTRESPerUser=gres/gpu=8 GrpTRES=gres/gpu=18
modify user {','.join(USERS)} set qos+=day
"""


def draw(rng):
    if rng.random() < 0.25:
        tasks = rng.choice((1, 2, 6, 12, 24))
        words, share = f"-n{tasks} -p {rng.choice(('rest', 'rest,quick', 'quick,rest'))}", tasks / 148
    else:
        gpus = rng.choice((1, 1, 2, 2, 3, 4, 6))
        words, share = "-p " + rng.choice(("gpu", "gpu,rest", "rest,gpu", "gpu,quick", "quick,gpu", "gpu,rest,quick")), gpus / 20
        words += rng.choice((f" --gres=gpu:{min(gpus, 4)}", f" --gpus={gpus}", f" -N1 --gpus-per-node={min(gpus, 4)}", f" -n{2 * gpus} --gpus={gpus}",
                             f" --gres=gpu:{min(gpus, 4)} --mem={rng.choice((8000, 40000))}", f" --gpus={gpus} -c 2"))  # fmt: skip
    if "quick" in words:
        words += f" -t {rng.choice((20, 40, 60))}"
    words += rng.choice(("", "", "", " --qos=day"))
    if rng.random() < 0.06:
        words, share = f"{words} -a 0-4%2", share * 5
    return words, share


main(Scenario(440817, CONF, draw, accounts=ACCOUNTS + QOS, gres_conf=GRES, jobs=130, load=1.25))
