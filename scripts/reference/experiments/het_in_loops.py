#!/usr/bin/env python3
# scripts/reference/experiments/het_in_loops.py — heterogeneous jobs that cannot start yet: whom they block, which components are tried, and limits with --time-min (scheduling.md §11).
"""Nodes a[1-2] of partitions x, short (MaxTime=30) and v, b1 of y, d1 of z. With the main loop alone: what becomes of a job behind a heterogeneous one. With backfill alone: whether the
second component (of y, whose node is idle) is given a start behind a first one that is in the way of itself; limits after a start. About twelve minutes."""
import re
import sys

from lab import Tally, lab

CONF = """\
SchedulerType=sched/backfill
SchedulerParameters={parameters}
PriorityType=priority/multifactor
PriorityWeightPartition=1000
SelectType=select/cons_tres
SelectTypeParameters=CR_Core
Licenses=lic:1
AccountingStorageEnforce=associations,limits,qos
NodeName=a[1-2] Sockets=1 CoresPerSocket=4 ThreadsPerCore=1 RealMemory=16000
NodeName=b1 Sockets=1 CoresPerSocket=4 ThreadsPerCore=1 RealMemory=16000
NodeName=d1 Sockets=1 CoresPerSocket=4 ThreadsPerCore=1 RealMemory=16000
PartitionName=x Nodes=a[1-2] MaxTime=INFINITE State=UP Default=YES PriorityJobFactor=5
PartitionName=y Nodes=b1 MaxTime=INFINITE State=UP PriorityJobFactor=3
PartitionName=z Nodes=d1 MaxTime=INFINITE State=UP PriorityJobFactor=5
PartitionName=short Nodes=a[1-2] MaxTime=30 State=UP PriorityJobFactor=5
PartitionName=v Nodes=a[1-2] MaxTime=INFINITE State=UP PriorityJobFactor=5
"""
ACCOUNTS = """\
add account acc
add user root Account=acc
add qos one MaxJobsPerUser=1
add qos capped MaxTRESPerUser=cpu=5
modify user root set qos=normal,one,capped defaultqos=normal
"""
MAIN, BACKFILL = "sched_interval=2,bf_interval=-1", "sched_interval=-1,defer,bf_interval=5,bf_window=1440"
RESERVES = ("", ",bf_min_prio_reserve=1000000", ",bf_min_age_reserve=6000")
RESERVED = "scontrol create reservation ReservationName=r Nodes=a2 StartTime=now Duration=1000 Users=root"
# The heterogeneous job, the job behind it: what becomes of that one.
BLOCKED = [
    ("-n1 : -n1", "-n1", "PENDING Priority"),
    ("-w a1 -n1 : -w a2 -n1", "-n1", "PENDING Priority"),
    ("-n1 -p y : -n1 -p y", "-n1", "RUNNING None"),
    ("-n1 -p x,y : -n1 -p y", "-w a1 -n1", "PENDING Priority"),
    ("-n1 --begin=now+1hour : -n1", "-n1", "RUNNING None"),
    ("-H -n1 : -n1", "-n1", "RUNNING None"),
    ("--reservation=r -n1 : --reservation=r -n1", "-n1", "PENDING Priority"),
]
FULL = "-p x -N2 --exclusive -t 100"
# What else the parameters are, what runs, what an admin types, both components: whether the second has a start.
TRIED = [
    ("", FULL, "", "-p x -N1 -n1 -t 60", "-p y -n1 -t 60", True),
    (",bf_min_prio_reserve=1000000", FULL, "", "-p x -N1 -n1 -t 60", "-p y -n1 -t 60", False),
    (",bf_min_age_reserve=60000", FULL, "", "-p x -N1 -n1 -t 60", "-p y -n1 -t 60", False),
    ("", "-p x -N1 -L lic:1 -t 100", "", "-p x -N1 -n1 -L lic:1 -t 60", "-p y -n1 -t 60", False),
    (",bf_licenses", "-p x -N1 -L lic:1 -t 100", "", "-p x -N1 -n1 -L lic:1 -t 60", "-p y -n1 -t 60", True),
    ("", "-p x -n5 --qos=capped -t 100", "", "-p x -N1 -n1 --qos=capped -t 60", "-p y -n1 --qos=normal -t 60", True),
    ("", "-p z -n1 --qos=one -t 100", "", "-p x -N1 -n1 --qos=one -t 60", "-p y -n1 --qos=normal -t 60", False),
    (",assoc_limit_stop", "-p z -n1 --qos=one -t 100", "", "-p x -N1 -n1 --qos=one -t 60", "-p y -n1 --qos=normal -t 60", True),
    ("", "-p x -N2 --exclusive -t 10000", "", "-p x -N1 -n1 -t 60", "-p y -n1 -t 60", False),
    ("", "-p x -n1 -t 100", "scontrol update NodeName=d1 State=DOWN Reason=x", "-p z -w d1 -n1 -t 60", "-p y -n1 -t 60", False),
    ("", "-p z -n1 -t 100", "scontrol update NodeName=a1 State=DRAIN Reason=x", "-p x -N2 -n2 -t 60", "-p y -n1 -t 60", False),
    ("", "-p x -n1 -t 100", "scontrol update PartitionName=v State=DOWN", "-p v -n1 -t 60", "-p y -n1 -t 60", True),
    ("", "-p z -n1 -t 100", "", "-p short -N1 -n1 -t 60", "-p y -n1 -t 60", True),
]
# … and the limits after the start.
LIMITS = [
    ("", "--time-min=3 -t 30 -n1 : -n1 -t 40", "00:03:00 00:03:00"),
    ("", "-t 30 -n1 : -n1 -t 40 --time-min=5", "00:05:00 00:05:00"),
    ("", "-t 30 -n1 : -n1 -t 40", "00:30:00 00:40:00"),
    (",bf_hetjob_immediate", "--time-min=3 -t 30 -n1 : -n1 -t 40", "00:03:00 00:40:00"),
]


