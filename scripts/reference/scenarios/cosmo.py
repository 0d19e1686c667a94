#!/usr/bin/env python3
# scripts/reference/scenarios/cosmo.py — an astrophysics machine of whole nodes with GPUs: select/linear with CR_Memory, topology/tree, three tiers that requeue and cancel after a grace, account trees with limits of nodes, big jobs first by -N, nodes that fall out while large jobs are planned, --switches, features of every form, users who change sizes and limits.
from scenario import Scenario, main

CONF = """\
SchedulerType=sched/backfill
SchedulerParameters=bf_continue,bf_interval=40,bf_window=2880,bf_resolution=300,bf_max_job_user=15,bf_running_job_reserve,default_queue_depth=60,sched_interval=60,batch_sched_delay=5,max_switch_wait=1200,preempt_youngest_first,nohold_on_prolog_fail
SelectType=select/linear
SelectTypeParameters=CR_Memory
TopologyPlugin=topology/tree
GresTypes=gpu
DefMemPerNode=60000
JobRequeue=1
EnforcePartLimits=ALL
PreemptType=preempt/partition_prio
PreemptMode=REQUEUE
PreemptExemptTime=00:01:00
PriorityType=priority/multifactor
PriorityFlags=SMALL_RELATIVE_TO_TIME
PriorityWeightAge=1500
PriorityWeightFairshare=2500
PriorityWeightJobSize=2500
PriorityWeightPartition=2000
PriorityWeightQOS=2000
PriorityMaxAge=0-3
PriorityDecayHalfLife=0-6
PriorityCalcPeriod=1
AccountingStorageTRES=gres/gpu
AccountingStorageEnforce=associations,limits,qos
NodeName=r1n[01-08] Sockets=2 CoresPerSocket=32 ThreadsPerCore=1 RealMemory=256000 Feature=cpu,r1 Weight=10
NodeName=r2n[01-06] Sockets=2 CoresPerSocket=32 ThreadsPerCore=1 RealMemory=256000 Feature=cpu,r2 Weight=10
NodeName=r3g[01-06] Sockets=2 CoresPerSocket=24 ThreadsPerCore=1 RealMemory=512000 Gres=gpu:mi250:4 Feature=gpu,r3 Weight=40
PartitionName=big Nodes=r1n[01-08],r2n[01-06] MinNodes=4 MaxTime=1-0 DefaultTime=120 PriorityTier=6 PriorityJobFactor=30 PreemptMode=OFF State=UP
PartitionName=std Nodes=r1n[01-08],r2n[01-06] Default=YES MaxNodes=6 MaxTime=12:00:00 DefaultTime=60 PriorityTier=6 PriorityJobFactor=10 PreemptMode=OFF State=UP
PartitionName=gpu Nodes=r3g[01-06] MaxTime=12:00:00 DefaultTime=60 PriorityTier=6 PriorityJobFactor=10 PreemptMode=OFF State=UP
PartitionName=debug Nodes=r1n[01-04],r3g01 MaxTime=00:30:00 DefaultTime=10 PriorityTier=9 PriorityJobFactor=50 MaxNodes=2 QOS=pdebug PreemptMode=OFF State=UP
PartitionName=fill Nodes=ALL MaxTime=04:00:00 DefaultTime=60 PriorityTier=1 PriorityJobFactor=1 PreemptMode=REQUEUE State=UP
PartitionName=drop Nodes=ALL MaxTime=04:00:00 DefaultTime=60 PriorityTier=1 PriorityJobFactor=1 PreemptMode=CANCEL GraceTime=60 State=UP
"""
GRES = "NodeName=r3g[01-06] Name=gpu Type=mi250 File=/dev/nvidia[0-3]\n"
TOPOLOGY = "SwitchName=s1 Nodes=r1n[01-04]\nSwitchName=s2 Nodes=r1n[05-08]\nSwitchName=s3 Nodes=r2n[01-06]\nSwitchName=s4 Nodes=r3g[01-06]\nSwitchName=row Switches=s[1-2]\nSwitchName=spine Switches=row,s[3-4]\n"
ACCOUNTS = """\
add account cosmology Fairshare=50 GrpTRES=node=14
add account lss parent=cosmology Fairshare=50 GrpTRESRunMins=node=900
add account cmb parent=cosmology Fairshare=50
add account stars Fairshare=30 MaxTRES=node=6
add account plasma Fairshare=20 GrpJobs=8
add qos pdebug MaxJobsPU=2 MaxSubmitJobsPerUser=4
add qos long Priority=20 MaxTRESPU=node=4 Flags=PartitionTimeLimit
add qos rush Priority=800 MaxTRESPU=node=8 GrpTRES=node=10
modify qos normal set Priority=100
add user lin,lou,lars Account=lss
add user cass,cleo Account=cmb
add user stan,sten Account=stars
add user pax,pia Account=plasma
modify user lin,lou,lars,cass,cleo,stan,sten,pax,pia set qos=normal,long,rush defaultqos=normal
"""
USERS = ("lin", "lou", "lars", "cass", "cleo", "stan", "sten", "pax", "pia")


