#!/usr/bin/env python3
# scripts/reference/scenarios/helpdesk.py — GPU nodes whose admins and users hold, release, requeue, suspend, top, move and shrink jobs and arrays all day, under preempt/qos, QOS limits and a reservation that jobs are moved into.
import random
from dataclasses import dataclass

from scenario import ENFORCED, Scenario, main

CONF = f"""\
SchedulerType=sched/backfill
SchedulerParameters=bf_interval=30,enable_user_top,bf_max_job_test=200,bf_continue,bf_resolution=60
SelectType=select/cons_tres
SelectTypeParameters=CR_CPU_Memory
GresTypes=gpu
DefMemPerCPU=2500
PreemptType=preempt/qos
PreemptMode=REQUEUE
PreemptExemptTime=00:05:00
PriorityType=priority/multifactor
PriorityWeightAge=6000
PriorityWeightFairshare=9000
PriorityWeightQOS=12000
PriorityWeightPartition=2500
PriorityMaxAge=0-6
PriorityDecayHalfLife=0-8
PriorityCalcPeriod=1
AccountingStorageTRES=gres/gpu
{ENFORCED}
NodeName=k[1-5] Sockets=2 CoresPerSocket=14 ThreadsPerCore=1 RealMemory=192000 Feature=old Weight=10
NodeName=q[1-5] Sockets=2 CoresPerSocket=16 ThreadsPerCore=2 RealMemory=384000 Gres=gpu:a40:4 Feature=a40 Weight=30
NodeName=z[1-2] Sockets=2 CoresPerSocket=32 ThreadsPerCore=1 RealMemory=768000 Gres=gpu:h200:8 Feature=h200 Weight=60
PartitionName=main Nodes=k[1-5],q[1-5] Default=YES MaxTime=1-0 DefaultTime=60 PriorityJobFactor=5 State=UP
PartitionName=gpu Nodes=q[1-5],z[1-2] MaxTime=12:00:00 DefaultTime=60 PriorityJobFactor=10 State=UP
PartitionName=express Nodes=k[4-5],q5 MaxTime=60 DefaultTime=15 PriorityTier=3 PriorityJobFactor=20 State=UP
"""
GRES = "NodeName=q[1-5] Name=gpu Type=a40 File=/dev/nvidia[0-3]\nNodeName=z[1-2] Name=gpu Type=h200 File=/dev/nvidia[0-7]\n"
USERS = ("ira", "ivo", "jan", "joy", "kai", "kim", "leo", "lux")
ACCOUNTS = """\
add account math Fairshare=45
add account med Fairshare=35 GrpTRES=gres/gpu=16
add account guests Fairshare=10
add user ira,ivo,jan Account=math
add user joy,kai,kim Account=med
add user leo,lux Account=guests
add qos idle Priority=1
add qos work Priority=50 MaxTRESPerUser=cpu=96
add qos prio Priority=200 MaxJobsPerUser=3
modify qos work set Preempt=idle
modify qos prio set Preempt=idle
modify user ira,ivo,jan,joy,kai,kim,leo,lux set qos=normal,idle,work,prio defaultqos=work
"""
# (seconds after the submission, what)
KINDS = (
    (200, "scontrol hold {}"), (300, "scontrol uhold {}"), (900, "scontrol requeue {}"), (900, "scontrol requeuehold {}"), (700, "scontrol suspend {}"),
    (300, "scontrol top {}"), (400, "scontrol update JobId={} TimeLimit=15"), (600, "scontrol update JobId={} TimeLimit=+20"), (300, "scontrol update JobId={} QOS=prio"),
    (300, "scontrol update JobId={} QOS=idle"), (300, "scontrol update JobId={} Partition=main,gpu"), (300, "scontrol update JobId={} Partition=express TimeLimit=30"), (400, "scontrol update JobId={} Nice=200"),
    (400, "scontrol update JobId={} Priority=25000"), (200, "scontrol update JobId={} StartTime=now+15minutes"), (300, "scontrol update JobId={} NumNodes=1"), (300, "scontrol update JobId={} Features=a40"),
    (300, "scontrol update JobId={} ExcNodeList=k1,q1"), (400, "scontrol update JobId={} MinMemoryCPU=1000"), (400, "scontrol update JobId={} ReservationName=desk"), (500, "scontrol update JobId={} Account=guests"),
    (800, "scancel {}"), (900, "scancel --signal=KILL {}"), (300, "scontrol update JobId={} Requeue=0"), (300, "scontrol update JobId={} TimeMin=5"), (400, "scontrol update JobId={} Gres=gpu:1"),
)  # fmt: skip
UNDONE = {"suspend": "scontrol resume {}", "hold": "scontrol release {}", "uhold": "scontrol release {}", "requeuehold": "scontrol release {}"}
OF_ALL = (
    (900, "scontrol create reservation ReservationName=desk StartTime=now+20minutes Duration=90 Users=ira,ivo,jan,joy,kai,kim,leo,lux Nodes=q3,k3 Flags=IGNORE_JOBS"), (2200, "scontrol update PartitionName=gpu State=DOWN"), (2700, "scontrol update PartitionName=gpu State=UP"),
    (3600, "scontrol update ReservationName=desk Duration=60"), (4100, "scontrol update PartitionName=main MaxTime=8:00:00"), (5000, "scontrol update NodeName=z1 State=DRAIN Reason=cable"), (5700, "scontrol update NodeName=z1 State=RESUME"), (12500, "scancel -t PENDING"),
)  # fmt: skip


