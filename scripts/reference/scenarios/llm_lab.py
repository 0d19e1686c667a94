#!/usr/bin/env python3
# scripts/reference/scenarios/llm_lab.py — an LLM laboratory: 10 nodes of eight H200 under two leaf switches, A10 nodes of shards, whole-node jobs, MaxNodes by QOS, preemption by partition with grace, a FLEX reservation for one run, nodes that fail and return, jobs that are made smaller and moved, bf_one_resv_per_job, PreemptExemptTime, a QOS of the partition with OverPartQOS.
from scenario import Scenario, main

CONF = """\
SchedulerType=sched/backfill
SchedulerParameters=bf_continue,bf_interval=60,bf_window=10080,bf_resolution=600,bf_max_job_test=1000,bf_one_resv_per_job,default_queue_depth=1000,sched_interval=60,max_rpc_cnt=150,nohold_on_prolog_fail,enable_user_top
SelectType=select/cons_tres
SelectTypeParameters=CR_CPU_Memory
TopologyPlugin=topology/tree
GresTypes=gpu,shard
EnforcePartLimits=YES
JobRequeue=1
CompleteWait=10
DefMemPerCPU=4000
PreemptType=preempt/partition_prio
PreemptMode=REQUEUE
PriorityType=priority/multifactor
PriorityFlags=MAX_TRES,SMALL_RELATIVE_TO_TIME,NO_FAIR_TREE
FairShareDampeningFactor=5
PriorityWeightAge=5000
PriorityWeightFairshare=10000
PriorityWeightJobSize=1000
PriorityWeightPartition=2000
PriorityWeightQOS=10000
PriorityMaxAge=2-0
PriorityDecayHalfLife=7-0
PriorityCalcPeriod=5
AccountingStorageTRES=gres/gpu,gres/gpu:h200,gres/shard
AccountingStorageEnforce=associations,limits,qos
NodeName=gpu[01-10] Sockets=2 CoresPerSocket=32 ThreadsPerCore=1 RealMemory=2000000 Gres=gpu:h200:8 Feature=h200 Weight=100
NodeName=inf[1-3] Sockets=1 CoresPerSocket=32 ThreadsPerCore=1 RealMemory=256000 Gres=gpu:a10:4,shard:40 Feature=a10 Weight=10
NodeName=cpu[1-4] Sockets=2 CoresPerSocket=32 ThreadsPerCore=1 RealMemory=512000 Weight=1
PartitionName=batch Nodes=gpu[01-10] Default=YES MaxTime=7-0 DefaultTime=120 PriorityTier=10 DefCpuPerGPU=8 DefMemPerGPU=240000 State=UP
PartitionName=interactive Nodes=gpu[09-10],inf[1-3] MaxTime=04:00:00 DefaultTime=60 PriorityTier=30 MaxNodes=1 DefCpuPerGPU=4 QOS=pint State=UP
PartitionName=infer Nodes=inf[1-3] MaxTime=1-0 DefaultTime=60 PriorityTier=10 QOS=pinf State=UP
PartitionName=data Nodes=cpu[1-4],inf[1-3] MaxTime=1-0 DefaultTime=60 PriorityTier=10 MaxCPUsPerNode=48 State=UP
PartitionName=spot Nodes=gpu[01-10],inf[1-3] MaxTime=1-0 DefaultTime=60 PriorityTier=1 GraceTime=120 DefCpuPerGPU=8 DefMemPerGPU=200000 State=UP
"""
GRES = "NodeName=gpu[01-10] Name=gpu Type=h200 File=/dev/nvidia[0-3] Cores=0-31\nNodeName=gpu[01-10] Name=gpu Type=h200 File=/dev/nvidia[4-7] Cores=32-63\nNodeName=inf[1-3] Name=gpu Type=a10 File=/dev/nvidia[0-3]\nNodeName=inf[1-3] Name=shard Count=40\n"
TOPOLOGY = "SwitchName=leaf1 Nodes=gpu[01-05]\nSwitchName=leaf2 Nodes=gpu[06-10]\nSwitchName=leaf3 Nodes=inf[1-3],cpu[1-4]\nSwitchName=spine Switches=leaf[1-3]\n"
ACCOUNTS = """\
add account pretrain Fairshare=60 GrpTRES=gres/gpu=64
add account post Fairshare=30 GrpTRES=gres/gpu=40
add account eval Fairshare=10 MaxTRES=gres/gpu=8
add qos pint MaxTRESPU=gres/gpu=4 MaxJobsPU=3
add qos pinf GrpTRES=gres/shard=100
add qos flagship Priority=1000 MaxJobsPU=1 MaxTRESPU=node=8
add qos small Priority=50 MaxTRESPerJob=node=2 MaxTRESPU=gres/gpu=24
modify qos normal set Priority=100 MaxTRESPU=gres/gpu=48
add user pia,paul,pete Account=pretrain
add user posy,park Account=post
add user evan,esme Account=eval
modify user pia,paul,pete,posy,park,evan,esme set qos=normal,small defaultqos=normal
modify user pia,paul set qos+=flagship
"""
USERS = ("pia", "paul", "pete", "posy", "park", "evan", "esme")


