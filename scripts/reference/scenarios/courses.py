#!/usr/bin/env python3
# scripts/reference/scenarios/courses.py — a university's shared cluster: 36 users, every bf_max_job_* word at once, shallow main loop, deep backlog per user, seven overlapping partitions, MIG and whole GPUs under QOS limits, arrays with limits, favour of small jobs.
from scenario import ENFORCED, Scenario, main

CONF = f"""\
SchedulerType=sched/backfill
SchedulerParameters=bf_interval=40,bf_max_job_test=120,bf_max_job_part=45,bf_max_job_user=6,bf_max_job_user_part=4,bf_max_job_assoc=5,bf_max_job_start=12,bf_max_job_array_resv=4,default_queue_depth=60,partition_job_depth=20,sched_max_job_start=15,bf_window=1440,bf_resolution=120
SelectType=select/cons_tres
SelectTypeParameters=CR_Core_Memory
GresTypes=gpu
DefMemPerCPU=2000
EnforcePartLimits=ALL
MaxArraySize=200
PriorityType=priority/multifactor
PriorityFavorSmall=YES
PriorityWeightAge=2000
PriorityWeightFairshare=8000
PriorityWeightJobSize=4000
PriorityWeightPartition=3000
PriorityWeightQOS=6000
PriorityWeightAssoc=500
PriorityMaxAge=0-3
PriorityDecayHalfLife=0-6
PriorityCalcPeriod=1
AccountingStorageTRES=gres/gpu,gres/gpu:1g.10gb,gres/gpu:3g.40gb,gres/gpu:l40s
{ENFORCED}
NodeName=c[01-08] Sockets=2 CoresPerSocket=10 ThreadsPerCore=2 RealMemory=96000 Feature=old Weight=5
NodeName=c[09-12] Sockets=2 CoresPerSocket=16 ThreadsPerCore=2 RealMemory=192000 Feature=new Weight=8
NodeName=m[1-3] Sockets=2 CoresPerSocket=16 ThreadsPerCore=1 RealMemory=256000 Gres=gpu:1g.10gb:8,gpu:3g.40gb:4 Feature=mig Weight=20
NodeName=l[1-4] Sockets=2 CoresPerSocket=12 ThreadsPerCore=1 RealMemory=256000 Gres=gpu:l40s:4 Feature=l40s Weight=30
PartitionName=general Nodes=c[01-12] Default=YES MaxTime=1-0 DefaultTime=60 PriorityJobFactor=10 State=UP
PartitionName=short Nodes=c[01-12],l[1-2] MaxTime=60 DefaultTime=15 PriorityJobFactor=30 MaxCPUsPerNode=16 State=UP
PartitionName=class Nodes=m[1-3],c[01-02] MaxTime=45 DefaultTime=20 PriorityTier=5 QOS=class State=UP
PartitionName=mig Nodes=m[1-3] MaxTime=12:00:00 DefaultTime=60 PriorityJobFactor=10 State=UP
PartitionName=gpu Nodes=l[1-4] MaxTime=1-0 DefaultTime=60 PriorityJobFactor=15 DefCpuPerGPU=4 State=UP
PartitionName=big Nodes=c[05-12] MaxTime=1-0 DefaultTime=120 MinNodes=2 PriorityJobFactor=20 State=UP
PartitionName=owner Nodes=c[11-12],l4 MaxTime=2-0 DefaultTime=60 PriorityTier=8 AllowAccounts=staff State=UP
"""
GRES = "NodeName=m[1-3] Name=gpu Type=1g.10gb File=/dev/nvidia[0-7]\nNodeName=m[1-3] Name=gpu Type=3g.40gb File=/dev/nvidia[8-11]\nNodeName=l[1-4] Name=gpu Type=l40s File=/dev/nvidia[0-3]\n"
STAFF = tuple(f"prof{n}" for n in range(1, 7))
PHD = tuple(f"phd{n}" for n in range(1, 13))
CLASS = tuple(f"stu{n}" for n in range(1, 19))
ACCOUNTS = f"""\
add account staff Fairshare=50
add account phd Fairshare=35 GrpTRES=cpu=260
add account students Fairshare=15 GrpTRES=gres/gpu=16 GrpJobs=30
add user {','.join(STAFF)} Account=staff
add user {','.join(PHD)} Account=phd
add user {','.join(CLASS)} Account=students
modify account students set MaxJobs=3 MaxSubmitJobs=40
add qos class MaxTRESPerUser=gres/gpu=2,cpu=12 MaxJobsPerUser=2 GrpTRES=gres/gpu=24
add qos slices MaxTRESPerUser=gres/gpu:1g.10gb=4,gres/gpu:3g.40gb=1 MaxTRESPerJob=cpu=16
add qos long Priority=5 GrpTRESRunMins=cpu=40000 MaxJobsPerUser=4
add qos fast Priority=60 MaxWall=60 MaxTRESPerAccount=cpu=120
modify qos normal set Priority=20
modify user {','.join(STAFF + PHD + CLASS)} set qos=normal,class,slices,long,fast defaultqos=normal
modify user prof1,phd3 set Priority=400
"""
USERS = STAFF * 2 + PHD + CLASS


