#!/usr/bin/env python3
# scripts/reference/scenarios/mlops.py — a company's machine-learning platform: GPU nodes shared by a CPU and a GPU partition that each leave the other its cores, CR_Core without memory, tasks in blocks, preempt/qos that cancels, GPU minutes of teams, sweeps as arrays, het pipelines, an admin who stops and restarts things all day.
from scenario import ENFORCED, Scenario, main

CONF = f"""\
SchedulerType=sched/backfill
SchedulerParameters=bf_interval=30,bf_max_job_array_resv=5,bf_max_job_user=8,bf_window=720,bf_resolution=60,nohold_on_prolog_fail,sched_interval=20,default_queue_depth=80,sched_max_job_start=10,bf_hetjob_prio=max
SelectType=select/cons_tres
SelectTypeParameters=CR_Core,CR_CORE_DEFAULT_DIST_BLOCK
GresTypes=gpu
DefCpuPerGPU=4
EnforcePartLimits=ANY
PreemptType=preempt/qos
PreemptMode=CANCEL
PriorityType=priority/multifactor
PriorityFlags=NO_NORMAL_PART,NO_NORMAL_QOS
PriorityWeightAge=500
PriorityWeightFairshare=4000
PriorityWeightPartition=1
PriorityWeightQOS=1
PriorityWeightTRES=GRES/gpu=1200
PriorityMaxAge=0-1
PriorityDecayHalfLife=0-2
PriorityCalcPeriod=1
AccountingStorageTRES=gres/gpu,gres/gpu:a100,gres/gpu:h100
{ENFORCED}
NodeName=g[1-5] Sockets=2 CoresPerSocket=24 ThreadsPerCore=1 RealMemory=1000000 Gres=gpu:a100:8 Feature=a100 Weight=10
NodeName=p[1-3] Sockets=2 CoresPerSocket=28 ThreadsPerCore=2 RealMemory=2000000 Gres=gpu:h100:8 Feature=h100 Weight=50
NodeName=d[1-3] Sockets=2 CoresPerSocket=16 ThreadsPerCore=2 RealMemory=250000 Feature=data Weight=1
PartitionName=gpu Nodes=g[1-5],p[1-3] Default=YES MaxTime=2-0 DefaultTime=60 MaxCPUsPerNode=40 PriorityJobFactor=200 State=UP
PartitionName=cpu Nodes=d[1-3],g[1-5] MaxTime=12:00:00 DefaultTime=60 MaxCPUsPerNode=16 PriorityJobFactor=100 State=UP
PartitionName=dev Nodes=g[4-5] MaxTime=60 DefaultTime=20 PriorityTier=3 PriorityJobFactor=500 QOS=dev State=UP
"""
GRES = "".join(f"NodeName={nodes} Name=gpu Type={name} File=/dev/nvidia[0-3] Cores={low}\nNodeName={nodes} Name=gpu Type={name} File=/dev/nvidia[4-7] Cores={high}\n" for nodes, name, low, high in (("g[1-5]", "a100", "0-23", "24-47"), ("p[1-3]", "h100", "0-27", "28-55")))
TEAMS = {"vision": ("vic", "val"), "speech": ("seb", "siv", "sol"), "search": ("ray", "rob"), "ads": ("ann", "abi")}
USERS = tuple(name for names in TEAMS.values() for name in names)
ACCOUNTS = "".join(f"add account {team} Fairshare=25\n" for team in TEAMS) + "".join(f"add user {','.join(names)} Account={team}\n" for team, names in TEAMS.items()) + f"""\
modify account vision set GrpTRESRunMins=gres/gpu=1600
modify account search set GrpTRES=gres/gpu:h100=8
modify account ads set MaxTRES=gres/gpu=8 MaxJobs=5
add qos spare Priority=0 MaxJobsPerUser=6
add qos team Priority=300 MaxTRESPerUser=gres/gpu=16
add qos launch Priority=2000 GrpTRES=gres/gpu=24 MaxSubmitJobsPerUser=4 Flags=DenyOnLimit
add qos dev MaxTRESPerUser=gres/gpu=2 MaxJobsPerUser=1
modify qos team set Preempt=spare
modify qos launch set Preempt=spare,team
modify user {','.join(USERS)} set qos=spare,team,launch defaultqos=team
"""


