#!/usr/bin/env python3
# scripts/reference/scenarios/beamline.py — a light source: beamtimes as reservations by count with REPLACE, by cores with FLEX, daily and for licences, one that is made longer and one that is skipped, ResvOverRun, topology/tree of three levels with --switches and max_switch_wait, CR_LLN, licences of two kinds, chains of every dependency, deadlines, --begin.
from scenario import Scenario, main

CONF = """\
SchedulerType=sched/backfill
SchedulerParameters=bf_interval=35,bf_window=1440,bf_resolution=60,bf_max_job_part=40,bf_one_resv_per_job,bf_licenses,max_switch_wait=900,batch_sched_delay=4,sched_max_job_start=8,bf_yield_interval=1000000
SelectType=select/cons_tres
SelectTypeParameters=CR_Core_Memory,CR_LLN
TopologyPlugin=topology/tree
GresTypes=gpu
Licenses=xds:6,igor:4
ResvOverRun=5
CompleteWait=8
DefMemPerCPU=2500
PreemptType=preempt/qos
PreemptMode=CANCEL
PriorityType=priority/multifactor
PriorityFlags=SMALL_RELATIVE_TO_TIME,FAIR_TREE
PriorityWeightAge=1200
PriorityWeightFairshare=3500
PriorityWeightJobSize=800
PriorityWeightPartition=1500
PriorityWeightQOS=4000
PriorityMaxAge=0-4
PriorityDecayHalfLife=0-5
PriorityCalcPeriod=1
AccountingStorageTRES=gres/gpu,license/xds
AccountingStorageEnforce=associations,limits,qos
NodeName=b[01-06] Sockets=2 CoresPerSocket=12 ThreadsPerCore=1 RealMemory=128000 Feature=hall1 Weight=10
NodeName=b[07-12] Sockets=2 CoresPerSocket=12 ThreadsPerCore=1 RealMemory=128000 Feature=hall2 Weight=10
NodeName=f[1-4] Sockets=2 CoresPerSocket=16 ThreadsPerCore=2 RealMemory=512000 Gres=gpu:a100:4 Feature=hall1 Weight=30
NodeName=f[5-6] Sockets=2 CoresPerSocket=16 ThreadsPerCore=2 RealMemory=512000 Gres=gpu:v100:4 Feature=hall2 Weight=25
PartitionName=online Nodes=b[01-12],f[1-6] MaxTime=02:00:00 DefaultTime=15 PriorityTier=8 PriorityJobFactor=40 AllowQos=beam State=UP
PartitionName=offline Nodes=b[01-12] Default=YES MaxTime=12:00:00 DefaultTime=60 PriorityTier=3 PriorityJobFactor=10 MaxNodes=8 State=UP
PartitionName=gpu Nodes=f[1-6] MaxTime=08:00:00 DefaultTime=60 PriorityTier=3 PriorityJobFactor=10 MaxCPUsPerNode=48 State=UP
PartitionName=any Nodes=ALL MaxTime=06:00:00 DefaultTime=60 PriorityTier=1 PriorityJobFactor=1 QOS=pany State=UP
"""
GRES = "NodeName=f[1-4] Name=gpu Type=a100 File=/dev/nvidia[0-1] Cores=0-15\nNodeName=f[1-4] Name=gpu Type=a100 File=/dev/nvidia[2-3] Cores=16-31\nNodeName=f[5-6] Name=gpu Type=v100 File=/dev/nvidia[0-3]\n"
TOPOLOGY = "SwitchName=a1 Nodes=b[01-03]\nSwitchName=a2 Nodes=b[04-06]\nSwitchName=a3 Nodes=b[07-12]\nSwitchName=a4 Nodes=f[1-3]\nSwitchName=a5 Nodes=f[4-6]\nSwitchName=m1 Switches=a[1-3]\nSwitchName=m2 Switches=a[4-5]\nSwitchName=top Switches=m[1-2]\n"
ACCOUNTS = """\
add account mx Fairshare=40
add account tomo Fairshare=35 GrpTRES=cpu=200
add account staff Fairshare=15
add account visitors Fairshare=10 MaxJobs=10 MaxTRES=node=3
add qos beam Priority=1000 MaxTRESPA=node=6 MaxWall=60
add qos low Priority=1 Flags=NoReserve UsageFactor=0
add qos pany MaxTRESPU=cpu=96,node=5
modify qos normal set Priority=100
modify qos beam set Preempt=low,normal GraceTime=0
modify qos normal set GraceTime=45
add user mia,milo,mona Account=mx
add user tom,tara Account=tomo
add user stef Account=staff
add user vic,vera Account=visitors
modify user mia,milo,mona,tom,tara,stef,vic,vera set qos=normal,low defaultqos=normal
modify user mia,tom,stef set qos+=beam
"""
USERS = ("mia", "milo", "mona", "tom", "tara", "stef", "vic", "vera")


