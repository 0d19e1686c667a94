#!/usr/bin/env python3
# scripts/reference/experiments/replaced_cores.py — which cores a reservation has once a node of it is drained (lifecycle.md §13).
"""Six nodes of four CPUs, scans every 30 s. A reservation is made, jobs run, a node of it is drained or set DOWN, sometimes a second one behind it: printed is what the reservation has then, cores or whole nodes. The last
questions are of when: the same at three moments of the scans. About four minutes. What was expected before the first answers (as many cores anew, at the next scan) was wrong; what is written is what was answered."""
import re
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
SOON = "StartTime=now+30minutes"
# who runs before, words of the reservation, members, what is done to nodes, what it has then
CASES = [
    ([], "StartTime=now CoreCnt=2", [], ["n1 DRAIN"], "n2"),
    ([], f"{SOON} CoreCnt=2", [], ["n1 DRAIN"], "n2"),
    ([], "StartTime=now CoreCnt=2", [], ["n1 DOWN"], "n2"),
    ([], "StartTime=now CoreCnt=2 Flags=IGNORE_JOBS", [], ["n1 DRAIN"], "n2"),
    ([], "StartTime=now TRES=cpu=2 Flags=IGNORE_JOBS,NO_HOLD_JOBS_AFTER", [], ["n1 DRAIN"], "n2"),
    ([], "StartTime=now NodeCnt=1 CoreCnt=2", [], ["n1 DRAIN"], "n2"),
    ([], "StartTime=now CoreCnt=2", ["-n1 -t 300"], ["n1 DRAIN"], "n2"),
    ([], "StartTime=now CoreCnt=2 Flags=STATIC_ALLOC", [], ["n1 DRAIN"], "n1:0-1"),
    ([], "StartTime=now Nodes=n1 CoreCnt=2", [], ["n1 DRAIN"], "n1:0-1"),
    ([], "StartTime=now CoreCnt=6", [], ["n1 DRAIN"], "n1:0-3 n2:0-1"),
    ([], "StartTime=now CoreCnt=6", [], ["n2 DOWN"], "n1:0-3 n2:0-1"),
    ([], f"{SOON} TRES=cpu=6", [], ["n1 DRAIN"], "n1:0-3 n2:0-1"),
    ([], "StartTime=now CoreCnt=6 Flags=IGNORE_JOBS", ["-n2 -t 300"], ["n2 DRAIN"], "n1:0-3 n2:0-1"),
    ([], "StartTime=now NodeCnt=2 CoreCnt=4", [], ["n1 DRAIN"], "n1:0-1 n2:0-1"),
    ([], "StartTime=now NodeCnt=2", [], ["n2 DRAIN"], "n[1,3]"),
    (["-w n2 -n1 -t 500"], "StartTime=now CoreCnt=2", [], ["n1 DRAIN"], "n2"),
    (["-w n2 -n3 -t 500"], "StartTime=now CoreCnt=2", [], ["n1 DRAIN"], "n3"),
    (["-w n2 -n4 -t 500"], "StartTime=now CoreCnt=2", [], ["n1 DRAIN"], "n3"),
    (["-w n2 -n4 -t 500"], "StartTime=now CoreCnt=2 Flags=IGNORE_JOBS", [], ["n1 DRAIN"], "n2"),
    (["-w n2 -n2 -t 500"], "StartTime=now NodeCnt=1 CoreCnt=2", [], ["n1 DRAIN"], "n2"),
    (["-w n2 -n3 -t 500"], "StartTime=now NodeCnt=1 CoreCnt=2", [], ["n1 DRAIN"], "n3"),
    (["-w n2 -n1 -t 500"], "StartTime=now NodeCnt=1", [], ["n1 DRAIN"], "n3"),
    (["-w n2 -n1 -t 500"], "StartTime=now NodeCnt=1 Flags=IGNORE_JOBS", [], ["n1 DRAIN"], "n3"),
    (["-w n[3-6] -N4 -n4 -t 500"], "StartTime=now NodeCnt=2", [], ["n2 DRAIN"], "n[1-2]"),
    (["-w n[3-6] -N4 -n4 -t 500"], "StartTime=now NodeCnt=2 Flags=IGNORE_JOBS", [], ["n2 DRAIN"], "n[1,3]"),
    (["-w n[3-6] -N4 -n4 -t 500"], "StartTime=now NodeCnt=2 Flags=IGNORE_JOBS", [], ["n2 DOWN"], "n[1,3]"),
    (["-w n[3-6] -N4 -n4 -t 500"], "StartTime=now NodeCnt=2 Flags=IGNORE_JOBS", ["-N2 -n8 -t 90"], ["n2 DOWN"], "n[1,3]"),
    ([], "StartTime=now NodeCnt=2", ["-N2 -n8 -t 90"], ["n2 DOWN"], "n[1-2]"),
    ([], "StartTime=now NodeCnt=2 Flags=IGNORE_JOBS", ["-N2 -n8 -t 90"], ["n2 DRAIN"], "n[1,3]"),
    ([], "StartTime=now NodeCnt=2 PartitionName=all Flags=IGNORE_JOBS", [], ["n2 DOWN"], "n[1,3]"),
    ([], "StartTime=now CoreCnt=2", [], ["n1 DRAIN", "n2 DRAIN"], "n3"),
]  # fmt: skip
WHENS = [(words, f"n1 {state}") for words in ("StartTime=now NodeCnt=1", f"{SOON} NodeCnt=1", "StartTime=now CoreCnt=2", "StartTime=now NodeCnt=1 Flags=REPLACE_DOWN") for state in ("DRAIN", "DOWN")]


def cores(one):
    text = one.out("scontrol show reservation r")
    return " ".join(f"{node}:{ids}" for node, ids in re.findall(r"NodeName=(\S+) CoreIDs=(\S+)", text)) or re.search(r" Nodes=(\S+)", text)[1]


def reserve(one, words):
    said = one.out(f"scontrol create reservation ReservationName=r Users=root Duration=600 {words}")
    if "created" not in said:
        raise SystemExit(said)


def lose(one, lost):
    node, state = lost.split()
    one.out(f"scontrol update NodeName={node} State={state} Reason=x")


def put_back(one, lost):
    one.out("scontrol delete ReservationName=r")
    for each in lost:
        one.out(f"scontrol update NodeName={each.split()[0]} State=RESUME")
    one.rest(20)


def afterwards(one, held, words, members, lost):
    ids = hold(one, held)
    reserve(one, words)
    ids += hold(one, [f"--reservation=r {member}" for member in members])
    for each in lost:
        before = cores(one)
        lose(one, each)
        one.until(lambda: cores(one) != before, 40)
    told = cores(one)
    release(one, ids)
    put_back(one, lost)
    return told


def when(one, words, lost, phase):
    """At once: within two turns of the background loop."""
    reserve(one, words)
    one.rest(phase)
    before = cores(one)
    lose(one, lost)
    at_once = one.until(lambda: cores(one) != before, 3)
    put_back(one, [lost])
    return at_once


def main():
    tally = Tally()
    with lab(CONF) as one:
        for held, words, members, lost, told in CASES:
            tally.note(f"{'; '.join(held)} | {words} | {'; '.join(members)} | {', '.join(lost)} |", afterwards(one, held, words, members, lost), told)
        for words, lost in WHENS:
            seen = {when(one, words, lost, phase) for phase in (1, 9, 17)}
            tally.note(f"{words} | {lost} |", "at once" if seen == {True} else "later", "at once")
    return tally.close()


if __name__ == "__main__":
    sys.exit(main())
