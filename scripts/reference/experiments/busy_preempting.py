#!/usr/bin/env python3
# scripts/reference/experiments/busy_preempting.py — bf_busy_nodes: where a job is planned that is to start over others (scheduling.md §6.4, rule 2).
"""Nodes of 8 cores: n1, n3 and n4 are held by jobs of a lower tier, n2 and n5 by one of its own, n6 is idle. Only backfill looks at the queue; victims have
15 minutes of grace. Told: the plan is that of the choice without bf_busy_nodes (neighbours), not the first nodes that are busy. About two minutes."""
import sys

from lab import Tally, hold, lab, release

CONF = """\
SelectType=select/cons_tres
SelectTypeParameters=CR_Core
SchedulerType=sched/backfill
PriorityType=priority/basic
PreemptType=preempt/partition_prio
PreemptMode=REQUEUE
SchedulerParameters=defer,sched_interval=50000,bf_interval=5,bf_window=1000{more}
NodeName=n[1-6] Sockets=1 CoresPerSocket=8 ThreadsPerCore=1 RealMemory=64000
PartitionName=low Nodes=n[1-6] Default=YES MaxTime=INFINITE State=UP PriorityTier=1 GraceTime=900
PartitionName=high Nodes=n[1-6] MaxTime=INFINITE State=UP PriorityTier=10 PreemptMode=OFF
"""
HELD = ("-p low -w n1 -n8 -t 100", "-p low -w n3 -n8 -t 100", "-p low -w n4 -n8 -t 100", "-p high -w n2 -n8 -t 100", "-p high -w n5 -n8 -t 100")
CASES = (
    ("-N2 -n16", "n[3-4]"),
    ("-N2 -n10", "n[3-4]"),
    ("-N2 -n16 -x n6", "n[3-4]"),
    ("-N3 -n24 -x n6", "n[1,3-4]"),
)


def planned(one, words):
    """The nodes of the first plan."""
    number = one.sub(f"-p high {words} -t 300")
    one.until(lambda: one.job(number).get("SchedNodeList"), 100)
    return one.job(number).get("SchedNodeList")


def main():
    tally = Tally()
    for more in ("", ",bf_busy_nodes"):
        for words, told in CASES:
            with lab(CONF.format(more=more)) as one:
                hold(one, HELD)
                tally.note(f"  {more or '-':16} {words:16}", planned(one, words), told)
    return tally.close()


if __name__ == "__main__":
    sys.exit(1 if main() else 0)
