#!/usr/bin/env python3
# scripts/reference/scenarios/forecast.py — an operational forecast: whole-node MPI under topology/tree, a MAGNETIC reservation each day, tiers that cancel after grace, usage reset daily, bf_window_linear, heterogeneous jobs, post-processing on GPU nodes.
from scenario import ENFORCED, Scenario, main

CONF = f"""\
SchedulerType=sched/backfill
SchedulerParameters=bf_continue,bf_interval=30,bf_window=2880,bf_resolution=180,bf_window_linear=60,bf_max_job_test=100,bf_max_job_start=6,max_switch_wait=300,bf_hetjob_prio=avg,reduce_completing_frag
SelectType=select/cons_tres
SelectTypeParameters=CR_CPU_Memory,CR_CORE_DEFAULT_DIST_BLOCK
TopologyPlugin=topology/tree
GresTypes=gpu
CompleteWait=20
PreemptType=preempt/partition_prio
PreemptMode=CANCEL
PreemptExemptTime=00:03:00
PriorityType=priority/multifactor
PriorityFlags=NO_FAIR_TREE,CALCULATE_RUNNING
PriorityUsageResetPeriod=DAILY
PriorityDecayHalfLife=0
PriorityWeightAge=2000
PriorityWeightFairshare=4000
PriorityWeightJobSize=2500
PriorityWeightPartition=1500
PriorityWeightQOS=1000
PriorityMaxAge=0-12
PriorityCalcPeriod=2
AccountingStorageTRES=gres/gpu
{ENFORCED}
NodeName=w[01-12] Sockets=2 CoresPerSocket=24 ThreadsPerCore=2 RealMemory=256000 Feature=mpi
NodeName=v[1-3] Sockets=2 CoresPerSocket=16 ThreadsPerCore=2 RealMemory=512000 Gres=gpu:rtx6000:4 Feature=viz Weight=30
PartitionName=oper Nodes=w[01-12] MaxTime=03:00:00 DefaultTime=60 State=UP PriorityTier=10 OverSubscribe=EXCLUSIVE AllowAccounts=oper PreemptMode=OFF PriorityJobFactor=100
PartitionName=research Nodes=w[01-12] Default=YES MaxTime=1-0 DefaultTime=60 State=UP PriorityTier=5 OverSubscribe=EXCLUSIVE MaxNodes=8 GraceTime=60
PartitionName=post Nodes=v[1-3],w[11-12] MaxTime=06:00:00 DefaultTime=30 State=UP PriorityTier=3 DefMemPerCPU=2000 DefCpuPerGPU=8
"""
GRES = "NodeName=v[1-3] Name=gpu Type=rtx6000 File=/dev/nvidia[0-1] Cores=0-15\nNodeName=v[1-3] Name=gpu Type=rtx6000 File=/dev/nvidia[2-3] Cores=16-31\n"
TOPOLOGY = "SwitchName=l1 Nodes=w[01-04]\nSwitchName=l2 Nodes=w[05-08]\nSwitchName=l3 Nodes=w[09-12]\nSwitchName=l4 Nodes=v[1-3]\nSwitchName=top Switches=l[1-4]\n"
ACCOUNTS = """\
add account oper Fairshare=parent
add account ocean Fairshare=40 GrpJobs=12
add account climate Fairshare=60
add account land Parent=climate Fairshare=50
add account ice Parent=climate Fairshare=50 GrpTRES=node=6
add user ops Account=oper
add user otto,olga Account=ocean
add user liam,lena Account=land
add user ivan Account=ice
add qos debug Priority=500 MaxWall=30 MaxTRESPerUser=node=2 MaxJobsPerUser=2
modify user otto,olga,liam,lena,ivan set qos=normal,debug defaultqos=normal
"""
USERS = ("otto", "olga", "liam", "lena", "ivan", "otto", "lena")


def draw(rng):
    kind = rng.random()
    if kind < 0.55:
        nodes = rng.choice((1, 1, 2, 2, 2, 3, 4, 4, 6, 8))
        words = rng.choice((f"-N{nodes}", f"-N{nodes} --ntasks-per-node=48", f"-N{nodes} --ntasks-per-node=24 -c4", f"-n{96 * nodes}", f"-N{nodes} --hint=nomultithread -n{48 * nodes}", f"-N {nodes}-{nodes + 2}", f"-N{nodes} --ntasks-per-core=1 -n{40 * nodes}"))
        words += rng.choice(("", "", "", " --switches=1" if nodes < 5 else "", " --switches=1@4", " --contiguous", " --qos=debug -t 20" if nodes < 3 else "", " -m cyclic"))
        share = nodes / 12.5
    elif kind < 0.9:
        gpus = rng.choice((1, 1, 2, 4))
        cpus = rng.choice((1, 2, 4, 8, 16, 32))
        words = "-p post " + rng.choice((f"-n{cpus}", f"-c{cpus}", f"--gres=gpu:{gpus}", f"-G {gpus} -n{gpus}", f"-n{cpus} --mem=30G", f"-C viz -n{cpus}", f"-G {gpus} --cpus-per-gpu=4", f"-N2 -n{2 * cpus}"))
        share = cpus / 800 + (gpus / 70 if "gpu" in words or "-G" in words else 0)
    else:
        nodes = rng.choice((1, 2, 3))
        words, share = f"-N{nodes} -t 40 : -p post -n4 --gres=gpu:1 -t 40", nodes / 12.5
    extra = rng.random()
    if extra < 0.05 and " : " not in words:
        return f"{words} -a 1-{rng.choice(('3', '6%2'))}", share * 4
    if extra < 0.12 and " : " not in words:
        words += f" -d {rng.choice(('afterok', 'afterany'))}:@{rng.randint(1, 3)}"
    elif extra < 0.15 and " : " not in words:
        words += rng.choice((" --nice=300", " --begin=now+500"))
    return words, share, 1 if rng.random() < 0.03 else 0


class Cycles(Scenario):
    """Beside the others' jobs, a forecast each 30 minutes: a run of six nodes, then its products."""

    def rows(self):
        table = super().rows()
        for cycle, at in enumerate(range(1200, 9000, 1800)):
            table += [(f"{at}.4", "ops", 700, "-p oper -N6 --ntasks-per-node=48 -t 20", 0, f"run{cycle}"), (f"{at + 2}.1", "ops", 200, f"-p post -A oper -n16 -d afterok:{{run{cycle}}} -t 10", 0, f"products{cycle}")]
        return sorted(table, key=lambda row: float(row[0]))


EVENTS = ((30, "scontrol create reservation ReservationName=run00 Accounts=oper StartTime=now+4500 Duration=30 NodeCnt=6 PartitionName=oper Flags=MAGNETIC,DAILY,IGNORE_JOBS"), (2600, "scontrol update NodeName=w07 State=DRAIN Reason=dimm"), (3900, "scontrol update NodeName=w07 State=RESUME"),
          (5600, "scontrol update PartitionName=research MaxNodes=4"), (7000, "scontrol update PartitionName=research MaxNodes=8"))
main(Cycles(261103, CONF, draw, accounts=ACCOUNTS, gres_conf=GRES, topology_conf=TOPOLOGY, jobs=150, window=9000, load=1.0, users=USERS, events=EVENTS))
