#!/usr/bin/env python3
# scripts/reference/scenarios/shares_classic.py — a physics department of the old days: classic fair share with a reset period, preempting partitions that suspend and cancel, OverSubscribe, CR_Core without memory, a user's own nodes.
from scenario import Scenario, main

CONF = """\
SchedulerType=sched/backfill
SchedulerParameters=bf_interval=45,bf_continue,bf_max_job_part=50,bf_max_job_user_part=12,bf_resolution=60,default_queue_depth=80,defer
SchedulerTimeSlice=60
SelectType=select/cons_tres
SelectTypeParameters=CR_Core
PreemptType=preempt/partition_prio
PreemptMode=SUSPEND,GANG
PriorityType=priority/multifactor
PriorityFlags=NO_FAIR_TREE,SMALL_RELATIVE_TO_TIME
FairShareDampeningFactor=2
PriorityWeightAge=1500
PriorityWeightFairshare=10000
PriorityWeightJobSize=800
PriorityWeightPartition=2000
PriorityMaxAge=0-6
PriorityDecayHalfLife=0-3
PriorityCalcPeriod=2
AccountingStorageEnforce=associations,limits
NodeName=p[01-10] Sockets=2 CoresPerSocket=8 ThreadsPerCore=1 RealMemory=64000 Feature=intel
NodeName=q[01-04] Sockets=1 CoresPerSocket=32 ThreadsPerCore=1 RealMemory=128000 Feature=amd Weight=3
PartitionName=day Nodes=p[01-10],q[01-04] Default=YES MaxTime=1-0 DefaultTime=30 State=UP PriorityTier=2 PriorityJobFactor=10 OverSubscribe=FORCE:1
PartitionName=lowly Nodes=p[01-10],q[01-04] MaxTime=2-0 DefaultTime=60 State=UP PriorityTier=1 PriorityJobFactor=1 OverSubscribe=FORCE:1 PreemptMode=SUSPEND
PartitionName=spare Nodes=q[01-04] MaxTime=12:00:00 DefaultTime=60 State=UP PriorityTier=1 PriorityJobFactor=1 PreemptMode=CANCEL GraceTime=60
PartitionName=owners Nodes=p[07-10] MaxTime=12:00:00 DefaultTime=30 State=UP PriorityTier=3 AllowAccounts=hep PriorityJobFactor=50 PreemptMode=OFF
"""
ACCOUNTS = """\
add account hep Fairshare=50
add account solid Fairshare=30
add account optics Fairshare=20 MaxJobs=8
add account cms parent=hep Fairshare=60
add account atlas parent=hep Fairshare=40
add user cleo,cato Account=cms
add user axel Account=atlas
add user sven,sara Account=solid
add user olga Account=optics
"""
USERS = ("cleo", "cato", "axel", "sven", "sara", "olga")


def draw(rng):
    cpus = rng.choice((1, 1, 2, 4, 8, 8, 16, 16, 32, 48))
    words = rng.choice((f"-n{cpus}", f"-c{min(cpus, 16)}", f"-n{cpus} -N{1 + cpus // 16}", f"-N{1 + cpus // 16} --ntasks-per-node={min(cpus, 16)}", f"-n{cpus} -C intel", f"-n{min(cpus, 32)} -C amd -N1", f"-N{1 + cpus // 16} --exclusive", f"-n{cpus} -m cyclic"))
    kind = rng.random()
    share = cpus / 250
    if kind < 0.55:
        pass
    elif kind < 0.75:
        words += " -p lowly"
    elif kind < 0.87:
        words = f"-p spare -n{min(cpus, 32)}"
    else:
        words = f"-p owners -n{cpus} -t {rng.choice((10, 30, 60))}"
    extra = rng.random()
    if extra < 0.07:
        return f"{words} -a 1-{rng.choice(('4', '8%3'))}", share * 4
    if extra < 0.13:
        words += f" -d {rng.choice(('afterok', 'afterany'))}:@{rng.randint(1, 3)}"
    elif extra < 0.16:
        words += rng.choice((" --nice=200", " --begin=now+600"))
    return words, share


EVENTS = ((2400, "scontrol update NodeName=p05 State=DOWN Reason=psu"), (3300, "scontrol update NodeName=p05 State=RESUME"), (4200, "scontrol suspend {j70}"), (4700, "scontrol resume {j70}"), (5200, "sacctmgr -i modify account optics set MaxJobs=12"))
main(Scenario(515107, CONF, draw, accounts=ACCOUNTS, jobs=150, window=9000, load=1.1, users=USERS, events=EVENTS))
