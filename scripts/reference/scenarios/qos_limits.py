#!/usr/bin/env python3
# scripts/reference/scenarios/qos_limits.py — QOS with limits by user, account, job and group as in `qos`, of CPUs, nodes, memory and minutes too, a QOS of a partition, and an admin who changes some.
from scenario import ENFORCED, Scenario, main

CONF = f"""\
GresTypes=gpu
SchedulerType=sched/backfill
SchedulerParameters=bf_interval=30,bf_resolution=60,assoc_limit_stop
SelectType=select/cons_tres
SelectTypeParameters=CR_Core_Memory
PriorityType=priority/multifactor
PriorityWeightAge=2000
PriorityWeightFairshare=10000
PriorityWeightQOS=20000
PriorityWeightAssoc=500
PriorityDecayHalfLife=0-4
PriorityCalcPeriod=2
AccountingStorageTRES=gres/gpu
{ENFORCED}
NodeName=node[01-04] Sockets=2 CoresPerSocket=24 ThreadsPerCore=1 RealMemory=384000 Gres=gpu:a100:8
NodeName=cpu[01-03] Sockets=2 CoresPerSocket=16 ThreadsPerCore=1 RealMemory=128000 Weight=2
PartitionName=gpu Nodes=node[01-04] Default=YES MaxTime=1-0 DefMemPerCPU=4000 State=UP
PartitionName=cpu Nodes=ALL MaxTime=1-0 DefMemPerCPU=2000 State=UP QOS=part
"""
GRES = "NodeName=node[01-04] Name=gpu Type=a100 File=/dev/nvidia[0-7]\n"
ACCOUNTS = """\
add account org Fairshare=1
add account ml Fairshare=40 parent=org
add account plat Fairshare=30 parent=org
add account ds Fairshare=20 parent=org
add user alice,ann Account=ml
add user bob,ben Account=plat
add user carol,cy Account=ds
add qos urgent Priority=1000 MaxTRESPerUser=gres/gpu=6 MaxWall=60 MaxJobsPerAccount=3
add qos standard Priority=100 MaxTRESPerUser=gres/gpu=10,node=5 MaxJobsPerUser=6 MaxTRESPerAccount=cpu=90
add qos research Priority=10 GrpTRES=gres/gpu=12,mem=300G MaxTRESPerJob=gres/gpu=4 MaxSubmitJobsPerUser=14 GrpJobs=7
add qos long Priority=5 GrpTRESRunMins=gres/gpu=900,cpu=9000 MaxTRESPerNode=gres/gpu=4
add qos part GrpTRES=cpu=120 MaxTRESPerUser=cpu=48 MaxJobsPerUser=5
modify account ml set GrpTRES=gres/gpu=18
modify account ds set MaxJobs=5
modify account plat set GrpTRESRunMins=cpu=12000
modify account org set GrpTRES=cpu=210
modify user alice set MaxTRES=gres/gpu=8 Priority=40
modify user alice,ann,bob,ben,carol,cy set qos=urgent,standard,research,long defaultqos=standard
"""
USERS = ("alice", "ann", "bob", "ben", "carol", "cy")


def draw(rng):
    if rng.random() < 0.72:
        gpus = rng.choice((1, 1, 2, 2, 4, 4, 8))
        words = rng.choice((f"-N1 --gres=gpu:{gpus} -c 8 --mem=16000", f"--gpus={gpus} -n {gpus} -c 3", f"-N2 --gpus-per-node={max(1, gpus // 2)} -n 4 -c 2", f"--gpus-per-task=1 -n {gpus} -c 4", f"-N1 --gres=gpu:{gpus} -c 4 --mem=64000"))
        share = gpus / 32
    else:
        cpus = rng.choice((1, 4, 8, 16, 32, 40))
        words, share = f"-p cpu {rng.choice((f'-n {cpus}', f'-N2 -n {max(2, cpus)}', f'-c {min(cpus, 16)}', f'-n {cpus} --mem-per-cpu=3000'))}", cpus / 200
    words += rng.choice((" --qos=urgent", " --qos=standard", " --qos=standard", " --qos=research", " --qos=research", " --qos=long", ""))
    if "urgent" in words:
        words += f" -t {rng.choice((10, 20, 30, 45))}"
    if rng.random() < 0.09:
        words, share = f"{words} -a 0-{rng.choice(('3', '5', '7%3'))}", share * 4
    return words, share


EVENTS = ((2400, "sacctmgr -i modify qos standard set MaxJobsPerUser=8"), (3300, "sacctmgr -i modify user carol set MaxJobs=3"), (4200, "scontrol update JobId={j60} QOS=research"), (4800, "scontrol update JobId={j72} QOS=standard"), (5400, "sacctmgr -i modify qos research set GrpTRES=gres/gpu=16"), (6100, "scancel -u cy -t PENDING"), (6800, "sacctmgr -i modify account ml set GrpTRES=gres/gpu=24"))
main(Scenario(510006, CONF, draw, accounts=ACCOUNTS, gres_conf=GRES, jobs=170, window=8400, load=1.1, users=USERS, events=EVENTS))
