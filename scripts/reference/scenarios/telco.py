#!/usr/bin/env python3
# scripts/reference/scenarios/telco.py — a telephone company: hundreds of short jobs under defer and shallow queues, partitions that are closed, drained and opened again, limits by QOS on submissions and accrual, users who hold, release, renice, move and prolong their jobs, CR_Core_Memory with CR_Pack_Nodes, MaxMemPerCPU, small GPUs, heterogeneous jobs, nodes with a reserved core.
from scenario import Scenario, main

CONF = """\
SchedulerType=sched/backfill
SchedulerParameters=defer,bf_continue,bf_interval=60,bf_window=1440,bf_resolution=60,bf_max_job_test=60,bf_max_job_part=25,bf_max_time=20,bf_hetjob_prio=min,default_queue_depth=25,partition_job_depth=10,sched_interval=20,sched_min_interval=3000000,sched_max_job_start=6,max_array_tasks=30
SelectType=select/cons_tres
SelectTypeParameters=CR_Core_Memory,CR_Pack_Nodes
GresTypes=gpu
Licenses=oracle:5
DefMemPerCPU=1800
MaxMemPerCPU=4000
KillWait=10
PriorityType=priority/multifactor
PriorityFlags=ACCRUE_ALWAYS,CALCULATE_RUNNING,MAX_TRES
PriorityWeightAge=2000
PriorityWeightFairshare=4000
PriorityWeightJobSize=300
PriorityWeightPartition=800
PriorityWeightQOS=1500
PriorityMaxAge=0-1
PriorityDecayHalfLife=0-1
PriorityCalcPeriod=1
AccountingStorageTRES=gres/gpu,license/oracle
AccountingStorageEnforce=associations,limits,qos
NodeName=s[01-08] Sockets=2 CoresPerSocket=8 ThreadsPerCore=2 RealMemory=64000 CoreSpecCount=1 Feature=blade Weight=5
NodeName=s[09-12] Sockets=1 CoresPerSocket=24 ThreadsPerCore=1 RealMemory=128000 MemSpecLimit=8000 Feature=epyc Weight=15
NodeName=a[1-3] Sockets=2 CoresPerSocket=8 ThreadsPerCore=1 RealMemory=96000 Gres=gpu:a2:2 Feature=gpu Weight=25
PartitionName=batch Nodes=s[01-12] Default=YES MaxTime=04:00:00 DefaultTime=20 PriorityJobFactor=5 TRESBillingWeights="CPU=1,Mem=0.5G" State=UP
PartitionName=quick Nodes=s[01-12],a[1-3] MaxTime=00:20:00 DefaultTime=5 PriorityJobFactor=20 MaxNodes=2 PriorityTier=2 State=UP
PartitionName=gpu Nodes=a[1-3] MaxTime=04:00:00 DefaultTime=30 PriorityJobFactor=10 DefCpuPerGPU=4 DefMemPerGPU=12000 State=UP
PartitionName=night Nodes=s[05-12] MaxTime=08:00:00 DefaultTime=60 PriorityJobFactor=1 QOS=pnight MaxCPUsPerNode=16 State=UP
"""
GRES = "NodeName=a[1-3] Name=gpu Type=a2 File=/dev/nvidia[0-1] Cores=0-7\n"
ACCOUNTS = """\
add account fraud Fairshare=40 GrpTRES=cpu=140
add account network Fairshare=35 GrpSubmitJobs=60
add account billing Fairshare=20 MaxJobs=14
add account trainee Fairshare=5 MaxTRESPerJob=cpu=8 MaxSubmitJobs=12
add qos day Priority=100 MaxTRESPU=cpu=90
add qos hot Priority=900 MaxJobsPU=4 MaxWall=30 MaxTRESPU=cpu=40
add qos slow Priority=5 GrpJobs=20 UsageFactor=0.2
add qos pnight GrpTRES=cpu=64 MaxJobsPA=10
add user fran,fred,fee Account=fraud
add user ned,nora,nick Account=network
add user bob,beth Account=billing
add user tia,tod Account=trainee
modify user fran,fred,fee,ned,nora,nick,bob,beth,tia,tod set qos=day,slow defaultqos=day
modify user fran,ned,bob set qos+=hot
"""
USERS = ("fran", "fred", "fee", "ned", "nora", "nick", "bob", "beth", "tia", "tod")


