#!/usr/bin/env python3
# scripts/reference/scenarios/shared_preempt.py — whole A100 and H100, A100 cut by MIG, shards and MPS under preempt/qos with REQUEUE, CANCEL and a GraceTime; limits of GPUs by type, arrays with %N and steps, chains.
from scenario import ENFORCED, Scenario, main

CONF = f"""\
SchedulerType=sched/backfill
SchedulerParameters=bf_continue,bf_interval=30,bf_resolution=60,bf_window=1440,bf_max_job_test=500
SelectType=select/cons_tres
SelectTypeParameters=CR_Core_Memory
GresTypes=gpu,shard,mps
DefMemPerCPU=4000
PreemptType=preempt/qos
PreemptMode=REQUEUE
PriorityType=priority/multifactor
PriorityWeightAge=1000
PriorityWeightFairshare=10000
PriorityWeightJobSize=1000
PriorityWeightPartition=1000
PriorityWeightQOS=20000
PriorityMaxAge=1-0
PriorityDecayHalfLife=2-0
AccountingStorageTRES=gres/gpu,gres/gpu:a100,gres/gpu:h100,gres/shard,gres/mps
{ENFORCED}
NodeName=a[1-3] Sockets=2 CoresPerSocket=32 ThreadsPerCore=2 RealMemory=1000000 Gres=gpu:a100:8 Feature=a100 Weight=20
NodeName=h[1-2] Sockets=2 CoresPerSocket=48 ThreadsPerCore=2 RealMemory=2000000 Gres=gpu:h100:8 Feature=h100 Weight=40
NodeName=m1 Sockets=2 CoresPerSocket=32 ThreadsPerCore=2 RealMemory=500000 Gres=gpu:a100_1g.5gb:28,gpu:a100_3g.20gb:8 Feature=mig Weight=10
NodeName=s[1-2] Sockets=2 CoresPerSocket=16 ThreadsPerCore=2 RealMemory=256000 Gres=gpu:a40:4,shard:32 Feature=a40 Weight=5
NodeName=p1 Sockets=1 CoresPerSocket=16 ThreadsPerCore=2 RealMemory=128000 Gres=gpu:t4:4,mps:400 Feature=t4 Weight=5
PartitionName=gpu Nodes=a[1-3],h[1-2] Default=YES MaxTime=2-0 DefaultTime=30 State=UP PriorityJobFactor=10
PartitionName=slice Nodes=m1,s[1-2],p1 MaxTime=12:00:00 DefaultTime=30 State=UP PriorityJobFactor=20
PartitionName=all Nodes=ALL MaxTime=8:00:00 State=UP PriorityJobFactor=5
"""
GRES = ("NodeName=a[1-3] Name=gpu Type=a100 File=/dev/nvidia[0-3] Cores=0-31\nNodeName=a[1-3] Name=gpu Type=a100 File=/dev/nvidia[4-7] Cores=32-63\n"
        "NodeName=h[1-2] Name=gpu Type=h100 File=/dev/nvidia[0-3] Cores=0-47\nNodeName=h[1-2] Name=gpu Type=h100 File=/dev/nvidia[4-7] Cores=48-95\n"
        "NodeName=m1 Name=gpu Type=a100_1g.5gb File=/dev/nvidia[0-27]\nNodeName=m1 Name=gpu Type=a100_3g.20gb File=/dev/nvidia[28-35]\n"
        "NodeName=s[1-2] Name=gpu Type=a40 File=/dev/nvidia[0-3]\nNodeName=s[1-2] Name=shard Count=32\n"
        "NodeName=p1 Name=gpu Type=t4 File=/dev/nvidia[0-3]\nNodeName=p1 Name=mps Count=400\n")
ACCOUNTS = """\
add account core Fairshare=50 GrpTRES=gres/gpu:h100=12
add account apps Fairshare=30 GrpTRES=gres/gpu=20
add account guests Fairshare=20 MaxJobs=15 MaxTRESPerJob=gres/gpu=4
add user kim,kai Account=core
add user amy,abe Account=apps
add user gus,gil,gia Account=guests
add qos spot Priority=0
add qos prod Priority=100 MaxTRESPerUser=gres/gpu:a100=8
add qos crit Priority=1000 MaxJobsPerUser=3 GrpTRES=gres/gpu=16
modify qos spot set preemptmode=cancel GraceTime=30
modify qos normal set Priority=20 MaxTRESPerUser=gres/gpu=12
modify qos prod set preempt=spot
modify qos crit set preempt=spot,normal
modify user kim,kai,amy,abe,gus,gil,gia set qos=normal,spot,prod,crit defaultqos=normal
"""
USERS = ("kim", "kai", "amy", "abe", "gus", "gil", "gia")


def draw(rng):
    kind = rng.random()
    if kind < 0.48:
        gpus = rng.choice((1, 1, 2, 2, 4, 8))
        words = rng.choice((f"--gres=gpu:{gpus} -c {4 * gpus}", f"--gpus={gpus} -n {gpus} -c 4", f"--gres=gpu:a100:{gpus} -c {2 * gpus} --mem={40 * gpus}G", f"--gres=gpu:h100:{gpus} -c {4 * gpus}", f"-N1 --gpus-per-node={gpus} -c 8",
                            f"-N2 --gres=gpu:{gpus} --ntasks-per-node={gpus} -c 4", f"--gpus={gpus} --cpus-per-gpu=8", f"-n {gpus} --gpus-per-task=1 -c 6", f"--gpus=a100:{gpus} -C a100 --mem-per-gpu=50G"))
        share = gpus / 30
    elif kind < 0.60:
        n = rng.choice((1, 1, 2, 4, 7))
        words, share = f"-p slice --gres=gpu:a100_1g.5gb:{n} -c {2 * n}", n / 60
    elif kind < 0.66:
        n = rng.choice((1, 1, 2, 4))
        words, share = f"-p slice --gres=gpu:a100_3g.20gb:{n} -c {4 * n}", n / 20
    elif kind < 0.82:
        n = rng.choice((1, 2, 3, 4, 8))
        words, share = f"-p {rng.choice(('slice', 'slice', 'all'))} --gres=shard:{n} -c {rng.choice((1, 2, 4))}", n / 40
    elif kind < 0.90:
        n = rng.choice((10, 25, 50, 100))
        words, share = f"-p slice --gres=mps:{n} -c 2", n / 500
    else:
        words, share = rng.choice(("-p all --gres=gpu:1 -c 2", "-p all --gpus=2", "-p slice --gres=gpu:a40:2 -c 4", "-p slice --gres=gpu:t4:1", "-p all -n 16", "-p slice -c 8")), 0.04
    words += rng.choice(("", "", "", " --qos=spot", " --qos=spot", " --qos=prod", " --qos=crit"))
    extra = rng.random()
    if extra < 0.12:
        words, share = f"{words} -a {rng.choice(('1-6', '0-9%3', '0-20:4%2', '1,3,5,9'))}", share * 5
    elif extra < 0.2:
        words += f" -d {rng.choice(('afterok', 'afterany', 'afternotok', 'after'))}:@1"
    elif extra < 0.23:
        return words, share, 1
    return words, share


EVENTS = ((2500, "scontrol update NodeName=h2 State=DRAIN Reason=nvlink"), (4300, "scontrol update NodeName=h2 State=RESUME"), (3100, "scancel {j45}"), (5000, "scontrol update JobId={j80} QOS=spot"))
main(Scenario(662607, CONF, draw, accounts=ACCOUNTS, gres_conf=GRES, jobs=220, window=8000, load=1.25, users=USERS, events=EVENTS))
