#!/usr/bin/env python3
# scripts/reference/scenarios/climate.py — a weather service's GPU and CPU nodes under leaf switches: a floating and a daily reservation, licences, heterogeneous jobs, chains of every kind, two lists of partitions, whole-node partition, limits that stretch, MAX_TRES without Fair Tree.
from scenario import ENFORCED, Scenario, main

CONF = f"""\
SchedulerType=sched/backfill
SchedulerParameters=bf_interval=35,bf_continue,bf_window=1440,bf_resolution=60,bf_max_job_test=300,bf_max_job_start=20,sched_interval=60,max_switch_wait=900,default_queue_depth=120
SelectType=select/cons_tres
SelectTypeParameters=CR_CPU_Memory
TopologyPlugin=topology/tree
GresTypes=gpu
DefMemPerCPU=2200
MaxMemPerNode=180000
Licenses=ecmwf:8,plot:20
CompleteWait=8
PriorityType=priority/multifactor
PriorityFlags=MAX_TRES,NO_FAIR_TREE
FairShareDampeningFactor=2
PriorityWeightAge=4000
PriorityWeightFairshare=9000
PriorityWeightJobSize=3000
PriorityWeightPartition=5000
PriorityWeightQOS=7000
PriorityMaxAge=0-5
PriorityDecayHalfLife=0-4
PriorityCalcPeriod=1
AccountingStorageTRES=gres/gpu,license/ecmwf
{ENFORCED}
NodeName=n[01-12] Sockets=2 CoresPerSocket=16 ThreadsPerCore=1 RealMemory=190000 Feature=cpu Weight=10
NodeName=v[01-06] Sockets=2 CoresPerSocket=12 ThreadsPerCore=1 RealMemory=256000 Gres=gpu:v100:4 Feature=gpu Weight=30
PartitionName=common Nodes=n[01-12] Default=YES MaxTime=1-0 DefaultTime=60 PriorityJobFactor=5 State=UP TRESBillingWeights="CPU=1.0,Mem=0.2G"
PartitionName=oper Nodes=n[01-12],v[01-06] MaxTime=3:00:00 DefaultTime=30 PriorityTier=5 PriorityJobFactor=40 AllowAccounts=oper State=UP TRESBillingWeights="CPU=1.0,Mem=0.2G,GRES/gpu=10"
PartitionName=gpu Nodes=v[01-06] MaxTime=12:00:00 DefaultTime=60 PriorityJobFactor=10 State=UP TRESBillingWeights="CPU=1.0,Mem=0.2G,GRES/gpu=10"
PartitionName=whole Nodes=n[05-12] MaxTime=1-0 DefaultTime=60 OverSubscribe=EXCLUSIVE PriorityJobFactor=20 State=UP TRESBillingWeights="CPU=1.0,Mem=0.2G"
PartitionName=post Nodes=n[01-04],v[01-02] MaxTime=60 DefaultTime=15 MaxCPUsPerNode=20 PriorityJobFactor=15 OverSubscribe=NO State=UP
"""
TREE = "SwitchName=l1 Nodes=n[01-04]\nSwitchName=l2 Nodes=n[05-08]\nSwitchName=l3 Nodes=n[09-12]\nSwitchName=l4 Nodes=v[01-06]\nSwitchName=c1 Switches=l[1-2]\nSwitchName=c2 Switches=l[3-4]\nSwitchName=top Switches=c[1-2]\n"
GRES = "NodeName=v[01-06] Name=gpu Type=v100 File=/dev/nvidia[0-1] Cores=0-11\nNodeName=v[01-06] Name=gpu Type=v100 File=/dev/nvidia[2-3] Cores=12-23\n"
USERS = ("una", "ulf", "uwe", "eva", "emi", "rex", "roy", "ria")
ACCOUNTS = """\
add account oper Fairshare=40
add account research Fairshare=40
add account ocean parent=research Fairshare=30 GrpTRES=cpu=256
add account ice parent=research Fairshare=10 GrpTRESRunMins=cpu=30000
add account guests Fairshare=5 MaxTRES=cpu=64 MaxJobs=4
add user una,ulf Account=oper
add user uwe,eva,emi Account=ocean
add user rex,roy Account=ice
add user ria Account=guests
add qos wide LimitFactor=2 Priority=10 MaxJobsPerUser=3
add qos quick Priority=80 MaxWall=60 MaxTRESPerUser=cpu=96,gres/gpu=6
add qos forecast Priority=300 UsageFactor=0.5 GrpTRES=cpu=300
modify qos normal set Priority=30 GrpTRES=license/ecmwf=6
modify user una,ulf set qos=normal,forecast,quick defaultqos=forecast
modify user uwe,eva,emi,rex,roy,ria set qos=normal,wide,quick defaultqos=normal
"""


