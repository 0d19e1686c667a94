#!/usr/bin/env python3
# scripts/reference/scenarios/polytech.py — a polytechnic: accounts of four levels with GrpTRESMins, GrpTRESRunMins and GrpWall, CR_Socket_Memory, QOS that requeue each other after an exempt time, MaxMemPerNode, DenyQos, MinNodes, a reservation of cores, TRES priorities, bf_window_linear, users who update their own jobs.
from scenario import Scenario, main

CONF = """\
SchedulerType=sched/backfill
SchedulerParameters=bf_interval=40,bf_window=2880,bf_resolution=120,bf_window_linear=1800,bf_max_job_user_part=8,bf_max_job_test=120,bf_min_age_reserve=120,sched_interval=45,assoc_limit_stop,enable_user_top,max_array_tasks=40
SelectType=select/cons_tres
SelectTypeParameters=CR_Socket_Memory
GresTypes=gpu
DefMemPerNode=8000
PreemptType=preempt/qos
PreemptMode=REQUEUE
PreemptExemptTime=00:02:00
PriorityType=priority/multifactor
PriorityFlags=DEPTH_OBLIVIOUS,CALCULATE_RUNNING
PriorityWeightAge=800
PriorityWeightFairshare=5000
PriorityWeightJobSize=400
PriorityWeightQOS=3000
PriorityWeightAssoc=700
PriorityWeightTRES=CPU=300,Mem=200,GRES/gpu=900
PriorityMaxAge=0-5
PriorityDecayHalfLife=0-3
PriorityCalcPeriod=2
AccountingStorageTRES=gres/gpu
AccountingStorageEnforce=associations,limits,qos,safe
NodeName=n[01-08] Sockets=2 CoresPerSocket=10 ThreadsPerCore=1 RealMemory=96000 Feature=old Weight=5
NodeName=n[09-12] Sockets=4 CoresPerSocket=8 ThreadsPerCore=1 RealMemory=256000 Feature=new Weight=10
NodeName=g[1-4] Sockets=2 CoresPerSocket=16 ThreadsPerCore=2 RealMemory=384000 Gres=gpu:rtx6000:4 Feature=new,gpu Weight=30
PartitionName=cpu Nodes=n[01-12] Default=YES MaxTime=1-0 DefaultTime=60 PriorityJobFactor=5 State=UP
PartitionName=gpu Nodes=g[1-4] MaxTime=12:00:00 DefaultTime=60 PriorityJobFactor=10 DefMemPerGPU=20000 DenyQos=bulk MaxMemPerNode=300000 State=UP
PartitionName=wide Nodes=n[01-12],g[3-4] MinNodes=2 MaxTime=08:00:00 DefaultTime=60 PriorityJobFactor=20 QOS=pwide State=UP
PartitionName=class Nodes=n[01-04],g1 MaxTime=01:00:00 DefaultTime=15 MaxNodes=1 PriorityTier=5 AllowQos=teach,normal State=UP
"""
GRES = "NodeName=g[1-4] Name=gpu Type=rtx6000 File=/dev/nvidia[0-1] Cores=0-15\nNodeName=g[1-4] Name=gpu Type=rtx6000 File=/dev/nvidia[2-3] Cores=16-31\n"
ACCOUNTS = """\
add account eng Fairshare=50 Priority=10
add account mech parent=eng Fairshare=40 GrpTRESRunMins=cpu=9000
add account fluid parent=mech Fairshare=60 GrpWall=2500
add account solid parent=mech Fairshare=40 Priority=60
add account elec parent=eng Fairshare=60 GrpTRESMins=gres/gpu=700,cpu=60000
add account sci Fairshare=40
add account phys parent=sci Fairshare=50 GrpTRES=cpu=120
add account chem parent=sci Fairshare=50 MaxTRESMins=cpu=4000
add account courses Fairshare=10 MaxJobs=12 MaxSubmitJobs=30
add qos bulk Priority=5 MaxTRESPA=cpu=160 UsageFactor=0.5
add qos fast Priority=400 MaxTRESPU=cpu=64,gres/gpu=4 MaxWall=60 GraceTime=20
add qos teach Priority=900 MaxJobsPU=2 MaxTRESPerJob=cpu=20 Flags=DenyOnLimit
add qos pwide GrpTRES=node=8 MaxTRESPU=node=6
modify qos normal set Priority=100
modify qos normal set Preempt=bulk
modify qos fast set Preempt=bulk
modify qos teach set Preempt=bulk,normal
add user flo,fred Account=fluid
add user sam,sue Account=solid
add user eva,elio Account=elec
add user pam,pete Account=phys
add user cleo,curt Account=chem
add user tim,tess,toni Account=courses
modify user flo,fred,sam,sue,eva,elio,pam,pete,cleo,curt set qos=normal,bulk,fast defaultqos=normal
modify user tim,tess,toni set qos=normal,teach defaultqos=teach
"""
USERS = ("flo", "fred", "sam", "sue", "eva", "elio", "pam", "pete", "cleo", "curt", "tim", "tess", "toni")


