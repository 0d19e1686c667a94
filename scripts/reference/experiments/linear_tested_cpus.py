#!/usr/bin/env python3
# scripts/reference/experiments/linear_tested_cpus.py — which CPUs the size of a pending job counts under select/linear (priority.md §3.4).
"""Two nodes of 16 CPUs, lighter and of feature x, and two of eight, of feature y; each is held, and a job of a great priority waits before all
others. Printed after three ticks: the CPUs that JOBSIZE tells of the jobs behind it, and whether they are as the text says. Without backfill they
were tested at their submission alone, without passes by estimates, too; last the first job itself, at ticks of both."""
import sys

from lab import Tally, hold, lab

CONF = """\
SelectType={select}
SchedulerType=sched/backfill
SchedulerParameters={parameters}
DefMemPerCPU=10
PriorityType=priority/multifactor
PriorityWeightJobSize=1000000
PriorityCalcPeriod=1
NodeName=a[1-2] Sockets=2 CoresPerSocket=4 ThreadsPerCore=2 RealMemory=16000 Feature=x Weight=1
NodeName=h[1-2] Sockets=2 CoresPerSocket=4 ThreadsPerCore=1 RealMemory=8000 Feature=y Weight=50
PartitionName=cpu Nodes=ALL Default=YES MaxTime=INFINITE State=UP
"""
LINEAR = "select/linear\nSelectTypeParameters=CR_Memory"
CONS = "select/cons_tres\nSelectTypeParameters=CR_Core_Memory"
CPUS, NODES = 48, 4
# (select plugin, SchedulerParameters, when a1, a2, h1, h2 are free, [(options, least nodes, CPUs that the text says)])
CASES = [
    (LINEAR, "bf_interval=-1", (30, 32, 60, 62), [
        ("-N1", 1, 16), ("-N3", 3, 40), ("-n20", 1, 32), ("-N2-4", 2, 48), ("-w h1 -N1", 1, 8), ("-n1", 1, 16),
        ("-x a1 -N2", 2, 24), ("-N1 -C y", 1, 8), ("-N2 -C [y|x]", 2, 16), ("-N1 -n9", 1, 16), ("-a 1-3 -N1", 1, 16)]),
    (CONS, "bf_interval=-1", (30, 32, 60, 62), [("-N1", 1, 1), ("-N3", 3, 3), ("-n20", 1, 20), ("-N1 -C y", 1, 1)]),
    (LINEAR, "sched_interval=-1,bf_interval=30", (130, 132, 60, 62), [("-N1", 1, 8), ("-N1 --mem=12000", 1, 16), ("-N2", 2, 16)]),
    (LINEAR, "sched_interval=-1,bf_interval=30", (30, 32, 60, 62), [
        ("-N2 -C [x|y]", 2, 16), ("-N2 -C [y|x]", 2, 32), ("-N1 --mem=12000 -C [x|y]", 1, 16), ("-N1 -C [x|y]", 1, 8)]),
    (LINEAR, "sched_interval=-1,bf_interval=30", (30, 32, 60, 62), [("-N1 -C [y|x]", 1, 16)]),
]  # fmt: skip


def main():
    tally = Tally()
    for select, parameters, minutes, asked in CASES:
        with lab(CONF.format(select=select, parameters=parameters)) as one:
            hold(one, [f"-w {node} -N1 --exclusive -t {free}" for node, free in zip(("a1", "a2", "h1", "h2"), minutes)])
            one.sub("-N1 --priority=4000000000 -t 10")
            ids = [one.sub(words + " -t 10") for words, _, _ in asked]
            one.rest(190)
            factors = dict(line.split() for line in one.out("sprio -h -o '%i %J'").splitlines())
            for job, (words, nodes, told) in zip(ids, asked):
                counted = round(CPUS * (2 * int(factors[job]) / 1e6 - nodes / NODES))
                tally.note(f"{select.split()[0]:17} {parameters:33} {words:25}", counted, told)
    return tally.close()


if __name__ == "__main__":
    sys.exit(main())