def draw(rng):
    kind = rng.random()
    if kind < 0.42:
        cpus = rng.choice((1, 1, 2, 2, 4, 6, 8, 12, 16))
        words, share = rng.choice((f"-n{cpus}", f"-c{cpus}", f"-n{cpus} --mem-per-cpu=3G", f"-c{min(cpus, 8)} -n2", f"-n1 --mem={4 * cpus}G", f"-n{cpus} -L oracle:1", f"-n{cpus} -C blade", f"-n{cpus} --mem-per-cpu=6G", f"-n{cpus} --hint=nomultithread", f"-N2 -n{max(2, cpus)}", f"-n{cpus} -x s[01-02]", f"-n{cpus} --threads-per-core=1")), cpus / 260
    elif kind < 0.66:
        words, share = "-p quick " + rng.choice(("-n1", "-n4", "-c2", "-n8", "-n16 -N1", "-N2 -n8", "--gres=gpu:1 -c2", "-c4 --mem=6G", "-n30")) + f" -t {rng.choice((3, 5, 8, 12))}", 0.02
    elif kind < 0.76:
        words, share = "-p gpu " + rng.choice(("-G 1", "--gres=gpu:a2:2", "-G 2 -N2", "-n2 --gpus-per-task=1", "-G 1 --cpus-per-gpu=6", "--gres=gpu:1 -n2 --mem-per-gpu=20G")), 0.02
    elif kind < 0.92:
        words, share = rng.choice(("-p night ", "-p night ", "-p night,batch ")) + rng.choice(("-n8", "-n16", "-c4 -n4", "-N1 -n12", "-n24 --ntasks-per-node=8", "-c8 --mem=20G", "-n32 -N4")), 0.05
    else:
        return rng.choice(("-n4 : -n2 --mem=8G", "-p night -n8 : -p quick -n2 -t 10", "-n2 -L oracle:1 : -p gpu -G 1", "-n8 -C epyc : -n4 -C blade")), 0.05
    words += rng.choice(("", "", "", "", "", " --qos=slow", " --qos=hot" if "night" not in words else ""))
    extra = rng.random()
    if extra < 0.1:
        return f"{words} -a {rng.choice(('1-8', '0-11%4', '1-6%1', '0-39:8'))}", share * 6
    if extra < 0.22:
        words += f" -d {rng.choice(('afterok', 'afterany', 'after', 'afternotok', 'aftercorr'))}:@{rng.randint(1, 6)}"
    elif extra < 0.32:
        words += rng.choice((" --nice=500", " --begin=now+5minutes", " -H", " --deadline=now+45minutes", " --time-min=3", " -J etl -d singleton", " --exclusive=user", " --exclusive"))
    return words, share, 1 if rng.random() < 0.07 else 0


EVENTS = ((900, "scontrol update PartitionName=night State=DRAIN"), (1500, "scontrol update PartitionName=night State=UP"), (1700, "scontrol release {j42}"), (1900, "scontrol update JobId={j48} Nice=-100"), (2200, "scontrol update JobId={j65} Partition=night"), (2500, "scontrol update NodeName=s[09-10] State=DRAIN Reason=patch"), (2800, "scontrol hold {j84}"), (3100, "scontrol update JobId={j99} StartTime=now+600"), (3300, "scontrol release {j107}"), (3500, "scontrol update NodeName=s[09-10] State=RESUME"), (3700, "scontrol update PartitionName=quick MaxTime=00:08:00"),
          (4000, "scontrol update JobId={j144} Features=epyc"), (4300, "sacctmgr -i modify qos day set MaxTRESPU=cpu=50"), (4600, "scontrol update PartitionName=quick MaxTime=00:20:00"), (4900, "scontrol update JobId={j192} QOS=slow"), (5100, "scontrol update PartitionName=batch Nodes=s[01-10]"), (5400, "scontrol requeue {j209}"), (5700, "scontrol update PartitionName=batch Nodes=s[01-12]"), (6000, "sacctmgr -i modify account fraud set Fairshare=10"), (6300, "scancel -u tia"), (9000, "scancel -t PENDING"))
main(Scenario(261206, CONF, draw, accounts=ACCOUNTS, gres_conf=GRES, jobs=300, window=7200, load=1.8, users=USERS, events=EVENTS))
