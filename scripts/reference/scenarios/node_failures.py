#!/usr/bin/env python3
# scripts/reference/scenarios/node_failures.py — nodes crash, fall silent, are set DOWN, FAIL and DRAIN under arrays; ReturnToService=1.
from scenario import ENFORCED, FAIR_SHARE, Scenario, main

CONF = f"""\
SchedulerType=sched/backfill
SchedulerParameters=bf_interval=30
SelectType=select/cons_tres
SelectTypeParameters=CR_Core_Memory
DefMemPerCPU=1000
ReturnToService=1
SlurmdTimeout=300
BatchStartTimeout=60
{FAIR_SHARE}{ENFORCED}
NodeName=f[1-8] Sockets=2 CoresPerSocket=8 ThreadsPerCore=1 RealMemory=64000
PartitionName=batch Nodes=ALL Default=YES MaxTime=1-0 State=UP
"""
EVENTS = (
    (1800, "node crash f3"), (3300, "node boot f3"),  # longer than SlurmdTimeout
    (2600, "node crash f6"), (2750, "node boot f6"),  # back before anyone missed it, without its jobs
    (3000, "scontrol update NodeName=f5 State=DOWN Reason=gpu"), (3900, "scontrol update NodeName=f5 State=RESUME"),
    (3500, "scontrol update NodeName=f6 State=RESUME"),
    (4300, "scontrol update NodeName=f7 State=FAIL Reason=fan"), (6000, "scontrol update NodeName=f7 State=RESUME"),
    (5200, "slurmd down f[1-2]"), (5400, "slurmd up f2"), (6400, "slurmd up f1"),
    (6600, "scontrol update NodeName=f8 State=DRAIN Reason=disk"), (7900, "scontrol update NodeName=f8 State=UNDRAIN"),
    (7200, "node crash f4"), (7260, "slurmd up f4"),  # a slurmd that knows nothing of its jobs, on the same boot
)  # fmt: skip


def draw(rng):
    tasks = rng.choice((1, 2, 4, 8, 8, 16))
    words = f"-n{tasks}"
    share = tasks / 128
    kind = rng.random()
    if kind < 0.2:
        size = rng.choice((3, 4, 6))
        words, share = f"--array=1-{size}" + rng.choice(("", "%2")) + f" {words}", size * share
    elif kind < 0.4:
        words, share = f"-N{rng.choice((2, 3))} --ntasks-per-node=8", 20 / 128
    words += rng.choice(("", "", "", " --no-requeue", " --no-kill"))
    return words, share


main(Scenario(5606, CONF, draw, jobs=75, load=1.0, events=EVENTS))
