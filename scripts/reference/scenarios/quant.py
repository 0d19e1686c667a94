#!/usr/bin/env python3
# scripts/reference/scenarios/quant.py — a trading firm: QOS over one pool with REQUEUE and WITHIN-less peers, deadlines, --begin, --time-min, singletons, CR_Pack_Nodes, L40S with shards and H200 whole, nodes of four sockets, strict order of victims, GrpSubmit and GrpJobs, limits of GPUs by type and node.
from scenario import Scenario, main

CONF = """\
SchedulerType=sched/backfill
SchedulerParameters=bf_interval=15,bf_window=1440,bf_resolution=30,bf_max_job_user=8,bf_max_job_user_part=5,bf_min_prio_reserve=500,bf_running_job_reserve,default_queue_depth=50,sched_interval=20,preempt_strict_order,bf_window_linear=60
SelectType=select/cons_tres
SelectTypeParameters=CR_Core_Memory,CR_Pack_Nodes
GresTypes=gpu,shard
DefMemPerNode=8000
EnforcePartLimits=ALL
PreemptType=preempt/qos
PreemptMode=REQUEUE
PriorityType=priority/multifactor
PriorityFlags=NO_NORMAL_QOS,NO_NORMAL_PART
PriorityFavorSmall=YES
PriorityWeightAge=1000
PriorityWeightFairshare=1000
PriorityWeightPartition=2
PriorityWeightQOS=3
PriorityWeightJobSize=800
PriorityWeightTRES=cpu=100,gres/gpu=400
PriorityMaxAge=0-1
PriorityDecayHalfLife=0-3
PriorityCalcPeriod=1
AccountingStorageTRES=gres/gpu,gres/gpu:h200,gres/gpu:l40s,gres/shard
AccountingStorageEnforce=associations,limits,qos
NodeName=h[1-3] Sockets=2 CoresPerSocket=24 ThreadsPerCore=1 RealMemory=1000000 Gres=gpu:h200:8 Feature=h200 Weight=100
NodeName=s[1-4] Sockets=2 CoresPerSocket=16 ThreadsPerCore=1 RealMemory=256000 Gres=gpu:l40s:4,shard:l40s:32 Feature=l40s Weight=50
NodeName=k[01-10] Sockets=4 CoresPerSocket=8 ThreadsPerCore=1 RealMemory=128000 Feature=cpu,old Weight=10
NodeName=z[1-4] Sockets=2 CoresPerSocket=32 ThreadsPerCore=1 RealMemory=512000 Feature=cpu,zen Weight=20
PartitionName=research Nodes=h[1-3],s[1-4],k[01-10],z[1-4] Default=YES MaxTime=1-0 DefaultTime=60 PriorityJobFactor=10 State=UP
PartitionName=train Nodes=h[1-3] MaxTime=2-0 DefaultTime=120 PriorityJobFactor=50 DefMemPerGPU=60000 DefCpuPerGPU=5 State=UP
PartitionName=backtest Nodes=k[01-10],z[1-4] MaxTime=08:00:00 DefaultTime=30 DefMemPerCPU=2000 MaxMemPerCPU=8000 PriorityJobFactor=20 State=UP
PartitionName=live Nodes=z[1-2],s1 MaxTime=04:00:00 DefaultTime=30 PriorityTier=5 AllowQos=live,eod PriorityJobFactor=100 State=UP
"""
GRES = "NodeName=h[1-3] Name=gpu Type=h200 File=/dev/nvidia[0-3] Cores=0-23\nNodeName=h[1-3] Name=gpu Type=h200 File=/dev/nvidia[4-7] Cores=24-47\nNodeName=s[1-4] Name=gpu Type=l40s File=/dev/nvidia[0-3]\nNodeName=s[1-4] Name=shard Count=32\n"
ACCOUNTS = """\
add account equity Fairshare=40 GrpJobs=30
add account rates Fairshare=30 GrpTRES=gres/gpu:h200=10
add account vol Fairshare=20 MaxTRES=gres/gpu=8,node=4
add account infra Fairshare=10
add qos live Priority=3000 MaxTRESPU=cpu=48
add qos eod Priority=2000 MaxJobsPU=4
add qos dev Priority=800 MaxTRESPU=gres/gpu=2,cpu=32 MaxWall=60
add qos bulk Priority=10 GrpSubmitJobs=40 MaxTRESPA=cpu=300
modify qos normal set Priority=500 MaxTRESPU=gres/gpu:h200=8
modify qos bulk set PreemptExemptTime=00:02:00
modify qos live set Preempt=bulk,normal,dev
modify qos eod set Preempt=bulk,normal
modify qos dev set Preempt=bulk
modify qos normal set Preempt=bulk
add user ella,enzo,eric Account=equity
add user rhea,ravi Account=rates
add user vera,vlad Account=vol
add user iris Account=infra
modify user ella,enzo,eric,rhea,ravi,vera,vlad,iris set qos=normal,dev,bulk,eod,live defaultqos=normal
"""
USERS = ("ella", "enzo", "eric", "rhea", "ravi", "vera", "vlad", "iris")


