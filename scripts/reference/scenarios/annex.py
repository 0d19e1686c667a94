#!/usr/bin/env python3
# scripts/reference/scenarios/annex.py — a condo annex: owners' partitions above a common and a lent one that is requeued after its grace, lists of three partitions, nodes for one user at a time, one that shares its cores, CR_Socket_Memory with four sockets, nodes that fail, an admin who holds, requeues and moves.
from scenario import ENFORCED, Scenario, main

CONF = f"""\
SchedulerType=sched/backfill
SchedulerParameters=bf_interval=40,bf_max_job_test=150,bf_max_job_part=60,bf_min_age_reserve=120,bf_resolution=120,sched_interval=30,partition_job_depth=40,preempt_youngest_first
SelectType=select/cons_tres
SelectTypeParameters=CR_Socket_Memory
GresTypes=gpu
DefMemPerCPU=1500
PreemptType=preempt/partition_prio
PreemptMode=CANCEL
JobRequeue=1
SlurmdTimeout=300
ReturnToService=1
BatchStartTimeout=60
PriorityType=priority/multifactor
PriorityFlags=ACCRUE_ALWAYS
PriorityFavorSmall=YES
PriorityWeightAge=2000
PriorityWeightFairshare=6000
PriorityWeightJobSize=1500
PriorityWeightPartition=4000
PriorityMaxAge=0-2
PriorityDecayHalfLife=0-3
PriorityCalcPeriod=1
AccountingStorageTRES=gres/gpu
{ENFORCED}
NodeName=w[1-6] Sockets=4 CoresPerSocket=6 ThreadsPerCore=1 RealMemory=128000 Feature=west Weight=10
NodeName=x[1-4] Sockets=2 CoresPerSocket=16 ThreadsPerCore=2 RealMemory=384000 Gres=gpu:l40s:4 Feature=l40s Weight=20
NodeName=y[1-3] Sockets=2 CoresPerSocket=8 ThreadsPerCore=1 RealMemory=192000 Gres=gpu:rtx5000:6 Feature=rtx Weight=15
PartitionName=common Nodes=w[1-6],y[1-3] Default=YES MaxTime=1-0 DefaultTime=60 PriorityTier=2 PriorityJobFactor=10 PreemptMode=OFF State=UP
PartitionName=gpu Nodes=x[1-2],y[1-3] MaxTime=12:00:00 DefaultTime=60 PriorityTier=2 PriorityJobFactor=15 PreemptMode=OFF DefCpuPerGPU=3 State=UP
PartitionName=prof Nodes=x[1-4] MaxTime=2-0 DefaultTime=120 PriorityTier=6 PriorityJobFactor=30 AllowAccounts=owners PreemptMode=OFF State=UP
PartitionName=lent Nodes=x[1-4],w[1-6] MaxTime=4:00:00 DefaultTime=30 PriorityTier=1 PriorityJobFactor=1 GraceTime=90 PreemptMode=REQUEUE State=UP
PartitionName=desk Nodes=y[1-3] MaxTime=90 DefaultTime=20 PriorityTier=3 ExclusiveUser=YES State=UP
PartitionName=class Nodes=w[1-2] MaxTime=60 DefaultTime=10 PriorityTier=3 OverSubscribe=YES:3 State=UP
"""
GRES = ("NodeName=x[1-4] Name=gpu Type=l40s File=/dev/nvidia[0-1] Cores=0-15\nNodeName=x[1-4] Name=gpu Type=l40s File=/dev/nvidia[2-3] Cores=16-31\n"
        "NodeName=y[1-3] Name=gpu Type=rtx5000 File=/dev/nvidia[0-5]\n")
OWNERS, STAFF, PUPILS = ("olga", "omar"), ("sam", "sid", "sue"), ("pam", "per", "pia", "pol")
USERS = OWNERS + STAFF + PUPILS
ACCOUNTS = f"""\
add account owners Fairshare=50
add account staff Fairshare=35
add account pupils Fairshare=15 MaxJobs=6
add user {','.join(OWNERS)} Account=owners
add user {','.join(STAFF)} Account=staff
add user {','.join(PUPILS)} Account=pupils
modify account staff set GrpTRES=gres/gpu=14
"""


