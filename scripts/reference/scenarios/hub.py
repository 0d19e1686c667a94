#!/usr/bin/env python3
# scripts/reference/scenarios/hub.py — a research hub: tiers by QOS that cancel each other, one QOS without reservations, GPUs of three types over six partitions of one set of nodes, long windows of backfill.
from scenario import ENFORCED, Scenario, main

CONF = f"""\
SchedulerType=sched/backfill
SchedulerParameters=bf_interval=60,bf_continue,bf_resolution=300,bf_window=10080,bf_max_job_test=500,bf_max_job_user=20,bf_max_job_array_resv=5,default_queue_depth=200,sched_min_interval=1000000,nohold_on_prolog_fail
SelectType=select/cons_tres
SelectTypeParameters=CR_Core_Memory
GresTypes=gpu
DefMemPerCPU=4000
MaxMemPerNode=500000
EnforcePartLimits=ANY
PreemptType=preempt/qos
PreemptMode=CANCEL
PriorityType=priority/multifactor
PriorityWeightAge=2000
PriorityWeightAssoc=1000
PriorityWeightFairshare=8000
PriorityWeightJobSize=1000
PriorityWeightPartition=1000
PriorityWeightQOS=5000
PriorityMaxAge=0-4
PriorityDecayHalfLife=0-8
PriorityCalcPeriod=5
AccountingStorageTRES=gres/gpu,gres/gpu:v100,gres/gpu:a100,gres/gpu:l4
{ENFORCED}
NodeName=a[1-4] Sockets=2 CoresPerSocket=32 ThreadsPerCore=1 RealMemory=1000000 Gres=gpu:a100:4 Feature=a100,zen3,ib Weight=30
NodeName=v[1-4] Sockets=2 CoresPerSocket=20 ThreadsPerCore=1 RealMemory=380000 Gres=gpu:v100:4 Feature=v100,skl,ib Weight=20
NodeName=l[1-2] Sockets=1 CoresPerSocket=32 ThreadsPerCore=1 RealMemory=250000 Gres=gpu:l4:8 Feature=l4,zen4 Weight=25
NodeName=n[01-10] Sockets=2 CoresPerSocket=20 ThreadsPerCore=1 RealMemory=190000 Feature=skl,ib Weight=10
NodeName=n[11-14] Sockets=2 CoresPerSocket=32 ThreadsPerCore=1 RealMemory=500000 Feature=zen3 Weight=10
PartitionName=short Nodes=n[01-14],v[1-4] Default=YES MaxTime=04:00:00 DefaultTime=30 State=UP PriorityJobFactor=60
PartitionName=long Nodes=n[01-14] MaxTime=7-0 DefaultTime=120 State=UP PriorityJobFactor=20 QOS=p_long
PartitionName=gpu Nodes=a[1-4],v[1-4],l[1-2] MaxTime=2-0 DefaultTime=60 State=UP PriorityJobFactor=40 DefMemPerGPU=40000 TRESBillingWeights="CPU=1,Mem=0.1G,GRES/gpu:a100=20,GRES/gpu:v100=10,GRES/gpu:l4=5"
PartitionName=debug Nodes=n[01-02],v1,l2 MaxTime=00:30:00 DefaultTime=10 State=UP PriorityTier=5 PriorityJobFactor=100 MaxNodes=2 QOS=p_debug
PartitionName=wide Nodes=n[01-14] MaxTime=1-0 MinNodes=3 State=UP PriorityJobFactor=50 OverSubscribe=EXCLUSIVE
"""
GRES = ("NodeName=a[1-4] Name=gpu Type=a100 File=/dev/nvidia[0-1] Cores=0-31\nNodeName=a[1-4] Name=gpu Type=a100 File=/dev/nvidia[2-3] Cores=32-63\n"
        "NodeName=v[1-4] Name=gpu Type=v100 File=/dev/nvidia[0-3] Cores=0-19\n"
        "NodeName=l[1-2] Name=gpu Type=l4 File=/dev/nvidia[0-7]\n")
