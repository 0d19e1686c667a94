#!/usr/bin/env python3
# scripts/reference/scenarios/hpc_center.py — a computing centre's CPU cluster as many run it: threads, a tree of switches, deferred starts, small jobs favoured, job sizes and times by partition.
from scenario import ENFORCED, Scenario, main

CONF = f"""\
SchedulerType=sched/backfill
SchedulerParameters=defer,sched_interval=45,bf_interval=60,bf_resolution=180,bf_window=4320,bf_continue,bf_max_job_test=200,bf_max_job_user=12,default_queue_depth=80,sched_min_interval=2000000,bf_yield_interval=1000000
SelectType=select/cons_tres
SelectTypeParameters=CR_Core_Memory,CR_CORE_DEFAULT_DIST_BLOCK
TopologyPlugin=topology/tree
CompleteWait=16
OverTimeLimit=2
EnforcePartLimits=ALL
PreemptType=preempt/partition_prio
PreemptMode=CANCEL
PriorityType=priority/multifactor
PriorityFavorSmall=YES
PriorityWeightAge=3000
PriorityWeightFairshare=8000
PriorityWeightJobSize=4000
PriorityWeightPartition=2000
PriorityWeightQOS=5000
PriorityWeightTRES=CPU=1000,Mem=500
PriorityMaxAge=0-6
PriorityDecayHalfLife=0-3
PriorityCalcPeriod=2
{ENFORCED}
NodeName=n[01-12] Sockets=2 CoresPerSocket=6 ThreadsPerCore=2 RealMemory=64000 Feature=ib,cascade Weight=10
NodeName=n[13-18] Sockets=2 CoresPerSocket=8 ThreadsPerCore=2 RealMemory=128000 Feature=ib,icelake Weight=20
NodeName=big[1-2] Sockets=4 CoresPerSocket=6 ThreadsPerCore=2 RealMemory=512000 Feature=fat Weight=100
PartitionName=standard Nodes=n[01-18] Default=YES MaxTime=12:00:00 DefaultTime=00:30:00 State=UP PriorityTier=10 PriorityJobFactor=50 MaxNodes=8 DefMemPerCPU=2000 MaxMemPerCPU=4000
PartitionName=large Nodes=n[01-18] MinNodes=4 MaxTime=6:00:00 State=UP PriorityTier=10 PriorityJobFactor=80 OverSubscribe=EXCLUSIVE DefMemPerNode=50000
PartitionName=debug Nodes=n[01-06] MaxTime=00:30:00 State=UP PriorityTier=50 MaxNodes=2 PreemptMode=OFF QOS=debug DefMemPerCPU=1000
PartitionName=fat Nodes=big[1-2] MaxTime=1-0 State=UP PriorityTier=10 DefMemPerCPU=8000 MaxCPUsPerNode=40
PartitionName=spare Nodes=ALL MaxTime=4:00:00 State=UP PriorityTier=1 DefMemPerCPU=2000 AllowQos=normal,low
"""
TOPOLOGY = "SwitchName=leaf1 Nodes=n[01-06]\nSwitchName=leaf2 Nodes=n[07-12]\nSwitchName=leaf3 Nodes=n[13-18],big[1-2]\nSwitchName=top Switches=leaf[1-3]\n"
ACCOUNTS = """\
add account chem Fairshare=50
add account bio Fairshare=30 GrpTRES=cpu=200
add account astro Fairshare=20 GrpTRESRunMins=cpu=40000
add user hana,hugo Account=chem
add user ines,ivan Account=bio
add user jack,jane Account=astro
add qos low Priority=0 UsageFactor=0.5 MaxJobsPerUser=6
add qos high Priority=100 MaxWall=02:00:00 MaxTRESPerJob=cpu=96
add qos debug Priority=50 MaxJobsPerUser=2 MaxTRESPerUser=cpu=48 Flags=DenyOnLimit
modify qos normal set Priority=20 MaxSubmitJobsPerUser=60
modify user hana,hugo,ines,ivan,jack,jane set qos=normal,low,high defaultqos=normal
"""
USERS = ("hana", "hugo", "ines", "ivan", "jack", "jane")


def draw(rng):
    kind = rng.random()
    if kind < 0.12:
        nodes = rng.choice((4, 4, 6, 8))
        words, share = f"-p large -N{nodes} -n{nodes * rng.choice((12, 24))}{rng.choice(('', '', ' --switches=1', ' --switches=1@8:00', ' --contiguous'))}", nodes / 20
    elif kind < 0.24:
        words, share = f"-p debug -n{rng.choice((1, 4, 12, 24))} -t {rng.choice((5, 10, 30))}", 0.02
    elif kind < 0.32:
        cpus = rng.choice((2, 8, 20))
        words, share = f"-p fat -n1 -c{cpus} --mem={rng.choice((60000, 150000, 400000))}", 0.03
    elif kind < 0.45:
        tasks = rng.choice((1, 8, 24))
        words, share = f"-p spare -n{tasks}{rng.choice(('', ' --qos=low', ' --no-requeue'))}", tasks / 500
    else:
        tasks = rng.choice((1, 1, 2, 4, 12, 24, 36, 48, 72, 96))
        words, share = f"{rng.choice(('', '', '-p standard,spare '))}-n{tasks}", tasks / 440
        words += rng.choice(("", "", "", " -N2" if tasks > 1 else "", " -N2-4" if tasks > 3 else "", f" --ntasks-per-node={max(1, tasks // 2)}", " --mem-per-cpu=3000", " --mem-per-cpu=6000", " -C icelake", " -C cascade", " -C 'cascade|icelake'",
                             " --hint=nomultithread", " --exclusive", " -c2" if tasks <= 24 else "", " -c4" if tasks <= 12 else "", " --qos=high", " --qos=low", " --nice=500", " --mem=30000", " -w n03", " -x n[01-04]"))
    extra = rng.random()
    if extra < 0.06:
        words, share = f"{words} -a 0-{rng.choice(('5', '7%3', '11%4'))}", share * 7
    elif extra < 0.10:
        words += " --dependency=afterany:@1"
    elif extra < 0.13:
        words += " --begin=now+10minutes"
    return words, share


main(Scenario(771204, CONF, draw, accounts=ACCOUNTS, topology_conf=TOPOLOGY, jobs=190, window=8400, load=1.2, users=USERS))
