#!/usr/bin/env python3
# scripts/reference/scenarios/plainest.py — a department whose admin wants no surprises: sched/builtin under priority/multifactor, GPUs, three partitions of other tiers over the same nodes with requeues, a partition QOS, an hourly reservation, features, arrays, holds.
from scenario import Scenario, main

CONF = """\
SchedulerType=sched/builtin
SchedulerParameters=default_queue_depth=500,sched_interval=30
SelectType=select/cons_tres
SelectTypeParameters=CR_Core_Memory
GresTypes=gpu
DefMemPerCPU=4000
PreemptType=preempt/partition_prio
PreemptMode=REQUEUE
PriorityType=priority/multifactor
PriorityWeightAge=1000
PriorityWeightFairshare=3000
PriorityWeightJobSize=1000
PriorityWeightPartition=500
PriorityWeightQOS=500
PriorityMaxAge=0-2
PriorityDecayHalfLife=0-4
PriorityCalcPeriod=1
AccountingStorageTRES=gres/gpu
AccountingStorageEnforce=associations,limits,qos
NodeName=n[1-8] Sockets=2 CoresPerSocket=10 ThreadsPerCore=1 RealMemory=180000 Feature=cpu Weight=1
NodeName=g[1-4] Sockets=2 CoresPerSocket=16 ThreadsPerCore=1 RealMemory=256000 Gres=gpu:a5000:4 Feature=ampere Weight=10
NodeName=g[5-6] Sockets=2 CoresPerSocket=16 ThreadsPerCore=1 RealMemory=256000 Gres=gpu:titan:2,gpu:k80:2 Feature=old Weight=5
PartitionName=normal Nodes=ALL Default=YES MaxTime=1-0 DefaultTime=60 PriorityTier=10 State=UP
PartitionName=gpu Nodes=g[1-6] MaxTime=12:00:00 DefaultTime=60 PriorityTier=20 State=UP QOS=pgpu
PartitionName=test Nodes=n[1-2],g1 MaxTime=20 DefaultTime=10 PriorityTier=30 MaxNodes=1 State=UP
PartitionName=low Nodes=ALL MaxTime=1-0 DefaultTime=60 PriorityTier=1 State=UP
"""
GRES = "NodeName=g[1-4] Name=gpu Type=a5000 File=/dev/nvidia[0-3]\nNodeName=g[5-6] Name=gpu Type=titan File=/dev/nvidia[0-1] Cores=0-15\nNodeName=g[5-6] Name=gpu Type=k80 File=/dev/nvidia[2-3] Cores=16-31\n"
ACCOUNTS = """\
add account math Fairshare=30
add account cs Fairshare=50 GrpTRES=gres/gpu=14
add account bio Fairshare=20 MaxJobs=6
add qos pgpu MaxTRESPU=gres/gpu=6 MaxJobsPU=6
add qos prio Priority=100 MaxTRESPU=cpu=80
add user milo,maya Account=math
add user cem,cara,cliff Account=cs
add user bo,bea Account=bio
modify user milo,maya,cem,cara,cliff,bo,bea set qos=normal,prio defaultqos=normal
"""
USERS = ("milo", "maya", "cem", "cara", "cliff", "bo", "bea")


def draw(rng):
    kind = rng.random()
    if kind < 0.45:
        cpus = rng.choice((1, 4, 8, 10, 20, 40, 80))
        words, share = rng.choice((f"-n{cpus}", f"-n{cpus} -N{max(1, cpus // 20)}", f"-c{min(cpus, 20)}", f"-n{cpus} -C cpu", f"-n{min(cpus, 20)} --mem=100G", f"-N{max(1, cpus // 20)} --exclusive", f"-n{cpus} --mem-per-cpu=8G")), cpus / 260
    elif kind < 0.8:
        gpus = rng.choice((1, 1, 2, 2, 4, 8))
        words, share = "-p gpu " + rng.choice((f"-G {gpus}", f"--gres=gpu:{min(4, gpus)} -c8", f"--gres=gpu:a5000:{min(4, gpus)} -N{max(1, gpus // 4)}", f"-n{gpus} --gpus-per-task=1 -c2", "--gres=gpu:titan:1", "--gres=gpu:k80:2 -n4", "--gres=gpu:titan:1,gpu:k80:1", f"-G a5000:{gpus} -n{gpus}", "-G 2 -C old", f"--gpus-per-node=2 -N2")), gpus / 24
    elif kind < 0.88:
        words, share = "-p test " + rng.choice(("-n4", "-n20", "-G 1", "-c8")) + " -t 10", 0.02
    else:
        words, share = "-p low " + rng.choice(("-n20", "-N4 -n40", "-G 2", "--gres=gpu:4", "-n60", "-p low,normal -n8")), 0.12
    extra = rng.random()
    if extra < 0.08:
        return f"{words} -a {rng.choice(('1-4', '1-8%2', '0-5'))}", share * 5
    if extra < 0.16:
        words += f" -d {rng.choice(('afterok', 'afterany'))}:@{rng.randint(1, 5)}"
    elif extra < 0.26:
        words += rng.choice((" --qos=prio", " --qos=prio", " --nice=300", " -H", " --begin=now+300", " --reservation=course"))
    return words, share, 1 if rng.random() < 0.04 else 0


EVENTS = ((900, "scontrol release {j11}"), (3900, "scontrol release {j73}"), (500, "scontrol create reservation ReservationName=course Accounts=cs StartTime=now+1300 Duration=40 Nodes=g4,n8 Flags=HOURLY"), (2000, "scontrol update NodeName=n3 State=DRAIN Reason=ram"), (2700, "scontrol update NodeName=n3 State=RESUME"), (3300, "sacctmgr -i modify qos pgpu set MaxTRESPU=gres/gpu=4"), (4100, "scontrol update PartitionName=low State=DRAIN"), (5200, "scontrol update PartitionName=low State=UP"))
EVENTS += ((10200, "scancel -t PENDING"),)  # what can never start, or not before tomorrow
main(Scenario(261135, CONF, draw, accounts=ACCOUNTS, gres_conf=GRES, jobs=170, window=7200, load=0.9, users=USERS, events=EVENTS))
