#!/usr/bin/env python3
# scripts/reference/scenarios/genomics.py — a sequencing institute: arrays of small jobs with much memory, pipelines of dependent jobs, CPUs that follow the memory asked, two GPU nodes with shards, suspended low tier.
from scenario import ENFORCED, Scenario, main

CONF = f"""\
SchedulerType=sched/backfill
SchedulerParameters=bf_interval=30,bf_continue,bf_max_job_test=150,bf_max_job_array_resv=3,bf_resolution=60,default_queue_depth=60,partition_job_depth=25,assoc_limit_stop,bf_busy_nodes,max_array_tasks=40
SelectType=select/cons_tres
SelectTypeParameters=CR_CPU_Memory,CR_LLN
GresTypes=gpu,shard
MaxMemPerCPU=8000
DefMemPerCPU=4000
DependencyParameters=kill_invalid_depend
MaxArraySize=200
PreemptType=preempt/partition_prio
PreemptMode=CANCEL
PriorityType=priority/multifactor
PriorityFlags=SMALL_RELATIVE_TO_TIME,DEPTH_OBLIVIOUS
PriorityWeightAge=1500
PriorityWeightFairshare=8000
PriorityWeightJobSize=600
PriorityWeightPartition=500
PriorityWeightTRES=CPU=500,Mem=1000
PriorityMaxAge=0-3
PriorityDecayHalfLife=0-4
PriorityCalcPeriod=1
FairShareDampeningFactor=2
AccountingStorageTRES=gres/gpu,gres/shard
{ENFORCED}
NodeName=c[01-08] CPUs=24 Boards=1 SocketsPerBoard=2 CoresPerSocket=12 ThreadsPerCore=1 RealMemory=128000 Feature=std
NodeName=c[09-12] CPUs=32 Boards=1 SocketsPerBoard=2 CoresPerSocket=8 ThreadsPerCore=2 RealMemory=256000 Feature=std,ht MemSpecLimit=6000
NodeName=fat1 CPUs=48 Boards=1 SocketsPerBoard=4 CoresPerSocket=12 ThreadsPerCore=1 RealMemory=1500000 Feature=fat Weight=100
NodeName=gpu[1-2] CPUs=32 Boards=1 SocketsPerBoard=2 CoresPerSocket=16 ThreadsPerCore=1 RealMemory=384000 Gres=gpu:l40s:4,shard:16 Feature=gpu Weight=50 CoreSpecCount=2
PartitionName=main Nodes=c[01-12] Default=YES MaxTime=7-0 DefaultTime=30 State=UP PriorityTier=10 PriorityJobFactor=20 MaxCPUsPerNode=28
PartitionName=bigmem Nodes=fat1 MaxTime=2-0 State=UP PriorityTier=10 DefMemPerCPU=30000 MaxMemPerCPU=60000 MinNodes=1 AllowGroups=ALL
PartitionName=gpu Nodes=gpu[1-2] MaxTime=1-0 State=UP PriorityTier=10 DefMemPerGPU=32000 DefCpuPerGPU=4 PriorityJobFactor=40
PartitionName=rush Nodes=c[01-04,09-10] MaxTime=60 State=UP PriorityTier=20 PriorityJobFactor=100 PreemptMode=OFF QOS=rush AllowAccounts=seq,clin
PartitionName=idle Nodes=ALL MaxTime=6:00:00 State=UP PriorityTier=1 PriorityJobFactor=1 GraceTime=0
"""
GRES = ("NodeName=gpu[1-2] Name=gpu Type=l40s File=/dev/nvidia[0-1] Cores=0-15\nNodeName=gpu[1-2] Name=gpu Type=l40s File=/dev/nvidia[2-3] Cores=16-31\n"
        "NodeName=gpu[1-2] Name=shard Count=16\n")
