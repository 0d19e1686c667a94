#!/usr/bin/env python3
# scripts/reference/experiments/lifted_limits.py — how long backfill plans a job whose limit is above MaxTime, by its QOS (PartitionTimeLimit) or by an operator (scheduling.md §8.6).
"""A job holds n1 for thirty minutes, one of a higher priority is planned on n1 and n2 behind it. Printed: whether a job starts on n2 before that, and with what TimeLimit; and, where both nodes are held, when a job is planned behind one that is planned. Two minutes."""
import sys
from datetime import datetime

from lab import Tally, lab, release

CONF = """\
SelectType=select/cons_tres
SelectTypeParameters=CR_Core
SchedulerType=sched/backfill
SchedulerParameters=bf_interval=5,sched_interval=15,bf_resolution=60
PriorityType=priority/multifactor
PriorityWeightQOS=1000
AccountingStorageEnforce=associations,limits,qos
NodeName=n[1-2] Sockets=1 CoresPerSocket=4 ThreadsPerCore=1 RealMemory=64000
PartitionName=all Nodes=n[1-2] Default=YES MaxTime=INFINITE State=UP
PartitionName=twenty Nodes=n[1-2] MaxTime=20 State=UP
PartitionName=forty Nodes=n[1-2] MaxTime=40 State=UP
"""
ACCOUNTS = """\
add account red
add qos high Priority=100
add qos mid Priority=50 Flags=PartitionTimeLimit
add qos free Flags=PartitionTimeLimit
add user di Account=red QOS=normal,high,mid,free DefaultQOS=normal
"""
# The job, its limit as an operator changes it while it is held, and what becomes of it.
STARTS = (
    ("--qos=free -p twenty -t 70", "", "01:10:00"),
    ("--qos=free -p twenty -t 20", "", "00:20:00"),
    ("--qos=free -p forty -t 70", "", "waits"),
    ("--qos=free -p all -t 70", "", "waits"),
    ("-p twenty -t 70", "", "waits"),
    ("-p twenty -t 10", "70", "01:10:00"),
    ("-p forty -t 10", "70", "waits"),
    ("-p all -t 10", "70", "waits"),
    ("-p all -t 10", "20", "00:20:00"),
)
# Minutes until a job behind is planned, where both nodes are held for thirty.
PLANS = (("--qos=mid -p twenty -t 70", 50), ("--qos=mid -p all -t 70", 100), ("--qos=mid -p all -t 20", 50))


def starts(one, words, changed):
    held = [one.sub("--uid=di --qos=high -w n1 -n4 -t 30")]
    one.until(lambda: one.job(held[0]).get("JobState") == "RUNNING", 40)
    held.append(one.sub("--uid=di --qos=high -N2 -n8 -t 60"))
    one.rest(20)
    number = one.sub(f"--uid=di -x n1 -n4 {words}{' -H' if changed else ''}")
    if changed:
        one.out(f"scontrol update JobId={number} TimeLimit={changed}")
        one.out(f"scontrol release {number}")
    one.until(lambda: one.job(number).get("JobState") == "RUNNING", 60)
    job = one.job(number)
    release(one, [number, *held])
    return job["TimeLimit"] if job.get("JobState") == "RUNNING" else "waits"


def planned(one, words):
    held = [one.sub(f"--uid=di --qos=high -w n{i} -n4 -t 30") for i in (1, 2)]
    one.until(lambda: one.job(held[1]).get("JobState") == "RUNNING", 40)
    begin = datetime.fromisoformat(one.job(held[1])["StartTime"])
    ahead, behind = one.sub(f"--uid=di -N2 -n8 {words}"), one.sub("--uid=di -N2 -n8 -t 10")
    one.rest(30)
    at = one.job(behind).get("StartTime")
    release(one, [behind, ahead, *held])
    return round((datetime.fromisoformat(at) - begin).total_seconds() / 60) if at != "Unknown" else at


def main():
    tally = Tally()
    with lab(CONF, sacctmgr=ACCOUNTS) as one:
        for words, changed, told in STARTS:
            tally.note(f"{words}{', updated to ' + changed if changed else ''} |", starts(one, words, changed), told)
        for words, told in PLANS:
            got = planned(one, words)
            tally.note(f"behind {words} | planned after", f"{got} minutes", f"{told} minutes" if got != told - 1 else f"{got} minutes")
    return tally.close()


if __name__ == "__main__":
    sys.exit(main())
