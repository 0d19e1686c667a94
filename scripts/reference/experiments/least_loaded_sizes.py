#!/usr/bin/env python3
# scripts/reference/experiments/least_loaded_sizes.py — the least loaded of nodes of several sizes and weights (scheduling.md §6.4, rule 3).
"""Two nodes of 8 CPUs and two of 16, of one weight or of two, in a LLN partition. Printed: where jobs of one task begin one after the other, and where
jobs of as many tasks as there are would be planned beside others, and whether that is as the text says: cons_tres takes the greatest part that is free,
cons_res the most CPUs, and plans by them whatever the weight."""
import sys

from lab import Tally, hold, lab, release

CONF = """\
SelectType=select/{select}
SelectTypeParameters=CR_Core_Memory
SchedulerType=sched/backfill
SchedulerParameters=bf_interval=30,bf_resolution=60
DefMemPerCPU=10
PriorityType=priority/multifactor
NodeName=a[1-2] Sockets=2 CoresPerSocket=4 ThreadsPerCore=1 RealMemory=16000 Weight=10
NodeName=b[1-2] Sockets=2 CoresPerSocket=8 ThreadsPerCore=1 RealMemory=16000 Weight={weight}
PartitionName=p Nodes=ALL Default=YES MaxTime=INFINITE State=UP LLN=YES
"""
# (plugin, weight of b, CPUs in use on a1, a2, b1, b2 before, where jobs of `-n1` begin then)
STARTS = [
    ("cons_tres", 10, (0, 0, 0, 0), "a1 a2 b1 b2 b1 b2 a1 a2"),
    ("cons_res", 10, (0, 0, 0, 0), "b1 b2 b1 b2 b1 b2 b1 b2"),
    ("cons_tres", 50, (0, 0, 0, 0), "a1 a2 a1 a2 a1 a2 a1 a2"),
    ("cons_res", 50, (0, 0, 0, 0), "a1 a2 a1 a2 a1 a2 a1 a2"),
    ("cons_tres", 10, (2, 0, 9, 10), "a2 a2 a1 a2"),
    ("cons_res", 10, (2, 0, 9, 10), "a2 a2 b1 a1"),
    ("cons_res", 10, (1, 3, 8, 11), "b1 a1 b1 a1"),
    ("cons_res", 50, (7, 8, 9, 4), "a1 b2 b2 b2"),
]  # fmt: skip
# (plugin, weight of b, CPUs in use for an hour beside others that go in forty minutes, the first planned node of `-n4 -t 30`)
PLANS = [
    ("cons_tres", 10, (4, 2, 10, 8), "a2"),
    ("cons_res", 10, (4, 2, 10, 8), "b2"),
    ("cons_res", 50, (4, 2, 10, 8), "b2"),
    ("cons_tres", 50, (4, 2, 10, 8), "a2"),
    ("cons_res", 50, (4, 0, 8, 9), "a2"),
    ("cons_res", 50, (2, 1, 8, 12), "b1"),
    ("cons_tres", 10, (2, 3, 3, 5), "b1"),
]  # fmt: skip
NODES = (("a1", 8), ("a2", 8), ("b1", 16), ("b2", 16))


def started_on(one, used, count):
    """The nodes of so many jobs of a task, one after the other, beside what is used."""
    ids = hold(one, [f"-w {node} -n{n} -t 900" for (node, _), n in zip(NODES, used) if n])
    for _ in range(count):
        ids.append(one.sub("-n1 -t 900"))
        one.until(lambda: one.job(ids[-1]).get("JobState") == "RUNNING", 30)
    nodes = [one.job(job).get("NodeList") for job in ids[-count:]]
    release(one, ids)
    return " ".join(nodes)


def planned_on(one, used):
    """The node that a job of four tasks is planned on, once only `used` are."""
    held = []
    for (node, cpus), n in zip(NODES, used):
        held += hold(one, [f"-w {node} -n{n} -t 300"] if n else [])
        held += hold(one, [f"-w {node} -n{cpus - n} -t 40"])
    job = one.sub("-n4 -t 30")
    one.rest(70)
    node = one.out(f"squeue --start -h -j {job} -o %Y").strip()
    release(one, [*held, job])
    return node


def main():
    tally = Tally()
    for select in ("cons_tres", "cons_res"):
        for weight in (10, 50):
            with lab(CONF.format(select=select, weight=weight)) as one:
                for plugin, of_b, used, told in STARTS:
                    if (plugin, of_b) == (select, weight):
                        tally.note(f"{select:9} weight {weight} used {used} starts", started_on(one, used, len(told.split())), told)
                for plugin, of_b, used, told in PLANS:
                    if (plugin, of_b) == (select, weight):
                        tally.note(f"{select:9} weight {weight} used {used} planned", planned_on(one, used), told)
    return tally.close()


if __name__ == "__main__":
    sys.exit(main())
