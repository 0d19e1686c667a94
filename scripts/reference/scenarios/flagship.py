#!/usr/bin/env python3
# scripts/reference/scenarios/flagship.py — 46 GPU and CPU nodes and 560 submissions at a deep queue: A100 and H100 under one partition, a debug tier, a scavenger that is requeued, GrpTRES of labs, deep loops, an hour in which a rack is drained for a maintenance reservation.
from scenario import ENFORCED, Scenario, main

CONF = f"""\
SchedulerType=sched/backfill
SchedulerParameters=bf_continue,bf_interval=30,bf_max_job_test=1000,bf_window=5760,bf_resolution=300,default_queue_depth=300,sched_interval=60,bf_max_job_user=60
SelectType=select/cons_tres
SelectTypeParameters=CR_Core_Memory
GresTypes=gpu
DefMemPerCPU=3500
PreemptType=preempt/partition_prio
PreemptMode=REQUEUE
PriorityType=priority/multifactor
PriorityWeightAge=30000
PriorityWeightFairshare=60000
PriorityWeightJobSize=8000
PriorityWeightPartition=5000
PriorityWeightQOS=15000
PriorityWeightTRES=GRES/gpu=4000
PriorityMaxAge=1-0
PriorityDecayHalfLife=2-0
PriorityCalcPeriod=5
AccountingStorageTRES=gres/gpu,gres/gpu:a100,gres/gpu:h100
{ENFORCED}
NodeName=cn[01-24] Sockets=2 CoresPerSocket=16 ThreadsPerCore=1 RealMemory=128000 Feature=cascade Weight=10
NodeName=ga[01-16] Sockets=2 CoresPerSocket=16 ThreadsPerCore=2 RealMemory=512000 Gres=gpu:a100:4 Feature=icelake,a100 Weight=40
NodeName=gh[01-06] Sockets=2 CoresPerSocket=24 ThreadsPerCore=2 RealMemory=1024000 Gres=gpu:h100:8 Feature=sapphire,h100 Weight=80
PartitionName=cpu Nodes=cn[01-24] Default=YES MaxTime=3-0 DefaultTime=120 PriorityTier=10 PriorityJobFactor=10 PreemptMode=OFF State=UP
PartitionName=gpu Nodes=ga[01-16],gh[01-06] MaxTime=2-0 DefaultTime=120 PriorityTier=10 PriorityJobFactor=10 DefCpuPerGPU=8 DefMemPerGPU=60000 PreemptMode=OFF TRESBillingWeights="CPU=0.5,Mem=0.05G,GRES/gpu:a100=12,GRES/gpu:h100=30" State=UP
PartitionName=debug Nodes=cn[01-02],ga[01-02],gh01 MaxTime=30 DefaultTime=10 PriorityTier=30 MaxNodes=2 QOS=debug PreemptMode=OFF State=UP
PartitionName=scavenge Nodes=ALL MaxTime=1-0 DefaultTime=60 PriorityTier=1 PriorityJobFactor=1 GraceTime=0 PreemptMode=REQUEUE State=UP
"""
GRES = "NodeName=ga[01-16] Name=gpu Type=a100 File=/dev/nvidia[0-1] Cores=0-15\nNodeName=ga[01-16] Name=gpu Type=a100 File=/dev/nvidia[2-3] Cores=16-31\nNodeName=gh[01-06] Name=gpu Type=h100 File=/dev/nvidia[0-3] Cores=0-23\nNodeName=gh[01-06] Name=gpu Type=h100 File=/dev/nvidia[4-7] Cores=24-47\n"
LABS = {"nlp": 40, "vis": 25, "chem": 20, "phys": 15}
USERS = tuple(f"{lab}{number}" for lab in LABS for number in range(1, 6))
ACCOUNTS = "".join(f"add account {lab} Fairshare={share}\nadd user {','.join(user for user in USERS if user.startswith(lab))} Account={lab}\n" for lab, share in LABS.items()) + f"""\
modify account nlp set GrpTRES=gres/gpu=64
modify account vis set GrpTRES=gres/gpu=40
modify account chem set GrpTRES=cpu=500
add qos debug MaxJobsPerUser=2 MaxTRESPerUser=gres/gpu=8
add qos urgent Priority=100 MaxJobsPerUser=3 GrpTRES=gres/gpu=24
modify qos normal set Priority=20 MaxTRESPerUser=gres/gpu=32
modify user {','.join(USERS)} set qos=normal,urgent,debug defaultqos=normal
"""