def submit(one, words):
    done = one.cluster.ask("sbatch", "--parsable", "-D", "/", "-o", "/dev/null", *words.split(), "--wrap", "work 1000")
    return (done.stdout + done.stderr).strip().splitlines()[-1]


def shown(one, job, keys):
    """Of each component the values of these keys."""
    return [re.findall(rf"(?:{keys})=(\S+)", line) for line in one.out(f"scontrol -o show job {job}").splitlines()]


def running(one, words):
    job = one.sub(words)
    one.until(lambda: one.job(job).get("JobState") == "RUNNING", 120)


def ask_blocked(tally):
    for reserve in RESERVES:
        with lab(CONF.format(parameters=MAIN + reserve), sacctmgr=ACCOUNTS) as one:
            one.out(RESERVED)
            for words, behind, told in BLOCKED:
                job = submit(one, words)
                low = one.sub(f"{behind} --nice=10")
                one.rest(60)
                tally.note(f"{reserve} {words} | {behind}", " ".join(shown(one, low, "JobState|Reason")[0]), told)
                one.out(f"scancel {job} {low}")
                one.rest(30)


def ask_tried(tally):
    for parameters, held, command, first, second, told in TRIED:
        with lab(CONF.format(parameters=BACKFILL + parameters), sacctmgr=ACCOUNTS) as one:
            running(one, held)
            if command:
                one.out(command)
            job = submit(one, f"{first} : {second}")
            one.sub("-p y -n4 -t 300 --nice=20")
            one.rest(90)
            tally.note(f"{parameters} {held}; {command} | {first} : {second}", shown(one, job, "StartTime")[1] != ["Unknown"], told)


def ask_limits(tally):
    for parameters, words, told in LIMITS:
        with lab(CONF.format(parameters=BACKFILL + parameters), sacctmgr=ACCOUNTS) as one:
            job = submit(one, words)
            one.rest(60)
            tally.note(f"{parameters} {words}", " ".join(limit for each in shown(one, job, "TimeLimit") for limit in each), told)


def main():
    tally = Tally()
    ask_blocked(tally)
    ask_tried(tally)
    ask_limits(tally)
    return tally.close()


if __name__ == "__main__":
    sys.exit(main())
