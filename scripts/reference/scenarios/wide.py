#!/usr/bin/env python3
# scripts/reference/scenarios/wide.py — a national machine in small: 48 nodes of five kinds, 420 jobs, features of every form, -w and -x, --contiguous, --tmp, limits by QOS and account, TRES weights, an unlucky day of nodes.
from scenario import ENFORCED, Scenario, main

CONF = f"""\
SchedulerType=sched/backfill
SchedulerParameters=bf_continue,bf_interval=60,bf_max_job_test=400,bf_max_job_user=20,bf_resolution=180,bf_window=4320,default_queue_depth=200,defer,max_rpc_cnt=200,bf_min_prio_reserve=800
SelectType=select/cons_tres
SelectTypeParameters=CR_Core_Memory,CR_CORE_DEFAULT_DIST_BLOCK
GresTypes=gpu
DefMemPerCPU=2000
EnforcePartLimits=ANY
PriorityType=priority/multifactor
PriorityFlags=MAX_TRES,ACCRUE_ALWAYS
PriorityWeightAge=2000
PriorityWeightFairshare=12000
PriorityWeightJobSize=1500
PriorityWeightPartition=2000
PriorityWeightQOS=4000
PriorityWeightTRES=CPU=300,Mem=300,GRES/gpu=1500
PriorityMaxAge=0-12
PriorityDecayHalfLife=1-0
PriorityCalcPeriod=2
AccountingStorageTRES=gres/gpu,gres/gpu:v100,gres/gpu:a100
{ENFORCED}
NodeName=a[01-24] Sockets=2 CoresPerSocket=12 ThreadsPerCore=1 RealMemory=96000 TmpDisk=200000 Feature=haswell,rack1 Weight=10
NodeName=b[01-12] Sockets=2 CoresPerSocket=20 ThreadsPerCore=1 RealMemory=192000 TmpDisk=400000 Feature=skylake,rack2 Weight=20
NodeName=f[1-2] Sockets=4 CoresPerSocket=16 ThreadsPerCore=1 RealMemory=1000000 TmpDisk=1000000 Feature=skylake,fat Weight=60
NodeName=g[1-6] Sockets=2 CoresPerSocket=16 ThreadsPerCore=1 RealMemory=384000 TmpDisk=800000 Gres=gpu:v100:4 Feature=skylake,v100,rack3 Weight=70
NodeName=h[1-4] Sockets=2 CoresPerSocket=32 ThreadsPerCore=1 RealMemory=768000 TmpDisk=1600000 Gres=gpu:a100:4 Feature=milan,a100,rack3 Weight=90
PartitionName=cpu Nodes=a[01-24],b[01-12] Default=YES MaxTime=2-0 DefaultTime=60 State=UP PriorityJobFactor=10 TRESBillingWeights="CPU=1,Mem=0.25G"
PartitionName=fat Nodes=f[1-2] MaxTime=2-0 DefaultTime=60 State=UP PriorityJobFactor=10 TRESBillingWeights="CPU=1,Mem=0.05G"
PartitionName=gpu Nodes=g[1-6],h[1-4] MaxTime=1-0 DefaultTime=60 State=UP PriorityJobFactor=20 DefCpuPerGPU=6 TRESBillingWeights="CPU=1,Mem=0.1G,GRES/gpu:v100=10,GRES/gpu:a100=25"
PartitionName=devel Nodes=a[01-02],g1 MaxTime=30 State=UP PriorityTier=4 MaxNodes=2 QOS=devel
PartitionName=back Nodes=ALL MaxTime=06:00:00 DefaultTime=60 State=UP PriorityTier=1 PriorityJobFactor=0
"""
GRES = "NodeName=g[1-6] Name=gpu Type=v100 File=/dev/nvidia[0-3]\nNodeName=h[1-4] Name=gpu Type=a100 File=/dev/nvidia[0-1] Cores=0-31\nNodeName=h[1-4] Name=gpu Type=a100 File=/dev/nvidia[2-3] Cores=32-63\n"
ACCOUNTS = """\
add account north Fairshare=50
add account south Fairshare=50
add account climate parent=north Fairshare=60 GrpTRES=cpu=600
add account astro parent=north Fairshare=40
add account bio parent=south Fairshare=50 GrpTRESRunMins=cpu=90000
add account ml parent=south Fairshare=50 GrpTRES=gres/gpu=24
add user cai,cora Account=climate
add user ash,amy Account=astro
add user bo,bess Account=bio
add user max,mo,mia Account=ml
add qos devel MaxJobsPerUser=2 MaxTRESPerUser=cpu=48,gres/gpu=2
add qos boost Priority=200 MaxTRESPerUser=node=8 MaxJobsPerUser=4
add qos low Priority=0 MaxTRESPerUser=cpu=200
modify qos normal set Priority=50
modify user cai,cora,ash,amy,bo,bess,max,mo,mia set qos=normal,boost,low defaultqos=normal
"""
USERS = ("cai", "cora", "ash", "amy", "bo", "bess", "max", "mo", "mia")


