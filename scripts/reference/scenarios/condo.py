#!/usr/bin/env python3
# scripts/reference/scenarios/condo.py — a condo cluster: groups own partitions of A100, H100 and L40S nodes, what they leave idle is lent to all and requeued when they come back; CPU nodes, account trees, QOS by length.
from scenario import ENFORCED, Scenario, main

CONF = f"""\
SchedulerType=sched/backfill
SchedulerParameters=bf_continue,bf_interval=45,bf_resolution=120,bf_window=4320,bf_max_job_user=15,bf_max_job_test=300,default_queue_depth=200,nohold_on_prolog_fail
SelectType=select/cons_tres
SelectTypeParameters=CR_Core_Memory,CR_CORE_DEFAULT_DIST_BLOCK
GresTypes=gpu
DefMemPerCPU=3000
MaxArraySize=1001
PreemptType=preempt/partition_prio
PreemptMode=REQUEUE
PriorityType=priority/multifactor
PriorityFlags=MAX_TRES
PriorityWeightAge=5000
PriorityWeightFairshare=30000
PriorityWeightJobSize=500
PriorityWeightPartition=0
PriorityWeightQOS=10000
PriorityMaxAge=3-0
PriorityDecayHalfLife=14-0
AccountingStorageTRES=gres/gpu,gres/gpu:a100,gres/gpu:h100,gres/gpu:l40s
{ENFORCED}
NodeName=ca[01-08] Sockets=2 CoresPerSocket=20 ThreadsPerCore=1 RealMemory=185000 Feature=cascadelake Weight=10
NodeName=ci[01-04] Sockets=2 CoresPerSocket=32 ThreadsPerCore=1 RealMemory=500000 Feature=icelake Weight=20
NodeName=ga[01-03] Sockets=2 CoresPerSocket=32 ThreadsPerCore=1 RealMemory=500000 Gres=gpu:a100:4 Feature=icelake,a100 Weight=60
NodeName=gh[01-02] Sockets=2 CoresPerSocket=48 ThreadsPerCore=1 RealMemory=1000000 Gres=gpu:h100:8 Feature=h100 Weight=80
NodeName=gl[01-02] Sockets=2 CoresPerSocket=24 ThreadsPerCore=1 RealMemory=380000 Gres=gpu:l40s:8 Feature=l40s Weight=40
PartitionName=general Nodes=ca[01-08],ci[01-04] Default=YES MaxTime=7-0 DefaultTime=1:00:00 State=UP PriorityTier=10 AllowAccounts=ALL
PartitionName=gpu Nodes=ga[01-02],gl01 MaxTime=3-0 DefaultTime=1:00:00 State=UP PriorityTier=10 DefMemPerCPU=6000 QOS=gpu TRESBillingWeights="CPU=1,Mem=0.125G,GRES/gpu=8"
PartitionName=owner_bio Nodes=gh[01-02] AllowAccounts=bio MaxTime=7-0 State=UP PriorityTier=20 DefMemPerCPU=8000 TRESBillingWeights="CPU=1,Mem=0.125G,GRES/gpu=16"
PartitionName=owner_cs Nodes=ga03,gl02,ci[03-04] AllowAccounts=cs MaxTime=7-0 State=UP PriorityTier=20 DefMemPerCPU=6000 TRESBillingWeights="CPU=1,Mem=0.125G,GRES/gpu=8"
PartitionName=lent Nodes=ALL MaxTime=12:00:00 State=UP PriorityTier=1 DefMemPerCPU=4000 TRESBillingWeights="CPU=0.25,Mem=0.03G,GRES/gpu=2"
"""
GRES = ("NodeName=ga[01-03] Name=gpu Type=a100 File=/dev/nvidia[0-1] Cores=0-31\nNodeName=ga[01-03] Name=gpu Type=a100 File=/dev/nvidia[2-3] Cores=32-63\n"
        "NodeName=gh[01-02] Name=gpu Type=h100 File=/dev/nvidia[0-3] Cores=0-47\nNodeName=gh[01-02] Name=gpu Type=h100 File=/dev/nvidia[4-7] Cores=48-95\n"
        "NodeName=gl[01-02] Name=gpu Type=l40s File=/dev/nvidia[0-7]\n")
