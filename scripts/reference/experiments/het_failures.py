#!/usr/bin/env python3
# scripts/reference/experiments/het_failures.py — what becomes of a heterogeneous job when the node of one component goes DOWN (lifecycle.md §10.2).
"""Each component has a node of its own, and an admin sets one of these DOWN. A line tells the components some seconds later, and once the node is back. Five minutes."""
import sys

from lab import Tally, lab

CONF = """\
SelectType=select/cons_tres
SelectTypeParameters=CR_Core
SchedulerType=sched/backfill
SchedulerParameters=sched_interval=15,bf_interval=15
PriorityType=priority/basic
NodeName=n[1-4] Sockets=1 CoresPerSocket=4 RealMemory=4000
PartitionName=all Nodes=n[1-4] Default=YES MaxTime=INFINITE State=UP
"""
BACK, FAILED, GONE, STUCK, AGAIN = "PENDING 1 BeginTime", "FAILED 0 JobLaunchFailure", "NODE_FAIL 0 NodeDown", "PENDING", "RUNNING"
# Options, the nodes of the components, the node that goes DOWN; what all are then, and minutes after it is back.
LINES = [
    ("--requeue", "1", "1", [BACK], [AGAIN]),
    ("--requeue", "12", "1", [BACK, FAILED], [STUCK, "FAILED"]), ("--requeue", "12", "2", [BACK, BACK], [AGAIN, AGAIN]),
    ("--requeue", "123", "1", [BACK, FAILED, FAILED], [STUCK, "FAILED", "FAILED"]), ("--requeue", "123", "2", [BACK, BACK, FAILED], [STUCK, STUCK, "FAILED"]),
    ("--requeue", "123", "3", [BACK, BACK, BACK], [AGAIN, AGAIN, AGAIN]), ("--requeue", "1234", "2", [BACK, BACK, FAILED, FAILED], [STUCK, STUCK, "FAILED", "FAILED"]),
    ("--no-requeue", "12", "1", [GONE] * 2, ["NODE_FAIL"] * 2), ("--no-requeue", "12", "2", [GONE] * 2, ["NODE_FAIL"] * 2), ("--no-requeue", "123", "1", [GONE] * 3, ["NODE_FAIL"] * 3),
    ("--no-requeue", "123", "2", [GONE] * 3, ["NODE_FAIL"] * 3), ("--no-requeue", "123", "3", [GONE] * 3, ["NODE_FAIL"] * 3),
]  # fmt: skip


def shown(one, number, keys):
    """Values of these keys that scontrol shows of one component."""
    for line in one.out(f"scontrol -o show job {number}").splitlines():
        if line.startswith(f"JobId={number} "):
            job = dict(part.partition("=")[::2] for part in line.split() if "=" in part)
            return " ".join(job[key] for key in keys)
    return "none"


def told_of(one, option, places, failing):
    """What the components are when the node has gone, and when it is back and another job has come."""
    first = int(one.sub(f"{option} " + " : ".join(f"-N1 -n2 -w n{place} -t 60" for place in places)))
    every = range(first, first + len(places))
    if not one.until(lambda: all(shown(one, n, ["JobState"]) == "RUNNING" for n in every), 300):
        return "did not start", ""
    one.rest(20)
    one.out(f"scontrol update NodeName=n{failing} State=DOWN Reason=disk")
    one.rest(30)
    then = [shown(one, n, ["JobState", "Restarts", "Reason"]) for n in every]
    one.out(f"scontrol update NodeName=n{failing} State=RESUME")
    one.rest(130)
    one.sub("-n1 -w n4 -t 5", 5)
    one.rest(60)
    later = [shown(one, n, ["JobState"]) for n in every]
    one.out(f"scancel {first}")
    one.rest(40)
    return then, later


def main():
    tally = Tally()
    with lab(CONF) as one:
        for option, places, failing, then, later in LINES:
            tally.note(f"{option} on n{', n'.join(places)}, DOWN n{failing}:", told_of(one, option, places, failing), (then, later))
    return tally.close()


if __name__ == "__main__":
    sys.exit(main())
