#!/usr/bin/env python3
# scripts/reference/experiments/stopped_tasks.py — which tasks of an array a cycle tries once a limit has stopped one of them (scheduling.md §8.6).
"""Three nodes of four cores; two jobs or tasks, records of their own, of a user who may have six CPUs: the first wants two whole nodes, the second one. Printed: what becomes of the second.
A task behind one of its array that a limit stops is not tried (told otherwise at first), a job is. About three minutes."""
import sys

from lab import Tally, hold, lab, release

CONF = """\
SchedulerType=sched/backfill
SchedulerParameters=defer,sched_interval=50000,bf_interval=30,bf_resolution=60,bf_window=120{keys}
PriorityType=priority/basic
AccountingStorageEnforce=associations,limits,qos
SelectType=select/cons_tres
SelectTypeParameters=CR_Core
NodeName=n[1-3] Sockets=1 CoresPerSocket=4 ThreadsPerCore=1 RealMemory=64000
PartitionName=p Nodes=n[1-3] Default=YES MaxTime=INFINITE State=UP
"""
ACCOUNTS = "add account top\nadd user di,bo Account=top\nmodify qos normal set {limit}\n"
# limit, minutes that two nodes are held (0: not), whether the two are tasks of an array, what becomes of the second
CASES = [
    ("MaxTRESPerUser=cpu=6", 0, True, "PENDING"),
    ("MaxTRESPerUser=cpu=6", 0, False, "RUNNING"),
    ("MaxTRESPerUser=cpu=6", 60, True, "PENDING"),
    ("MaxTRESPerUser=cpu=6", 60, False, "RUNNING"),
    ("GrpTRESRunMins=cpu=60", 0, True, "PENDING"),
    ("MaxTRESPerJob=cpu=6", 0, True, "PENDING"),
]  # fmt: skip


def main():
    tally = Tally()
    for limit, minutes, in_array, told in CASES:
        with lab(CONF.format(keys=""), sacctmgr=ACCOUNTS.format(limit=limit)) as one:
            held = hold(one, [f"--uid=bo -w n{at} -n4 -t {minutes}" for at in (1, 2)]) if minutes else []
            if in_array:
                array = one.sub("--uid=di -N2 -n2 --exclusive -t 10 -a 1-2 -H")
                first, second = f"{array}_1", f"{array}_2"
            else:
                first, second = (one.sub("--uid=di -N2 -n2 --exclusive -t 10 -H") for _ in range(2))
            one.out(f"scontrol update JobId={second} NumNodes=1-1 NumCPUs=1")
            one.out(f"scontrol release {first} {second}")
            one.rest(100)
            got = one.job(second)["JobState"]
            question = f"{limit:24} {minutes:3} minutes, {'tasks' if in_array else 'jobs'}: {one.job(first)['JobState']} {one.job(first).get('Reason')},"
            tally.note(question, got, told)
    return tally.close()


if __name__ == "__main__":
    sys.exit(main())