def draw(rng):
    kind = rng.random()
    if kind < 0.30:
        cpus = rng.choice((4, 8, 16, 32, 32, 64, 128))
        words, share = "-p backtest " + rng.choice((f"-n{cpus}", f"-n{cpus} -N{max(1, cpus // 32)}", f"-n{max(1, cpus // 4)} -c4", f"-n{cpus} --mem-per-cpu=6G", f"-n{cpus} -C zen", f"-n{cpus} --ntasks-per-socket=4", f"-N{max(1, cpus // 16)} --ntasks-per-node=16", f"-n{cpus} -m cyclic", f"-c{min(cpus, 32)} --mem-per-cpu=10G")), cpus / 480
    elif kind < 0.50:
        gpus = rng.choice((1, 2, 4, 8, 8, 16))
        words, share = "-p train " + rng.choice((f"-G {gpus}", f"--gpus-per-node={min(8, gpus)} -N{max(1, gpus // 8)}", f"-n{gpus} --gpus-per-task=1", f"-G {gpus} -N{max(1, gpus // 8)} --ntasks-per-gpu=1", f"--gres=gpu:h200:{min(8, gpus)} -c{2 * min(8, gpus)}", f"-G {gpus} --mem-per-gpu=100G", f"-N1 --gres=gpu:{min(8, gpus)} --mem=200G")), gpus / 20
    elif kind < 0.68:
        words, share = rng.choice(("--gres=shard:4 -c2", "--gres=shard:8 -c4 --mem=16G", "--gres=gpu:l40s:1 -c4", "-G l40s:2 -n2 -c4", "--gres=shard:2 --mem=4G", "-G 4 -C l40s -N1 -n4", "--gres=gpu:l40s:4 -N2 -n8", "-n32 --mem=60G", "--gres=shard:l40s:16 -c8", "-n48 -C 'zen|old'", "-N2 -c16 --exclusive")), 0.04
    elif kind < 0.78:
        words, share = "-p live " + rng.choice(("-n16 --qos=live", "-c8 --qos=eod", "-n32 --qos=eod", "-G 1 -c4 --qos=live", "-n8 --mem=100G --qos=eod", "--gres=gpu:2 --qos=eod -c8")) + f" -t {rng.choice((10, 20, 30))}", 0.05
    else:
        words, share = "--qos=bulk " + rng.choice(("-p backtest -n32", "-p backtest -n64", "-p train -G 2", "-p train --gres=gpu:4", "-c8", "-p backtest -c4 -a 1-10%4", "-G l40s:1", "--gres=shard:4", "-p backtest,research -n40", "-p train,research -G h200:1")), 0.08
    extra = rng.random()
    if "--qos" not in words:
        words += rng.choice(("", "", "", " --qos=dev -t 20", " --qos=eod"))
    if extra < 0.08 and " -a" not in words:
        return f"{words} -a {rng.choice(('1-4', '1-6%2'))}", share * 4
    if extra < 0.17:
        words += f" -d {rng.choice(('afterok', 'afterany', 'afterok', 'afternotok'))}:@{rng.randint(1, 4)}"
    elif extra < 0.28:
        words += rng.choice((" --deadline=now+70minutes", " --begin=now+300", " --time-min=3", " -J pnl -d singleton", " --nice=50", " --no-requeue", " --use-min-nodes", " -x k01,s2"))
    return words, share, 1 if rng.random() < 0.04 else 0


EVENTS = ((1200, "scontrol update NodeName=k07 State=DOWN Reason=psu"), (1500, "scontrol create reservation ReservationName=close Users=ella,rhea StartTime=now+1200 Duration=20 NodeCnt=2 PartitionName=backtest Flags=FLEX,DAILY"), (2100, "scontrol update NodeName=k07 State=RESUME"), (2800, "sacctmgr -i modify qos normal set MaxTRESPU=gres/gpu:h200=5"), (3400, "scontrol update NodeName=h3 State=DRAIN Reason=nvlink"),
          (4200, "scontrol update NodeName=h3 State=RESUME"), (4500, "scontrol requeue {j100}"), (5450, "scontrol update JobId={j130} QOS=eod"), (5700, "scontrol update JobId={j140} TimeLimit=+20"), (5900, "scontrol update PartitionName=backtest MaxTime=60"))
EVENTS += ((10200, "scancel -t PENDING"),)  # what can never start, or not before tomorrow
main(Scenario(261131, CONF, draw, accounts=ACCOUNTS, gres_conf=GRES, jobs=220, window=7200, load=1.1, users=USERS, events=EVENTS))
