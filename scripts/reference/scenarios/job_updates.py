#!/usr/bin/env python3
# scripts/reference/scenarios/job_updates.py — what users and admins do to jobs that wait or run, and to partitions.
import random
from dataclasses import dataclass

from scenario import ACCOUNTS, ENFORCED, FAIR_SHARE, USERS, Scenario, main

CONF = f"""\
SchedulerType=sched/backfill
SchedulerParameters=bf_interval=30
SelectType=select/cons_tres
SelectTypeParameters=CR_Core_Memory
DefMemPerCPU=1000
PriorityWeightQOS=5000
PriorityWeightPartition=1000
{FAIR_SHARE}{ENFORCED}
NodeName=u[1-8] Sockets=2 CoresPerSocket=8 ThreadsPerCore=1 RealMemory=64000
PartitionName=batch Nodes=ALL Default=YES MaxTime=1-0 State=UP PriorityJobFactor=1
PartitionName=short Nodes=u[1-3] MaxTime=60 State=UP PriorityJobFactor=5
"""
QOS = f"""\
add qos up Priority=100
add qos few Priority=10 MaxJobsPerUser=3
modify user {','.join(USERS)} set qos=up,few defaultqos=few
"""
# (seconds after the submission, what): most find the job waiting, some running, a few over.
KINDS = (
    (300, "scontrol update JobId={} TimeLimit=10"), (300, "scontrol update JobId={} TimeLimit=+30"),
    (200, "scontrol update JobId={} QOS=up"), (200, "scontrol update JobId={} Partition=batch,short"),
    (400, "scontrol update JobId={} Nice=-3000"), (400, "scontrol update JobId={} Priority=9000"),
    (300, "scontrol update JobId={} NumNodes=1"), (300, "scontrol update JobId={} NumCPUs=4"),
    (60, "scontrol update JobId={} StartTime=now+30minutes"), (60, "scontrol update JobId={} Features="),
    (900, "scontrol requeue {}"), (900, "scontrol requeuehold {}"), (900, "scontrol suspend {}"), (100, "scontrol hold {}"),
    (600, "scancel {}"), (300, "scontrol top {}"), (300, "scontrol update JobId={} ReqNodeList=u2"),
)  # fmt: skip
UNDONE = {"suspend": "scontrol resume {}", "hold": "scontrol release {}", "requeuehold": "scontrol release {}"}
OF_ALL = (
    (2600, "scontrol update PartitionName=short State=DOWN"), (3800, "scontrol update PartitionName=short State=UP"),
    (4200, "scontrol update PartitionName=batch State=DRAIN"), (4500, "scontrol update PartitionName=batch State=UP"),
    (7000, "scontrol update PartitionName=short MaxTime=30"),
)  # fmt: skip


@dataclass
class Updates(Scenario):
    """Nearly every second job is touched; the events are drawn by a stream of their own."""

    def write(self, folder):
        rng, events = random.Random(self.seed + 1), list(OF_ALL)
        for at, *_, name in self.rows():
            if rng.random() < 0.45:
                after, what = rng.choice(KINDS)
                at = float(at) + 20 + rng.uniform(0.3, 1.5) * after
                events.append((round(at), what.format(f"{{{name}}}")))
                if undone := UNDONE.get(what.split()[1]):
                    events.append((round(at + rng.uniform(300, 1200)), undone.format(f"{{{name}}}")))
        self.events = tuple(sorted(events))
        super().write(folder)


def draw(rng):
    tasks = rng.choice((2, 4, 4, 8, 8, 16, 32))
    words = f"-n{tasks}" + rng.choice(("", "", " --qos=up", " -p short -t 60"))
    return words, tasks / 128


main(Updates(5909, CONF, draw, accounts=ACCOUNTS + QOS, jobs=105, load=1.3))
