#!/usr/bin/env python3
# scripts/reference/experiments/joined_reservations.py — running jobs that are given a reservation, and members of several (lifecycle.md §6, §10.1).
"""Six nodes. Printed: what scontrol said, the state of the job, and after which reservation's end it was over. About four minutes."""
import sys

from lab import Tally, hold, lab, release

CONF = """\
SelectType=select/cons_tres
SelectTypeParameters=CR_Core
SchedulerType=sched/backfill
SchedulerParameters=sched_interval=10,bf_interval=-1
PriorityType=priority/basic
NodeName=n[1-6] CPUs=4 RealMemory=4000
PartitionName=all Nodes=ALL Default=YES MaxTime=INFINITE State=UP
"""
# words of the reservation r of two minutes at most, what the running job on n1 is given, what becomes of it
GIVEN = [
    ("StartTime=now Duration=2 Nodes=n[5-6] Users=root", ["ReservationName=r"], "taken; ends with it"),
    ("StartTime=now Duration=2 Nodes=n[1-2] Flags=IGNORE_JOBS Users=root", ["ReservationName=r"], "taken; ends with it"),
    ("StartTime=now+1minutes Duration=1 Nodes=n[5-6] Users=root", ["ReservationName=r"], "taken; ends with it"),
    ("StartTime=now Duration=2 Nodes=n[5-6] Flags=FLEX Users=root", ["ReservationName=r"], "taken; runs on"),
    ("StartTime=now Duration=2 Nodes=n[5-6] Users=root", ["ReservationName=r", "ReservationName="], "taken taken; runs on"),
    ("StartTime=now Duration=2 Nodes=n[5-6] Users=root", ["ReservationName=x"], "Requested reservation is invalid; runs on"),
]
PENDING = "Job is no longer pending execution"
KEYS = [
    ("TimeMin=5", "taken"), ("Deadline=now+5hours", "taken"), ("Nice=3", "taken"), ("Requeue=0", "taken"), ("StartTime=now+5minutes", PENDING), ("Account=x", PENDING), ("Dependency=singleton", PENDING),
    ("Features=", PENDING), ("MinMemoryCPU=100", PENDING), ("Gres=", PENDING), ("ExcNodeList=n3", PENDING),
]  # fmt: skip
# begin and minutes of r and of s, who names both, after whose end it is over
SEVERAL = [
    (("+60", 5), ("", 2), "r,s", "r"), (("+60", 5), ("", 2), "s,r", "r"), (("", 2), ("", 6), "r,s", "s"), (("", 2), ("", 6), "s,r", "s"),
]  # fmt: skip


def updated(one, number, words):
    said = one.out(f"scontrol update JobId={number} {words}")
    return said.partition(" for job")[0] or "taken"


def given(one, words, updates):
    (number,) = hold(one, ["-w n1 -n1 -t 30"])
    one.out(f"scontrol create reservation ReservationName=r {words}")
    said = " ".join(updated(one, number, each) for each in updates)
    over = one.until(lambda: one.job(number).get("JobState") != "RUNNING", 190)
    release(one, [number])
    one.out("scontrol delete ReservationName=r")
    return f"{said}; {'ends with it' if over else 'runs on'}"


def several(one, spans, names):
    for name, nodes, (begin, minutes) in zip("rs", ("n[1-2]", "n[3-4]"), spans):
        one.out(f"scontrol create reservation ReservationName={name} Users=root Nodes={nodes} StartTime=now{begin} Duration={minutes}")
    began = one.cluster.clock.now()
    (number,) = hold(one, [f"--reservation={names} -n1 -t 30"])
    one.until(lambda: one.job(number).get("JobState") != "RUNNING", 500)
    after = one.cluster.clock.now() - began
    release(one, [number])
    ends = {name: int(begin or 0) + 60 * minutes for name, (begin, minutes) in zip("rs", spans)}
    return max((name for name in ends if ends[name] <= after), key=ends.get, default="none")


def main():
    tally = Tally()
    with lab(CONF) as one:
        for words, updates, told in GIVEN:
            tally.note(f"{words} | {' '.join(updates)} |", given(one, words, updates), told)
        (number,) = hold(one, ["-n1 -t 30"])
        for words, told in KEYS:
            tally.note(f"running | {words} |", updated(one, number, words), told)
        release(one, [number])
        for *spans, names, told in SEVERAL:
            tally.note(f"r {spans[0]}, s {spans[1]} | --reservation={names} |", several(one, spans, names), told)
    return tally.close()


if __name__ == "__main__":
    sys.exit(main())
