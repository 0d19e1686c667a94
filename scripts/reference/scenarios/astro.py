#!/usr/bin/env python3
# scripts/reference/scenarios/astro.py — an astronomy institute: QOS that cancel each other and within, factors not normalised, CR_Core without memory over topology/tree, REPLACE_DOWN and PURGE_COMP reservations, WITHIN, account limits of nodes and jobs, heterogeneous jobs, every -m.
from scenario import Scenario, main

CONF = """\
SchedulerType=sched/backfill
SchedulerParameters=bf_interval=40,bf_continue,bf_resolution=30,bf_max_job_user_part=6,bf_one_resv_per_job,bf_min_prio_reserve=0,sched_interval=40,max_switch_wait=180,bf_yield_interval=500000
SelectType=select/cons_tres
SelectTypeParameters=CR_Core,CR_CORE_DEFAULT_DIST_BLOCK
TopologyPlugin=topology/tree
GresTypes=gpu
PreemptType=preempt/qos
PreemptMode=CANCEL,WITHIN
PriorityType=priority/multifactor
PriorityFlags=NO_NORMAL_ASSOC,NO_NORMAL_QOS
PriorityWeightAge=600
PriorityWeightAssoc=10
PriorityWeightQOS=5
PriorityWeightFairshare=2500
PriorityWeightJobSize=200
PriorityMaxAge=0-5
PriorityDecayHalfLife=1-0
PriorityCalcPeriod=1
FairShareDampeningFactor=2
AccountingStorageTRES=gres/gpu
AccountingStorageEnforce=associations,limits,qos
NodeName=n[01-10] Sockets=2 CoresPerSocket=10 ThreadsPerCore=2 RealMemory=96000 Feature=old
NodeName=m[01-06] Sockets=2 CoresPerSocket=16 ThreadsPerCore=2 RealMemory=192000 Feature=new Weight=3
NodeName=g[1-3] Sockets=2 CoresPerSocket=16 ThreadsPerCore=2 RealMemory=384000 Gres=gpu:v100:4 Feature=new,gpu Weight=9
PartitionName=main Nodes=n[01-10],m[01-06] Default=YES MaxTime=3-0 DefaultTime=60 State=UP MaxNodes=8
PartitionName=gpu Nodes=g[1-3] MaxTime=1-0 DefaultTime=60 State=UP MinNodes=1 DefCpuPerGPU=6
PartitionName=all Nodes=ALL MaxTime=04:00:00 DefaultTime=30 State=UP PriorityJobFactor=2 OverSubscribe=YES:2
"""
GRES = "NodeName=g[1-3] Name=gpu Type=v100 File=/dev/nvidia[0-1] Cores=0-15\nNodeName=g[1-3] Name=gpu Type=v100 File=/dev/nvidia[2-3] Cores=16-31\n"
TOPOLOGY = "SwitchName=s1 Nodes=n[01-05]\nSwitchName=s2 Nodes=n[06-10]\nSwitchName=s3 Nodes=m[01-06]\nSwitchName=s4 Nodes=g[1-3]\nSwitchName=s5 Switches=s[1-2]\nSwitchName=s6 Switches=s[3-4]\nSwitchName=root Switches=s[5-6]\n"
ACCOUNTS = """\
add account gal Fairshare=40 GrpTRES=node=10 Priority=20
add account exo Fairshare=40 GrpJobs=10 Priority=30
add account cosmo Fairshare=20 MaxTRESPerJob=node=4 MaxJobs=5
add user gina,greg Account=gal
add user eve,eli Account=exo
add user cora,carl Account=cosmo
add qos scav Priority=0 Flags=NoReserve
add qos prod Priority=200 MaxTRESPerUser=node=8
add qos event Priority=2000 MaxJobsPerUser=4 MaxWall=90
modify qos normal set Priority=100 Preempt=scav
modify qos prod set Preempt=scav,normal
modify qos event set Preempt=scav,normal,prod
modify user gina,greg,eve,eli,cora,carl set qos=normal,scav,prod,event defaultqos=normal
"""
USERS = ("gina", "greg", "eve", "eli", "cora", "carl")


