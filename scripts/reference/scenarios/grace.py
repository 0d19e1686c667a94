#!/usr/bin/env python3
# scripts/reference/scenarios/grace.py — preempt/qos on GPU nodes: one QOS cancelled after its grace, one requeued after its exempt time, jobs of several nodes, arrays.
from scenario import ACCOUNTS, ENFORCED, USERS, Scenario, main

CONF = f"""\
SchedulerType=sched/backfill
SchedulerParameters=bf_interval=30,bf_resolution=60,bf_continue
SelectType=select/cons_tres
SelectTypeParameters=CR_Core_Memory
GresTypes=gpu
PriorityType=priority/multifactor
PriorityWeightAge=1000
PriorityWeightFairshare=5000
PriorityWeightQOS=50000
PriorityDecayHalfLife=7-0
PriorityCalcPeriod=5
PreemptType=preempt/qos
PreemptMode=REQUEUE
PreemptExemptTime=00:01:00
JobRequeue=1
AccountingStorageTRES=gres/gpu
{ENFORCED}
NodeName=n[01-05] Sockets=2 CoresPerSocket=32 ThreadsPerCore=1 RealMemory=512000 Gres=gpu:a100:8
PartitionName=gpu Nodes=ALL Default=YES MaxTime=1-0 State=UP
PartitionName=small Nodes=n[01-02] MaxTime=2:00:00 State=UP
"""
GRES = "NodeName=n[01-05] Name=gpu Type=a100 File=/dev/nvidia[0-7]\n"
QOS = f"""\
add qos free Priority=1 PreemptMode=cancel GraceTime=120
add qos batch Priority=100 PreemptMode=requeue PreemptExemptTime=00:05:00 MaxTRESPerUser=gres/gpu=16
add qos prio Priority=500 GrpTRES=gres/gpu=24
add qos now Priority=1000 MaxJobsPerUser=2
modify qos batch set preempt=free
modify qos prio set preempt=free,batch
modify qos now set preempt=free,batch,prio
modify user {','.join(USERS)} set qos=free,batch,prio,now defaultqos=batch
"""


def draw(rng):
    qos = rng.choice(("free", "free", "free", "batch", "batch", "batch", "prio", "prio", "now"))
    gpus = rng.choice((1, 1, 2, 2, 4, 4, 8))
    words, share = rng.choice((f"-N1 --gres=gpu:{gpus} -c 8", f"--gpus={gpus} -n{gpus} -c 4", f"-N1 --gpus-per-node={gpus} -c {4 * gpus}")), gpus / 40
    if rng.random() < 0.12:
        words, share = f"-N2 --gres=gpu:{gpus} --ntasks-per-node=1 -c 8", gpus / 20
    words += f" --mem={rng.choice((8, 16, 32))}G --qos={qos}{rng.choice(('', '', '', ' -p small'))}"
    if rng.random() < 0.1:
        return words + rng.choice((" -a 1-5", " -a 1-6%3")), share * 5
    return words, share


main(Scenario(918212, CONF, draw, accounts=ACCOUNTS + QOS, gres_conf=GRES, jobs=150, window=9000, load=1.25))
