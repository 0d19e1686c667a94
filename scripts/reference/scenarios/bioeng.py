#!/usr/bin/env python3
# scripts/reference/scenarios/bioeng.py — a hyperthreaded GPU cluster of eight groups: GPUs bound to sockets, MIG and shards beside them, every word about GPUs, sockets and threads, preempt/qos with grace and exempt times, billing by type, memory and CPUs by GPU.
from scenario import ENFORCED, Scenario, main

CONF = f"""\
SchedulerType=sched/backfill
SchedulerParameters=bf_interval=50,bf_window=2880,bf_resolution=90,bf_max_job_test=250,bf_max_job_user=12,default_queue_depth=150,sched_interval=45,sched_min_interval=1000000
SelectType=select/cons_tres
SelectTypeParameters=CR_Core_Memory
GresTypes=gpu,shard
DefMemPerCPU=1800
DefCpuPerGPU=6
PreemptType=preempt/qos
PreemptMode=REQUEUE
PreemptExemptTime=00:04:00
PriorityType=priority/multifactor
PriorityFlags=CALCULATE_RUNNING,SMALL_RELATIVE_TO_TIME
PriorityWeightAge=3000
PriorityWeightFairshare=12000
PriorityWeightJobSize=2500
PriorityWeightQOS=9000
PriorityWeightTRES=CPU=800,GRES/gpu=2500
PriorityMaxAge=0-8
PriorityDecayHalfLife=0-6
PriorityCalcPeriod=1
AccountingStorageTRES=gres/gpu,gres/gpu:a100,gres/gpu:a40,gres/gpu:2g.10gb,gres/gpu:3g.20gb,gres/shard
{ENFORCED}
NodeName=h[1-4] Sockets=2 CoresPerSocket=16 ThreadsPerCore=2 RealMemory=500000 Gres=gpu:a100:4 Feature=a100,nvlink Weight=40
NodeName=s[1-2] Sockets=2 CoresPerSocket=12 ThreadsPerCore=2 RealMemory=250000 Gres=gpu:a40:4,shard:32 Feature=a40 Weight=20
NodeName=m[1-2] Sockets=2 CoresPerSocket=12 ThreadsPerCore=2 RealMemory=250000 Gres=gpu:2g.10gb:6,gpu:3g.20gb:4 Feature=mig Weight=25
NodeName=t[1-5] Sockets=2 CoresPerSocket=14 ThreadsPerCore=2 RealMemory=190000 Feature=thin Weight=5
PartitionName=main Nodes=ALL Default=YES MaxTime=1-0 DefaultTime=60 MaxMemPerNode=240000 State=UP TRESBillingWeights="CPU=1.0,Mem=0.1G,GRES/gpu:a100=16,GRES/gpu:a40=6,GRES/gpu:3g.20gb=5,GRES/gpu:2g.10gb=3,GRES/shard=0.75"
PartitionName=train Nodes=h[1-4] MaxTime=12:00:00 DefaultTime=90 DefMemPerGPU=60000 DefCpuPerGPU=8 State=UP TRESBillingWeights="CPU=1.0,Mem=0.1G,GRES/gpu:a100=16"
PartitionName=notebook Nodes=m[1-2],s[1-2] MaxTime=2:00:00 DefaultTime=30 PriorityTier=4 DefMemPerGPU=12000 DefCpuPerGPU=2 QOS=notebook State=UP
"""
GRES = ("NodeName=h[1-4] Name=gpu Type=a100 File=/dev/nvidia[0-1] Cores=0-15\nNodeName=h[1-4] Name=gpu Type=a100 File=/dev/nvidia[2-3] Cores=16-31\n"
        "NodeName=s[1-2] Name=gpu Type=a40 File=/dev/nvidia[0-1] Cores=0-11\nNodeName=s[1-2] Name=gpu Type=a40 File=/dev/nvidia[2-3] Cores=12-23\nNodeName=s[1-2] Name=shard Count=32\n"
        "NodeName=m[1-2] Name=gpu Type=2g.10gb File=/dev/nvidia[0-5]\nNodeName=m[1-2] Name=gpu Type=3g.20gb File=/dev/nvidia[6-9]\n")
