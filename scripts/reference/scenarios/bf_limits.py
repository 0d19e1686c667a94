#!/usr/bin/env python3
# scripts/reference/scenarios/bf_limits.py — shallow loops: twenty jobs a cycle, few starts a cycle, a main loop that looks at ten jobs.
from scenario import ENFORCED, FAIR_SHARE, Scenario, main

CONF = f"""\
SchedulerType=sched/backfill
SchedulerParameters=bf_interval=45,bf_max_job_test=20,bf_max_job_start=3,bf_max_job_part=15,default_queue_depth=10,sched_interval=30,partition_job_depth=8
SelectType=select/cons_tres
SelectTypeParameters=CR_Core_Memory
{FAIR_SHARE}{ENFORCED}
NodeName=c[01-10] Sockets=2 CoresPerSocket=8 ThreadsPerCore=1 RealMemory=64000
PartitionName=short Nodes=c[01-10] MaxTime=60 State=UP PriorityJobFactor=5
PartitionName=long Nodes=c[03-10] Default=YES MaxTime=1-0 State=UP
"""


def draw(rng):
    if rng.random() < 0.25:
        return f"-p short -n{rng.choice((1, 2, 4))} --mem-per-cpu=2000 -t {rng.choice((10, 20, 30))}", 2 / 160
    if rng.random() < 0.2:
        nodes = rng.choice((2, 3, 4))
        return f"-N{nodes} --exclusive --mem=0", nodes / 10
    tasks = rng.choice((2, 4, 4, 8, 8, 16, 24))
    return f"-n{tasks} --mem-per-cpu={rng.choice((1000, 2000, 4000))}", tasks / 160


main(Scenario(1202, CONF, draw, jobs=125, load=1.3))
