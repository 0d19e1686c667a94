#!/usr/bin/env python3
# scripts/reference/scenarios/h100_fabric.py — sixteen H100 nodes under four leaf switches, jobs of many nodes, a preempted partition over all of them, large jobs favoured, a reservation for an account.
from scenario import ENFORCED, Scenario, main

CONF = f"""\
SchedulerType=sched/backfill
SchedulerParameters=bf_continue,bf_window=7200,bf_resolution=180,bf_interval=60,bf_max_job_test=500,max_switch_wait=600
SelectType=select/cons_tres
SelectTypeParameters=CR_CPU_Memory
TopologyPlugin=topology/tree
GresTypes=gpu
DefMemPerCPU=8000
PreemptType=preempt/partition_prio
PreemptMode=REQUEUE
PriorityType=priority/multifactor
PriorityWeightAge=3000
PriorityWeightFairshare=10000
PriorityWeightJobSize=5000
PriorityWeightPartition=2000
PriorityWeightQOS=4000
PriorityMaxAge=2-0
PriorityDecayHalfLife=3-0
AccountingStorageTRES=gres/gpu
{ENFORCED}
NodeName=h[01-16] Sockets=2 CoresPerSocket=56 RealMemory=2000000 Gres=gpu:h100:8 Feature=h100,ib
NodeName=login[1-2] Sockets=1 CoresPerSocket=32 RealMemory=256000 Feature=pre
PartitionName=train Nodes=h[01-16] Default=YES MaxTime=1-0 DefaultTime=60 State=UP PriorityTier=10 PriorityJobFactor=50
PartitionName=small Nodes=h[13-16] MaxTime=4:00:00 MaxNodes=1 State=UP PriorityTier=20 PriorityJobFactor=80 QOS=small
PartitionName=spot Nodes=h[01-16] MaxTime=8:00:00 State=UP PriorityTier=1 PriorityJobFactor=1
PartitionName=prep Nodes=login[1-2] MaxTime=4:00:00 State=UP PriorityTier=10 PriorityJobFactor=10 DefMemPerCPU=4000
"""
GRES = "NodeName=h[01-16] Name=gpu Type=h100 File=/dev/nvidia[0-7]\n"
TOPOLOGY = "SwitchName=leaf1 Nodes=h[01-04]\nSwitchName=leaf2 Nodes=h[05-08]\nSwitchName=leaf3 Nodes=h[09-12]\nSwitchName=leaf4 Nodes=h[13-16]\nSwitchName=leaf5 Nodes=login[1-2]\nSwitchName=spine Switches=leaf[1-5]\n"
ACCOUNTS = """\
add account llm Fairshare=60 GrpTRES=gres/gpu=96
add account bio Fairshare=25
add account ops Fairshare=15
add user lea,leo,liz Account=llm
add user bob,bea Account=bio
add user omar Account=ops
add qos urgent Priority=1000 MaxTRESPerUser=gres/gpu=64 MaxJobsPerUser=2
add qos small MaxTRESPerUser=gres/gpu=8
modify qos normal set Priority=100 MaxTRESPerUser=gres/gpu=64
modify user lea,leo,liz,bob,bea,omar set qos=normal,urgent defaultqos=normal
"""
USERS = ("lea", "leo", "liz", "bob", "bea", "omar")


def draw(rng):
    kind = rng.random()
    if kind < 0.35:
        nodes = rng.choice((1, 1, 2, 2, 4, 4, 8))
        words = rng.choice((f"-N{nodes} --gres=gpu:8 --ntasks-per-node=8 -c 12", f"-N{nodes} --gpus-per-node=8 --ntasks-per-node=1 -c 96 --exclusive", f"-N{nodes} --exclusive --gres=gpu:8 --mem=0", f"-N{nodes} -n{8 * nodes} --gpus-per-task=1 -c 12", f"-N{nodes} --gpus={8 * nodes} --ntasks-per-node=8"))
        words += rng.choice(("", "", "", " --switches=1", " --qos=urgent"))
        share = nodes / 16
    elif kind < 0.6:
        gpus = rng.choice((1, 1, 2, 4))
        words = rng.choice((f"--gres=gpu:{gpus} -c {10 * gpus}", f"--gpus={gpus} --cpus-per-gpu=12", f"-N1 --gpus-per-node={gpus} -n {gpus} -c 6 --mem={100 * gpus}G"))
        share = gpus / 128
        if rng.random() < 0.25:
            words, share = f"{words} -a 0-{rng.choice((7, 11))}{rng.choice(('', '%4'))}", share * 8
    elif kind < 0.72:
        words, share = f"-p small {rng.choice(('--gres=gpu:1 -c 8', '--gres=gpu:2 -c 16', '--gres=gpu:4 -c 32', '--gpus=1'))} -t {rng.choice((20, 30, 60))}", 0.01
    elif kind < 0.9:
        gpus = rng.choice((1, 2, 4, 8))
        words, share = f"-p spot {rng.choice((f'--gres=gpu:{gpus} -c {8 * gpus}', f'-N2 --gres=gpu:{gpus} --ntasks-per-node={gpus} -c 8', f'--gpus={gpus} -n {gpus} -c 8'))}{rng.choice(('', '', ' -a 1-6%3', ' --no-requeue'))}", gpus / 60
    else:
        words, share = f"-p prep -c {rng.choice((1, 4, 16))} -a 1-{rng.choice((2, 6))}", 0.02
    extra = rng.random()
    if extra < 0.1:
        words += f" --dependency={rng.choice(('afterok', 'afterany', 'singleton', 'afternotok'))}:@1".replace("singleton:@1", "singleton --job-name=chain")
    elif extra < 0.13:
        words += " --nice=500"
    elif extra < 0.16:
        return words, share, 1
    return words, share


EVENTS = ((1500, "scontrol create reservation ReservationName=demo Nodes=h[09-10] StartTime=now+40minutes Duration=45 Accounts=bio"), (2600, "scontrol update NodeName=h03 State=DRAIN Reason=xid"), (4700, "scontrol update NodeName=h03 State=RESUME"), (5200, "scontrol update JobId={j70} TimeLimit=90"))
main(Scenario(161803, CONF, draw, accounts=ACCOUNTS, gres_conf=GRES, topology_conf=TOPOLOGY, jobs=180, window=8400, load=1.15, users=USERS, events=EVENTS))
