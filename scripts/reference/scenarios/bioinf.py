#!/usr/bin/env python3
# scripts/reference/scenarios/bioinf.py — a core facility: one task a core and a LLN partition, big arrays, every array depends on another (aftercorr), DenyOnLimit, OverPartQOS, GrpTRESRunMins, fair tree of users alone, job_requeue exit codes, mps on T4s.
from scenario import ENFORCED, Scenario, main

CONF = f"""\
SchedulerType=sched/backfill
SchedulerParameters=defer,bf_interval=60,bf_continue,bf_max_job_test=250,bf_max_job_array_resv=2,bf_max_job_user=20,sched_interval=30,sched_min_interval=3000000,bf_min_age_reserve=120,partition_job_depth=50,enable_user_top
SelectType=select/cons_tres
SelectTypeParameters=CR_Core_Memory,CR_ONE_TASK_PER_CORE
GresTypes=gpu,mps
DefMemPerCPU=3000
MaxArraySize=501
CompleteWait=8
PriorityType=priority/multifactor
PriorityFlags=CALCULATE_RUNNING,MAX_TRES,ACCRUE_ALWAYS
PriorityWeightAge=3000
PriorityWeightFairshare=3000
PriorityWeightQOS=2000
PriorityWeightTRES=CPU=500,Mem=500
PriorityMaxAge=0-2
PriorityDecayHalfLife=0-2
PriorityCalcPeriod=1
AccountingStorageTRES=gres/gpu,gres/mps
{ENFORCED}
NodeName=b[01-06] Sockets=2 CoresPerSocket=18 ThreadsPerCore=2 RealMemory=256000 Feature=std Weight=2
NodeName=f[1-2] Sockets=4 CoresPerSocket=16 ThreadsPerCore=2 RealMemory=1500000 Feature=fat Weight=50
NodeName=t[1-3] Sockets=1 CoresPerSocket=16 ThreadsPerCore=2 RealMemory=128000 Gres=gpu:t4:4,mps:400 Feature=t4 Weight=20
PartitionName=std Nodes=b[01-06] Default=YES MaxTime=3-0 DefaultTime=60 State=UP LLN=YES QOS=pstd
PartitionName=fat Nodes=f[1-2] MaxTime=3-0 DefaultTime=60 State=UP DefMemPerCPU=10000 MaxMemPerNode=1400000
PartitionName=gpu Nodes=t[1-3] MaxTime=1-0 DefaultTime=30 State=UP DefMemPerGPU=16000 MaxCPUsPerNode=28
PartitionName=quick Nodes=b[01-06],t[1-3] MaxTime=00:30:00 DefaultTime=10 State=UP PriorityTier=5
"""
GRES = "NodeName=t[1-3] Name=gpu Type=t4 File=/dev/nvidia[0-3]\nNodeName=t[1-3] Name=mps Count=100 File=/dev/nvidia0\nNodeName=t[1-3] Name=mps Count=100 File=/dev/nvidia1\nNodeName=t[1-3] Name=mps Count=100 File=/dev/nvidia2\nNodeName=t[1-3] Name=mps Count=100 File=/dev/nvidia3\n"
ACCOUNTS = """\
add account facility Fairshare=1
add account pis Fairshare=1 GrpTRESRunMins=cpu=30000
add user fred,fran Account=facility Fairshare=10
add user pia,paul,per,pam Account=pis
modify user pia set Fairshare=5
modify user paul set Fairshare=1 MaxJobs=20
modify user per set Fairshare=1 MaxTRESPerJob=cpu=64
modify user pam set Fairshare=1 GrpTRESMins=cpu=4000
add qos pstd MaxTRESPerUser=cpu=180 GrpTRES=cpu=400
add qos boost Priority=100 Flags=OverPartQOS,DenyOnLimit MaxTRESPerUser=cpu=240 MaxWall=120
add qos back Priority=0 UsageFactor=0.3 MaxJobsPerUser=30
modify qos normal set Priority=20
modify user fred,fran,pia,paul,per,pam set qos=normal,boost,back defaultqos=normal
"""
USERS = ("fred", "fran", "pia", "paul", "per", "pam")


def draw(rng):
    kind = rng.random()
    if kind < 0.55:
        cpus = rng.choice((1, 2, 4, 8, 16, 36))
        words = rng.choice((f"-n{cpus}", f"-c{cpus}", f"-c{cpus} --mem={rng.choice((8, 20, 60))}G", f"-N1 -n{cpus}", f"-n{cpus} --mem-per-cpu=6000", f"-N2 -n{max(2, cpus)}", f"-c{cpus} --hint=nomultithread"))
        share = cpus / 380
    elif kind < 0.68:
        cpus = rng.choice((4, 16, 32, 64))
        words, share = f"-p fat {rng.choice((f'-c{cpus} --mem={rng.choice((100, 300, 600))}G', f'-n{cpus}', '-N1 --exclusive --mem=0', f'-n{cpus} --mem-per-cpu=14000'))}", cpus / 260
    elif kind < 0.85:
        words = "-p gpu " + rng.choice(("--gres=mps:50 -c2", "--gres=mps:100 -c4", "--gres=mps:25 -c1", "-G 1 -c4", "--gres=gpu:2 -c6", "-G 4 -n4", "--gpus=2 --cpus-per-gpu=6", "--gres=gpu:t4:1 --mem=20G", "-N2 --gpus-per-node=2 -n4"))
        share = 0.03
    else:
        words, share = f"-p quick {rng.choice(('-c2', '-n8', '-c4 --mem=12G', '-n16'))} -t {rng.choice((3, 8, 15))}", 0.01
    extra = rng.random()
    if extra < 0.2 and share < 0.12:
        words += rng.choice((" -a 1-8", " -a 1-12%4", " -a 1-20%6", " -a 0-15:3", " -a 1-6"))
        return words + (f" -d aftercorr:@{rng.randint(1, 6)}" if rng.random() < 0.3 else ""), share * 9, 1 if rng.random() < 0.06 else 0
    if extra < 0.28:
        words += f" -d {rng.choice(('afterok', 'afterany', 'afternotok'))}:@{rng.randint(1, 5)}"
    elif extra < 0.4 and "-p" not in words:
        words += rng.choice((" --qos=boost -t 100", " --qos=back", " --qos=back"))
    elif extra < 0.44:
        words += rng.choice((" --nice=600", " --begin=now+900", " --time-min=5 -t 60", " -J nightly -d singleton", " --kill-on-invalid-dep=yes"))
    return words, share, 1 if rng.random() < 0.05 else 0


EVENTS = ((1800, "scontrol update JobId={j25} ArrayTaskThrottle=8"), (2600, "scontrol update NodeName=b03 State=DRAIN Reason=dimm"), (4500, "scontrol top {j60}"), (3800, "scontrol update NodeName=b03 State=RESUME"), (4400, "sacctmgr -i modify qos pstd set GrpTRES=cpu=300"), (5700, "scontrol requeue {j75}"), (6200, "sacctmgr -i modify qos pstd set GrpTRES=cpu=400"), (6800, "scontrol hold {j95}"), (7400, "scontrol release {j95}"))
main(Scenario(261107, CONF, draw, accounts=ACCOUNTS, gres_conf=GRES, jobs=150, window=8800, load=1.2, users=USERS, events=EVENTS))