GROUPS = ("cell", "gene", "heart", "image", "joint", "nerve", "omics", "plant")
PEOPLE = {group: (f"{group[0]}a", f"{group[0]}b", f"{group[0]}c") for group in GROUPS}
USERS = tuple(name for names in PEOPLE.values() for name in names)
ACCOUNTS = "".join(f"add account {group} Fairshare={share}\n" for group, share in zip(GROUPS, (30, 20, 20, 10, 10, 5, 5, 5))) + "".join(f"add user {','.join(names)} Account={group}\n" for group, names in PEOPLE.items()) + f"""\
add qos scavenge Priority=0 UsageFactor=0.2 GraceTime=60
add qos regular Priority=100 MaxTRESPerUser=gres/gpu=8
add qos urgent Priority=600 MaxTRESPerUser=gres/gpu=4 MaxJobsPerUser=2 MaxWall=120
add qos notebook MaxTRESPerUser=gres/gpu=2,gres/shard=12,cpu=24 MaxJobsPerUser=3
modify qos regular set Preempt=scavenge
modify qos urgent set Preempt=scavenge
modify account omics set GrpTRESRunMins=gres/gpu=700
modify account cell set GrpTRES=gres/gpu=12
modify user {','.join(USERS)} set qos=scavenge,regular,urgent defaultqos=regular
"""


def draw(rng):
    kind, gpus = rng.random(), rng.choice((1, 1, 1, 2, 2, 4))
    if kind < 0.36:
        words = "-p train " + rng.choice((f"--gres=gpu:{gpus}", f"-G {gpus} --mem-per-gpu=40G", f"-N1 --gpus-per-node={gpus} --cpus-per-gpu=10", f"-n{gpus} --gpus-per-task=1", f"-n{gpus} --gpus-per-task=1 --gpu-bind=closest", f"-N2 -G {2 * gpus} --ntasks-per-node={gpus}",
                                          f"-N1 --sockets-per-node={2 if gpus > 1 else 1} --gpus-per-socket={max(1, gpus // 2)} -n2", f"-G {gpus} --ntasks-per-gpu=2", f"--gres=gpu:{gpus} --gres-flags=enforce-binding -c12", f"-N1 --gres=gpu:{gpus} -n{4 * gpus} --ntasks-per-socket={4 * gpus if gpus == 1 else 2 * gpus}", f"-G {gpus} -c8 --hint=nomultithread", "-N1 --exclusive --gres=gpu:4"))
        share = gpus / 18
    elif kind < 0.62:
        words = "-p notebook " + rng.choice(("--gres=gpu:2g.10gb:1", "--gres=gpu:3g.20gb:1 -c4", "--gres=shard:4", "--gres=shard:8 -c4", "--gres=shard:2 --mem=6G", "-G a40:1", "--gres=gpu:1", "--gres=gpu:2g.10gb:2 -n2", "-n2 --gpus-per-task=2g.10gb:1")) + f" -t {rng.choice((15, 30, 60, 120))}"
        share = 0.02
    else:
        cpus = rng.choice((1, 2, 4, 7, 14, 28, 56))
        words = rng.choice((f"-n{cpus}", f"-n{cpus} --ntasks-per-core=1", f"-c{cpus}", f"-n{cpus} --hint=nomultithread -C thin", f"-n{cpus} --hint=compute_bound", f"-n{max(2, cpus // 7)} -c7 --mem-per-cpu=3G", f"-N2 --ntasks-per-node={max(2, cpus // 2)}", f"-n{cpus} --threads-per-core=1", f"-c{cpus} --mem=90G", f"-n{cpus} -C 'thin|a40'"))
        share = cpus / 420
        if rng.random() < 0.2:
            words, share = f"{words} -a 1-{rng.choice(('6', '8%3', '12%4'))}", share * 7
    if "notebook" not in words:
        words += rng.choice(("", "", "", " --qos=scavenge", " --qos=scavenge", " --qos=urgent -t 90" if rng.random() < 0.6 else " --qos=urgent -t 40"))
    extra = rng.random()
    if extra < 0.06:
        words += f" -d {rng.choice(('afterok', 'afterany', 'afternotok', 'after'))}:@{rng.randint(1, 4)}"
    elif extra < 0.09:
        words += rng.choice((" --nice=300", " --begin=now+15minutes", " --no-requeue"))
    return words, share, 1 if rng.random() < 0.05 else 0


EVENTS = ((1500, "scontrol update NodeName=h3 State=DRAIN Reason=xid"), (3300, "scontrol update NodeName=h3 State=RESUME"), (2700, "scontrol create reservation ReservationName=course StartTime=now+15minutes Duration=45 Accounts=plant,joint Nodes=m1 Flags=IGNORE_JOBS"),
          (4200, "sacctmgr -i modify qos regular set MaxTRESPerUser=gres/gpu=6"), (13000, "scancel -t PENDING"))
main(Scenario(640211, CONF, draw, accounts=ACCOUNTS, gres_conf=GRES, jobs=230, window=8000, load=1.35, users=USERS, events=EVENTS))