def draw(rng):
    kind = rng.random()
    if kind < 0.1:
        words, share = "-p online --qos=beam " + rng.choice(("-N2 -n24", "-n12 -L xds:1", "-G 2 -c8", "-N1 --exclusive", "-n4", "-N3 --ntasks-per-node=8")) + f" -t {rng.choice((8, 15, 30))}", 0.06
    elif kind < 0.5:
        cpus = rng.choice((1, 2, 4, 8, 12, 24, 48))
        words, share = rng.choice((f"-n{cpus}", f"-n{cpus} -L xds:1", f"-c{min(cpus, 12)} -L igor:1", f"-n{cpus} -N{max(1, cpus // 12)}", f"-n{cpus} --mem-per-cpu=4G", f"-n{cpus} -C hall1", f"-n{cpus} --switches=1", f"-N{max(1, cpus // 16)} -n{cpus} --contiguous", f"-n{cpus} -L 'xds:2,igor:1'")), cpus / 288
    elif kind < 0.62:
        nodes = rng.choice((2, 3, 4, 6))
        words, share = rng.choice((f"-N{nodes} --switches=1@3", f"-N{nodes} --exclusive", f"-N{nodes} -n{12 * nodes} --switches=2", f"-N{nodes} --ntasks-per-node=24", f"-N{nodes}-{nodes + 2} -n{16 * nodes}", f"-N{nodes} -C '[hall1|hall2]' -n{20 * nodes}")), nodes / 12
    elif kind < 0.82:
        gpus = rng.choice((1, 1, 2, 4))
        words, share = "-p gpu " + rng.choice((f"-G {gpus} -c8", f"--gres=gpu:a100:{gpus} -n{gpus} -c4", f"--gpus=v100:{gpus}", f"-N2 --gpus-per-node={gpus} --switches=1", f"-n{gpus} --gpus-per-task=1 --mem-per-gpu=40G", f"-N1 -G {gpus} --cpus-per-gpu=6", f"--gres=gpu:{gpus} -n2 -c4 -L igor:1")), gpus / 24
    else:
        words, share = "-p any " + rng.choice(("-n16", "-N2 -n16", "-c6 -n4", "-G 1 -c4", "-n24 --mem-per-cpu=1G", "-N3 --ntasks-per-node=4")) + rng.choice((" --qos=low", " --qos=low", "")), 0.06
    extra = rng.random()
    if extra < 0.07:
        return f"{words} -a {rng.choice(('1-5', '0-9%3', '1-6%2'))}", share * 5
    if extra < 0.22:
        words += f" -d {rng.choice(('afterok', 'afterany', 'after', 'afternotok', 'afterok'))}:@{rng.randint(1, 5)}" + rng.choice(("", "", "+4" if "after:" in words else "", ",afterany:@6"))
    elif extra < 0.32:
        words += rng.choice((" --reservation=bt1", " --reservation=bt2", " --reservation=night", " --deadline=now+75minutes", " --begin=now+6minutes", " -J scan -d singleton", " --nice=300", " --time-min=6"))
    return words, share, 1 if rng.random() < 0.06 else 0


EVENTS = ((300, "scontrol create reservation ReservationName=bt1 Accounts=mx,staff StartTime=now+900 Duration=50 NodeCnt=3 PartitionName=offline Flags=REPLACE"), (900, "scontrol create reservation ReservationName=bt2 Users=tom,tara,vic StartTime=now+1500 Duration=40 CoreCnt=12 Nodes=b10 Flags=FLEX"), (1300, "scontrol create reservation ReservationName=night Accounts=tomo,mx StartTime=now+2700 Duration=30 NodeCnt=2 PartitionName=gpu Flags=DAILY,MAGNETIC"),
          (2000, "scontrol update ReservationName=bt1 Duration=75"), (2300, "scontrol update NodeName=b02 State=DRAIN Reason=fan"), (3000, "scontrol update NodeName=b02 State=RESUME"), (3300, "scontrol create reservation ReservationName=lic Users=mona StartTime=now+300 Duration=45 Licenses=xds:3 Flags=LICENSE_ONLY"), (3900, "scontrol update NodeName=f2 State=DOWN Reason=ib"), (4500, "scontrol update NodeName=f2 State=RESUME"),
          (4700, "scontrol create reservation ReservationName=shut Users=root StartTime=now+2400 Duration=20 Nodes=b[07-12] Flags=MAINT"), (5200, "scontrol delete ReservationName=lic"), (5600, "scontrol update JobId={j120} Dependency="), (5900, "scontrol update JobId={j128} Licenses=xds:1"), (9700, "scancel -t PENDING"))
main(Scenario(261203, CONF, draw, accounts=ACCOUNTS, gres_conf=GRES, topology_conf=TOPOLOGY, jobs=170, window=7200, load=1.6, users=USERS, events=EVENTS))
