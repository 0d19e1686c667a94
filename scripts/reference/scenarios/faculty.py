#!/usr/bin/env python3
# scripts/reference/scenarios/faculty.py — a faculty's cluster with everything at once: billing, a tree, a partition QOS, GPUs by account, arrays, cores that are shared.
from scenario import ENFORCED, Scenario, main

CONF = f"""\
SchedulerType=sched/backfill
SchedulerParameters=bf_interval=40,bf_busy_nodes,bf_continue,bf_max_job_array_resv=4,bf_resolution=90,partition_job_depth=60,bf_window=2880
SelectType=select/cons_tres
SelectTypeParameters=CR_CPU_Memory
TopologyPlugin=topology/tree
GresTypes=gpu
DefMemPerCPU=2500
MaxMemPerCPU=6000
PriorityType=priority/multifactor
PriorityFlags=MAX_TRES,SMALL_RELATIVE_TO_TIME
PriorityWeightAge=4000
PriorityWeightFairshare=20000
PriorityWeightJobSize=800
PriorityWeightPartition=2500
PriorityWeightQOS=6000
PriorityMaxAge=0-6
PriorityDecayHalfLife=0-8
PriorityCalcPeriod=1
AccountingStorageTRES=gres/gpu,gres/gpu:a30,license/ansys
Licenses=ansys:12
PreemptMode=OFF
{ENFORCED}
NodeName=s[1-6] Sockets=2 CoresPerSocket=8 ThreadsPerCore=2 RealMemory=128000 Feature=skl,ib Weight=20
NodeName=r[1-4] Sockets=1 CoresPerSocket=32 ThreadsPerCore=2 RealMemory=256000 Feature=rome,ib Weight=10
NodeName=t[1-3] Sockets=2 CoresPerSocket=8 ThreadsPerCore=2 RealMemory=192000 Gres=gpu:t4:2,gpu:a30:2 Feature=skl,gpu Weight=100
PartitionName=day Nodes=s[1-6],r[1-4] Default=YES MaxTime=1-0 DefaultTime=60 State=UP PriorityJobFactor=2 TRESBillingWeights="CPU=1.0,Mem=0.25G"
PartitionName=long Nodes=s[3-6],r[3-4] MaxTime=5-0 State=UP PriorityJobFactor=1 QOS=longpart OverSubscribe=YES:2
PartitionName=accel Nodes=t[1-3] MaxTime=2-0 State=UP PriorityJobFactor=4 DefCpuPerGPU=4 TRESBillingWeights="CPU=0.5,Mem=0.1G,GRES/gpu=6.0,GRES/gpu:a30=4.0"
PartitionName=test Nodes=ALL MaxTime=20 State=UP PriorityTier=10 PriorityJobFactor=10 MaxNodes=2
"""
GRES = ("NodeName=t[1-3] Name=gpu Type=t4 File=/dev/nvidia[0-1] Cores=0-7\n"
        "NodeName=t[1-3] Name=gpu Type=a30 File=/dev/nvidia[2-3] Cores=8-15\n")
TREE = "SwitchName=a Nodes=s[1-6]\nSwitchName=b Nodes=r[1-4],t[1-3]\nSwitchName=core Switches=a,b\n"
ACCOUNTS = """\
add account phys Fairshare=50
add account chem Fairshare=30 GrpTRES=gres/gpu=5,cpu=120
add account math Fairshare=20 GrpJobs=14
add account theo Fairshare=10 parent=phys
add user pia,paul Account=phys
add user cleo,carl Account=chem
add user mia,max Account=math
add user tom Account=theo MaxJobs=6
add qos longpart GrpTRES=cpu=160 MaxTRESPerUser=cpu=96
add qos high Priority=100 MaxJobsPerUser=3 MaxTRES=cpu=64
add qos low Priority=1 UsageFactor=0.25 MaxSubmitJobsPerUser=30
modify qos normal set Priority=20
modify user pia,paul,cleo,carl,mia,max,tom set qos=normal,high,low defaultqos=normal
"""
USERS = ("pia", "paul", "cleo", "carl", "mia", "max", "tom")


def draw(rng):
    kind = rng.random()
    if kind < 0.25:
        gpus = rng.choice((1, 1, 1, 2, 2, 4))
        asked = rng.choice((f"--gres=gpu:{gpus}", f"--gpus={gpus}", f"--gres=gpu:a30:{min(gpus, 2)}", f"--gpus=t4:{gpus}", f"--gres=gpu:{gpus} -c 4"))
        words, share = f"-p accel {asked}", gpus / 30
    elif kind < 0.37:
        words, share = f"-p test -n{rng.choice((1, 4, 16))} -t {rng.choice((5, 10, 20))}", 0.01
    else:
        tasks = rng.choice((1, 2, 4, 8, 16, 32, 48, 64))
        where = rng.choice(("", "", "-p day,long ", "-p long ", "-p long -s "))
        words, share = f"{where}-n{tasks}", tasks / 448
        words += rng.choice(("", "", " -C rome", " -C skl", " -C '[skl|rome]'", " -N2", " --ntasks-per-node=8" if tasks >= 8 else "", " --exclusive" if tasks >= 16 else ""))
        words += rng.choice(("", "", f" --mem-per-cpu={rng.choice((1000, 4000, 8000))}", " -L ansys:3" if tasks <= 16 else ""))
    words += rng.choice(("", "", "", " --qos=low", " --qos=high"))
    extra = rng.random()
    if extra < 0.06:
        words, share = f"{words} -a 0-7%3", share * 8
    elif extra < 0.12:
        words += f" --dependency=afterany:@{rng.randint(1, 3)}"
    elif extra < 0.15:
        words += " --nice=200"
    return words, share


main(Scenario(901337, CONF, draw, accounts=ACCOUNTS, gres_conf=GRES, topology_conf=TREE, jobs=190, window=9000, load=1.25, users=USERS))
