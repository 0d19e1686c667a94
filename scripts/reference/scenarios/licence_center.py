#!/usr/bin/env python3
# scripts/reference/scenarios/licence_center.py — an engineering centre: licences, heterogeneous jobs, reservations, one task a core on hyperthreads, MaxMemPerNode, bf_max_job_start, partition_job_depth, EnforcePartLimits.
from scenario import Scenario, main

CONF = """\
SchedulerType=sched/backfill
SchedulerParameters=bf_continue,bf_interval=40,bf_max_job_start=20,bf_max_job_assoc=12,bf_max_job_user_part=8,bf_licenses,bf_hetjob_prio=max,default_queue_depth=40,partition_job_depth=15,sched_max_job_start=15,batch_sched_delay=4
SelectType=select/cons_tres
SelectTypeParameters=CR_Core_Memory,CR_ONE_TASK_PER_CORE
GresTypes=gpu
DefMemPerCPU=1500
EnforcePartLimits=ALL
Licenses=ansys:20,abaqus:12,matlab:4
PriorityType=priority/multifactor
PriorityFavorSmall=YES
PriorityWeightAge=4000
PriorityWeightFairshare=8000
PriorityWeightJobSize=1000
PriorityWeightPartition=3000
PriorityWeightQOS=3000
PriorityMaxAge=0-8
PriorityDecayHalfLife=0-12
PriorityCalcPeriod=1
AccountingStorageTRES=gres/gpu,license/ansys,license/abaqus
AccountingStorageEnforce=associations,limits,qos
NodeName=e[01-12] Sockets=2 CoresPerSocket=12 ThreadsPerCore=2 RealMemory=192000 Feature=cascade Weight=10
NodeName=e[13-16] Sockets=2 CoresPerSocket=16 ThreadsPerCore=2 RealMemory=384000 Feature=icelake,big Weight=20
NodeName=v[1-3] Sockets=2 CoresPerSocket=16 ThreadsPerCore=2 RealMemory=384000 Gres=gpu:a40:2 Feature=icelake,viz Weight=40
PartitionName=sim Nodes=e[01-16] Default=YES MaxTime=3-0 DefaultTime=60 State=UP MaxMemPerNode=180000 PriorityJobFactor=10
PartitionName=big Nodes=e[13-16],v[1-3] MaxTime=1-0 DefaultTime=60 State=UP PriorityJobFactor=20 MinNodes=2
PartitionName=viz Nodes=v[1-3] MaxTime=08:00:00 DefaultTime=30 State=UP PriorityTier=2 MaxCPUsPerNode=40 QOS=viz
PartitionName=short Nodes=ALL MaxTime=01:00:00 DefaultTime=15 State=UP PriorityJobFactor=30 MaxNodes=4
"""
GRES = "NodeName=v[1-3] Name=gpu Type=a40 File=/dev/nvidia0 Cores=0-15\nNodeName=v[1-3] Name=gpu Type=a40 File=/dev/nvidia1 Cores=16-31\n"
ACCOUNTS = """\
add account aero Fairshare=50 GrpTRES=license/ansys=14
add account auto Fairshare=30 MaxTRESPerJob=node=6 GrpJobs=25
add account method Fairshare=20 MaxJobsAccrue=4
add user anke,arno Account=aero
add user bodo,britt Account=auto MaxJobs=10
add user carl Account=method
add qos viz MaxTRESPerUser=gres/gpu=2,cpu=48
add qos rush Priority=100 MaxJobsPerUser=2 GrpTRES=license/abaqus=8
add qos idle Priority=0 GrpTRESRunMins=cpu=60000
modify qos normal set Priority=20
modify user anke,arno,bodo,britt,carl set qos=normal,rush,idle defaultqos=normal
"""
USERS = ("anke", "arno", "bodo", "britt", "carl")