def draw(rng):
    kind = rng.random()
    if kind < 0.4:
        cpus = rng.choice((1, 2, 4, 8, 8, 16, 20, 40))
        words, share = rng.choice((f"-n{cpus}", f"-c{cpus}", f"-n{cpus} -p general,short -t {rng.choice((20, 40, 60))}", f"-n{cpus} -C new", f"-p short -c{min(16, cpus)} -t {rng.choice((10, 30, 60))}", f"-n{cpus} --mem-per-cpu=4G", f"-c{cpus} --mem=60G --hint=nomultithread", f"-N1 --exclusive")), cpus / 500
    elif kind < 0.52:
        return f"-p {rng.choice(('general', 'general,short -t 50', 'mig --gres=gpu:1g.10gb:1'))} -c{rng.choice((1, 2, 4))} -a 0-{rng.choice((5, 9, 14))}%{rng.choice((2, 3, 5))}", 0.03
    elif kind < 0.66:
        words, share = "-p class " + rng.choice(("--gres=gpu:1g.10gb:1", "--gres=gpu:1 -c4", "--gres=gpu:3g.40gb:1 -c4", "-n4", "--gres=gpu:1g.10gb:2 -n2")) + f" -t {rng.choice((10, 20, 45))}", 0.01
    elif kind < 0.78:
        words, share = "-p mig --qos=slices " + rng.choice(("--gres=gpu:1g.10gb:2 -c4", "--gres=gpu:3g.40gb:1 -c8", "--gres=gpu:1g.10gb:4", "-G 3g.40gb:1 --mem=60G", "--gres=gpu:1g.10gb:1,gpu:3g.40gb:1 -c6")), 0.02
    elif kind < 0.92:
        gpus = rng.choice((1, 1, 2, 4, 8))
        words, share = "-p gpu " + rng.choice((f"-G {gpus}", f"--gres=gpu:{min(4, gpus)}", f"-N{max(1, gpus // 4)} --gpus-per-node={min(4, gpus)} --mem=100G", f"-n{gpus} --gpus-per-task=1", f"--gres=gpu:l40s:{min(4, gpus)} -c12")), gpus / 28
    else:
        words, share = "-p big " + rng.choice(("-N2 --exclusive", "-N3 --ntasks-per-node=16", "-N2-4 -n64", "-N4 -n80", "-N2 -c20 -n2")), 0.15
    if "--qos" not in words and "class" not in words:
        words += rng.choice(("", "", "", " --qos=long", " --qos=fast -t 60" if "-t " not in words else " --qos=fast"))
    extra = rng.random()
    if extra < 0.06:
        words += f" -d {rng.choice(('afterok', 'afterany', 'after'))}:@{rng.randint(1, 5)}"
    elif extra < 0.1:
        words += rng.choice((" --begin=now+600", " --nice=500", " --deadline=now+5hours", " --time-min=10"))
    return words, share, 1 if rng.random() < 0.06 else 0


EVENTS = ((1200, "scontrol update NodeName=c[09-10] State=DRAIN Reason=psu"), (2400, "scontrol update NodeName=c[09-10] State=RESUME"), (3000, "scontrol create reservation ReservationName=lecture StartTime=now+10minutes Duration=60 Accounts=students Nodes=m2 Flags=MAGNETIC,IGNORE_JOBS"), (3600, "sacctmgr -i modify account students set GrpJobs=45"),
          (4800, "sacctmgr -i modify qos class set MaxJobsPerUser=3"), (5400, "scontrol update PartitionName=short PriorityJobFactor=5"), (14000, "scancel -t PENDING"))
main(Scenario(771204, CONF, draw, accounts=ACCOUNTS, gres_conf=GRES, jobs=330, window=8000, load=1.5, users=USERS, events=EVENTS))