def draw(rng):
    kind = rng.random()
    if kind < 0.42:
        tasks = rng.choice((1, 4, 8, 16, 16, 32, 64, 96))
        words, share = "-p cpu " + rng.choice((f"-n{tasks}", f"-n{tasks} --mem-per-cpu=6G", f"-N{1 + tasks // 32} --ntasks-per-node={min(32, tasks)}", f"-N{1 + tasks // 32} --exclusive", f"-c{min(32, tasks)} --mem=40G", f"-N1-4 -n{tasks}")), tasks / 900
    elif kind < 0.84:
        gpus = rng.choice((1, 1, 1, 2, 2, 4, 4, 8, 16))
        each = min(gpus, 4)
        nodes = max(1, gpus // 4)
        words = "-p gpu " + rng.choice((f"-G {gpus} -N{nodes}", f"-N{nodes} --gpus-per-node={each}", f"-N{nodes} --gres=gpu:a100:{each}", f"-N{nodes} --gres=gpu:h100:{each} -c{8 * each}", f"--gpus={gpus}", f"-n{gpus} --gpus-per-task=1 -c6", f"-C a100 -G {gpus}", f"-C h100 -N1 --gpus-per-node={min(8, gpus)}", f"-N{nodes} --gres=gpu:{each} --mem=200G", f"-N{nodes} --gpus-per-node={each} --exclusive"))
        share = gpus / 112
    elif kind < 0.9:
        words, share = "-p debug " + rng.choice(("-n4", "--gres=gpu:1", "-N2 -n2", "-G 2", "-n8 -C cascade")) + f" -t {rng.choice((5, 10, 30))}", 0.004
    else:
        words, share = "-p scavenge " + rng.choice(("-n16", "--gres=gpu:2", "-N2 --exclusive -C cascade", "--gres=gpu:a100:4", "-n32 --no-requeue", "-n8 -a 1-6")), 0.03
    if " -p debug" not in f" {words}" and rng.random() < 0.12:
        words += " --qos=urgent"
    extra = rng.random()
    if extra < 0.06 and "-a " not in words:
        return f"{words} -a {rng.choice(('1-4', '1-8%2', '0-11%4'))}", share * 5, 1 if rng.random() < 0.05 else 0
    if extra < 0.12:
        words += rng.choice((f" -d afterok:@{rng.randint(1, 6)}", f" -d afterany:@{rng.randint(1, 6)}", f" -d afternotok:@{rng.randint(1, 6)}", " -d singleton -J chain"))
    elif extra < 0.17:
        words += rng.choice((" --begin=now+900", " --nice=2000", " --time-min=15", " -x ga[01-04]" if "gpu" in words else " -x cn[01-06]"))
    return words, share, 1 if rng.random() < 0.04 else 0


EVENTS = ((600, "scontrol create reservation ReservationName=rack StartTime=now+75minutes Duration=40 Nodes=ga[09-12],cn[13-18] Users=root Flags=MAINT,IGNORE_JOBS"), (1500, "scontrol update NodeName=cn07 State=DRAIN Reason=dimm"), (2600, "scontrol update NodeName=gh03 State=DRAIN Reason=nvlink"), (3700, "scontrol update NodeName=cn07 State=RESUME"),
          (4300, "scontrol update NodeName=gh03 State=RESUME"), (5200, "sacctmgr -i modify account nlp set GrpTRES=gres/gpu=80"), (6000, "scontrol hold {j330}"), (6500, "scontrol release {j330}"), (6900, "scancel -u vis3 -t PENDING"), (16000, "scancel -t PENDING"))
main(Scenario(904117, CONF, draw, accounts=ACCOUNTS, gres_conf=GRES, jobs=560, window=9000, load=1.5, users=USERS, events=EVENTS))