def draw(rng):
    kind = rng.random()
    licence = rng.choice(("", "", "", " -L ansys:2", " -L ansys:5", " -L abaqus:3", " -L abaqus:6", " -L matlab", " -L ansys:1,matlab:1"))
    if kind < 0.45:
        tasks = rng.choice((1, 4, 12, 24, 24, 48, 72))
        words = rng.choice((f"-n{tasks}", f"-n{tasks} -N{1 + tasks // 24}", f"-N{1 + tasks // 24} --ntasks-per-node={min(tasks, 24)}", f"-n{tasks} --mem-per-cpu=3000", f"-n{max(1, tasks // 4)} -c4", f"-N{1 + tasks // 24} --exclusive", f"-n{tasks} -C 'cascade|icelake'", f"-N{1 + tasks // 32} -C icelake --ntasks-per-node=16", f"-n{min(tasks, 24)} -N1 --mem=60G"))
        words, share = words + licence, tasks / 400
    elif kind < 0.6:
        nodes = rng.choice((2, 2, 3, 4))
        words, share = f"-p big -N{nodes} {rng.choice(('--ntasks-per-node=32', '--exclusive', '-n40', '--ntasks-per-node=8 -c4', '--ntasks-per-node=16 --mem=100G', '--ntasks-per-socket=8 -n32'))}{licence}", nodes / 20
    elif kind < 0.72:
        words, share = f"-p viz {rng.choice(('--gres=gpu:1 -c8', '--gpus=1 -n4', '--gres=gpu:a40:2 -c16', '--gpus-per-task=1 -n1 -c12', '-n16', '-c24 --mem=64G'))} -t {rng.choice((10, 30, 60))}", 0.02
    elif kind < 0.92:
        tasks = rng.choice((1, 2, 8, 16, 24, 48))
        words, share = f"-p {rng.choice(('short', 'short', 'short,sim'))} {rng.choice((f'-n{tasks}', f'-c{tasks}', f'-n{tasks} --mem=20G', f'-N2 -n{max(2, tasks)}'))} -t {rng.choice((10, 20, 45))}{licence if rng.random() < 0.4 else ''}", tasks / 900
    else:
        tasks = rng.choice((12, 24, 48))
        return rng.choice((f"-n1 -c4 --mem=8G : -n{tasks} -N{1 + tasks // 24}", f"-p sim -n{tasks} : -p viz -n1 --gres=gpu:1", f"-n2 -L matlab : -n{tasks}")), tasks / 350
    words += rng.choice(("", "", "", "", " --qos=rush", " --qos=idle"))
    extra = rng.random()
    if extra < 0.07:
        return f"{words} -a 1-{rng.choice(('6', '8%2', '12%4'))}", share * 6
    if extra < 0.12:
        words += f" -d {rng.choice(('afterok', 'afterany', 'singleton'))}".replace("afterok", "afterok:@2").replace("afterany", "afterany:@1")
    elif extra < 0.16:
        words += rng.choice((" --begin=now+900", " --nice=1000", " --contiguous"))
    return words, share, 1 if rng.random() < 0.04 else 0


EVENTS = ((900, "scontrol create reservation ReservationName=review Users=anke,arno StartTime=now+1500 Duration=60 NodeCnt=4 PartitionName=sim"), (2500, "scontrol create reservation ReservationName=lic Users=carl StartTime=now+600 Duration=90 Licenses=matlab:2 Flags=LICENSE_ONLY"),
          (3600, "scontrol create reservation ReservationName=patch StartTime=now+2400 Duration=20 Nodes=e[05-08] Users=root Flags=MAINT"), (4200, "scontrol update JobId={j80} Priority=9000"), (5000, "scontrol update JobId={j110} Licenses=ansys:1"), (7000, "scontrol delete ReservationName=lic"))
main(Scenario(515105, CONF, draw, accounts=ACCOUNTS, gres_conf=GRES, jobs=210, window=9000, load=1.1, users=USERS, events=EVENTS))
