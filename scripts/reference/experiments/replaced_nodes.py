#!/usr/bin/env python3
# scripts/reference/experiments/replaced_nodes.py — when a reservation with REPLACE exchanges the nodes of jobs (lifecycle.md §13).
"""Six nodes of four CPUs, scans every 30 s. A job starts on the reservation's node, four times at other moments of the scans: printed is whether the node was another one `at once` each time, else `later`, and
which nodes the reservation and the jobs had. Three members let go together are started by one pass. About two minutes."""
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
FULL = ["-w n[2-6] -N5 -n5 -t 500"]
ONE_BY_ONE = [f"-w n{node} -n1 -t 500" for node in (3, 2, 6, 5, 4)]
MEMBER, OTHER = "--reservation=r -n1 -t 300", "-w n1 -n1 -t 5"
# who runs, words of the reservation, the job that starts, when the node is another one, which
STARTS = [
    ([], "StartTime=now Flags=REPLACE", MEMBER, "at once n2"),
    (["-w n2 -n1 -t 500"], "StartTime=now Flags=REPLACE", MEMBER, "at once n3"),
    (["-w n2 -n1 -t 5"], "StartTime=now Flags=REPLACE,IGNORE_JOBS", MEMBER, "at once n3"),
    (FULL, "StartTime=now Flags=REPLACE,IGNORE_JOBS", MEMBER, "at once n2"),
    (ONE_BY_ONE, "StartTime=now Flags=REPLACE,IGNORE_JOBS", MEMBER, "at once n3"),
    (FULL, "StartTime=now Flags=REPLACE", MEMBER, "never n1"),
    ([], "StartTime=now Flags=REPLACE_DOWN", MEMBER, "never n1"),
    ([], "StartTime=now+30minutes Flags=REPLACE", OTHER, "later n2"),
]  # fmt: skip
# members let go together: where they run
TOGETHER = [
    (1, [MEMBER] * 3, "n1 n2 n3"),
    (2, [MEMBER] * 3, "n1 n2 n3"),
    (1, ["--reservation=r -n4 -t 300"] * 2, "n1 n2"),
    (2, ["--reservation=r -N2 -n2 -t 300", MEMBER], "n[1-2] n3"),
]


def nodes(one):
    return re.search(r" Nodes=(\S+)", one.out("scontrol -o show reservation r"))[1]


def reserve(one, words, count=1):
    one.out(f"scontrol create reservation ReservationName=r Users=root Duration=600 NodeCnt={count} {words}")
    return nodes(one)


def start(one, running, words, job, phase):
    """When the reservation has another node after the job's start, and which."""
    held = [each for of_one in running for each in hold(one, [of_one])]
    first = reserve(one, words)
    one.rest(phase)
    held += hold(one, [job])
    one.rest(1)
    at_once = nodes(one)
    changed = at_once != first or one.until(lambda: nodes(one) != first, 70)
    told = ("at once" if at_once != first else "later" if changed else "never"), nodes(one)
    release(one, held)
    one.out("scontrol delete ReservationName=r")
    return told


def together(one, count, jobs):
    reserve(one, "StartTime=now Flags=REPLACE", count)
    ids = [one.sub(f"-H {words}") for words in jobs]
    one.out("scontrol release " + ",".join(ids))
    one.until(lambda: all(one.job(i).get("JobState") == "RUNNING" for i in ids), 70)
    got = " ".join(one.job(i).get("NodeList", "-") for i in ids)
    release(one, ids)
    one.out("scontrol delete ReservationName=r")
    return got


def main():
    tally = Tally()
    with lab(CONF) as one:
        for running, words, job, told in STARTS:
            seen = [start(one, running, words, job, phase) for phase in ((1, 9, 17, 25) if not told.startswith("never") else (1,))]
            whens = {when for when, _ in seen}
            when = whens.pop() if len(whens) == 1 else "later"
            tally.note(f"{'; '.join(running)} | {words} | {job} |", f"{when} {' '.join(sorted({node for _, node in seen}))}", told)
        for count, jobs, told in TOGETHER:
            tally.note(f"NodeCnt={count} | {'; '.join(jobs)} |", together(one, count, jobs), told)
    return tally.close()


if __name__ == "__main__":
    sys.exit(main())