ACCOUNTS = """\
add account seq Fairshare=50
add account rnd Fairshare=30 GrpTRES=cpu=160,mem=900G
add account clin Fairshare=15
add account guest Fairshare=5 GrpJobs=10 MaxWall=04:00:00
add user ivy,ian Account=seq
add user jon,joy Account=rnd
add user kat,ken Account=clin
add user leo Account=guest
add qos rush GrpTRES=cpu=64 MaxJobsPerUser=4
modify qos normal set Priority=10 MaxTRESPerUser=cpu=120
modify user ken set MaxJobs=6 Priority=100
"""
USERS = ("ivy", "ian", "jon", "joy", "kat", "ken", "leo")


def draw(rng):
    kind = rng.random()
    code = 0
    if kind < 0.55:
        cpus = rng.choice((1, 1, 2, 4, 4, 8, 12, 16))
        words = rng.choice((f"-c{cpus}", f"-c{cpus}", f"-n{cpus}", f"-c{cpus} --mem={rng.choice((4, 16, 40, 90))}G", f"-n{cpus} --mem-per-cpu={rng.choice((1000, 3000, 6000, 12000, 20000))}", f"-N1 -n{cpus}", f"-c{cpus} -C ht", f"-n{2 * cpus} -N2 --mem=20G",
                            f"-c{cpus} -x c0[1-3]", f"-n{cpus} --spread-job", f"-N1 --mincpus={cpus}"))
        words += rng.choice(("", "", "", "", " -p main,idle", " -p idle", " -p idle"))
        share = cpus / 300
        if rng.random() < 0.22:
            count = rng.choice((5, 10, 16, 24))
            words, share = f"{words} -a 1-{count}{rng.choice(('', '', '%3', '%6'))}", share * count
    elif kind < 0.68:
        cpus = rng.choice((2, 8, 16, 24))
        words, share = f"{rng.choice(('-p rush', '-p rush', '-p rush,main'))} -n{cpus} -t {rng.choice((5, 10, 20))}", 0.01
    elif kind < 0.78:
        words, share = f"-p bigmem -c{rng.choice((1, 4, 8))} --mem={rng.choice((100, 200, 400, 700))}G", 0.04
    elif kind < 0.94:
        gpus = rng.choice((1, 1, 2, 4))
        words, share = f"{rng.choice(('-p gpu', '-p gpu', '-p gpu,idle'))} {rng.choice((f'--gres=shard:{2 * gpus}', f'--gres=shard:1', f'--gpus={gpus}', f'--gres=gpu:l40s:{gpus}', f'--gpus={gpus} --mem-per-gpu=48G', f'--gpus-per-node={gpus} -c 6', f'--gres=gpu:{gpus} -n{gpus * 3}', f'--gpus-per-task={1} -n{gpus}'))}", gpus / 16
    else:
        nodes = rng.choice((2, 3, 4, 6))
        words, share = f"-N{nodes} {rng.choice((f'--ntasks-per-node=16', '--exclusive', f'-n{20 * nodes}', '--exclusive --mem=0'))}", nodes / 12
    extra = rng.random()
    if extra < 0.12:
        words += f" --dependency={rng.choice(('afterok', 'afterok', 'afterany', 'aftercorr', 'afternotok'))}:@{rng.choice((1, 1, 2))}"
    elif extra < 0.15:
        words += " --dependency=singleton -J merge"
    elif extra < 0.18:
        code = 1
    return (words, share, code) if code else (words, share)


EVENTS = ((2000, "scontrol update NodeName=c07 State=DRAIN Reason=fan"), (3300, "scontrol update NodeName=c07 State=RESUME"), (3000, "scontrol update PartitionName=idle State=INACTIVE"), (3700, "scontrol update PartitionName=idle State=UP"),
          (4800, "scontrol update JobId={j60} TimeLimit=20"), (5200, "sacctmgr -i modify account rnd set GrpTRES=cpu=220"))
main(Scenario(733214, CONF, draw, accounts=ACCOUNTS, gres_conf=GRES, jobs=150, window=7800, load=1.15, users=USERS, events=EVENTS))
