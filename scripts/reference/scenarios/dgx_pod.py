#!/usr/bin/env python3
# scripts/reference/scenarios/dgx_pod.py — a pod of DGX A100 shared by laboratories: hyperthreads, DefCpuPerGPU and DefMemPerGPU, a QOS that is requeued for two others, limits of GPUs by user and account, arrays with %N.
from scenario import ENFORCED, Scenario, main

CONF = f"""\
SchedulerType=sched/backfill
SchedulerParameters=bf_continue,bf_interval=60,bf_resolution=60,bf_window=2880,bf_max_job_test=1000,bf_max_job_user=20,default_queue_depth=500
SelectType=select/cons_tres
SelectTypeParameters=CR_Core_Memory
GresTypes=gpu
DefCpuPerGPU=16
DefMemPerGPU=100000
DefMemPerCPU=4000
PreemptType=preempt/qos
PreemptMode=REQUEUE
PreemptExemptTime=00:10:00
PriorityType=priority/multifactor
PriorityWeightAge=2000
PriorityWeightFairshare=20000
PriorityWeightJobSize=1000
PriorityWeightPartition=5000
PriorityWeightQOS=50000
PriorityMaxAge=7-0
PriorityDecayHalfLife=7-0
AccountingStorageTRES=gres/gpu,gres/gpu:a100
{ENFORCED}
NodeName=dgx[01-06] Sockets=2 CoresPerSocket=64 ThreadsPerCore=2 RealMemory=1030000 Gres=gpu:a100:8 Feature=dgx,a100 State=UNKNOWN
NodeName=cpu[01-02] Sockets=2 CoresPerSocket=32 ThreadsPerCore=2 RealMemory=512000 Feature=cpu State=UNKNOWN
PartitionName=batch Nodes=dgx[01-06] Default=YES MaxTime=2-0 DefaultTime=1:00:00 State=UP PriorityJobFactor=10 TRESBillingWeights="CPU=0.1,Mem=0.01G,GRES/gpu=10"
PartitionName=interactive Nodes=dgx[01-02] MaxTime=4:00:00 State=UP PriorityTier=5 PriorityJobFactor=50 QOS=inter TRESBillingWeights="CPU=0.1,Mem=0.01G,GRES/gpu=10"
PartitionName=cpu Nodes=cpu[01-02] MaxTime=1-0 State=UP PriorityJobFactor=10
"""
GRES = ("NodeName=dgx[01-06] Name=gpu Type=a100 File=/dev/nvidia[0-3] Cores=0-63\nNodeName=dgx[01-06] Name=gpu Type=a100 File=/dev/nvidia[4-7] Cores=64-127\n")
ACCOUNTS = """\
add account research Fairshare=100
add account nlp parent=research Fairshare=50 GrpTRES=gres/gpu=24
add account vision parent=research Fairshare=30
add account robotics parent=research Fairshare=20
add account students Fairshare=10 GrpTRES=gres/gpu=8
add user nina,nick Account=nlp
add user vera,vito Account=vision
add user rob,rita Account=robotics
add user sam,sue Account=students
add qos low Priority=0 UsageFactor=0.2
add qos high Priority=100 MaxTRESPerUser=gres/gpu=8
add qos inter MaxTRESPerUser=gres/gpu=2 MaxJobsPerUser=2
modify qos normal set Priority=10 MaxTRESPerUser=gres/gpu=16
modify qos normal set preempt=low
modify qos high set preempt=low,normal
modify user nina,nick,vera,vito,rob,rita,sam,sue set qos=normal,low,high defaultqos=normal
"""
USERS = ("nina", "nick", "vera", "vito", "rob", "rita", "sam", "sue")


def draw(rng):
    kind = rng.random()
    if kind < 0.70:
        gpus = rng.choice((1, 1, 1, 2, 2, 4, 4, 8))
        words = rng.choice((f"--gres=gpu:{gpus}", f"--gres=gpu:{gpus}", f"--gpus={gpus}", f"-N1 --gpus-per-node={gpus}", f"--gres=gpu:a100:{gpus} -c {8 * gpus}", f"--gres=gpu:{gpus} --cpus-per-gpu=8 --mem={60 * gpus}G",
                            f"-N1 -n{gpus} --gpus-per-task=1 -c 8", f"-N1 --ntasks-per-node={gpus} --gres=gpu:{gpus} -c 12"))
        share = gpus / 48
        words += rng.choice(("", "", "", "", " --qos=low", " --qos=low", " --qos=high"))
        if rng.random() < 0.12:
            count = rng.choice((4, 6, 10))
            words, share = f"{words} --array=1-{count}{rng.choice(('', '%2', '%3'))}", share * count
    elif kind < 0.80:
        nodes = rng.choice((2, 2, 3, 4))
        words, share = f"-N{nodes} --ntasks-per-node=8 --gres=gpu:8{rng.choice(('', ' --exclusive', ' -c 16'))}{rng.choice(('', ' --qos=low', ' --qos=high'))}", nodes / 6
    elif kind < 0.9:
        words, share = f"-p interactive --gres=gpu:{rng.choice((1, 1, 2))} -t {rng.choice((10, 20, 30))}", 0.01
    else:
        cpus = rng.choice((1, 4, 8, 32, 64))
        words, share = f"-p cpu {rng.choice((f'-n{cpus}', f'-c{cpus}', f'-n{cpus} --mem-per-cpu=2G'))}", cpus / 500
    extra = rng.random()
    if extra < 0.07:
        words += f" --dependency={rng.choice(('afterok', 'afterany'))}:@1"
    elif extra < 0.1:
        return words, share, 1
    return words, share


EVENTS = ((2400, "scontrol update NodeName=dgx05 State=DRAIN Reason=ib"), (4200, "scontrol update NodeName=dgx05 State=RESUME"), (3000, "scancel {j40}"), (3300, "scontrol hold {j60}"), (4600, "scontrol release {j60}"))
main(Scenario(271828, CONF, draw, accounts=ACCOUNTS, gres_conf=GRES, jobs=190, window=8400, load=1.2, users=USERS, events=EVENTS))