ACCOUNTS = """\
add account physics Fairshare=50
add account theory parent=physics Fairshare=2
add account exper parent=physics Fairshare=3
add account med Fairshare=30 GrpTRES=cpu=320 Priority=40
add account guests Fairshare=5 GrpJobs=10 MaxSubmitJobs=12
add user pat,pia Account=theory
add user quin Account=exper
add user rae,ron Account=med
add user sam,sue Account=guests
add qos urgent Priority=100 MaxJobsPerUser=4 MaxTRESPerUser=gres/gpu=8,cpu=160
add qos scavenge Priority=0 Flags=NoReserve UsageFactor=0.1 GraceTime=15
add qos p_long MaxTRESPerUser=cpu=128 GrpTRES=cpu=400
add qos p_debug MaxJobsPerUser=2 MaxSubmitJobsPerUser=5
modify qos normal set Priority=30 Preempt=scavenge MaxTRESPerAccount=gres/gpu=16
modify qos urgent set Preempt=scavenge,normal
modify user pat,pia,quin,rae,ron,sam,sue set qos=normal,urgent,scavenge defaultqos=normal
"""
USERS = ("pat", "pia", "quin", "rae", "ron", "sam", "sue")


def draw(rng):
    kind = rng.random()
    if kind < 0.36:
        gpus = rng.choice((1, 1, 1, 2, 2, 4, 4, 8))
        words = rng.choice((f"--gpus={gpus}", f"--gres=gpu:{min(gpus, 4)} -c{4 * min(gpus, 4)}", f"--gres=gpu:a100:{min(gpus, 4)}", f"--gres=gpu:v100:{min(gpus, 4)} -n{2 * gpus}", f"--gpus-per-node={min(gpus, 4)} -N{max(1, gpus // 4)} --ntasks-per-node={min(gpus, 4)} -c4",
                            f"-G{gpus} --cpus-per-gpu=4", f"-C 'a100|v100' --gres=gpu:{min(gpus, 4)} -n4", f"--gpus={gpus} -n{gpus} -c2 --mem-per-gpu=30G", f"-C zen4 --gpus={gpus} --cpus-per-gpu=3", f"--gpus-per-task=1 -n{gpus} -c4", f"--gres=gpu:l4:{gpus} -c{gpus}"))
        words = f"-p gpu {words}" + rng.choice(("", "", "", " --qos=scavenge", " --qos=scavenge", " --qos=urgent"))
        share = gpus / 44
    elif kind < 0.72:
        cpus = rng.choice((1, 1, 2, 4, 8, 16, 20, 40, 64))
        words = rng.choice((f"-n{cpus}", f"-n{cpus}", f"-c{cpus}", f"-n{cpus} -N1", f"-n{cpus} -N{max(1, cpus // 16)}-{max(1, cpus // 4)}", f"-n{cpus} --mem-per-cpu=8000", f"-n{cpus} -C zen3", f"-n{cpus} -C ib --ntasks-per-node={max(1, cpus // 2)}", f"-N{1 + cpus // 20} --exclusive", f"-n{cpus} -O" if cpus > 4 else "-n2 -O", f"-n{cpus} --mem=60G", f"-n{cpus} -m cyclic"))
        words += rng.choice((" -p short", " -p short", " -p long", " -p long", " -p short,long", " --qos=scavenge", " -p long --qos=scavenge", " --qos=urgent"))
        share = cpus / 656
    elif kind < 0.82:
        words, share = f"-p debug {rng.choice(('-n4', '-n16', '-N2', '-N2 --ntasks-per-node=10', '--exclusive', '--gres=gpu:1', '-w n02 -n8'))} -t {rng.choice((5, 10, 20))}", 0.01
    else:
        nodes = rng.choice((3, 3, 4, 6))
        words, share = f"-p wide -N{nodes} {rng.choice(('', '--ntasks-per-node=20', '-C skl', '-n64', '--contiguous', '-x n03'))}", nodes / 24
    extra = rng.random()
    if extra < 0.07:
        words, share = f"{words} -a 1-{rng.choice(('4', '8%3', '6'))}", share * 5
    elif extra < 0.12:
        words += f" --dependency={rng.choice(('afterok', 'afterany'))}:@{rng.choice((1, 2))}"
    elif extra < 0.15:
        words += f" --begin=now+{rng.choice((300, 900))}"
    return words, share, 1 if rng.random() < 0.05 else 0


EVENTS = ((1500, "scontrol update NodeName=v2 State=DRAIN Reason=fan"), (3000, "scontrol update NodeName=v2 State=RESUME"), (4000, "scontrol update PartitionName=wide State=DOWN"), (4600, "scontrol update PartitionName=wide State=UP"),
          (5200, "sacctmgr -i modify qos p_long set GrpTRES=cpu=480"))
main(Scenario(771204, CONF, draw, accounts=ACCOUNTS, gres_conf=GRES, jobs=200, window=8400, load=1.2, users=USERS, events=EVENTS))