def draw(rng):
    kind, gpus = rng.random(), rng.choice((1, 1, 2, 2, 3, 4))
    if kind < 0.32:
        cpus = rng.choice((1, 2, 6, 12, 24, 36))
        words, share = f"-p {rng.choice(('common', 'common', 'common,lent', 'lent', 'lent,common'))} " + rng.choice((f"-n{cpus}", f"-n{cpus} --ntasks-per-socket=3", f"-c{min(24, cpus)}", f"-N2 --ntasks-per-node={max(1, cpus // 2)}", f"-n{cpus} --mem=30G", f"-N1 --exclusive", f"-n{cpus} -C west", f"-n{max(1, cpus // 3)} -c3")), cpus / 190
    elif kind < 0.62:
        words, share = f"-p {rng.choice(('gpu', 'gpu,lent', 'prof,gpu,lent', 'prof', 'lent,gpu', 'gpu,common'))} " + rng.choice((f"--gres=gpu:{gpus}", f"--gres=gpu:l40s:{gpus} -c8", f"-G {gpus} -n{gpus}", f"-n{gpus} --gpus-per-task=1 -c4", f"-N1 --gpus-per-node={gpus} --mem=40G", f"-N2 --gpus-per-node={gpus}", f"-G {gpus} --cpus-per-gpu=4", f"--gres=gpu:{gpus} --mem-per-gpu=16G")), gpus / 24
    elif kind < 0.76:
        words, share = "-p desk " + rng.choice(("--gres=gpu:1", "--gres=gpu:2 -c2", "-n4", "-c8 --gres=gpu:rtx5000:3", "-n2 --gpus-per-task=1")) + f" -t {rng.choice((15, 30, 60))}", 0.025
    elif kind < 0.88:
        words, share = "-p class " + rng.choice(("-n2 -s", "-n6 -s", "-n4", "-c3 -s", "-n12 -s --mem=8G", "-n8")) + f" -t {rng.choice((10, 20, 40))}", 0.01
    else:
        words, share = f"-p {rng.choice(('common,lent', 'lent'))} -n{rng.choice((2, 6))} --exclusive=user -t {rng.choice((20, 60))}", 0.03
    if kind < 0.32 and rng.random() < 0.18:
        words, share = f"{words} -a 1-{rng.choice(('5', '9%3', '12%5'))}", share * 6
    extra = rng.random()
    if extra < 0.07:
        words += f" -d {rng.choice(('afterok', 'afterany', 'aftercorr', 'afternotok'))}:@{rng.randint(1, 4)}"
    elif extra < 0.12:
        words += rng.choice((" --no-requeue", " --no-kill", " --nice=150", " --time-min=5", " --begin=now+10minutes"))
    return words, share, 1 if rng.random() < 0.05 else 0


EVENTS = ((1500, "node crash w3"), (1900, "node boot w3"), (2600, "slurmd down y2"), (2750, "slurmd up y2"), (3200, "node crash x2"), (4000, "node boot x2"), (4100, "scontrol update NodeName=x2 State=RESUME"), (2000, "scontrol hold {j45}"), (2500, "scontrol release {j45}"), (2900, "scontrol requeue {j60}"),
          (3500, "scontrol update JobId={j80} Partition=common"), (3700, "scontrol update JobId={j90} TimeLimit=30"), (4400, "scontrol update NodeName=w[5-6] State=DRAIN Reason=cooling"), (5200, "scontrol update NodeName=w[5-6] State=RESUME"), (5600, "scontrol requeuehold {j120}"), (6200, "scontrol release {j120}"),
          (5000, "scontrol create reservation ReservationName=demo StartTime=now+10minutes Duration=30 Users=olga,sam NodeCnt=1 PartitionName=gpu Flags=MAGNETIC,IGNORE_JOBS"), (13000, "scancel -t PENDING"))
main(Scenario(829046, CONF, draw, accounts=ACCOUNTS, gres_conf=GRES, jobs=220, window=7800, load=1.3, users=USERS, events=EVENTS))