@dataclass
class Desk(Scenario):
    """Two of three jobs are touched, some twice; the events are drawn by a stream of their own."""

    def write(self, folder):
        rng, events = random.Random(self.seed + 1), list(OF_ALL)
        for at, *_, name in self.rows():
            for _ in range(rng.choice((0, 1, 1, 1, 2))):
                after, what = rng.choice(KINDS)
                when = float(at) + 15 + rng.uniform(0.2, 1.6) * after
                events.append((round(when), what.format(f"{{{name}}}")))
                if undone := UNDONE.get(what.split()[1]):
                    events.append((round(when + rng.uniform(200, 1200)), undone.format(f"{{{name}}}")))
        self.events = tuple(sorted(events))
        super().write(folder)


def draw(rng):
    kind = rng.random()
    if kind < 0.5:
        cpus = rng.choice((1, 2, 4, 8, 14, 28, 28, 56))
        words, share = rng.choice((f"-n{cpus}", f"-n{cpus} -C old", f"-N{1 + cpus // 28} -n{cpus}", f"-c{min(28, cpus)} --mem=30G", f"-n{cpus} --mem-per-cpu=5000", f"-p express -n{min(16, cpus)} -t {rng.choice((10, 30))}")), cpus / 360
    elif kind < 0.9:
        gpus = rng.choice((1, 1, 1, 2, 2, 4, 4, 8))
        words, share = "-p gpu " + rng.choice((f"--gres=gpu:{min(4, gpus)}", f"-G {gpus} -c2", f"--gres=gpu:a40:{min(4, gpus)} -n4", f"--gres=gpu:h200:{gpus} -n{2 * gpus}", f"-N{max(1, gpus // 4)} --gpus-per-node={min(4, gpus)}", f"-n{gpus} --gpus-per-task=1 -c4")), gpus / 36
    else:
        return f"-n{rng.choice((2, 4, 8))} -a 1-{rng.choice(('4', '6%2', '9%3'))}", 0.08
    words += rng.choice(("", "", "", " --qos=idle", " --qos=idle", " --qos=prio"))
    if rng.random() < 0.08:
        words += f" -d {rng.choice(('afterok', 'afterany'))}:@{rng.randint(1, 4)}"
    return words, share, 1 if rng.random() < 0.04 else 0


main(Desk(330817, CONF, draw, accounts=ACCOUNTS, gres_conf=GRES, jobs=190, window=8400, load=1.4, users=USERS))
