#!/usr/bin/env python3
# scripts/reference/scenarios/foundry.py — a maker's cluster: whole sockets with GPUs under a tree of switches, partitions of three tiers that suspend or requeue each other, QOS that group GPUs.
from scenario import ENFORCED, Scenario, main

CONF = f"""\
SchedulerType=sched/backfill
SchedulerParameters=bf_interval=40,bf_window=2000,bf_resolution=120,bf_max_job_test=150,default_queue_depth=60,max_switch_wait=240
SchedulerTimeSlice=60
SelectType=select/cons_tres
SelectTypeParameters=CR_Socket_Memory,CR_ONE_TASK_PER_CORE
TopologyPlugin=topology/tree
GresTypes=gpu
DefMemPerCPU=1000
PreemptType=preempt/partition_prio
PreemptMode=SUSPEND,GANG
JobRequeue=1
PriorityType=priority/multifactor
PriorityFlags=DEPTH_OBLIVIOUS
PriorityWeightAge=1500
PriorityWeightFairshare=8000
PriorityWeightPartition=2000
PriorityWeightQOS=3000
PriorityWeightTRES=cpu=400,gres/gpu=1500
PriorityMaxAge=0-3
PriorityDecayHalfLife=0-2
PriorityCalcPeriod=1
AccountingStorageTRES=gres/gpu
{ENFORCED}
NodeName=p[1-4] Sockets=2 CoresPerSocket=8 ThreadsPerCore=2 RealMemory=128000 Feature=p,ib Weight=5
NodeName=q[1-4] Sockets=4 CoresPerSocket=4 ThreadsPerCore=1 RealMemory=96000 Feature=q,ib Weight=8
NodeName=v[1-4] Sockets=2 CoresPerSocket=12 ThreadsPerCore=1 RealMemory=256000 Gres=gpu:v100:4 Feature=v,gpu Weight=20
PartitionName=low Nodes=ALL Default=YES MaxTime=8:00:00 State=UP PriorityTier=1 PriorityJobFactor=5 OverSubscribe=FORCE:1
PartitionName=spare Nodes=p[1-4],v[1-2] MaxTime=4:00:00 State=UP PriorityTier=1 PriorityJobFactor=3 PreemptMode=REQUEUE GraceTime=20
PartitionName=line Nodes=p[1-4],q[1-4] MaxTime=8:00:00 State=UP PriorityTier=4 PriorityJobFactor=20 OverSubscribe=FORCE:1 PreemptMode=REQUEUE
PartitionName=gpu Nodes=v[1-4] MaxTime=8:00:00 State=UP PriorityTier=4 PriorityJobFactor=30 PreemptMode=OFF QOS=gpus
PartitionName=rush Nodes=ALL MaxTime=1:00:00 State=UP PriorityTier=9 PriorityJobFactor=60 PreemptMode=OFF MaxNodes=2
"""
GRES = "NodeName=v[1-4] Name=gpu Type=v100 File=/dev/nvidia[0-1] Cores=0-11\nNodeName=v[1-4] Name=gpu Type=v100 File=/dev/nvidia[2-3] Cores=12-23\n"
TOPOLOGY = "SwitchName=s1 Nodes=p[1-4]\nSwitchName=s2 Nodes=q[1-4]\nSwitchName=s3 Nodes=v[1-2]\nSwitchName=s4 Nodes=v[3-4]\nSwitchName=m1 Switches=s[1-2]\nSwitchName=m2 Switches=s[3-4]\nSwitchName=top Switches=m[1-2]\n"
ACCOUNTS = """\
add account cast Fairshare=50
add account mill Fairshare=30
add account test Fairshare=20 GrpTRES=cpu=80,gres/gpu=6
add user ida,ivo Account=cast
add user jan,jil Account=mill
add user kai,kim Account=test
add qos gpus GrpTRES=gres/gpu=14 MaxTRESPerUser=gres/gpu=6
add qos fine Priority=80 MaxJobsPerUser=3 Flags=OverPartQOS
add qos bulk Priority=2 GrpTRES=gres/gpu=5,cpu=110
modify qos normal set Priority=20
modify user ida,ivo,jan,jil,kai,kim set qos=normal,fine,bulk defaultqos=normal
"""
USERS = ("ida", "ivo", "jan", "jil", "kai", "kim")


def draw(rng):
    kind = rng.random()
    if kind < 0.33:
        gpus = rng.choice((1, 1, 2, 2, 3, 4, 8))
        node = min(gpus, 4)
        words = rng.choice((f"--gres=gpu:{node} -N1", f"--gpus={gpus}", f"--gpus={gpus} -n {gpus}", f"--gpus-per-task=1 -n {gpus}", f"--gpus-per-socket={min(gpus, 2)} --sockets-per-node=2 -N1 -n 4", f"--gres=gpu:{node} -N1 -n 12 --mem=60000", f"--gpus-per-node={node} -N{1 if gpus < 4 else 2}", f"--gres=gpu:v100:{node} -c 6", f"--gpus={gpus} --mem-per-gpu=20000", f"--gpus={gpus} --ntasks-per-gpu=1"))
        words, share = words + rng.choice((" -p gpu", " -p gpu", " -p gpu", " -p low", " -p low", " -p spare", " -p gpu,low")), gpus / 16
    elif kind < 0.45:
        words, share = f"-p rush {rng.choice(('-n 8', '-N2 -n 8', '-n 1', '--gres=gpu:1 -N1', '-c 12', '-n 20'))} -t {rng.choice((6, 12, 20))}", 0.03
    else:
        tasks = rng.choice((1, 2, 4, 8, 12, 16, 24, 32, 48))
        words = rng.choice((f"-n {tasks}", f"-n {tasks}", f"-n {tasks} -N2" if tasks > 1 else "-n 1", f"-n {tasks} --switches=1@{rng.choice((2, 6))}", f"-n {tasks} -C p", f"-n {tasks} -C 'q|v'", f"-n {tasks} --mem=30000", f"-n {tasks} -c 2" if tasks < 25 else "-n 24", f"-N{rng.choice((2, 3))} --ntasks-per-node=4", f"-N2 --exclusive", f"-n {tasks} --ntasks-per-socket=4", f"-n {tasks} --mem-per-cpu=2500", f"-n {min(tasks, 16)} --contiguous"))
        words, share = words + rng.choice((" -p line", " -p line", " -p line", " -p low", " -p low", " -p spare", " -p line,low")), tasks / 220
    words += rng.choice(("", "", "", "", " --qos=fine", " --qos=bulk", " --qos=bulk"))
    extra = rng.random()
    if extra < 0.07:
        words, share = f"{words} -a 0-{rng.choice(('3', '5%2'))}", share * 4
    elif extra < 0.11:
        words += rng.choice((" --dependency=afterany:@1", " --dependency=singleton -J same", " --no-requeue", " --no-requeue"))
    return words, share


main(Scenario(510011, CONF, draw, accounts=ACCOUNTS, gres_conf=GRES, topology_conf=TOPOLOGY, jobs=170, window=7800, load=1.0, users=USERS))
