#!/usr/bin/env python3
# scripts/reference/experiments/lacked_licenses.py — when backfill plans a job whose licences are used, by the plans that begin before they are free (scheduling.md §8.4).
"""With bf_licenses, licence a used for an hour; nodes that are held for some minutes each, and a job that waits for each of them with a long limit, so that the map loses nodes, and gains none, again and again. Printed: after how many minutes the job that
wants the licence is planned. Backfill alone. Two minutes."""
import sys
from datetime import datetime

from lab import Tally, hold, lab, release

CONF = """\
SelectType=select/cons_tres
SelectTypeParameters=CR_Core
SchedulerType=sched/backfill
SchedulerParameters=sched_interval=-1,bf_interval=20,bf_licenses,bf_window=10000,bf_resolution=60
PriorityType=priority/basic
Licenses=a:1,b:1
NodeName=n[1-6] CPUs=4 RealMemory=4000
PartitionName=all Nodes=ALL Default=YES MaxTime=INFINITE State=UP
"""
# Minutes for which n2, n3 ... are held; the job, and when it is planned.
CASES = (
    ((), "-L a:1 -t 5", 60),
    ((20,), "-L a:1 -t 5", 60),
    ((20, 30), "-L a:1 -t 5", 60),
    ((20, 30), "-L a:1 -t 25", 60),
    ((20, 30, 40), "-L a:1 -t 5", 60),
    ((20, 30, 40), "-L a:1 -t 25", 60),
    ((20, 30, 40, 50), "-L a:1 -t 5", 60),
    ((20, 30, 40, 50), "-L a:1,b:1 -t 5", 60),
    ((20, 30, 90), "-L a:1 -t 5", 60),
)


def planned(one, minutes, words):
    held = hold(one, ["-L a:1 -n1 -w n1 -t 60", *(f"-w n{i} -n4 -t {minute}" for i, minute in enumerate(minutes, 2))])
    begin = datetime.fromisoformat(one.job(held[0])["StartTime"])
    waiting = [one.sub(f"-w n{i} -n4 -t 600") for i, _ in enumerate(minutes, 2)]
    number = one.sub(f"-w n6 -n1 {words}")
    one.rest(50)
    at = one.job(number).get("StartTime")
    release(one, [number, *waiting, *held])
    return "never" if at == "Unknown" else f"{round((datetime.fromisoformat(at) - begin).total_seconds() / 60)} minutes"


def main():
    tally = Tally()
    with lab(CONF) as one:
        for minutes, words, told in CASES:
            got = planned(one, minutes, words)
            tally.note(f"nodes held for {minutes}, {words} | planned after", got, got if got == f"{told - 1} minutes" else f"{told} minutes")
    return tally.close()


if __name__ == "__main__":
    sys.exit(main())
