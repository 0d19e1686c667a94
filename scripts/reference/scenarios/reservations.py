#!/usr/bin/env python3
# scripts/reference/scenarios/reservations.py — FLEX, MAGNETIC, MAINT, by count and by cores: who may use which nodes, and when.
from scenario import ENFORCED, FAIR_SHARE, Scenario, main

CONF = f"""\
SchedulerType=sched/backfill
SchedulerParameters=bf_interval=30
SelectType=select/cons_tres
SelectTypeParameters=CR_Core_Memory
DefMemPerCPU=1000
ResvOverRun=5
{FAIR_SHARE}{ENFORCED}
NodeName=v[1-8] Sockets=2 CoresPerSocket=8 ThreadsPerCore=1 RealMemory=64000
PartitionName=batch Nodes=ALL Default=YES MaxTime=1-0 State=UP
PartitionName=part Nodes=v[5-8] MaxTime=1-0 State=UP
"""
NEW = "scontrol create reservation ReservationName="
EVENTS = (
    (10, f"{NEW}flex StartTime=now+40minutes Duration=90 Accounts=red Nodes=v[1-2] Flags=FLEX,IGNORE_JOBS"),
    (12, f"{NEW}magnet StartTime=now+20minutes Duration=90 Users=bea,ben Nodes=v3 Flags=MAGNETIC,IGNORE_JOBS"),
    (14, f"{NEW}course StartTime=now+30minutes Duration=80 Accounts=blue NodeCnt=2 Flags=IGNORE_JOBS"),
    (1500, f"{NEW}late StartTime=now+60minutes Duration=40 Users=ada NodeCnt=1"),
    (3000, f"{NEW}upkeep StartTime=now+45minutes Duration=30 Users=root Nodes=v[7-8] Flags=MAINT,IGNORE_JOBS"),
    (4200, "scontrol update ReservationName=late Duration=60"),
    (7700, f"{NEW}half StartTime=now Duration=45 Users=cal,cyd CoreCnt=8 Nodes=v7 Flags=IGNORE_JOBS"),
    (7900, f"{NEW}pull StartTime=now+5minutes Duration=50 Accounts=green Nodes=v[1-2] Flags=MAGNETIC,FLEX,IGNORE_JOBS"),
    (9600, "scontrol delete ReservationName=pull"),
)


def draw(rng):
    tasks = rng.choice((2, 4, 8, 8, 16, 16, 32))
    words = f"-n{tasks}"
    kind = rng.random()
    if kind < 0.12:
        words += " -A red --reservation=flex"
    elif kind < 0.22:
        words += " -A blue --reservation=course"
    elif kind < 0.32:
        words += " -p part"
    return words, tasks / 128


class Members(Scenario):
    """Who names a reservation belongs to its account."""

    def rows(self):
        table = super().rows()
        owners = {"-A red": "ada", "-A blue": "cal"}
        owner = lambda words, user: next((of for part, of in owners.items() if part in words), user)
        return [(at, owner(words, user), time, words, *rest) for at, user, time, words, *rest in table]


main(Members(5505, CONF, draw, jobs=110, load=1.1, events=EVENTS))
