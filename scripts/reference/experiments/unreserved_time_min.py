#!/usr/bin/env python3
# scripts/reference/experiments/unreserved_time_min.py — what limit backfill plans with, and starts with, where a job of a QOS with NoReserve has --time-min (scheduling.md §8.6, §8.7).
"""A job holds n1 for 25 minutes, one of a higher priority waits for n1 and n2; each question is asked of the node n2, without preemption and with it. Printed: TimeLimit of what backfill has started, and when it ends if that is another time, or waits. Two minutes."""
import sys
from datetime import datetime

from lab import Tally, lab, release

CONF = """\
SelectType=select/cons_tres
SelectTypeParameters=CR_Core
SchedulerType=sched/backfill
SchedulerParameters=bf_interval=5,sched_interval=15
PriorityType=priority/multifactor
PriorityWeightQOS=1000
AccountingStorageEnforce=associations,limits,qos
{more}NodeName=n[1-2] Sockets=1 CoresPerSocket=4 ThreadsPerCore=1 RealMemory=64000
PartitionName=all Nodes=n[1-2] Default=YES MaxTime=INFINITE State=UP
PartitionName=hour Nodes=n[1-2] MaxTime=60 State=UP
"""
ACCOUNTS = """\
add account red
add qos high Priority=100
add qos free Flags=NoReserve
add qos kept
add user di Account=red QOS=normal,high,free,kept DefaultQOS=normal
"""
# What is asked, whether the wide job waits, and the TimeLimit without preemption and with it.
CASES = (
    ("--qos=kept -t 120 --time-min=10", True, "00:10:00", "00:10:00"),
    ("--qos=free -t 120 --time-min=10", True, "02:00:00", "02:00:00"),
    ("--qos=free -t 20 --time-min=10", True, "00:20:00", "00:20:00"),
    ("--qos=kept -t 20 --time-min=10", True, "00:10:00", "00:10:00"),
    ("--qos=free -t 120", True, "waits", "02:00:00"),
    ("-p hour --qos=kept -t 90 --time-min=10", False, "00:10:00", "00:10:00"),
    ("-p hour --qos=free -t 90 --time-min=10", False, "01:30:00", "01:30:00"),
    ("-p hour --qos=free -t 90 --time-min=10", True, "01:30:00", "01:30:00"),
    ("-p hour --qos=free -t 90 --time-min=40", True, "waits", "01:30:00"),
)


def answer(one, words, wide):
    held = [one.sub("--uid=di --qos=high -w n1 -n4 -t 25")]
    one.until(lambda: one.job(held[0]).get("JobState") == "RUNNING", 40)
    if wide:
        held.append(one.sub("--uid=di --qos=high -N2 -n8 -t 60"))
        one.rest(20)
    number = one.sub(f"--uid=di -x n1 -n4 {words}")
    one.until(lambda: one.job(number).get("JobState") == "RUNNING", 60)
    job = one.job(number)
    release(one, [number, *held])
    if job.get("JobState") != "RUNNING":
        return "waits"
    begin, end = (datetime.fromisoformat(job[key]) for key in ("StartTime", "EndTime"))
    return f"0{end - begin}" if f"0{end - begin}" == job["TimeLimit"] else f"{job['TimeLimit']}, ends after {end - begin}"


def main():
    tally = Tally()
    for column, more in ((2, ""), (3, "PreemptType=preempt/qos\nPreemptMode=REQUEUE\n")):
        with lab(CONF.format(more=more), sacctmgr=ACCOUNTS) as one:
            for case in CASES:
                tally.note(f"{'with' if more else 'without'} preemption, {case[0]}{', one waits for both' if case[1] else ''} |", answer(one, case[0], case[1]), case[column])
    return tally.close()


if __name__ == "__main__":
    sys.exit(main())
