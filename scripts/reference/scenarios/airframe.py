#!/usr/bin/env python3
# scripts/reference/scenarios/airframe.py — an aircraft maker without preemption: GPUs with NVLink pairs (Links=), nodes of two, four and eight sockets with threads, --hint, --ntasks-per-core, --ntasks-per-socket, --gres-flags, licences by the hundred, limits of jobs by every owner, partitions in lists, a weekly MAINT that ends early, users who raise and lower their jobs.
from scenario import Scenario, main

CONF = """\
SchedulerType=sched/backfill
SchedulerParameters=bf_continue,bf_interval=50,bf_window=2880,bf_resolution=180,bf_max_job_user_part=10,bf_max_job_part=50,bf_min_prio_reserve=1000,bf_max_job_array_resv=6,bf_licenses,default_queue_depth=200,sched_interval=35,batch_sched_delay=2,pack_serial_at_end
SelectType=select/cons_tres
SelectTypeParameters=CR_Core_Memory
GresTypes=gpu
Licenses=nastran:60,star:24,catia:6
DefMemPerCPU=1000
MaxMemPerNode=500000
EnforcePartLimits=ANY
DependencyParameters=kill_invalid_depend
PriorityType=priority/multifactor
PriorityFlags=DEPTH_OBLIVIOUS,ACCRUE_ALWAYS,NO_NORMAL_ASSOC
PriorityWeightAge=1800
PriorityWeightFairshare=4500
PriorityWeightJobSize=700
PriorityWeightPartition=900
PriorityWeightQOS=2500
PriorityWeightAssoc=2
PriorityWeightTRES=license/nastran=400,GRES/gpu=300
PriorityMaxAge=0-4
PriorityDecayHalfLife=0-12
PriorityCalcPeriod=2
AccountingStorageTRES=gres/gpu,gres/gpu:a100,license/nastran,license/star
AccountingStorageEnforce=associations,limits,qos
NodeName=w[01-06] Sockets=2 CoresPerSocket=12 ThreadsPerCore=2 RealMemory=192000 Feature=clx Weight=10
NodeName=x[1-4] Sockets=4 CoresPerSocket=12 ThreadsPerCore=2 RealMemory=768000 Feature=clx,fat Weight=30
NodeName=y1 Sockets=8 CoresPerSocket=8 ThreadsPerCore=1 RealMemory=1500000 Feature=smp Weight=80
NodeName=g[1-3] Sockets=2 CoresPerSocket=16 ThreadsPerCore=2 RealMemory=512000 Gres=gpu:a100:4 Feature=a100 Weight=50
NodeName=e[1-2] Sockets=2 CoresPerSocket=16 ThreadsPerCore=1 RealMemory=256000 Gres=gpu:rtx:3 Feature=rtx Weight=40
PartitionName=structure Nodes=w[01-06],x[1-4] Default=YES MaxTime=12:00:00 DefaultTime=60 PriorityJobFactor=10 State=UP
PartitionName=flow Nodes=w[01-06],x[1-4],g[1-3] MaxTime=1-0 DefaultTime=90 PriorityJobFactor=8 MaxNodes=5 QOS=pflow State=UP
PartitionName=smp Nodes=x[1-4],y1 MaxTime=08:00:00 DefaultTime=60 MaxNodes=1 PriorityJobFactor=12 MaxMemPerNode=1000000 State=UP
PartitionName=gpu Nodes=g[1-3],e[1-2] MaxTime=08:00:00 DefaultTime=60 PriorityJobFactor=15 DefMemPerGPU=24000 State=UP
PartitionName=post Nodes=e[1-2],y1,w[05-06] MaxTime=02:00:00 DefaultTime=20 PriorityTier=3 PriorityJobFactor=20 OverSubscribe=YES:2 MaxCPUsPerNode=24 State=UP
"""
GRES = """\
NodeName=g[1-3] Name=gpu Type=a100 File=/dev/nvidia0 Links=-1,4,1,1 Cores=0-15
NodeName=g[1-3] Name=gpu Type=a100 File=/dev/nvidia1 Links=4,-1,1,1 Cores=0-15
NodeName=g[1-3] Name=gpu Type=a100 File=/dev/nvidia2 Links=1,1,-1,4 Cores=16-31
NodeName=g[1-3] Name=gpu Type=a100 File=/dev/nvidia3 Links=1,1,4,-1 Cores=16-31
NodeName=e[1-2] Name=gpu Type=rtx File=/dev/nvidia[0-2]
"""
ACCOUNTS = """\
add account wings Fairshare=40 GrpTRES=license/nastran=30
add account loads parent=wings Fairshare=50 MaxJobs=9
add account flutter parent=wings Fairshare=50
add account engines Fairshare=35 GrpJobs=22 GrpTRES=license/star=18
add account cabin Fairshare=20 MaxTRESPerNode=cpu=24
add account suppliers Fairshare=5 MaxTRES=cpu=48,node=2 GrpSubmitJobs=14
add qos pflow MaxTRESPU=node=6 MaxJobsPA=8
add qos cert Priority=400 MaxJobsPU=4
add qos design Priority=100 MaxTRESPerUser=cpu=220
add qos explore Priority=5 MaxJobsPA=10 Flags=NoReserve
add user lia,lutz,leif Account=loads
add user fina,finn Account=flutter
add user enno,elsa,erik Account=engines
add user cato,cilla Account=cabin
add user supp Account=suppliers
modify user lia,lutz,leif,fina,finn,enno,elsa,erik,cato,cilla,supp set qos=design,explore,cert defaultqos=design
modify user supp set qos=explore defaultqos=explore
"""
USERS = ("lia", "lutz", "leif", "fina", "finn", "enno", "elsa", "erik", "cato", "cilla", "supp")


