#!/usr/bin/env python3
# scripts/reference/experiments/het_victims.py — whether victims of a heterogeneous job die where its components together are over a limit (scheduling.md §11).
"""A job of a low QOS fills a1, b1 is idle. Printed: what becomes of it and of a heterogeneous job that may preempt it, by backfill alone, a minute later: where the first one has begun and the second has a victim, both are back in the queue. Three minutes."""
import sys

from lab import Tally, hold, lab, release

CONF = """\
SchedulerType=sched/backfill
SchedulerParameters=sched_interval=-1,defer,bf_interval=5
PriorityType=priority/basic
SelectType=select/cons_tres
SelectTypeParameters=CR_Core
PreemptType=preempt/qos
PreemptMode=REQUEUE
AccountingStorageEnforce=associations,limits,qos
NodeName=a1 Sockets=1 CoresPerSocket=4 ThreadsPerCore=1 RealMemory=16000
NodeName=b1 Sockets=1 CoresPerSocket=4 ThreadsPerCore=1 RealMemory=16000
PartitionName=x Nodes=a1 MaxTime=INFINITE State=UP Default=YES
PartitionName=y Nodes=b1 MaxTime=INFINITE State=UP
"""
ACCOUNTS = """\
add qos low
add qos four preempt=low MaxTRESPerUser=cpu=4
add qos five preempt=low MaxTRESPerUser=cpu=5
add qos two preempt=low MaxJobsPerUser=1
add account acc
add user root Account=acc
modify user root set qos=normal,low,four,five,two
"""
# Both components, whether a1's job still runs, and what became of the components.
CASES = (
    ("-p x -n4 --qos=four -t 10", "-p y -n1 --qos=four -t 10", "stays, waits, waits"),
    ("-p x -n4 --qos=five -t 10", "-p y -n1 --qos=five -t 10", "gone, runs, runs"),
    ("-p y -n1 --qos=four -t 10", "-p x -n4 --qos=four -t 10", "stays, waits, waits"),
    ("-p y -n1 --qos=five -t 10", "-p x -n4 --qos=five -t 10", "gone, waits, waits"),
    ("-p x -n4 --qos=two -t 10", "-p y -n1 --qos=two -t 10", "stays, waits, waits"),
    ("-p x -n1 --qos=five -t 10", "-p y -n4 --qos=five -t 10", "gone, runs, runs"),
    ("-p x -n2 --qos=five -t 10", "-p y -n4 --qos=five -t 10", "stays, waits, waits"),
    ("-p x -N1 --exclusive --qos=four -t 10", "-p y -n1 --qos=four -t 10", "stays, waits, waits"),
)


def main():
    tally = Tally()
    with lab(CONF, sacctmgr=ACCOUNTS) as one:
        for first, second, told in CASES:
            victim = hold(one, ["-p x -n4 --qos=low -t 1000"])
            number = one.sub(f"{first} : {second}")
            one.rest(60)
            shown = [one.job(number)["JobState"], one.job(f"{number}+1")["JobState"]]
            stays = "stays" if one.job(victim[0]).get("Restarts") == "0" else "gone"
            tally.note(f"{first} : {second:32}", ", ".join([stays, *("runs" if each == "RUNNING" else "waits" for each in shown)]), told)
            release(one, [number, *victim])
    return tally.close()


if __name__ == "__main__":
    sys.exit(main())
