#!/usr/bin/env python3
# scripts/reference/scenarios/robotics.py — a robotics lab: CPUs counted without memory (CR_CPU), simulators on GPUs of three makes with AND/OR/XOR features, tiers that requeue, suspended CPU jobs, MaxMemPerNode, ExclusiveUser, --exclusive=user, hold and release, node failures.
from scenario import ENFORCED, Scenario, main

CONF = f"""\
SchedulerType=sched/backfill
SchedulerParameters=bf_interval=30,bf_max_job_assoc=15,bf_max_time=20,bf_busy_nodes,pack_serial_at_end,preempt_youngest_first,default_queue_depth=70
SelectType=select/cons_tres
SelectTypeParameters=CR_CPU
GresTypes=gpu
PreemptType=preempt/partition_prio
PreemptMode=SUSPEND,GANG
PriorityType=priority/multifactor
PriorityFlags=DEPTH_OBLIVIOUS,SMALL_RELATIVE_TO_TIME
PriorityWeightAge=1500
PriorityWeightFairshare=6000
PriorityWeightJobSize=800
PriorityWeightPartition=1000
PriorityMaxAge=0-4
PriorityDecayHalfLife=0-3
PriorityCalcPeriod=1
AccountingStorageTRES=gres/gpu
{ENFORCED}
NodeName=r[1-4] Sockets=1 CoresPerSocket=16 ThreadsPerCore=2 RealMemory=128000 Gres=gpu:rtx4090:2 Feature=rtx,ada,sim Weight=10
NodeName=q[1-3] Sockets=2 CoresPerSocket=12 ThreadsPerCore=2 RealMemory=256000 Gres=gpu:a6000:4 Feature=ampere,sim,nvlink Weight=20
NodeName=k[1-5] Sockets=2 CoresPerSocket=10 ThreadsPerCore=1 RealMemory=96000 Feature=cpu Weight=5
PartitionName=learn Nodes=r[1-4],q[1-3] Default=YES MaxTime=2-0 DefaultTime=60 State=UP PriorityTier=4 DefCpuPerGPU=4 OverSubscribe=NO PreemptMode=OFF PriorityJobFactor=20
PartitionName=spare Nodes=r[1-4],q[1-3],k[1-5] MaxTime=1-0 DefaultTime=60 State=UP PriorityTier=1 PreemptMode=REQUEUE
PartitionName=plan Nodes=k[1-5] MaxTime=1-0 DefaultTime=60 State=UP PriorityTier=3 OverSubscribe=FORCE:1
PartitionName=slow Nodes=k[1-5] MaxTime=2-0 DefaultTime=60 State=UP PriorityTier=2 OverSubscribe=FORCE:1 PreemptMode=SUSPEND
PartitionName=robot Nodes=r4,q3 MaxTime=01:00:00 DefaultTime=10 State=UP PriorityTier=8 ExclusiveUser=YES MaxMemPerNode=64000 PreemptMode=OFF
"""
GRES = "NodeName=r[1-4] Name=gpu Type=rtx4090 File=/dev/nvidia[0-1]\nNodeName=q[1-3] Name=gpu Type=a6000 File=/dev/nvidia[0-1] Cores=0-11\nNodeName=q[1-3] Name=gpu Type=a6000 File=/dev/nvidia[2-3] Cores=12-23\n"
USERS = ("ada", "abe", "bea", "ben", "cal", "cyd")


def draw(rng):
    kind = rng.random()
    if kind < 0.42:
        gpus = rng.choice((1, 1, 2, 2, 4))
        words = rng.choice((f"--gres=gpu:{gpus if gpus < 4 else 2}", f"-G {gpus} -c4", f"--gpus={gpus}", f"-n{gpus} --gpus-per-task=1 -c3", f"-N2 --gpus-per-node={min(gpus, 2)} -n4", f"-C 'rtx|ampere' -G {gpus}", f"-C 'sim&nvlink' --gres=gpu:{gpus}", f"-C '[rtx|ampere]' -N2 --gpus-per-node=1", f"--gres=gpu:a6000:{gpus} --gres-flags=enforce-binding", f"-n{2 * gpus} -G {gpus} --ntasks-per-gpu=2"))
        words = f"-p {rng.choice(('learn', 'learn', 'learn', 'spare', 'learn,spare'))} {words}"
        share = gpus / 22
    elif kind < 0.6:
        cpus = rng.choice((2, 4, 8, 20, 24, 40))
        words, share = f"-p spare {rng.choice((f'-n{cpus}', f'-c{min(cpus, 20)}', f'-N2 -n{cpus}', f'-n{cpus} --ntasks-per-core=1', f'-n{cpus} --threads-per-core=1'))}", cpus / 500
    elif kind < 0.92:
        cpus = rng.choice((1, 4, 10, 20, 40))
        words, share = f"-p {rng.choice(('plan', 'slow', 'slow'))} {rng.choice((f'-n{cpus}', f'-c{min(cpus, 20)}', f'-N{max(1, cpus // 20)} -n{cpus}', f'-N1-3 -n{cpus}', '-N1 --exclusive', '-n2 --exclusive=user'))}", cpus / 250
    else:
        words, share = f"-p robot {rng.choice(('-G 1 -c4', '--gres=gpu:1', '-c8 --mem=32G', '-n4'))} -t {rng.choice((5, 10, 15))}", 0.01
    extra = rng.random()
    if extra < 0.07:
        return f"{words} -a 1-{rng.choice(('4', '8%3'))}", share * 5
    if extra < 0.11:
        words += f" -d {rng.choice(('afterok', 'afterany', 'afternotok'))}:@{rng.randint(1, 4)}"
    elif extra < 0.15:
        words += rng.choice((" --nice=250", " --begin=now+600", " -H", " -w k2" if "plan" in words or "slow" in words else " -x q1"))
    return words, share, 1 if rng.random() < 0.05 else 0


EVENTS = ((2500, "scontrol update NodeName=q2 State=DRAIN Reason=nvlink"), (3600, "scontrol update NodeName=q2 State=RESUME"), (3000, "scontrol update PartitionName=spare State=INACTIVE"), (3400, "scontrol update PartitionName=spare State=UP"),
          (4200, "scontrol update NodeName=k4 State=DOWN Reason=psu"), (5000, "scontrol update NodeName=k4 State=RESUME"), (5500, "scontrol suspend {j95}"), (6200, "scontrol resume {j95}"))
main(Scenario(261105, CONF, draw, gres_conf=GRES, jobs=190, window=9000, load=1.15, users=USERS, events=EVENTS))