def draw(rng):
    kind = rng.random()
    qos = rng.choice(("", "", "", " --qos=scav", " --qos=scav", " --qos=prod"))
    if kind < 0.5:
        nodes = rng.choice((1, 1, 2, 2, 3, 4, 6))
        words = rng.choice((f"-N{nodes} --ntasks-per-node=20", f"-n{16 * nodes}", f"-N{nodes} -n{20 * nodes} -m cyclic", f"-N{nodes} -n{10 * nodes} -c2 -m block:cyclic", f"-n{24 * nodes} -C new", f"-N{nodes} --exclusive", f"-N{nodes} -C 'old|new' -n{12 * nodes}", f"-n{10 * nodes} --hint=compute_bound", f"-n{8 * nodes} -m plane=4", f"-N{nodes} --ntasks-per-socket=4 -n{8 * nodes}"))
        words += rng.choice(("", "", "", " --switches=1", " --switches=1@3", " --contiguous"))
        share = nodes / 18
    elif kind < 0.75:
        gpus = rng.choice((1, 1, 2, 4, 4))
        words = "-p gpu " + rng.choice((f"--gres=gpu:{gpus}", f"-G {gpus} -n{gpus}", f"-G {gpus}", f"--gpus-per-node={gpus} -N2 --ntasks-per-node={gpus}", f"-n{gpus} --gpus-per-task=1 -c8", f"-n{2 * gpus} -G v100:{gpus} -c4", f"--gpus-per-socket={max(1, gpus // 2)} --sockets-per-node=2 -n4"))
        share = gpus / 13
    elif kind < 0.92:
        cpus = rng.choice((1, 2, 6, 12, 32, 64))
        words, share = f"-p {rng.choice(('all', 'main,all'))} {rng.choice((f'-n{cpus}', f'-c{min(cpus, 32)}', f'-n{cpus} -s', f'-N1 -n{min(cpus, 40)}', f'-n{cpus} --spread-job', f'-N2-3 -n{max(cpus, 4)}'))}", cpus / 700
    else:
        words, share = "-n20 -t 30 : -p gpu -G 1 -t 30", 0.08
    if " : " in words:
        return words, share
    words += qos
    extra = rng.random()
    if extra < 0.06:
        return f"{words} -a 1-{rng.choice(('4', '6%2'))}", share * 4
    if extra < 0.12:
        words += f" -d {rng.choice(('afterok', 'afterany'))}:@{rng.randint(1, 4)}"
    elif extra < 0.17:
        words += rng.choice((" --nice=50", " --deadline=now+2hours -t 20", " --reservation=obs", " --reservation=obs"))
    elif extra < 0.22 and "--qos" not in words:
        words += " --qos=event -t 30"
    return words, share, 1 if rng.random() < 0.04 else 0


EVENTS = ((300, "scontrol create reservation ReservationName=obs Accounts=exo,gal StartTime=now+900 Duration=60 NodeCnt=3 PartitionName=main Flags=REPLACE_DOWN,PURGE_COMP=00:10:00"), (3900, "scontrol create reservation ReservationName=net Users=root StartTime=now+2400 Duration=20 Nodes=n[01-05] Flags=MAINT"),
          (2300, "scontrol update NodeName=m03 State=DRAIN Reason=disk"), (3500, "scontrol update NodeName=m03 State=RESUME"), (5200, "scontrol update JobId={j85} TimeLimit=+15"), (6000, "scontrol update PartitionName=main MaxNodes=4"), (7000, "scontrol update PartitionName=main MaxNodes=8"))
main(Scenario(261106, CONF, draw, accounts=ACCOUNTS, gres_conf=GRES, topology_conf=TOPOLOGY, jobs=175, window=9000, load=1.1, users=USERS, events=EVENTS))
