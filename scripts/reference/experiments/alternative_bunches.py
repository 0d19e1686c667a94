#!/usr/bin/env python3
# scripts/reference/experiments/alternative_bunches.py — whether the estimate of `-C [a|b]` looks for a start of each alternative by itself (scheduling.md §5.4).
"""a1 is held for 40 minutes, b1 for 20, c1 for 20 and a few seconds, so that the ends of b1, c1 and a1 are one bunch to a job that may have a1 or b1, and b1's is alone to one that may not have a1. Printed: the node and the minute of which backfill makes the plan. A minute."""
import sys
from datetime import datetime

from lab import Tally, hold, lab, release

CONF = """\
SelectType=select/cons_tres
SelectTypeParameters=CR_Core
SchedulerType=sched/backfill
SchedulerParameters=sched_interval=10,bf_interval=15
PriorityType=priority/basic
NodeName=a[1-2] Sockets=1 CoresPerSocket=4 ThreadsPerCore=1 RealMemory=16000 Feature=a
NodeName=b[1-2] Sockets=1 CoresPerSocket=4 ThreadsPerCore=1 RealMemory=16000 Feature=b
NodeName=c1 Sockets=1 CoresPerSocket=4 ThreadsPerCore=1 RealMemory=16000
PartitionName=all Nodes=a1,b1 MaxTime=600 State=UP Default=YES
PartitionName=other Nodes=ALL MaxTime=600 State=UP
"""
EARLY, LATE = 20, 40
# words of the job, nodes and minutes of its plan
QUESTIONS = [("-C [a|b]", f"b1 {EARLY}"), ("-C [b|a]", f"b1 {EARLY}"), ("-C 'a|b'", f"a1 {LATE}"), ("", f"a1 {LATE}"), ("-C a", f"a1 {LATE}"), ("-C b", f"b1 {EARLY}"), ("-C [a|b] -n2", f"b1 {EARLY}"), ("-C [b|a] -N1-2", f"b1 {EARLY}"), ("-C [a|b] -N2", "refused")]


def planned(one, words):
    held = hold(one, [f"-w b1 -n4 -t {EARLY}", f"-w a1 -n4 -t {LATE}"]) + hold(one, [f"-p other -w c1 -n4 -t {EARLY}"])
    number = one.sub(f"{'-n4' if '-n' not in words and '-N' not in words else ''} {words} -t 30")
    if not number.isdigit():
        release(one, held)
        return "refused"
    one.rest(40)
    job, first = one.job(number), one.job(held[0])
    release(one, [number, *held])
    start = job.get("StartTime", "Unknown")
    if start == "Unknown":
        return "none"
    minutes = (datetime.fromisoformat(start) - datetime.fromisoformat(first["StartTime"])).total_seconds() / 60
    return f"{job.get('SchedNodeList')} {round(minutes)}"


def main():
    tally = Tally()
    with lab(CONF) as one:
        for words, told in QUESTIONS:
            tally.note(f"{words or 'no feature'} |", planned(one, words), told)
    return tally.close()


if __name__ == "__main__":
    sys.exit(main())
