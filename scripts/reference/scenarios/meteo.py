#!/usr/bin/env python3
# scripts/reference/scenarios/meteo.py — a weather centre: 24 nodes under four leaf switches, a daily reservation, whole-node and shared partitions, heterogeneous jobs, --switches, bf_hetjob_prio, core specialisation, a tier that is cancelled after its grace, --time-min, a node that fails.
from scenario import Scenario, main

CONF = """\
SchedulerType=sched/backfill
SchedulerParameters=bf_continue,bf_interval=45,bf_window=4320,bf_resolution=300,bf_max_job_test=200,bf_hetjob_prio=avg,bf_job_part_count_reserve=4,sched_max_job_start=12,sched_interval=30,defer,max_switch_wait=600,bf_max_job_array_resv=4
SelectType=select/cons_tres
SelectTypeParameters=CR_Core_Memory
TopologyPlugin=topology/tree
GresTypes=gpu
Licenses=nwp:3,viz:6
DefMemPerCPU=1500
MaxMemPerCPU=6000
EnforcePartLimits=ANY
JobRequeue=0
KillWait=20
OverTimeLimit=2
PreemptType=preempt/partition_prio
PreemptMode=CANCEL
PriorityType=priority/multifactor
PriorityFlags=SMALL_RELATIVE_TO_TIME,ACCRUE_ALWAYS
PriorityFavorSmall=YES
PriorityWeightAge=800
PriorityWeightFairshare=3000
PriorityWeightJobSize=1500
PriorityWeightPartition=4000
PriorityWeightQOS=5000
PriorityWeightAssoc=500
PriorityMaxAge=0-6
PriorityDecayHalfLife=0-6
PriorityCalcPeriod=2
AccountingStorageTRES=gres/gpu,license/nwp
AccountingStorageEnforce=associations,limits,qos,safe
NodeName=w[01-08] Sockets=2 CoresPerSocket=16 ThreadsPerCore=1 RealMemory=128000 Feature=ib,gen1 Weight=10
NodeName=w[09-16] Sockets=2 CoresPerSocket=16 ThreadsPerCore=1 RealMemory=128000 Feature=ib,gen1 Weight=10
NodeName=x[01-06] Sockets=2 CoresPerSocket=24 ThreadsPerCore=1 RealMemory=256000 Feature=ib,gen2 Weight=20
NodeName=v[1-2] Sockets=2 CoresPerSocket=12 ThreadsPerCore=2 RealMemory=192000 Gres=gpu:a10:2 Feature=viz Weight=40
PartitionName=oper Nodes=w[01-16],x[01-06] MaxTime=03:00:00 DefaultTime=30 PriorityTier=30 PriorityJobFactor=100 OverSubscribe=EXCLUSIVE PreemptMode=OFF AllowAccounts=oper State=UP
PartitionName=prod Nodes=w[01-16],x[01-06] Default=YES MaxTime=1-0 DefaultTime=60 PriorityTier=20 PriorityJobFactor=40 MaxNodes=12 PreemptMode=OFF State=UP
PartitionName=serial Nodes=w[13-16],v[1-2] MaxTime=12:00:00 DefaultTime=30 PriorityTier=20 PriorityJobFactor=40 MaxNodes=1 MaxCPUsPerNode=20 LLN=YES State=UP
PartitionName=viz Nodes=v[1-2] MaxTime=04:00:00 DefaultTime=30 PriorityTier=20 PriorityJobFactor=20 State=UP
PartitionName=free Nodes=w[01-16],x[01-06] MaxTime=06:00:00 DefaultTime=60 PriorityTier=5 PriorityJobFactor=1 GraceTime=90 QOS=pfree State=UP
"""
GRES = "NodeName=v[1-2] Name=gpu Type=a10 File=/dev/nvidia[0-1]\n"
TOPOLOGY = "SwitchName=l1 Nodes=w[01-08]\nSwitchName=l2 Nodes=w[09-16]\nSwitchName=l3 Nodes=x[01-06]\nSwitchName=l4 Nodes=v[1-2]\nSwitchName=core Switches=l[1-4]\n"
ACCOUNTS = """\
add account oper Fairshare=50 Priority=100
add account research Fairshare=40
add account climate parent=research Fairshare=50 GrpTRESMins=cpu=600000 GrpTRES=node=14
add account ocean parent=research Fairshare=50 GrpWall=4000 MaxWall=10:00:00
add account guests Fairshare=10 MaxTRES=node=6 GrpSubmitJobs=15
add qos pfree MaxTRESPU=node=10 GrpTRES=cpu=400 Flags=OverPartQOS
add qos crit Priority=1000 MaxJobsPU=2 Flags=PartitionMaxNodes
add qos std Priority=100
add qos idle Priority=0 Flags=NoReserve UsageFactor=0
add user opal,otto Account=oper
add user clea,cole,cora Account=climate
add user oona,odin Account=ocean
add user gus Account=guests
modify user opal,otto,clea,cole,cora,oona,odin,gus set qos=std,idle defaultqos=std
modify user opal,otto set qos+=crit
modify user clea set qos+=crit
"""
USERS = ("opal", "otto", "clea", "cole", "cora", "oona", "odin", "gus")