def draw(rng):
    kind = rng.random()
    nodes = rng.choice((1, 2, 2, 3, 4, 6))
    if kind < 0.28:
        words, share = rng.choice((f"-N{nodes} --ntasks-per-node=16", f"-n{rng.choice((8, 24, 40, 64, 100))}", f"-N{nodes} --ntasks-per-node=32 --switches=1", f"-n{16 * nodes} --switches=1@00:05:00", f"-N{nodes} -n{24 * nodes} --mem=60G", f"-n{12 * nodes} -c2", f"-N2-{nodes + 1} -n{20 * nodes} --contiguous")), nodes / 20
    elif kind < 0.42:
        words, share = f"-p whole -N{nodes}" + rng.choice(("", " --switches=1", " --switches=1@00:10:00", " --ntasks-per-node=8", " -L ecmwf:2")), nodes / 14
    elif kind < 0.58:
        words, share = f"-p {rng.choice(('post', 'post,common', 'common,post'))} " + rng.choice((f"-n{rng.choice((1, 2, 4, 8))} -L plot:{rng.choice((1, 2, 4))}", f"-c{rng.choice((2, 4, 8))} --mem=20G", f"-n{rng.choice((4, 10, 20))}")) + f" -t {rng.choice((10, 20, 40))}", 0.015
    elif kind < 0.82:
        gpus = rng.choice((1, 1, 2, 4, 8))
        words, share = f"-p {rng.choice(('gpu', 'gpu', 'gpu,post -t 50'))} " + rng.choice((f"--gres=gpu:{min(4, gpus)} -c3", f"-G {gpus} -n{gpus} -c2", f"-N{max(1, gpus // 4)} --gpus-per-node={min(4, gpus)} --ntasks-per-node=4", f"-n{gpus} --gpus-per-task=1 --mem-per-gpu=20G", f"-G {gpus} --cpus-per-gpu=5 -L ecmwf:1")), gpus / 34
    elif kind < 0.9:
        return rng.choice((f"-n4 -L ecmwf:1 -t 60 : -p gpu --gres=gpu:2 -c4 -t 60", f"-p whole -N1 -t 50 : -p gpu -n2 --gpus-per-task=1 -t 50", f"-n8 -t 30 : -n16 --mem-per-cpu=4G -t 30 : -p gpu -G1 -t 30")), 0.08
    else:
        words, share = f"-n{rng.choice((1, 4, 8))} -a {rng.choice(('0-5', '1-10%3', '0-12:3', '1-8%2'))} -t {rng.choice((15, 30, 60))}", 0.06
    if "--qos" not in words and rng.random() < 0.3:
        words += rng.choice((" --qos=quick -t 45" if "-t " not in words else " --qos=quick", " --qos=wide"))
    extra = rng.random()
    if extra < 0.12:
        words += " -d " + rng.choice(("afterok:@1", "afterany:@2:@3", "afternotok:@1", "after:@2+5", "singleton -J cycle", "afterok:@1?afternotok:@2", "aftercorr:@1", "afterburstbuffer:@1"))
    elif extra < 0.16:
        words += rng.choice((" --begin=now+20minutes", " --deadline=now+3hours", " --nice=1000", " --hold"))
    return words, share, 1 if rng.random() < 0.08 else 0


EVENTS = ((60, "scontrol create reservation ReservationName=window StartTime=now+60minutes Duration=30 Accounts=oper NodeCnt=4 Flags=TIME_FLOAT,IGNORE_JOBS"), (90, "scontrol create reservation ReservationName=nightly StartTime=now+45minutes Duration=40 Accounts=oper Nodes=n[09-10],v05 Flags=DAILY,MAGNETIC"),
          (1800, "scontrol update NodeName=v03 State=DRAIN Reason=ecc"), (3000, "scontrol update NodeName=v03 State=RESUME"), (3600, "scontrol update NodeName=n02 State=DOWN Reason=psu"), (4500, "scontrol update NodeName=n02 State=RESUME"), (4800, "scontrol delete ReservationName=window"),
          (5200, "scontrol update PartitionName=whole Nodes=n[07-12]"), (13500, "scancel -t PENDING"))
main(Scenario(715530, CONF, draw, accounts=ACCOUNTS, gres_conf=GRES, topology_conf=TREE, jobs=220, window=8000, load=1.25, users=USERS, events=EVENTS))
