#!/usr/bin/env python3
# scripts/reference/experiments/completing_nodes.py — what sinfo calls a node that an ended job keeps (outputs.md §2).
import sys

from lab import Tally, hold, lab, release

CONF = """\
SelectType=select/cons_tres
SelectTypeParameters=CR_Core
SchedulerType=sched/backfill
PriorityType=priority/basic
KillWait=100
NodeName=n1 CPUs=4 RealMemory=4000
PartitionName=all Nodes=ALL Default=YES MaxTime=INFINITE State=UP
"""
STUBBORN = "trap '' TERM; work 100000"
# CPUs of the job that completes, of one that goes on; drained or not; short and long words of sinfo, scontrol's.
CASES = [(4, 0, False, "comp completing IDLE+COMPLETING"), (2, 1, False, "comp completing MIXED+COMPLETING"),
         (2, 2, False, "comp completing MIXED+COMPLETING"), (4, 0, True, "drng draining IDLE+COMPLETING+DRAIN"),
         (2, 1, True, "drng draining MIXED+COMPLETING+DRAIN")]  # fmt: skip


def stubborn(one, cpus):
    """A job that runs, and does not go when it is told to."""
    number = one.sub(f"-n{cpus}", script=STUBBORN)
    one.until(lambda: one.job(number).get("JobState") == "RUNNING", 60)
    one.rest(10)
    return number


def main():
    tally = Tally()
    with lab(CONF) as one:
        for cpus, others, drained, told in CASES:
            goes = stubborn(one, cpus)
            stays = hold(one, [f"-n{others}"]) if others else []
            if drained:
                one.out("scontrol update nodename=n1 state=drain reason=x")
            one.out(f"scancel {goes}")
            one.until(lambda: "COMPLETING" in one.out("scontrol -o show node n1"), 60)
            one.rest(10)
            words = one.out("sinfo -h -N -o '%t %T'")
            node = dict(each.partition("=")[::2] for each in one.out("scontrol -o show node n1").split())
            found = f"{words} {node['State']}"
            tally.note(f"{cpus} CPUs completing, {others} running, CPUAlloc {node['CPUAlloc']}:", found, told)
            one.until(lambda: "COMPLETING" not in one.out("scontrol -o show node n1"), 2000)
            release(one, stays)
            if drained:
                one.out("scontrol update nodename=n1 state=resume")
                one.rest(5)
    return tally.close()


if __name__ == "__main__":
    sys.exit(main())