def draw(rng):
    kind = rng.random()
    if kind < 0.16:
        nodes = rng.choice((4, 4, 5, 6, 8, 10))
        words, share = "-p big " + rng.choice((f"-N{nodes}", f"-N{nodes} --ntasks-per-node=64", f"-n{64 * nodes}", f"-N{nodes} --switches=2@10", f"-N{nodes}-{nodes + 2} -n{48 * nodes}", f"-N{nodes} --contiguous", f"-N{nodes} --mem=200000")), nodes / 20
    elif kind < 0.5:
        nodes = rng.choice((1, 1, 2, 2, 3, 4))
        words, share = rng.choice((f"-N{nodes}", f"-N{nodes} --mem=30000", f"-n{32 * nodes}", f"-n{64 * nodes} --mem=100000", f"-N{nodes} -C r2", f"-N{nodes} -C '[r1|r2]'", f"-N{nodes} --switches=1@4", f"-N{nodes} --ntasks-per-node=16 -c4", f"-N{nodes} -C 'r1*{nodes}'", f"-N{nodes} --use-min-nodes -n{40 * nodes}", f"-n{20 * nodes} -c2")), nodes / 20
    elif kind < 0.66:
        nodes = rng.choice((1, 1, 2, 3))
        words, share = "-p gpu " + rng.choice((f"-N{nodes} --gres=gpu:4", f"-N{nodes} --gres=gpu:mi250:2", f"-N{nodes} --gres=gpu:1 --mem=120000", f"-N{nodes} -n{24 * nodes} --gres=gpu:4")), nodes / 20
    elif kind < 0.76:
        return "-p debug " + rng.choice(("-N1", "-N2", "-n64", "-N1 --mem=10000", "-N1 -w r1n02", "-N1 --gres=gpu:2")) + f" -t {rng.choice((4, 8, 15))}", 0.04
    else:
        nodes = rng.choice((1, 1, 2, 3, 5))
        words, share = rng.choice(("-p fill ", "-p fill ", "-p drop ", "-p drop,std ", "-p fill,gpu ")) + rng.choice((f"-N{nodes}", f"-N{nodes} --mem=20000", f"-n{48 * nodes}", f"-N1-{nodes}", f"-N{nodes} -C cpu", f"-N{nodes} -x r1n01")), nodes / 20
    words += rng.choice(("", "", "", "", "", " --qos=rush", " --qos=long"))
    extra = rng.random()
    if extra < 0.09:
        return f"{words} -a {rng.choice(('1-4', '0-7%2', '1-5%1'))}", share * 4
    if extra < 0.2:
        words += f" -d {rng.choice(('afterok', 'afterany', 'afternotok', 'after'))}:@{rng.randint(1, 4)}"
    elif extra < 0.28:
        words += rng.choice((" --nice=250", " --time-min=5", " --begin=now+8minutes", " --no-requeue", " -H", " -J run -d singleton", " --deadline=now+2hours"))
    return words, share, 1 if rng.random() < 0.05 else 0


EVENTS = ((1200, "scontrol update NodeName=r1n03 State=DRAIN Reason=dimm"), (1900, "scontrol update NodeName=r2n[05-06] State=DOWN Reason=cooling"), (2300, "scontrol update NodeName=r1n03 State=RESUME"), (2700, "scontrol update NodeName=r2n[05-06] State=RESUME"), (3000, "scontrol update JobId={j41} NumNodes=2"), (3400, "scontrol update JobId={j54} TimeLimit=25"), (3700, "scontrol release {j50}"), (4000, "scontrol create reservation ReservationName=bench Accounts=cmb StartTime=now+1500 Duration=40 NodeCnt=4 PartitionName=big"),
          (4400, "sacctmgr -i modify account cosmology set GrpTRES=node=9"), (4800, "scontrol update NodeName=r3g02 State=FAIL Reason=gpu"), (5300, "scontrol update NodeName=r3g02 State=RESUME"), (5500, "scontrol requeue {j97}"), (5800, "scontrol update JobId={j107} Partition=std"), (6200, "sacctmgr -i modify account cosmology set GrpTRES=node=16"), (10000, "scancel -t PENDING"))
main(Scenario(261205, CONF, draw, accounts=ACCOUNTS, gres_conf=GRES, topology_conf=TOPOLOGY, jobs=160, window=7200, load=1.2, users=USERS, events=EVENTS))
