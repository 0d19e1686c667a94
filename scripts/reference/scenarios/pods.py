#!/usr/bin/env python3
# scripts/reference/scenarios/pods.py — H100 pods under two spines: whole nodes in a partition that is EXCLUSIVE, --switches, parts of nodes beside, features, drains and requeues, bf_continue off, few QOS.
from scenario import ENFORCED, Scenario, main

CONF = f"""\
SchedulerType=sched/backfill
SchedulerParameters=bf_interval=30,bf_window=7200,bf_resolution=120,bf_max_job_test=200,bf_yield_interval=1000000,bf_yield_sleep=200000,sched_min_interval=1000000,max_switch_wait=600
SelectType=select/cons_tres
SelectTypeParameters=CR_Core_Memory,CR_CORE_DEFAULT_DIST_BLOCK
TopologyPlugin=topology/tree
GresTypes=gpu
DefMemPerCPU=8000
PriorityType=priority/multifactor
PriorityFavorSmall=NO
PriorityWeightAge=3000
PriorityWeightFairshare=6000
PriorityWeightJobSize=3000
PriorityWeightPartition=1000
PriorityWeightQOS=2000
PriorityMaxAge=0-6
PriorityDecayHalfLife=7-0
PriorityCalcPeriod=1
AccountingStorageTRES=gres/gpu
{ENFORCED}
NodeName=h[01-16] Sockets=2 CoresPerSocket=48 ThreadsPerCore=1 RealMemory=2000000 Gres=gpu:h100:8 Feature=h100,ib
PartitionName=pod Nodes=h[01-12] Default=YES MaxTime=7-0 DefaultTime=02:00:00 State=UP OverSubscribe=EXCLUSIVE PriorityJobFactor=30
PartitionName=dev Nodes=h[13-16] MaxTime=12:00:00 DefaultTime=30 State=UP PriorityJobFactor=20 DefCpuPerGPU=10 MaxNodes=2
PartitionName=flex Nodes=h[09-16] MaxTime=04:00:00 DefaultTime=30 State=UP PriorityJobFactor=5
"""
GRES = "NodeName=h[01-16] Name=gpu Type=h100 File=/dev/nvidia[0-3] Cores=0-47\nNodeName=h[01-16] Name=gpu Type=h100 File=/dev/nvidia[4-7] Cores=48-95\n"
TOPOLOGY = "SwitchName=leaf1 Nodes=h[01-04]\nSwitchName=leaf2 Nodes=h[05-08]\nSwitchName=leaf3 Nodes=h[09-12]\nSwitchName=leaf4 Nodes=h[13-16]\nSwitchName=spine1 Switches=leaf[1-2]\nSwitchName=spine2 Switches=leaf[3-4]\nSwitchName=core Switches=spine[1-2]\n"
ACCOUNTS = """\
add account base Fairshare=60
add account align Fairshare=30 MaxJobs=6
add account ops Fairshare=10
add user finn,fay Account=base
add user gil,gwen Account=align
add user hank Account=ops
add qos top Priority=1000 MaxTRESPerUser=node=6
modify qos normal set Priority=100
modify user finn,fay,hank set qos=normal,top defaultqos=normal
"""
USERS = ("finn", "fay", "gil", "gwen", "hank")


def draw(rng):
    kind = rng.random()
    if kind < 0.45:
        nodes = rng.choice((1, 1, 1, 2, 2, 2, 3, 4, 4, 6, 8))
        words = rng.choice((f"-N{nodes} --gpus-per-node=8 --ntasks-per-node=8", f"-N{nodes} --gres=gpu:8", f"-N{nodes} --exclusive --gpus-per-node=h100:8", f"-N{nodes} --ntasks-per-node=1 --gpus-per-node=8 -c 96", f"-N{nodes} --gpus-per-node=8 --mem=0", f"-N {nodes}-{nodes + 1} --gres=gpu:h100:8"))
        words += rng.choice(("", "", "", f" --switches=1" if nodes <= 4 else "", f" --switches=1@{rng.choice((5, 15))}" if nodes <= 4 else " --switches=2@10", " --qos=top"))
        share = nodes / 13
    elif kind < 0.8:
        gpus = rng.choice((1, 1, 2, 2, 4, 8))
        words = rng.choice((f"--gres=gpu:{gpus}", f"--gpus={gpus} -N1", f"--gpus-per-node={gpus} -n{gpus} -c6", f"--gpus={gpus} --mem-per-gpu=200G", f"-n{gpus} --gpus-per-task=1 -c8", f"-N2 --gpus-per-node={max(1, gpus // 2)} -n{max(2, gpus)}", f"--gpus={gpus} -n2 --ntasks-per-node=2 -c10" if gpus > 1 else "--gpus=1 -c 12"))
        words, share = f"-p {rng.choice(('dev', 'dev', 'flex', 'flex', 'dev,flex'))} {words}", gpus / 110
    else:
        cpus = rng.choice((2, 8, 24, 48, 96))
        words, share = f"-p flex {rng.choice((f'-n{cpus}', f'-c{cpus}', f'-N2 --ntasks-per-node={cpus // 2}', f'-N{rng.choice((1, 2))} --exclusive'))}", cpus / 1500
    extra = rng.random()
    if extra < 0.06:
        return f"{words} -a 1-{rng.choice(('4', '6%2'))}", share * 4
    if extra < 0.12:
        words += f" --dependency=afterany:@{rng.randint(1, 5)}"
    elif extra < 0.15:
        words += rng.choice((" -x h02", " --requeue", " --time-min=15"))
    return words, share, 1 if rng.random() < 0.05 else 0


EVENTS = ((1500, "scontrol update NodeName=h06 State=DRAIN Reason=link"), (2400, "scontrol update NodeName=h06 State=RESUME"), (3100, "scontrol update NodeName=h14 State=DOWN Reason=xid79"), (3900, "scontrol update NodeName=h14 State=RESUME"),
          (4500, "scontrol requeue {j76}"), (5200, "scontrol update JobId={j100} NumNodes=1"), (5600, "scontrol hold {j110}"), (6400, "scontrol release {j110}"))
main(Scenario(515103, CONF, draw, accounts=ACCOUNTS, gres_conf=GRES, topology_conf=TOPOLOGY, jobs=170, window=9000, load=1.1, users=USERS, events=EVENTS))
