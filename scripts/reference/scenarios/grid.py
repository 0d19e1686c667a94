#!/usr/bin/env python3
# scripts/reference/scenarios/grid.py — a physics computing centre: many small jobs over nodes of two threads a core, pilots as arrays, shares of three levels with FairShare=parent, INCR_ONLY, usage of running jobs, limits by association at every level, node sets, LLN over CR_Core_Memory, CPU-only beside T4 with mps, partitions by list, bf_yield.
from scenario import Scenario, main

CONF = """\
SchedulerType=sched/backfill
SchedulerParameters=bf_interval=30,bf_window=2880,bf_resolution=120,bf_max_job_test=250,bf_max_job_part=80,bf_max_job_user=25,default_queue_depth=150,partition_job_depth=60,sched_max_job_start=25,batch_sched_delay=10,sched_interval=25,pack_serial_at_end,bf_yield_interval=1000000,bf_yield_sleep=100000
SelectType=select/cons_tres
SelectTypeParameters=CR_Core_Memory
GresTypes=gpu,mps
DefMemPerCPU=1200
MaxMemPerCPU=4000
MaxArraySize=500
PriorityType=priority/multifactor
PriorityFlags=CALCULATE_RUNNING,INCR_ONLY
PriorityWeightAge=400
PriorityWeightFairshare=20000
PriorityWeightJobSize=100
PriorityWeightPartition=500
PriorityMaxAge=0-2
PriorityDecayHalfLife=0-1
PriorityCalcPeriod=1
AccountingStorageTRES=gres/gpu,gres/mps
AccountingStorageEnforce=associations,limits
NodeSet=old Nodes=wn[01-08]
NodeSet=fast Feature=fast
NodeName=wn[01-08] Sockets=2 CoresPerSocket=8 ThreadsPerCore=2 RealMemory=64000 MemSpecLimit=2000 Feature=old Weight=5
NodeName=wn[09-14] Sockets=1 CoresPerSocket=24 ThreadsPerCore=2 RealMemory=96000 Feature=fast Weight=10
NodeName=tf[1-2] Sockets=2 CoresPerSocket=8 ThreadsPerCore=2 RealMemory=96000 Gres=gpu:t4:2,mps:200 Feature=fast,t4 Weight=50
PartitionName=grid Nodes=old,fast Default=YES MaxTime=2-0 DefaultTime=60 PriorityJobFactor=10 State=UP
PartitionName=local Nodes=wn[05-12] MaxTime=06:00:00 DefaultTime=30 PriorityJobFactor=30 DenyAccounts=atlas LLN=YES State=UP
PartitionName=short Nodes=old MaxTime=30 DefaultTime=10 PriorityTier=5 MaxCPUsPerNode=16 State=UP
PartitionName=gpu Nodes=tf[1-2] MaxTime=06:00:00 DefaultTime=30 PriorityJobFactor=10 State=UP
"""
GRES = "NodeName=tf[1-2] Name=gpu Type=t4 File=/dev/nvidia[0-1]\nNodeName=tf[1-2] Name=mps Count=200\n"
ACCOUNTS = """\
add account wlcg Fairshare=70
add account atlas parent=wlcg Fairshare=60
add account prod parent=atlas Fairshare=80 GrpTRES=cpu=220
add account user parent=atlas Fairshare=20 GrpJobs=40
add account cms parent=wlcg Fairshare=40 GrpTRES=cpu=160
add account theory Fairshare=30 MaxSubmitJobs=60
add account qcd parent=theory Fairshare=parent MaxTRES=cpu=64
add account bsm parent=theory Fairshare=parent MaxJobs=15
add user pilot1,pilot2 Account=prod
add user ana,art Account=user
add user cms1,cms2 Account=cms
add user quin,quade Account=qcd Fairshare=parent
add user bob,bree Account=bsm
modify user art set MaxJobs=8 GrpTRES=cpu=24
"""
USERS = ("pilot1", "pilot1", "pilot2", "ana", "art", "cms1", "cms2", "quin", "quade", "bob", "bree")


def draw(rng):
    kind = rng.random()
    if kind < 0.5:
        cpus = rng.choice((1, 1, 1, 1, 2, 4, 8, 8, 8))
        words, share = rng.choice((f"-n{cpus}", f"-c{cpus}", f"-n1 -c{cpus} --mem={2000 * cpus}", f"-n{cpus} --mem-per-cpu=2500", f"-n{cpus} -C fast", f"-n{cpus} -p grid,local", f"-n{cpus} -p local", f"-n{cpus} --hint=nomultithread", f"-n{cpus} -C 'old|fast'")), cpus / 400
    elif kind < 0.62:
        size = rng.choice((5, 10, 20))
        return f"-c{rng.choice((1, 1, 2, 8))} -a 0-{size - 1}" + rng.choice(("", "%4", "%8", "%2")), size * 2 / 400
    elif kind < 0.78:
        cpus = rng.choice((16, 32, 48, 64, 96))
        words, share = rng.choice((f"-n{cpus}", f"-n{cpus} -N2-4", f"-N2 --ntasks-per-node=16", f"-n{cpus} --ntasks-per-core=1", f"-n{cpus // 2} -c2", f"-n{cpus} -p local", f"-N1 --exclusive", f"-n{cpus} --spread-job", f"-n{cpus} --mincpus=8", f"-n{cpus} --threads-per-core=1", f"-n{cpus} -m block:block --contiguous")), cpus / 400
    elif kind < 0.9:
        words, share = "-p short " + rng.choice(("-n1", "-n4", "-c16", "-n8 --mem=20G", "-n16 -N2")) + f" -t {rng.choice((5, 10, 20))}", 0.01
    else:
        words, share = "-p gpu " + rng.choice(("--gres=gpu:1 -c4", "--gres=mps:50", "--gres=mps:100 -c2", "--gres=gpu:t4:2 -n8", "-G 1", "--gres=mps:25 -n4")), 0.02
    extra = rng.random()
    if extra < 0.08:
        words += f" -d {rng.choice(('afterok', 'afterany', 'afternotok'))}:@{rng.randint(1, 6)}"
    elif extra < 0.14:
        words += rng.choice((" --nice=100", " --begin=now+120", " -w wn09" if "-p" not in words else " --nice=20", " -x wn[01-03]", " --time-min=5", " --exclusive=user"))
    return words, share, 1 if rng.random() < 0.05 else 0


EVENTS = ((1300, "scontrol update NodeName=wn[06-07] State=DRAIN Reason=kernel"), (2100, "sacctmgr -i modify account prod set GrpTRES=cpu=140"), (2500, "scontrol update NodeName=wn[06-07] State=RESUME"), (2900, "sacctmgr -i modify user art set MaxJobs=20"), (3200, "scontrol update NodeName=wn11 State=DOWN Reason=dead"),
          (3900, "scontrol update NodeName=wn11 State=RESUME"), (4100, "sacctmgr -i modify account cms set Fairshare=90"), (4600, "scontrol update PartitionName=local Nodes=wn[05-14]"), (5100, "scancel -u quade -t PENDING"), (5600, "scontrol update PartitionName=short MaxTime=60"))
main(Scenario(261133, CONF, draw, accounts=ACCOUNTS, gres_conf=GRES, jobs=280, window=7200, load=1.15, users=USERS, events=EVENTS))