def draw(rng):
    kind, gpus = rng.random(), rng.choice((1, 1, 2, 2, 4, 8, 8, 16))
    one = min(8, gpus)
    if kind < 0.48:
        words, share = rng.choice((f"--gres=gpu:{one}", f"-G {gpus} -N{max(1, gpus // 8)}", f"-N{max(1, gpus // 8)} --gpus-per-node={one} --ntasks-per-node={one}", f"--gres=gpu:h100:{one} -c8", f"-n{gpus} --gpus-per-task=1", f"-n{gpus} --gpus-per-task=1 -c3 -m block:cyclic", f"-G a100:{gpus} --cpus-per-gpu=3",
                                   f"-N1 --gpus-per-socket={max(1, one // 2)} --sockets-per-node={2 if one > 1 else 1}", f"--gres=gpu:{one} -n{one} --gpu-bind=single:1", f"-C a100 --gres=gpu:{one} -n2 -c4", f"-n{max(1, gpus // 2)} --gpus-per-task=2 --cpus-per-gpu=2")), gpus / 58
        words += rng.choice(("", "", "", " --qos=spare", " --qos=spare", " --qos=launch"))
    elif kind < 0.6:
        steps = rng.choice((6, 10, 16))
        return f"--gres=gpu:{rng.choice((1, 1, 2))} -a 0-{steps - 1}{rng.choice(('', '%4', '%6'))} --qos={rng.choice(('spare', 'team'))}", 0.018 * steps
    elif kind < 0.82:
        cpus = rng.choice((1, 2, 4, 8, 16, 30))
        words, share = "-p cpu " + rng.choice((f"-n{cpus}", f"-c{min(16, cpus)}", f"-N2 --ntasks-per-node={min(16, cpus)}", f"-n{cpus} -C data", f"-n{cpus} -m cyclic", f"-n{cpus} --ntasks-per-socket=4", f"-n{max(1, cpus // 4)} -c4 --hint=nomultithread")), cpus / 160
    elif kind < 0.92:
        words, share = "-p dev " + rng.choice(("--gres=gpu:1", "--gres=gpu:2 -c6", "-G1 -n4", "-n2 --gpus-per-task=1")) + f" -t {rng.choice((10, 20, 40))}", 0.01
    else:
        return rng.choice(("-p cpu -n8 -t 40 : --gres=gpu:4 -t 40", "--gres=gpu:h100:2 -t 30 : -p cpu -n4 -c2 -t 30", "-G 2 -t 25 : -p cpu -c8 -t 25 : -p cpu -n2 -t 25")), 0.06
    extra = rng.random()
    if extra < 0.08:
        kind = rng.choice(("afterok", "afterany", "afternotok", "singleton"))
        words += " -d singleton -J sweep" if kind == "singleton" else f" -d {kind}:@{rng.randint(1, 4)}"
    elif extra < 0.13:
        words += rng.choice((" --nice=50", " --begin=now+5minutes", " --exclusive", " --time-min=10"))
    return words, share, 1 if rng.random() < 0.06 else 0


EVENTS = ((2300, "scontrol hold {j30}"), (3000, "scontrol release {j30}"), (2700, "scontrol update JobId={j40} QOS=launch"), (3300, "scontrol requeue {j50}"), (3600, "scontrol suspend {j60}"), (4100, "scontrol resume {j60}"), (3800, "scontrol update JobId={j70} TimeLimit=+30"), (4300, "scancel {j75}"),
          (4500, "scontrol update NodeName=p2 State=DRAIN Reason=nvswitch"), (6200, "scontrol update NodeName=p2 State=RESUME"), (4900, "scontrol update JobId={j90} Priority=9000"), (5200, "scontrol create reservation ReservationName=bench StartTime=now+20minutes Duration=25 Accounts=speech Nodes=g1 Flags=IGNORE_JOBS"),
          (5600, "scontrol update PartitionName=cpu MaxCPUsPerNode=8"), (6600, "scontrol update JobId={j110} NumNodes=1"), (6800, "sacctmgr -i modify account vision set GrpTRESRunMins=gres/gpu=2500"), (13000, "scancel -t PENDING"))
main(Scenario(902617, CONF, draw, accounts=ACCOUNTS, gres_conf=GRES, jobs=210, window=8000, load=1.35, users=USERS, events=EVENTS))
