#!/usr/bin/env python3
# scripts/reference/scenarios/node_failures.py — nodes die, are set DOWN, FAIL and DRAIN under arrays; ReturnToService=1.
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
FAILURES = (
    (1800, "f3", "dies"), (3300, "f3", "returns"),  # longer than SlurmdTimeout
    (2600, "f6", "dies"), (2700, "f6", "returns"),  # back before anyone missed it, without its jobs
    (5200, "f1", "dies"), (5210, "f2", "dies"), (6400, "f1", "returns"), (7600, "f2", "returns"),
)  # fmt: skip
EVENTS = (
    (3000, "scontrol update NodeName=f5 State=DOWN Reason=gpu"),
    (3900, "scontrol update NodeName=f5 State=RESUME"),
    (4300, "scontrol update NodeName=f7 State=FAIL Reason=fan"),
    (6000, "scontrol update NodeName=f7 State=RESUME"),
    (6600, "scontrol update NodeName=f8 State=DRAIN Reason=disk"),
    (7900, "scontrol update NodeName=f8 State=UNDRAIN"),
)


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


main(Scenario(5606, CONF, draw, jobs=75, load=1.0, events=EVENTS, failures=FAILURES))
