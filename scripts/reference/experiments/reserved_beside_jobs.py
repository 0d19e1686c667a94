#!/usr/bin/env python3
# scripts/reference/experiments/reserved_beside_jobs.py — which nodes a reservation of a count of nodes gets beside jobs (lifecycle.md §13).
"""Six nodes, jobs on some, whose limits end before the reservation begins (-t 5) or long after (-t 500). Printed: the nodes of the reservation. About a minute."""
import sys

from lab import Tally, hold, lab, release, reserved

CONF = """\
SelectType=select/cons_tres
SelectTypeParameters=CR_Core
SchedulerType=sched/backfill
SchedulerParameters=sched_interval=10,bf_interval=-1
PriorityType=priority/basic
NodeName=n[1-6] CPUs=4 RealMemory=4000
PartitionName=all Nodes=ALL Default=YES MaxTime=INFINITE State=UP
PartitionName=two Nodes=n[2-6] MaxTime=INFINITE State=UP
"""
CASES = [
    (["-w n1 -n1 -t 5"], "NodeCnt=2", "n[1-2]"), (["-w n1 -n4 -t 5", "-w n2 -n1 -t 5"], "NodeCnt=2", "n[1-2]"), (["-w n1 -n1 -t 500"], "NodeCnt=2", "n[2-3]"), (["-w n3 -n1 -t 5"], "NodeCnt=3", "n[1-3]"),
    (["-w n3 -n1 -t 500"], "NodeCnt=3", "n[1-2,4]"), (["-w n1 -n1 -t 5", "-w n2 -n1 -t 500"], "NodeCnt=3 PartitionName=all", "n[1,3-4]"), (["-w n2 -n1 -t 5"], "NodeCnt=2 PartitionName=two", "n[2-3]"),
    (["-w n[1-2] -N2 --exclusive -t 5", "-w n4 -n1 -t 5"], "NodeCnt=3 PartitionName=all", "n[1-3]"), (["-w n[1-4] -N4 --exclusive -t 500"], "NodeCnt=3 Flags=IGNORE_JOBS", "n[1-3]"),
    (["-w n[2-5] -N4 -n4 -t 500"], "NodeCnt=3 Flags=IGNORE_JOBS", "n[1-3]"), (["-w n[2-5] -N4 -n4 -t 500"], "NodeCnt=2", "n[1,6]"), (["-w n[2-5] -N4 -n4 -t 500"], "NodeCnt=3", "Requested nodes are busy"),
    (["-w n[2-5] -N4 -n4 -t 5"], "NodeCnt=6", "n[1-6]"), (["-w n1 -n1 -t 500"], "NodeCnt=2 Flags=IGNORE_JOBS", "n[2-3]"),
    (["-w n1 -n1 -t 500", "-w n2 -n1 -t 500"], "NodeCnt=5 Flags=IGNORE_JOBS", "n[1,3-6]"), (["-w n2 -n1 -t 500", "-w n1 -n1 -t 500"], "NodeCnt=5 Flags=IGNORE_JOBS", "n[2-6]"),
    (["-w n1 -n1 -t 500", "-w n[2-3] -N2 -n2 -t 500"], "NodeCnt=5 Flags=IGNORE_JOBS", "n[1-5]"), (["-w n[2-3] -N2 -n2 -t 500", "-w n1 -n1 -t 500"], "NodeCnt=5 Flags=IGNORE_JOBS", "n[2-6]"),
    (["-w n1 -n1 -t 5", "-w n2 -n1 -t 500"], "NodeCnt=5 Flags=IGNORE_JOBS", "n[1,3-6]"),
]  # fmt: skip


def main():
    tally = Tally()
    with lab(CONF) as one:
        for jobs, words, told in CASES:
            held = [each for words_of_job in jobs for each in hold(one, [words_of_job])]  # one after the other
            tally.note(f"{'; '.join(jobs)} | {words}", reserved(one, words), told)
            release(one, held)
    return tally.close()


if __name__ == "__main__":
    sys.exit(main())
