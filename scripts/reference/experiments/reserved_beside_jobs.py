#!/usr/bin/env python3
# scripts/reference/experiments/reserved_beside_jobs.py — which nodes a reservation of a count of nodes gets beside jobs (lifecycle.md §13).
"""Six nodes, jobs on some, whose limits end before the reservation begins (-t 5) or long after (-t 500). Printed: the nodes of the reservation. About two minutes."""
import sys

from lab import Tally, hold, lab, release, reserved

CONF = """\
SelectType=select/cons_tres
SelectTypeParameters=CR_Core
SchedulerType=sched/backfill
SchedulerParameters=sched_interval=10,bf_interval=-1
PriorityType=priority/basic
NodeName=n[1-4] CPUs=4 RealMemory=4000 Feature=f
NodeName=n[5-6] CPUs=4 RealMemory=4000 Feature=g
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
    # a node of several jobs: the first of them in the job list tells
    (["-w n1 -n1 -t 500", "-w n2 -n1 -t 500", "-w n1 -n1 -t 500"], "NodeCnt=5 Flags=IGNORE_JOBS", "n[1,3-6]"),
    (["-w n2 -n1 -t 500", "-w n1 -n1 -t 500", "-w n2 -n1 -t 500"], "NodeCnt=5 Flags=IGNORE_JOBS", "n[2-6]"),
    (["-w n1 -n1 -t 5", "-w n2 -n1 -t 500", "-w n1 -n1 -t 500"], "NodeCnt=5 Flags=IGNORE_JOBS", "n[2-6]"),
    (["-w n[2-3] -N2 -n2 -t 500", "-w n1 -n1 -t 500", "-w n[3-6] -N4 -n4 -t 500"], "NodeCnt=2 Flags=IGNORE_JOBS", "n[2-3]"),
    (["-w n3 -n1 -t 500", "-w n[1-2] -N2 -n2 -t 500", "-w n[3-6] -N4 -n4 -t 500", "-w n[1-2] -N2 -n2 -t 500"], "NodeCnt=2 Flags=IGNORE_JOBS", "n[1-2]"),
    (["-w n3 -n1 -t 500", "-w n4 -n1 -t 500", "-w n[1-2] -N2 -n2 -t 500", "-w n[3-6] -N4 -n4 -t 500"], "NodeCnt=2 Flags=IGNORE_JOBS", "n[3-4]"),
]  # fmt: skip
# those of a feature: so many of them
BY_FEATURE = [
    (["-w n1 -n1 -t 500", "-w n2 -n1 -t 500", "-w n3 -n1 -t 500"], "NodeCnt=2 Features=f Flags=IGNORE_JOBS", "n[1,4]"),
    (["-w n3 -n1 -t 500", "-w n2 -n1 -t 500", "-w n1 -n1 -t 500"], "NodeCnt=2 Features=f Flags=IGNORE_JOBS", "n[3-4]"),
    (["-w n6 -n1 -t 500", "-w n2 -n1 -t 500", "-w n[1,3-4] -N3 -n3 -t 500"], "NodeCnt=1 Features=f Flags=IGNORE_JOBS", "n2"),
    (["-w n5 -n1 -t 500", "-w n2 -n1 -t 500", "-w n6 -n1 -t 500", "-w n[1,3-4] -N3 -n3 -t 500"], "NodeCnt=3 Features=[f*2&g*1] Flags=IGNORE_JOBS", "n[1-2,5]"),
    (["-w n3 -n1 -t 500", "-w n6 -n1 -t 500", "-w n[1-2] -N2 -n2 -t 500", "-w n5 -n1 -t 500", "-w n4 -n1 -t 500"], "NodeCnt=3 Features=[f*1&g*2] Flags=IGNORE_JOBS", "n[3,5-6]"),
    (["-w n1 -n1 -t 500"], "NodeCnt=2 Features=f Flags=IGNORE_JOBS", "n[2-3]"),
]  # fmt: skip
# under switches: until one has so many
TOPOLOGY = "SwitchName=s1 Nodes=n[1-3]\nSwitchName=s2 Nodes=n[4-6]\n"
BY_SWITCH = [
    (["-w n5 -n1 -t 500", "-w n1 -n1 -t 500"], "NodeCnt=3 Flags=IGNORE_JOBS", "n[4-6]"),
    (["-w n1 -n1 -t 500", "-w n5 -n1 -t 500"], "NodeCnt=3 Flags=IGNORE_JOBS", "n[1-3]"),
    (["-w n1 -n1 -t 500", "-w n5 -n1 -t 500", "-w n1 -n1 -t 500"], "NodeCnt=3 Flags=IGNORE_JOBS", "n[1-3]"),
    (["-w n1 -n1 -t 500", "-w n5 -n1 -t 500"], "NodeCnt=2 Flags=IGNORE_JOBS", "n[2-3]"),
]  # fmt: skip


def ask(tally, conf, cases, topology=""):
    with lab(conf, topology=topology) as one:
        for jobs, words, told in cases:
            held = [each for words_of_job in jobs for each in hold(one, [words_of_job])]  # one after the other
            tally.note(f"{'; '.join(jobs)} | {words}", reserved(one, words), told)
            release(one, held)


def main():
    tally = Tally()
    chosen = sys.argv[1:] or ["plain", "feature", "switch"]
    if "plain" in chosen:
        ask(tally, CONF, CASES)
    if "feature" in chosen:
        ask(tally, CONF, BY_FEATURE)
    if "switch" in chosen:
        ask(tally, CONF + "TopologyPlugin=topology/tree\n", BY_SWITCH, TOPOLOGY)
    return tally.close()


if __name__ == "__main__":
    sys.exit(main())
