#!/usr/bin/env python3
# scripts/reference/scenarios/campus_life.py — preempt/qos with a mode of each QOS's own, gang scheduling, arrays, chains, reservations, nodes that are taken away, and an admin.
import random
from dataclasses import dataclass

from scenario import ACCOUNTS, ENFORCED, USERS, Scenario, main

CONF = f"""\
SchedulerType=sched/backfill
SchedulerParameters=bf_interval=40,bf_continue,preempt_reorder_count=2,partition_job_depth=30
SchedulerTimeSlice=90
SelectType=select/cons_tres
SelectTypeParameters=CR_Core_Memory
PreemptType=preempt/qos
PreemptMode=SUSPEND,GANG
PreemptExemptTime=00:02:00
PriorityType=priority/multifactor
PriorityWeightAge=3000
PriorityWeightFairshare=6000
PriorityWeightJobSize=1000
PriorityWeightPartition=2000
PriorityWeightQOS=12000
PriorityMaxAge=0-2
PriorityDecayHalfLife=0-3
PriorityCalcPeriod=1
KillWait=12
OverTimeLimit=1
ResvOverRun=2
DependencyParameters=kill_invalid_depend
MaxArraySize=50
{ENFORCED}
NodeName=c[1-6] Sockets=2 CoresPerSocket=8 ThreadsPerCore=1 RealMemory=64000 Weight=10
NodeName=c[7-9] Sockets=2 CoresPerSocket=12 ThreadsPerCore=1 RealMemory=128000 Weight=20 Feature=big
PartitionName=day Nodes=ALL Default=YES MaxTime=10:00:00 DefMemPerCPU=1500 State=UP OverSubscribe=FORCE:1 PriorityJobFactor=1
PartitionName=wide Nodes=c[4-9] MaxTime=5:00:00 DefMemPerCPU=1500 State=UP OverSubscribe=FORCE:1 PriorityJobFactor=4
PartitionName=solo Nodes=c[1-3] MaxTime=2:00:00 DefMemPerCPU=1500 State=UP OverSubscribe=NO PriorityJobFactor=2
"""
QOS = f"""\
add qos scrap Priority=5 PreemptMode=requeue
add qos trial Priority=10 PreemptMode=cancel GraceTime=45
add qos slow Priority=20
add qos usual Priority=100 Preempt=scrap
add qos fast Priority=400 Preempt=scrap,trial,slow PreemptExemptTime=00:00:30
modify user {','.join(USERS)} set qos=scrap,trial,slow,usual,fast defaultqos=usual
"""
NEW = "scontrol create reservation ReservationName="
OF_ALL = (
    (30, f"{NEW}class StartTime=now+50minutes Duration=60 Accounts=blue NodeCnt=2 PartitionName=wide Flags=IGNORE_JOBS"),
    (1800, f"{NEW}fans StartTime=now+75minutes Duration=25 Users=root Nodes=c[8-9] Flags=MAINT,IGNORE_JOBS"),
    (2400, "scontrol update NodeName=c2 State=DRAIN Reason=disk"), (3900, "scontrol update NodeName=c2 State=RESUME"),
    (3100, "scontrol update NodeName=c5 State=DOWN Reason=psu"), (4700, "scontrol update NodeName=c5 State=RESUME"),
    (5000, "scontrol update ReservationName=class EndTime=now+30minutes"),
    (5600, "scontrol update NodeName=c7 State=FAIL Reason=gpu"), (6900, "scontrol update NodeName=c7 State=RESUME"),
    (6200, "scontrol update PartitionName=solo State=DRAIN"), (6800, "scontrol update PartitionName=solo State=UP"),
    (7300, "scontrol update NodeName=c[3-4] State=DOWN Reason=psu"), (7700, "scontrol update NodeName=c[3-4] State=RESUME"),
)  # fmt: skip
# (seconds after the submission, what, and what undoes it)
KINDS = (
    (700, "scontrol requeue {}", None), (700, "scontrol requeuehold {}", "scontrol release {}"), (80, "scontrol hold {}", "scontrol release {}"),
    (80, "scontrol uhold {}", "scontrol release {}"), (500, "scontrol suspend {}", "scontrol resume {}"), (500, "scancel {}", None),
    (200, "scontrol update JobId={} TimeLimit=20", None), (200, "scontrol update JobId={} QOS=fast", None),
    (150, "scontrol update JobId={} Nice=2000", None), (150, "scontrol update JobId={} Partition=wide", None),
)  # fmt: skip


@dataclass
class CampusLife(Scenario):
    """One job in five is touched by an admin; who names the reservation belongs to its account."""

    def rows(self):
        return [(at, "cal" if "--reservation" in words else user, time, words, *rest)
                for at, user, time, words, *rest in super().rows()]

    def write(self, folder):
        rng, events = random.Random(self.seed + 1), list(OF_ALL)
        for at, *_, name in self.rows():
            if rng.random() < 0.2:
                after, what, undone = rng.choice(KINDS)
                at = float(at) + 15 + rng.uniform(0.3, 1.5) * after
                events.append((round(at), what.format(f"{{{name}}}")))
                if undone:
                    events.append((round(at + rng.uniform(200, 900)), undone.format(f"{{{name}}}")))
        self.events = tuple(sorted(events))
        super().write(folder)


def draw(rng):
    qos = rng.choice(("scrap", "scrap", "trial", "slow", "slow", "slow", "usual", "usual", "usual", "fast"))
    tasks = rng.choice((1, 2, 4, 4, 8, 8, 16, 24))
    where = rng.choice(("day", "day", "day", "wide", "solo -t 90"))
    words, share = f"--qos={qos} -p {where} -n{tasks} --mem-per-cpu={rng.choice((800, 1500, 3000))}", tasks / 168
    kind, code = rng.random(), rng.choice((0, 0, 0, 0, 0, 0, 1))
    if kind < 0.12:
        size = rng.choice((3, 5))
        words, share = f"{words} -a 1-{size}{rng.choice(('', '%1', '%2'))}", share * size
    elif kind < 0.3:
        words += f" --dependency={rng.choice(('afterok:@2', 'afterany:@3', 'afternotok:@1', 'after:@1+3', 'afterany:@2?afterok:@4', 'singleton -J same'))}"
    elif kind < 0.36:
        words += " -A blue --reservation=class -p wide"
    words += rng.choice(("", "", "", "", " --no-requeue", " -C big" if "solo" not in words else ""))
    return words, share, code


main(CampusLife(240711, CONF, draw, accounts=ACCOUNTS + QOS, jobs=150, load=1.15))