def draw(rng):
    kind = rng.random()
    if kind < 0.55:
        cpus = rng.choice((1, 2, 4, 8, 12, 24, 24, 40, 48, 96))
        nodes = 1 + cpus // 24
        words = rng.choice((f"-n{cpus}", f"-n{cpus} -C skylake", f"-n{cpus} -C 'haswell|skylake'", f"-n{cpus} -C '[rack1|rack2]'", f"-N{nodes} --ntasks-per-node={min(cpus, 24)}", f"-N{nodes} --exclusive", f"-n{cpus} --mem-per-cpu=6G", f"-c{min(cpus, 40)} --mem=60G", f"-N{nodes} -n{cpus} --contiguous", f"-n{min(cpus, 20)} --tmp=300G", f"-N3 -C '[haswell*2&skylake*1]' -n{max(3, cpus)}", f"-n{min(cpus, 24)} -N1 -w a{rng.randint(1, 24):02d}", f"-n{cpus} -x a[01-10]", f"-N{nodes} -n{cpus} --mincpus={min(16, cpus)}", f"-N{nodes}-{nodes + 2} -n{cpus}"))
        share = cpus / 1000
    elif kind < 0.62:
        words, share = f"-p fat {rng.choice(('-n16 --mem=300G', '-n64 -N1', '-c32 --mem=600G', '-n8 --mem-per-cpu=40G'))}", 0.04
    elif kind < 0.9:
        gpus = rng.choice((1, 1, 1, 2, 2, 4, 4, 8))
        each = min(gpus, 4)
        words = f"-p {rng.choice(('gpu', 'gpu', 'gpu', 'gpu,back'))} " + rng.choice((f"--gres=gpu:{each}", f"--gres=gpu:v100:{each} -c8", f"--gres=gpu:a100:{each} --mem=120G", f"--gpus={gpus}", f"-N{max(1, gpus // 4)} --gpus-per-node={each} -n{gpus}", f"--gpus-per-task=1 -n{gpus} -c4", f"-C v100 --gpus={gpus}", f"-G a100:{each} -N1 -c16", f"--gpus={gpus} --cpus-per-gpu=8", f"-N{max(1, gpus // 4)} --gpus-per-node={each} --exclusive"))
        share = gpus / 40
    elif kind < 0.95:
        words, share = f"-p devel {rng.choice(('-n4', '-n24', '--gres=gpu:1', '-N2 -n2'))} -t {rng.choice((5, 15, 30))}", 0.004
    else:
        words, share = f"-p back {rng.choice(('-n24', '-N4 --exclusive', '--gres=gpu:2', '-n8', '-N2 -n40'))} --qos=low", 0.05
    if "--qos" not in words:
        words += rng.choice(("", "", "", "", " --qos=boost", " --qos=low"))
    extra = rng.random()
    if extra < 0.05:
        return f"{words} -a 1-{rng.choice(('5', '8%3'))}", share * 5
    if extra < 0.1:
        words += f" -d {rng.choice(('afterok', 'afterany'))}:@{rng.randint(1, 5)}"
    elif extra < 0.13:
        words += rng.choice((" --begin=now+1200", " --nice=300", " --time-min=20"))
    return words, share, 1 if rng.random() < 0.04 else 0


EVENTS = ((1800, "scontrol update NodeName=a[05-08] State=DRAIN Reason=switch"), (2900, "scontrol update NodeName=a[05-08] State=RESUME"), (3600, "scontrol update NodeName=h2 State=DOWN Reason=gpu"), (4600, "scontrol update NodeName=h2 State=RESUME"), (5000, "scontrol requeue {j175}"),
          (5400, "scontrol update JobId={j195} Partition=back"), (5900, "scontrol update JobId={j225} QOS=boost"), (6300, "sacctmgr -i modify user bo set Fairshare=5"))
main(Scenario(515108, CONF, draw, accounts=ACCOUNTS, gres_conf=GRES, jobs=360, window=9000, load=1.15, users=USERS, events=EVENTS))
