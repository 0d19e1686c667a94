#!/usr/bin/env python3
# scripts/reference/experiments/prefer.py — where --prefer leads a job, and whom its extra record keeps back (scheduling.md §3.1, §5.4).
"""Two fast and two slow nodes of four CPUs, one partition. Fillers hold what a case says; the job and, behind it, `behind` are submitted
while the partition is down, so that one pass (or cycle) sees both. Printed: where each stands after that, and whether it is as the text says."""
import sys

from lab import lab

CONF = """\
SelectType=select/cons_tres
SelectTypeParameters=CR_Core
SchedulerType=sched/backfill
PriorityType=priority/basic
SchedulerParameters={parameters}
NodeName=s[1-2] CPUs=4 RealMemory=4000 Feature=slow Weight=1
NodeName=f[1-2] CPUs=4 RealMemory=4000 Feature=fast Weight=9
PartitionName=all Nodes=ALL Default=YES MaxTime=INFINITE State=UP
"""
MAIN = "sched_interval=50000,bf_interval=-1"
BACKFILL = "sched_interval=-1,bf_interval=10"
# (nodes held, the job, behind it): where the two run after the main loop's pass, and after a cycle of backfill; `-` waits, `!` is refused
CASES = [
    ("", "-n1 --prefer=fast", "-n1", "f1 s1", "f1 s1"),
    ("", "-n1 -C slow --prefer=fast", "-n1", "f1 s1", "f1 s1"),
    ("s1,s2", "-n4 -C slow --prefer=fast", "-n1", "f1 f2", "f1 f2"),
    ("f1,f2", "-n1 --prefer=fast", "-n1", "- -", "s1 s1"),
    ("f1,f2", "-n1 -C slow --prefer=fast", "-n1", "- -", "s1 s1"),
    ("f1", "-N2 -n8 --prefer=fast", "-n1", "- -", "s[1-2] f2"),
    ("s1,s2,f1", "-N2 -n8 --prefer=fast -t 30", "-n1 -t 5", "- -", "- f2"),
    ("s1,s2,f1,f2", "-n1 --prefer=fast -t 30", "-n1 -t 5", "- -", "- -"),
    ("f1,f2", "-N3 -n12 --prefer=fast", "-n1", "! s1", "! s1"),
    ("", "-N3 -n3 -C slow --prefer='fast|slow'", "-n1", "f1,s[1-2] s1", "f1,s[1-2] s1"),
    ("", "-n1 --prefer=none", "-n1", "! s1", "! s1"),
]  # fmt: skip


def ask(one, held, job, behind):
    one.out("scontrol update partitionname=all state=up")
    fillers = [one.sub(f"-w {node} -n4 -t 60") for node in held.split(",") if node]
    one.rest(40)
    one.until(lambda: all(one.job(f).get("JobState") == "RUNNING" for f in fillers), 300)
    one.out("scontrol update partitionname=all state=down")
    one.rest(15)
    ids = [one.sub(job), one.sub(behind)]
    one.rest(15)
    one.out("scontrol update partitionname=all state=up")
    one.rest(45)
    shown = []
    for number in ids:
        told = one.job(number) if number.isdigit() else None
        shown.append("!" if told is None else told.get("NodeList", "") if told.get("JobState") == "RUNNING" else "-")
    one.out("scancel " + " ".join(n for n in fillers + ids if n.isdigit()))
    one.rest(60)
    return " ".join(shown)


def main():
    wrong = 0
    for loop, parameters in (("main", MAIN), ("backfill", BACKFILL)):
        with lab(CONF.format(parameters=parameters)) as one:
            for held, job, behind, by_main, by_backfill in CASES:
                expected = by_main if loop == "main" else by_backfill
                found = ask(one, held, job, behind)
                wrong += found != expected
                print(f"{loop}: {held or 'nothing'} held, {job}, {behind}: {found}" + ("" if found == expected else f", expected {expected}"), flush=True)
    print(f"{wrong} answers are not as the text says")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