def draw(rng):
    kind = rng.random()
    cpus = rng.choice((1, 2, 4, 8, 12, 16, 24, 48))
    if kind < 0.36:
        words, share = rng.choice((f"-n{cpus} -L nastran:{max(1, cpus // 2)}", f"-c{min(cpus, 24)} -L nastran:4", f"-n{cpus} --hint=nomultithread", f"-n{cpus} --ntasks-per-core=1", f"-n{cpus} --ntasks-per-socket=6", f"-N1 -n{cpus} -B 2:6", f"-n{cpus} --hint=compute_bound", f"-n{cpus} --mem-per-cpu=3G", f"-n{max(2, cpus)} -N2 -c2", f"-n{cpus} --threads-per-core=1", f"-c{min(cpus, 24)} --hint=memory_bound", f"-n{cpus} -C fat --mem=200G")), cpus / 480
    elif kind < 0.54:
        nodes = rng.choice((1, 2, 2, 3, 4))
        words, share = "-p flow " + rng.choice((f"-N{nodes} --ntasks-per-node=24 -L star:{nodes}", f"-N{nodes} --exclusive", f"-n{24 * nodes} -L star:{2 * nodes}", f"-N{nodes} -n{36 * nodes} --hint=nomultithread", f"-N{nodes} --ntasks-per-node=8 -c3 -m cyclic", f"-p flow,structure -n{20 * nodes}", f"-N{nodes}-{nodes + 1} -n{30 * nodes}")), nodes / 14
    elif kind < 0.64:
        words, share = "-p smp " + rng.choice((f"-c{cpus}", f"-n{cpus} --mem=400G", "-n64 -C smp", "-n16 -B 4:4", f"-n{cpus} --cores-per-socket=8 --mem=100G", "-c48 --exclusive")), cpus / 300
    elif kind < 0.84:
        gpus = rng.choice((1, 1, 2, 2, 3, 4))
        words, share = "-p gpu " + rng.choice((f"-G {gpus} -N1", f"--gres=gpu:a100:{gpus} -n{4 * gpus}", f"--gres=gpu:{gpus} -c8 --gres-flags=enforce-binding", f"--gres=gpu:{gpus} -n2 -c6 --gres-flags=disable-binding", f"-n{gpus} --gpus-per-task=1 -c4", f"-G {gpus} --ntasks-per-gpu=3", f"--gpus-per-node={gpus} -N2 -n6", f"-G a100:{gpus} --cpus-per-gpu=8", f"--gpus-per-socket={max(1, gpus // 2)} --sockets-per-node=2 -n{2 * gpus} -N1", f"-G {gpus} --mem-per-gpu=40G --hint=nomultithread")), gpus / 18
    else:
        words, share = "-p post " + rng.choice(("-n2 -L catia:1", "-c4", "-n8 -s", "-c6 --oversubscribe", "-G 1 -c4", "-n1 --mem=20G -L catia:1", "-n12")) + f" -t {rng.choice((8, 12, 25))}", 0.02
    words += rng.choice(("", "", "", "", " --qos=cert", " --qos=explore"))
    extra = rng.random()
    if extra < 0.09:
        return f"{words} -a {rng.choice(('1-5', '0-9%3', '1-6%2', '0-30:6'))}", share * 5
    if extra < 0.22:
        words += f" -d {rng.choice(('afterok', 'afterany', 'afternotok', 'aftercorr', 'afterok'))}:@{rng.randint(1, 5)}" + rng.choice(("", "", "?afterany:@6"))
    elif extra < 0.3:
        words += rng.choice((" --nice=80", " --begin=now+5minutes", " --deadline=now+1hour", " --time-min=5", " -H", " -J loop -d singleton", " --spread-job"))
    return words, share, 1 if rng.random() < 0.07 else 0


EVENTS = ((1000, "scontrol create reservation ReservationName=maint Users=root StartTime=now+1800 Duration=60 Nodes=x[1-2],g1 Flags=MAINT,WEEKLY,IGNORE_JOBS"), (1600, "scontrol update NodeName=w[03-04] State=DRAIN Reason=cable"), (2200, "scontrol update NodeName=w[03-04] State=UNDRAIN"), (2500, "scontrol release {j40}"), (2900, "scontrol update JobId={j57} Priority=9000"), (3200, "scontrol update JobId={j68} Nice=1000"), (3800, "scontrol delete ReservationName=maint"), (4000, "scontrol update JobId={j95} MinMemoryNode=20000"), (4300, "sacctmgr -i modify user lia set MaxJobs=2"), (4600, "scontrol update NodeName=g3 State=DOWN Reason=nvlink"),
          (5100, "scontrol update NodeName=g3 State=RESUME"), (5400, "scontrol update JobId={j125} Partition=flow,structure"), (5700, "sacctmgr -i modify user lia set MaxJobs=20"), (6000, "scontrol requeuehold {j130}"), (6500, "scontrol release {j130}"), (9800, "scancel -t PENDING"))
main(Scenario(261208, CONF, draw, accounts=ACCOUNTS, gres_conf=GRES, jobs=190, window=7200, load=1.6, users=USERS, events=EVENTS))