def draw(rng):
    kind = rng.random()
    if kind < 0.34:
        nodes = rng.choice((1, 1, 1, 2, 2, 3, 4, 6))
        words = rng.choice((f"-N{nodes} --gpus-per-node=8", f"-N{nodes} --gres=gpu:h200:8 --ntasks-per-node=8", f"-N{nodes} --exclusive --gres=gpu:8 --mem=0", f"-G {8 * nodes} -N{nodes} -n{8 * nodes}", f"-n{8 * nodes} --gpus-per-task=1 --ntasks-per-node=8", f"-N{nodes} --gpus-per-node=8 -c8 --ntasks-per-node=8", f"-G {8 * nodes}"))
        words += rng.choice(("", "", "", " --switches=1", " --switches=1@10", " --requeue"))
        share = nodes / 10
    elif kind < 0.52:
        gpus = rng.choice((1, 1, 2, 2, 4, 4))
        words, share = rng.choice((f"-G {gpus}", f"--gres=gpu:{gpus}", f"-n{gpus} --gpus-per-task=1", f"-N1 -G {gpus} -c{8 * gpus}", f"-N2 --gpus-per-node={gpus}", f"-G {gpus} --mem-per-gpu=100G", f"--gpus-per-socket={gpus} --sockets-per-node=1")), gpus / 70
    elif kind < 0.64:
        words, share = "-p interactive " + rng.choice(("-G 1", "-G 2 --cpus-per-gpu=6", "--gres=gpu:a10:1", "--gres=gpu:h200:1 --mem=100G", "--gres=shard:10 -c4", "-c4", "--gres=shard:5 --mem=16G")) + f" -t {rng.choice((15, 30, 60))}", 0.02
    elif kind < 0.74:
        words, share = "-p infer " + rng.choice(("--gres=shard:10 -c2", "--gres=shard:20 -c4", "--gres=gpu:a10:1 -c8 --mem=32G", "--gres=shard:5", "-G 2 -c8", "--gres=shard:8 -a 1-4%2")), 0.03
    elif kind < 0.84:
        words, share = "-p data " + rng.choice(("-c48", "-n32", "-n8 --mem=200G", "-c16 -a 1-8%4", "-n96 -N2", "-n1 -c24")), 0.03
    else:
        words, share = "-p spot " + rng.choice(("-N1 --gpus-per-node=8", "-G 4", "-G 1", "-N2 --gpus-per-node=8", "--gres=gpu:h200:2 -c16", "--gres=gpu:a10:2", "-p spot,batch -G 4", "-G 8 -N1 --exclusive", "-G 1 -a 1-8%4")), 0.1
    extra = rng.random()
    if " -p" not in words and not words.startswith("-p"):
        words += rng.choice(("", "", "", " --qos=small", " --qos=flagship"))
    if extra < 0.07 and " -a" not in words:
        return f"{words} -a {rng.choice(('1-4', '1-6%2', '1-3%1'))}", share * 4
    if extra < 0.16:
        words += f" -d {rng.choice(('afterok', 'afterany', 'singleton -J run', 'afternotok'))}"
        words = words if "singleton" in words else words + f":@{rng.randint(1, 4)}"
    elif extra < 0.24:
        words += rng.choice((" --nice=1000", " --no-requeue", " --begin=now+10minutes", " --reservation=big", " --reservation=big", " -x gpu01", " --time-min=10", " --no-kill"))
    return words, share, 1 if rng.random() < 0.06 else 0


EVENTS = ((600, "scontrol create reservation ReservationName=big Users=pia,posy StartTime=now+1800 Duration=45 Nodes=gpu[06-09] Flags=FLEX"), (1100, "scontrol update NodeName=gpu03 State=DOWN Reason=xid79"), (1900, "scontrol update NodeName=gpu03 State=RESUME"), (2300, "scontrol update NodeName=gpu07 State=DRAIN Reason=ib"),
          (3100, "scontrol update NodeName=gpu07 State=RESUME"), (3300, "scontrol update JobId={j80} NumNodes=1"), (3800, "scontrol update NodeName=gpu[01-02] State=DOWN Reason=pdu"), (4400, "scontrol update NodeName=gpu[01-02] State=RESUME"), (4700, "scontrol update JobId={j112} Partition=spot"), (5000, "scontrol top {j118}"),
          (5300, "sacctmgr -i modify qos normal set MaxTRESPU=gres/gpu=32"), (5800, "scontrol update NodeName=inf2 State=FAIL Reason=fan"), (6400, "scontrol update NodeName=inf2 State=RESUME"))
EVENTS += ((10200, "scancel -t PENDING"),)  # what can never start, or not before tomorrow
main(Scenario(261132, CONF, draw, accounts=ACCOUNTS, gres_conf=GRES, topology_conf=TOPOLOGY, jobs=170, window=7200, load=1.15, users=USERS, events=EVENTS))
