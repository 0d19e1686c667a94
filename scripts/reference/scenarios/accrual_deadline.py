#!/usr/bin/env python3
# scripts/reference/scenarios/accrual_deadline.py — limits on who gains age, and jobs with a deadline, a begin time or a least time.
from scenario import ACCOUNTS, ENFORCED, USERS, Scenario, main

CONF = f"""\
SchedulerType=sched/backfill
SchedulerParameters=bf_interval=30
SelectType=select/cons_tres
SelectTypeParameters=CR_Core_Memory
PriorityType=priority/multifactor
PriorityWeightAge=20000
PriorityWeightFairshare=5000
PriorityWeightQOS=2000
PriorityMaxAge=0-2
PriorityDecayHalfLife=0-4
PriorityCalcPeriod=1
{ENFORCED}
NodeName=c[1-8] Sockets=2 CoresPerSocket=8 ThreadsPerCore=1 RealMemory=64000
PartitionName=batch Nodes=ALL Default=YES MaxTime=1-0 State=UP
"""
LIMITS = f"""\
add qos few Priority=10 MaxJobsAccruePerUser=2
add qos many Priority=10 GrpJobsAccrue=6
modify account blue set GrpJobsAccrue=3
modify user {','.join(USERS)} set qos=few,many defaultqos=few
"""


def draw(rng):
    tasks = rng.choice((2, 4, 4, 8, 8, 16, 32))
    words = f"-n{tasks} --mem-per-cpu=2000" + rng.choice(("", "", " --qos=many"))
    kind = rng.random()
    if kind < 0.12:
        words += f" --deadline=now+{rng.choice((60, 100, 160))}minutes -t {rng.choice((20, 30))}"
    elif kind < 0.24:
        words += f" --begin=now+{rng.choice((5, 20, 45))}minutes"
    elif kind < 0.4:
        words += " --time-min=10 -t 120"
    return words, tasks / 128


main(Scenario(2010, CONF, draw, accounts=ACCOUNTS + LIMITS, jobs=115))
