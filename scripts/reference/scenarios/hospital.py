#!/usr/bin/env python3
# scripts/reference/scenarios/hospital.py — a hospital: preempt/qos where QOS suspend, requeue or cancel, CPU and A40 nodes with OverSubscribe=FORCE:1, licences that backfill counts, a maintenance that moves with time (TIME_FLOAT), UsageThreshold, deadlines.
from scenario import ENFORCED, Scenario, main

CONF = f"""\
SchedulerType=sched/backfill
SchedulerParameters=bf_continue,bf_interval=45,bf_resolution=90,bf_window=1440,bf_licenses,bf_max_job_part=60,default_queue_depth=60,partition_job_depth=40
SelectType=select/cons_tres
SelectTypeParameters=CR_Core_Memory
GresTypes=gpu
DefMemPerCPU=3500
Licenses=matlab:8,ansys:12
PreemptType=preempt/qos
PreemptMode=SUSPEND,GANG
SchedulerTimeSlice=60
PriorityType=priority/multifactor
PriorityFlags=ACCRUE_ALWAYS,MAX_TRES
PriorityWeightAge=2000
PriorityWeightFairshare=6000
PriorityWeightQOS=8000
PriorityWeightJobSize=400
PriorityFavorSmall=YES
PriorityMaxAge=0-8
PriorityDecayHalfLife=0-6
PriorityCalcPeriod=1
AccountingStorageTRES=gres/gpu,license/matlab
{ENFORCED}
NodeName=img[1-4] Sockets=2 CoresPerSocket=16 ThreadsPerCore=1 RealMemory=256000 Gres=gpu:a40:4 Feature=a40 Weight=20
NodeName=gen[1-6] Sockets=2 CoresPerSocket=20 ThreadsPerCore=1 RealMemory=192000 Feature=cpu Weight=5
PartitionName=clinic Nodes=img[1-4],gen[1-6] Default=YES MaxTime=1-0 DefaultTime=60 State=UP OverSubscribe=FORCE:1 TRESBillingWeights="CPU=1,Mem=0.2G,GRES/gpu=8"
PartitionName=imaging Nodes=img[1-4] MaxTime=12:00:00 DefaultTime=60 State=UP OverSubscribe=FORCE:1 TRESBillingWeights="CPU=1,GRES/gpu=10"
"""
GRES = "NodeName=img[1-4] Name=gpu Type=a40 File=/dev/nvidia[0-1] Cores=0-15\nNodeName=img[1-4] Name=gpu Type=a40 File=/dev/nvidia[2-3] Cores=16-31\n"
ACCOUNTS = """\
add account radiology Fairshare=40
add account genetics Fairshare=40
add account students Fairshare=20 MaxJobs=14
add user rae,rob Account=radiology
add user gail,gene Account=genetics
add user stu,sid Account=students
add qos idle Priority=0 UsageFactor=0 PreemptMode=requeue
add qos study Priority=20 PreemptMode=cancel GraceTime=60 MaxJobsPerUser=8
add qos care Priority=300 MaxTRESPerUser=cpu=96,gres/gpu=6
add qos stat Priority=900 MaxTRESPerUser=cpu=48,gres/gpu=4 MaxWall=60
modify qos care set Preempt=idle,study
modify qos stat set Preempt=idle,study,normal
modify qos normal set Preempt=idle Priority=100
modify user rae,rob,gail,gene set qos=idle,normal,care,stat defaultqos=normal
modify user stu,sid set qos=idle,study defaultqos=study
"""
USERS = ("rae", "rob", "gail", "gene", "stu", "sid")


def draw(rng):
    kind = rng.random()
    if kind < 0.3:
        gpus = rng.choice((1, 1, 2, 2, 4))
        words = rng.choice((f"-p imaging --gres=gpu:{gpus} -c6", f"-p imaging --gpus={gpus}", f"-p imaging -n{gpus} --gpus-per-task=1 -c4", f"--gres=gpu:a40:{gpus} --mem=40G", f"-p imaging --gpus-per-node={gpus} -N2 -n4", f"-p imaging,clinic -G {gpus} -c4"))
        share = gpus / 16
    elif kind < 0.85:
        cpus = rng.choice((1, 2, 4, 8, 16, 24, 40))
        words = rng.choice((f"-n{cpus}", f"-c{cpus}", f"-N1 -n{cpus} --mem=50G", f"-N2 -n{2 * cpus}", f"-N2 --ntasks-per-node={cpus}", f"-n{cpus} -C cpu", f"-n{min(cpus, 8)} -L matlab:{rng.choice((1, 2, 3))}", f"-n{cpus} -L ansys:{rng.choice((2, 4, 6))}"))
        share = cpus / 380
    else:
        words, share = rng.choice(("-N1 --exclusive", "-N2 --exclusive -C cpu", "-n40 -L matlab:1,ansys:3")), 0.12
    extra = rng.random()
    if extra < 0.07:
        return f"{words} -a 0-{rng.choice(('3', '7%3'))}", share * 5
    if extra < 0.11:
        words += f" -d {rng.choice(('afterok', 'afterany', 'singleton', 'after'))}:@{rng.randint(1, 4)}".replace("singleton:", "singleton,afterany:")
    elif extra < 0.16:
        words += rng.choice((" --deadline=now+2hours -t 25", " --nice=1000", " --no-requeue", " --time-min=5 -t 40"))
    return words, share, 1 if rng.random() < 0.04 else 0


def with_qos(rng):
    words, *rest = draw(rng)
    urgent = rng.random()
    qos = " --qos=stat -t 30" if urgent < 0.08 and " -t" not in words else " --qos=care" if urgent < 0.28 else " --qos=idle" if urgent < 0.5 else ""
    return words + qos, *rest


EVENTS = ((900, "scontrol create reservation ReservationName=patch Users=root StartTime=now+90minutes Duration=30 Nodes=gen[5-6] Flags=MAINT,TIME_FLOAT,IGNORE_JOBS"), (4500, "scontrol delete ReservationName=patch"), (3000, "scontrol update NodeName=img4 State=DRAIN Reason=ecc"),
          (4100, "scontrol update NodeName=img4 State=RESUME"), (5000, "scontrol hold {j80}"), (6100, "scontrol release {j80}"), (6500, "sacctmgr -i modify qos care set MaxTRESPerUser=cpu=120,gres/gpu=8"))
main(Scenario(261102, CONF, with_qos, accounts=ACCOUNTS, gres_conf=GRES, jobs=170, window=9000, load=1.1, users=USERS, events=EVENTS))