ACCOUNTS = """\
add account science Fairshare=60
add account bio parent=science Fairshare=30
add account chem parent=science Fairshare=20 GrpTRES=cpu=200
add account engineering Fairshare=40
add account cs parent=engineering Fairshare=30
add account mech parent=engineering Fairshare=10 MaxJobs=12
add user bea,ben Account=bio
add user cleo,carl Account=chem
add user dora,dirk Account=cs
add user emma,egon Account=mech
add qos short Priority=100 MaxWall=1:00:00 MaxJobsPerUser=8
add qos long Priority=0 MaxTRESPerUser=cpu=128,gres/gpu=4
add qos gpu MaxTRESPerUser=gres/gpu=6 MaxJobsPerUser=10
modify qos normal set Priority=30
modify user bea,ben,cleo,carl,dora,dirk,emma,egon set qos=normal,short,long defaultqos=normal
"""
USERS = ("bea", "ben", "cleo", "carl", "dora", "dirk", "emma", "egon")


def draw(rng):
    kind = rng.random()
    if kind < 0.35:
        cpus = rng.choice((1, 2, 4, 8, 16, 20, 40))
        words = rng.choice((f"-n{cpus}", f"-c{cpus}", f"-n{cpus} --mem-per-cpu=4G", f"-c{cpus} --mem={rng.choice((10, 40, 120))}G", f"-N2 --ntasks-per-node={cpus}", f"-n{cpus} -C icelake", f"-n{cpus} -N1", "-N1 --exclusive"))
        words, share = f"{words}{rng.choice(('', '', '', ' --qos=short -t 30', ' --qos=long', ' -p general,lent', ' -p lent'))}", cpus / 500
    elif kind < 0.62:
        gpus = rng.choice((1, 1, 1, 2, 2, 4))
        words = rng.choice((f"--gres=gpu:{gpus} -c {4 * gpus}", f"--gres=gpu:a100:{gpus} -c {8 * gpus}", f"--gpus={gpus} -n{gpus} -c4", f"--gres=gpu:l40s:{gpus} -c 6 --mem=40G", f"-N1 --gpus-per-node={gpus} --ntasks-per-node={gpus} -c 4"))
        words, share = f"-p {rng.choice(('gpu', 'gpu', 'gpu', 'gpu,lent'))} {words}{rng.choice(('', '', '', ' --qos=short -t 45', ' --qos=long'))}", gpus / 20
    elif kind < 0.75:
        gpus = rng.choice((1, 2, 4, 8))
        words, share = f"-p owner_bio -A bio --gres=gpu:h100:{gpus} -c {6 * gpus}{rng.choice(('', '', ' -N2 -c 4'))}", gpus / 20
    elif kind < 0.86:
        gpus = rng.choice((1, 2, 4))
        words, share = f"-p owner_cs -A cs {rng.choice((f'--gres=gpu:{gpus} -c {6 * gpus}', f'--gres=gpu:a100:{gpus} -c 8', '-n 32', f'--gpus={gpus} -c 4'))}", gpus / 30
    else:
        gpus = rng.choice((1, 2, 4, 8))
        words, share = f"-p lent {rng.choice((f'--gres=gpu:{gpus} -c {2 * gpus}', f'--gres=gpu:h100:{gpus} -c 8', f'--gpus={gpus} -n{gpus} -c2'))}", gpus / 40
    extra = rng.random()
    if extra < 0.12:
        count = rng.choice((4, 8, 10))
        words, share = f"{words} -a 1-{count}{rng.choice(('', '%3', '%5'))}", share * count
    elif extra < 0.18:
        words += f" -d {rng.choice(('afterok', 'afterany', 'afternotok'))}:@1"
    elif extra < 0.21:
        return words, share, 1
    return words, share


def by_owner(rows):
    """Who may use the partition of an account submits to it."""
    owners = {"bio": ("bea", "ben"), "cs": ("dora", "dirk")}
    for at, user, *rest in rows:
        words = rest[1]
        for account, names in owners.items():
            if f"-A {account}" in words and user not in names:
                user = names[len(words) % 2]
        yield (at, user, *rest)


class Condo(Scenario):
    def rows(self):
        return list(by_owner(super().rows()))


EVENTS = ((2000, "scontrol update NodeName=gh02 State=DRAIN Reason=nvlink"), (3900, "scontrol update NodeName=gh02 State=RESUME"), (3200, "scancel {j55}"), (4200, "scontrol update JobId={j90} Nice=2000"))
main(Condo(577215, CONF, draw, accounts=ACCOUNTS, gres_conf=GRES, jobs=220, window=8400, load=1.15, users=USERS, events=EVENTS))
