#!/usr/bin/env python3
# scripts/reference/experiments/uncounted_tests.py — which records of backfill bf_max_job_test does not count (scheduling.md §8.7 step 5).
"""Of four nodes n1 runs a job, n[2-4] are drained. What waits is told in the order of its priority; printed: which of them a cycle plans that may test two. About two minutes."""
import sys

from lab import Tally, lab, planned

CONF = """\
SelectType=select/cons_tres
SelectTypeParameters=CR_Core
SchedulerType=sched/backfill
PriorityType=priority/basic
SchedulerParameters=sched_interval=-1,bf_interval=10,bf_continue,bf_max_job_test=2,bf_node_space_size=100
NodeName=n1 CPUs=4 RealMemory=4000 Feature=near
NodeName=n[2-4] CPUs=8 RealMemory=8000 Feature=far
PartitionName=p Nodes=n[1-4] Default=YES MaxTime=INFINITE State=UP
"""
CASES = [
    (["-n1", "-n1", "-n1"], "1 1 ."),
    (["-w n2", "-w n2", "-w n2", "-n1", "-n1", "-n1"], ". . . 1 1 ."),
    (["-w n1", "-w n1", "-n1"], "1 1 ."),
    (["-N2 -w n[1-2]", "-N2 -w n[1-2]", "-n1", "-n1", "-n1"], ". . 1 1 ."),
    (["-N1-3 -w n2", "-n1", "-N1-3 -n2 -w n3", "-n1", "-n1"], ". 1 . 1 ."),
    (["-N2", "-N2", "-N2", "-n1", "-n1", "-n1"], ". . . 1 1 ."),
    (["-x n1", "-x n1", "-x n1", "-n1", "-n1", "-n1"], ". . . 1 1 ."),
    (["-C far", "-n1", "-n1"], ". 1 ."),
    (["--mincpus=8", "-n1", "-n1"], ". 1 ."),
    (["--mem=8000", "-n1", "-n1"], ". 1 ."),
    (["-C far -x n1", "-n1", "-n1", "-n1"], ". 1 1 ."),
    (["-C far -N2", "-n1", "-n1", "-n1"], ". 1 1 ."),
    (["-C far -w n2", "-n1", "-n1", "-n1"], ". 1 1 ."),
    (["-N2 -C [far*1&near*1]", "-n1", "-n1", "-n1"], ". 1 1 ."),
    (["-C [far|near]", "-n1", "-n1"], "1 1 ."),
    (["-n5", "-n5", "-n1", "-n1"], ". . . ."),
    (["-n5 -w n2", "-n5", "-n1", "-n1"], ". . 1 ."),
]  # fmt: skip


def ask(one, jobs):
    return planned(one, ["--uid=root -w n1 -n4 -t 100"], [f"-t 10 {words}" for words in jobs])


def main():
    tally = Tally()
    with lab(CONF) as one:
        one.out("scontrol update NodeName=n[2-4] State=DRAIN Reason=lab")
        for jobs, told in CASES:
            tally.note(f"{', '.join(jobs):70}", ask(one, jobs), told)
    return tally.close()


if __name__ == "__main__":
    sys.exit(main())