def draw(rng):
    kind = rng.random()
    if kind < 0.45:
        nodes = rng.choice((1, 2, 2, 3, 4, 4, 6, 8))
        words = rng.choice((f"-N{nodes} --ntasks-per-node=32", f"-N{nodes} -n{16 * nodes}", f"-n{24 * nodes}", f"-N{nodes} --ntasks-per-node=4 -c8", f"-N{nodes} -n{32 * nodes} -C gen1", f"-N{nodes} --exclusive --mem=0", f"-N{nodes}-{nodes + 2} -n{32 * nodes}", f"-n{20 * nodes} --mem-per-cpu=5G", f"-N{nodes} -C gen2 --ntasks-per-node=48", f"-N{nodes} -S 2 -n{28 * nodes} -C gen1", f"-N{min(nodes, 4)} -C '[gen1|gen2]' -n{30 * min(nodes, 4)}"))
        words += rng.choice(("", "", "", " --switches=1", " --switches=1@5", " --contiguous", " -L nwp:1"))
        share = nodes / 22
    elif kind < 0.62:
        cpus = rng.choice((1, 1, 2, 4, 8, 16, 20))
        words, share = "-p serial " + rng.choice((f"-n{cpus}", f"-c{cpus}", f"-n1 -c{cpus} --mem=20G", f"-n{cpus} -L viz:1", f"-n{cpus} -x v1")), cpus / 500
    elif kind < 0.72:
        words, share = "-p viz " + rng.choice(("--gres=gpu:1 -c4", "-G 2 -c12", "--gres=gpu:a10:1 -L viz:2 -c6", "-G 4 -N2", "--gpus-per-node=2 -N1 -n8")), 0.02
    elif kind < 0.90:
        nodes = rng.choice((1, 2, 4, 6, 10))
        words, share = "-p free " + rng.choice((f"-N{nodes}", f"-N{nodes} --ntasks-per-node=16", f"-n{16 * nodes}", f"-N{nodes} --exclusive", f"-N1-{nodes} -n{nodes * 8} --time-min=4", f"-p free,prod -n{12 * nodes}")), nodes / 26
    else:
        return rng.choice(("-N2 -n64 -L nwp:1 : -N1 -n8", "-n16 : -n32 -C gen2", "-N1 -n32 : -p viz -G 1 -c4", "-N4 -n128 : -p serial -n4 : -n16")), 0.14
    words += rng.choice(("", "", "", "", "", " --qos=idle"))
    extra = rng.random()
    if extra < 0.07:
        return f"{words} -a {rng.choice(('1-5', '0-9%3', '1-6%2', '2-12:2'))}", share * 5
    if extra < 0.19:
        words += f" -d {rng.choice(('afterok', 'afterok', 'afterany', 'after', 'afternotok'))}:@{rng.randint(1, 4)}"
    elif extra < 0.26:
        words += rng.choice((" --nice=100", " --deadline=now+90minutes", " --reservation=daily", " -d singleton -J suite", " --requeue", " --no-kill -N3"))
    return words, share, 1 if rng.random() < 0.04 else 0


EVENTS = ((400, "scontrol create reservation ReservationName=daily Accounts=climate,oper StartTime=now+1200 Duration=30 NodeCnt=4 PartitionName=prod Flags=DAILY,MAGNETIC"), (1900, "scontrol update NodeName=w05 State=FAIL Reason=ecc"), (2700, "scontrol update NodeName=w05 State=DOWN Reason=ecc"), (3300, "scontrol update NodeName=w05 State=RESUME"),
          (2500, "scontrol create reservation ReservationName=fw Users=root StartTime=now+2400 Duration=25 Nodes=x[01-06] Flags=MAINT,IGNORE_JOBS"), (4200, "scontrol update PartitionName=free MaxTime=01:00:00"), (4800, "sacctmgr -i modify account climate set GrpTRES=node=9"), (5500, "scontrol update JobId={j120} Nice=-50"), (5900, "scontrol update NodeName=v1 State=DRAIN Reason=gpu"))
EVENTS += ((10200, "scancel -t PENDING"),)  # what can never start, or not before tomorrow
main(Scenario(261128, CONF, draw, accounts=ACCOUNTS, gres_conf=GRES, topology_conf=TOPOLOGY, jobs=190, window=7200, load=1.1, users=USERS, events=EVENTS))