def draw(rng):
    kind = rng.random()
    if kind < 0.4:
        cpus = rng.choice((1, 2, 4, 6, 10, 16, 20, 32))
        words, share = rng.choice((f"-n{cpus}", f"-c{min(cpus, 10)}", f"-n{cpus} -N1", f"-n{cpus} --mem=30G", f"-n{cpus} --ntasks-per-socket=4", f"-n{cpus} --ntasks-per-node=8", f"-c{min(cpus, 8)} -n2 --mem-per-cpu=2G", f"-n{cpus} -C old", f"-N1 -n{cpus} -C new", f"-n{cpus} --cores-per-socket=8", f"-n{cpus} --sockets-per-node=4")), max(cpus, 10) / 290
    elif kind < 0.6:
        gpus = rng.choice((1, 1, 2, 2, 4))
        words, share = "-p gpu " + rng.choice((f"-G {gpus} -N1", f"--gres=gpu:{gpus} -n{4 * gpus}", f"--gpus-per-socket=1 --sockets-per-node=2 -N1 -n{2 * gpus}", f"-n{gpus} --gpus-per-task=1 -c4", f"-G {gpus} --ntasks-per-gpu=2", f"--gres=gpu:{gpus} -c8 --mem=60G", f"-N2 --gpus-per-node={gpus} -n8", f"-G {gpus} --cpus-per-gpu=4")), gpus / 14
    elif kind < 0.78:
        nodes = rng.choice((2, 2, 3, 4, 6))
        words, share = "-p wide " + rng.choice((f"-N{nodes} --ntasks-per-node=20", f"-N{nodes} -n{10 * nodes}", f"-N{nodes} --exclusive", f"-N{nodes}-{nodes + 1} -n{16 * nodes}", f"-n{20 * nodes} --mem-per-cpu=1500", f"-N{nodes} -c4 --ntasks-per-node=2")), nodes / 15
    elif kind < 0.9:
        return "-p class " + rng.choice(("-n4", "-n10", "-c2", "-n20", "-G 1 -c4", "-n2 --mem=10G")) + rng.choice(("", "", " --qos=normal")) + f" -t {rng.choice((10, 15, 30))}", 0.02
    else:
        words, share = "--qos=bulk " + rng.choice(("-n10", "-n4 --mem=20G", "-N2 -n20", "-n1", "-c8")) + f" -a {rng.choice(('1-6', '0-9%4', '1-8%2', '1-60:10'))}", 0.2
        return words, share
    words += rng.choice(("", "", "", "", " --qos=fast", " --qos=bulk" if "gpu" not in words else ""))
    extra = rng.random()
    if extra < 0.1:
        words += f" -d {rng.choice(('afterok', 'afterany', 'aftercorr'))}:@{rng.randint(1, 5)}"
    elif extra < 0.18:
        words += rng.choice((" --nice=150", " --deadline=now+2hours", " --time-min=5", " --hold", " --begin=now+10minutes", " --reservation=lab", " --no-requeue"))
    return words, share, 1 if rng.random() < 0.05 else 0


EVENTS = ((700, "scontrol create reservation ReservationName=lab Accounts=courses,chem StartTime=now+900 Duration=60 CoreCnt=20 Nodes=n09 Flags=IGNORE_JOBS"), (1800, "scontrol update NodeName=n[05-06] State=DRAIN Reason=bios"), (2500, "scontrol update NodeName=n[05-06] State=UNDRAIN"), (2700, "sacctmgr -i modify account phys set GrpTRES=cpu=60"), (3100, "scontrol update JobId={j70} TimeLimit=30"), (3500, "scontrol top {j85}"), (3600, "scontrol release {j40}"), (4100, "scontrol update JobId={j90} NumCPUs=8"), (4400, "scontrol update NodeName=g2 State=DOWN Reason=gpu"), (5000, "scontrol update NodeName=g2 State=RESUME"),
          (5200, "sacctmgr -i modify account phys set GrpTRES=cpu=200"), (5600, "scontrol update JobId={j125} QOS=fast"), (6000, "scontrol uhold {j140}"), (6500, "scontrol release {j140}"), (9800, "scancel -t PENDING"))
main(Scenario(261202, CONF, draw, accounts=ACCOUNTS, gres_conf=GRES, jobs=190, window=7200, load=1.1, users=USERS, events=EVENTS))
