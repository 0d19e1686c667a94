#!/usr/bin/env python3
# scripts/reference/scenarios/campus_plain.py — a plain university: Fair Tree of three levels, QOS with limits, GPU and CPU nodes of three kinds, arrays, chains, --exclusive, memory by CPU.
from scenario import Scenario, main

CONF = """\
GresTypes=gpu
SchedulerType=sched/backfill
SchedulerParameters=bf_window=2880,bf_continue,bf_max_job_user=30,default_queue_depth=100
SelectType=select/cons_tres
SelectTypeParameters=CR_Core_Memory
DefMemPerCPU=2000
PriorityType=priority/multifactor
PriorityFlags=FAIR_TREE,SMALL_RELATIVE_TO_TIME
PriorityWeightAge=5000
PriorityWeightFairshare=50000
PriorityWeightJobSize=2000
PriorityWeightPartition=5000
PriorityWeightQOS=10000
PriorityWeightTRES=CPU=500,Mem=500,GRES/gpu=3000
PriorityMaxAge=1-0
PriorityDecayHalfLife=0-12
PriorityCalcPeriod=5
AccountingStorageEnforce=associations,limits,qos
AccountingStorageTRES=gres/gpu,gres/gpu:v100,gres/gpu:h100
NodeName=c[01-06] Sockets=2 CoresPerSocket=20 ThreadsPerCore=1 RealMemory=190000 Feature=skylake
NodeName=b01 Sockets=4 CoresPerSocket=16 ThreadsPerCore=1 RealMemory=1500000 Feature=big Weight=20
NodeName=g[01-03] Sockets=2 CoresPerSocket=16 ThreadsPerCore=2 RealMemory=380000 Gres=gpu:v100:4 Feature=v100 Weight=30
NodeName=h01 Sockets=2 CoresPerSocket=32 ThreadsPerCore=1 RealMemory=1000000 Gres=gpu:h100:8 Feature=h100 Weight=50
PartitionName=normal Nodes=c[01-06],b01 Default=YES DefaultTime=30 MaxTime=3-0 State=UP PriorityJobFactor=10
PartitionName=bigmem Nodes=b01 MaxTime=2-0 State=UP PriorityJobFactor=20 DefMemPerCPU=16000
PartitionName=gpu Nodes=g[01-03],h01 DefaultTime=30 MaxTime=2-0 State=UP PriorityJobFactor=20 TRESBillingWeights="CPU=1.0,Mem=0.1G,GRES/gpu:v100=6,GRES/gpu:h100=12"
PartitionName=test Nodes=c01,g01 MaxTime=30 State=UP PriorityTier=5 PriorityJobFactor=50 MaxNodes=1
"""
GRES = "NodeName=g[01-03] Name=gpu Type=v100 File=/dev/nvidia[0-3]\nNodeName=h01 Name=gpu Type=h100 File=/dev/nvidia[0-7]\n"
ACCOUNTS = """\
add account uni Fairshare=100
add account phys parent=uni Fairshare=50
add account theory parent=phys Fairshare=20
add account lab parent=phys Fairshare=30 GrpTRES=gres/gpu=8
add account chem parent=uni Fairshare=30 GrpTRES=cpu=160
add account cs parent=uni Fairshare=20
add user tim,tara Account=theory
add user lea,leo Account=lab
add user cora,cem Account=chem
add user sam,sue,sid Account=cs
add qos short Priority=50 MaxWall=60 MaxJobsPerUser=6
add qos long Priority=5 MaxTRESPerUser=cpu=64,gres/gpu=4 GrpTRES=cpu=200
add qos paper Priority=100 MaxTRESPerJob=gres/gpu=2 MaxSubmitJobsPerUser=6
modify qos normal set Priority=20
modify user tim,tara,lea,leo,cora,cem,sam,sue,sid set qos=normal,short,long,paper defaultqos=normal
"""
USERS = ("tim", "tara", "lea", "leo", "cora", "cem", "sam", "sue", "sid")


def draw(rng):
    kind = rng.random()
    if kind < 0.5:
        cpus = rng.choice((1, 2, 4, 8, 16, 20, 40))
        words = rng.choice((f"-n{cpus}", f"-c{cpus}", f"-n{cpus} --mem-per-cpu=4G", f"-N1 -c{cpus} --mem={rng.choice((8, 32, 90))}G", f"-N2 -n{2 * cpus}", f"-N2 --exclusive", f"-N1 --ntasks-per-node={cpus}", f"-n{cpus} -C skylake"))
        share = cpus / 300
    elif kind < 0.55:
        words, share = f"-p bigmem -c {rng.choice((4, 8, 16))} --mem={rng.choice((100, 400))}G", 0.05
    elif kind < 0.92:
        gpus = rng.choice((1, 1, 2, 2, 4))
        words = rng.choice((f"--gres=gpu:{gpus} -c {4 * gpus}", f"--gres=gpu:v100:{gpus} -c 4", f"--gres=gpu:h100:{gpus} -c 8 --mem=64G", f"-N1 --gpus-per-node={gpus} -n {gpus} -c 4", f"--gpus={gpus} -c {3 * gpus}", f"-N2 --gpus-per-node={min(gpus, 2)} --ntasks-per-node=2"))
        words, share = "-p gpu " + words, gpus / 18
    else:
        words, share = rng.choice(("-p test -n4 -t 10", "-p test --gres=gpu:1 -c 4 -t 15", "-p test -N1 -n20 -t 30")), 0.03
    words += rng.choice(("", "", "", "", "" if " -t" in words else " --qos=short -t 40", " --qos=long", " --qos=paper"))
    extra = rng.random()
    if extra < 0.1:
        return f"{words} --array=1-{rng.choice((5, 10))}{rng.choice(('', '%2', '%4'))}", share * 6
    if extra < 0.18:
        words += f" --dependency={rng.choice(('afterok', 'afterany'))}:@{rng.randint(1, 3)}"
    return words, share


main(Scenario(918221, CONF, draw, accounts=ACCOUNTS, gres_conf=GRES, jobs=220, window=9000, load=1.3, users=USERS))
