#!/usr/bin/env python3
# scripts/reference/experiments/one_plan.py — bf_one_resv_per_job and the tasks of an array (scheduling.md §8.7).
"""n1 is held whole for 100 minutes, three of n2's four CPUs for 200. A job or an array waits for whole nodes; then a job of 300 minutes wants the CPU of n2 that is free,
and runs unless backfill has planned something there. Printed: whether it runs. Two minutes."""
import sys

from lab import Tally, hold, lab, release

CONF = """\
SelectType=select/cons_tres
SelectTypeParameters=CR_Core
SchedulerType=sched/backfill
SchedulerParameters=sched_interval=-1,bf_interval=30,{}bf_continue
PriorityType=priority/basic
NodeName=n[1-2] CPUs=4 RealMemory=16000
PartitionName=all Nodes=n[1-2] Default=YES MaxTime=INFINITE State=UP
PartitionName=one Nodes=n1 MaxTime=INFINITE State=UP
PartitionName=two Nodes=n2 MaxTime=INFINITE State=UP
"""
# the key, who waits for whole nodes, the partition of the last job, what is told
CASES = [
    (True, "-p all -a 0-1", "all", "waits"), (True, "-p all -a 0-0", "all", "runs"), (True, "-p all", "all", "runs"), (True, "-p one,two", "two", "runs"), (True, "-p one,two -a 0-1", "two", "runs"),
    (True, "-p one,all -a 0-1", "all", "runs"), (False, "-p all -a 0-1", "all", "waits"), (False, "-p one,two", "two", "waits"), (False, "-p one,two -a 0-1", "two", "waits"),
    (False, "-p all", "all", "runs"),
]  # fmt: skip


def ask(one, waiting, partition):
    ids = hold(one, ["-w n1 -n4 -t 100", "-w n2 -n3 -t 200"])
    waits = one.sub(f"-N1 --exclusive -t 600 {waiting}")
    last = one.sub(f"-p {partition} -w n2 -n1 -t 300")
    one.rest(75)
    runs = one.job(last).get("JobState") == "RUNNING"
    release(one, [waits, last, *ids])
    return "runs" if runs else "waits"


def main():
    tally = Tally()
    for key in (True, False):
        with lab(CONF.format("bf_one_resv_per_job," if key else "")) as one:
            for _, waiting, partition, told in (case for case in CASES if case[0] == key):
                tally.note(f"{'bf_one_resv_per_job' if key else '':20} {waiting:20} {partition}", ask(one, waiting, partition), told)
    return tally.close()


if __name__ == "__main__":
    sys.exit(main())
