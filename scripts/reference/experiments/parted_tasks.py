#!/usr/bin/env python3
# scripts/reference/experiments/parted_tasks.py — whether a cycle tries a task of an array that has rejected one, where another record lies between the two (scheduling.md §8.6).
"""Three nodes, two of them held for longer than bf_window. The first task wants two nodes, which is no plan; the second could start on the third node at once. Between the two, by priority,
lies another record. Printed: what becomes of the second. Told, from recording deep_08, was that any record between has it tried; by the answers only one that starts or is planned, or another
array (a job of `q` is started by a pass, before the cycle). About four minutes."""
import sys

from lab import Tally, hold, lab, release

CONF = """\
SchedulerType=sched/backfill
SchedulerParameters=defer,sched_interval=50000,bf_interval=30,bf_resolution=60,bf_window=120
PriorityType=priority/basic
AccountingStorageEnforce=associations,limits,qos
SelectType=select/cons_tres
SelectTypeParameters=CR_Core
NodeName=n[1-4] Sockets=1 CoresPerSocket=4 ThreadsPerCore=1 RealMemory=64000
PartitionName=p Nodes=n[1-3] Default=YES MaxTime=INFINITE State=UP
PartitionName=q Nodes=n4 MaxTime=INFINITE State=UP
"""
ACCOUNTS = "add account top\nadd account few MaxJobs=0\nadd user di Account=top\nadd user bo Account=few\n"
TWO = "-N2 -n2 --exclusive -t 10"
# the record between (None: none), what becomes of the second
CASES = [
    (None, "PENDING"),
    ("--uid=di -n1 -t 10", "RUNNING"),
    (f"--uid=di {TWO}", "PENDING"),
    (f"--uid=di {TWO} -a 1-2", "RUNNING"),
    ("--uid=di -n1 -t 10 -p q", "PENDING"),
    (f"--uid=di {TWO} -d afterany:{{held}}", "PENDING"),
    ("--uid=bo -n1 -t 10", "PENDING"),
    (f"--uid=di {TWO} -p p,q", "PENDING"),
]  # fmt: skip


def main():
    tally = Tally()
    with lab(CONF, sacctmgr=ACCOUNTS) as one:
        for between, told in CASES:
            held = hold(one, [f"--uid=di -w n{at} -n4 -t 600" for at in (1, 2)])
            array = one.sub(f"--uid=di {TWO} -a 1-2 -H")
            first, second = f"{array}_1", f"{array}_2"
            jobs = [array]
            one.out(f"scontrol update JobId={second} NumNodes=1-1 NumCPUs=1")
            if between:
                other = one.sub(f"{between.format(held=held[0])} -H")
                jobs.append(other)
                one.out(f"scontrol release {other}")
                one.out(f"scontrol update JobId={other} Priority=5000")
            one.out(f"scontrol release {first}")
            one.out(f"scontrol update JobId={first} Priority=9000")
            one.out(f"scontrol release {second}")
            one.out(f"scontrol update JobId={second} Priority=1000")
            one.rest(100)
            got = one.job(second)["JobState"]
            question = f"{between or '-':40}"
            tally.note(question, got, told)
            release(one, [*held, *jobs])
    return tally.close()


if __name__ == "__main__":
    sys.exit(main())
