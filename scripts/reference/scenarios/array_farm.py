#!/usr/bin/env python3
# scripts/reference/scenarios/array_farm.py — a biology institute of 34 nodes that lives of arrays: %N, chains, aftercorr, LLN in one partition, CR_Pack_Nodes, short main-loop depths, bf_yield, bf_busy_nodes.
from scenario import ENFORCED, Scenario, main

CONF = f"""\
SchedulerType=sched/backfill
SchedulerParameters=bf_continue,bf_interval=30,bf_max_job_test=150,bf_max_job_array_resv=5,bf_busy_nodes,bf_max_time=120,default_queue_depth=25,partition_job_depth=10,sched_interval=30,batch_sched_delay=10,sched_min_interval=3000000,pack_serial_at_end
SelectType=select/cons_tres
SelectTypeParameters=CR_Core_Memory,CR_Pack_Nodes
GresTypes=gpu
DefMemPerCPU=3800
MaxArraySize=2000
PriorityType=priority/multifactor
PriorityWeightAge=500
PriorityWeightFairshare=20000
PriorityWeightPartition=1000
PriorityMaxAge=0-6
PriorityDecayHalfLife=0-6
PriorityCalcPeriod=1
{ENFORCED}
NodeName=s[01-24] Sockets=2 CoresPerSocket=8 ThreadsPerCore=1 RealMemory=64000 Feature=old Weight=1
NodeName=m[01-08] Sockets=2 CoresPerSocket=16 ThreadsPerCore=1 RealMemory=256000 Feature=new Weight=10
NodeName=x[1-2] Sockets=4 CoresPerSocket=12 ThreadsPerCore=1 RealMemory=1500000 Gres=gpu:p100:2 Feature=fat Weight=100
PartitionName=std Nodes=s[01-24],m[01-08] Default=YES MaxTime=2-0 DefaultTime=30 State=UP
PartitionName=spread Nodes=m[01-08] LLN=YES MaxTime=1-0 DefaultTime=30 State=UP
PartitionName=fat Nodes=x[1-2] MaxTime=2-0 DefaultTime=60 State=UP MaxMemPerCPU=32000
PartitionName=quick Nodes=s[01-04],x2 MaxTime=20 State=UP PriorityTier=3
"""
GRES = "NodeName=x[1-2] Name=gpu Type=p100 File=/dev/nvidia[0-1]\n"
ACCOUNTS = """\
add account seq Fairshare=50 GrpTRES=cpu=300
add account prot Fairshare=30
add account eco Fairshare=20 GrpJobs=60
add user uta,ulf,una Account=seq
add user pia,per Account=prot
add user eli,eva Account=eco MaxTRESPerJob=cpu=64
"""
USERS = ("uta", "ulf", "una", "pia", "per", "eli", "eva")


def draw(rng):
    kind = rng.random()
    cpus = rng.choice((1, 1, 1, 2, 4, 8, 16))
    if kind < 0.28:
        count = rng.choice((4, 6, 8, 12, 16))
        words = rng.choice((f"-c{min(cpus, 8)}", f"-n{min(cpus, 8)}", f"-c{min(cpus, 4)} --mem=12G", f"-n1 --mem-per-cpu=8G -c{min(cpus, 4)}", f"-p spread -c{min(cpus, 8)}", f"-p std,spread -c{min(cpus, 8)}"))
        limit = rng.choice(("", "", f"%{rng.choice((1, 2, 4))}", f"%{max(1, count // 2)}"))
        return f"{words} -a 1-{count}{limit}{rng.choice(('', '', ' -d afterany:@1', ' -d afterok:@2'))}", count * min(cpus, 8) / 700, 1 if rng.random() < 0.05 else 0
    if kind < 0.75:
        words, share = rng.choice((f"-n{cpus}", f"-c{cpus}", f"-n{cpus} --mem=16G", f"-N2 -n{2 * cpus}", f"-n{cpus} -C new", f"-n{cpus} -C old", f"-n{2 * cpus} --ntasks-per-node={cpus}", f"-p spread -n{cpus}", f"-p spread -N2 -n{2 * cpus}", f"-N{rng.choice((2, 4))} --exclusive", f"-n{cpus} -C '[old*1&new*1]' -N2" if cpus > 1 else "-n1")), cpus / 700
    elif kind < 0.87:
        words, share = f"-p fat {rng.choice((f'-c{cpus} --mem=200G', '--gres=gpu:1 -c4', '--gres=gpu:p100:2 -c12', f'-n{cpus} --mem-per-cpu=24G', '-n48 -N1'))}", cpus / 200
    else:
        words, share = f"-p quick {rng.choice(('-n1', '-n4', '-c8', '-n20', '--gres=gpu:1'))} -t {rng.choice((3, 10, 20))}", 0.005
    extra = rng.random()
    if extra < 0.14:
        words += f" -d {rng.choice(('afterok', 'afterany', 'after'))}:@{rng.randint(1, 4)}"
    elif extra < 0.18:
        words += rng.choice((" -d singleton", " --nice=2000", " -x s[01-06]", " --begin=now+450"))
    return words, share, 1 if rng.random() < 0.05 else 0


EVENTS = ((1200, "scontrol update NodeName=s[10-12] State=DRAIN Reason=cooling"), (2200, "scontrol update NodeName=s[10-12] State=RESUME"), (2600, "scontrol update JobId={j60} ArrayTaskThrottle=3"), (3300, "scontrol hold {j75}"), (4000, "scontrol release {j75}"), (4600, "scontrol update PartitionName=std MaxNodes=2"), (5600, "scontrol update PartitionName=std MaxNodes=UNLIMITED"), (6000, "scancel -u eli --state=PENDING"))
main(Scenario(515106, CONF, draw, accounts=ACCOUNTS, gres_conf=GRES, jobs=230, window=8400, load=1.2, users=USERS, events=EVENTS))
