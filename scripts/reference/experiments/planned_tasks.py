#!/usr/bin/env python3
# scripts/reference/experiments/planned_tasks.py — which tasks of an array a cycle tries once one of them has no plan (scheduling.md §8.6).
"""Three nodes, of which two are held for so many minutes; two jobs or tasks, records of their own: the first wants two nodes, the second could start
on the third at once. Printed: what becomes of the second, and what is not as the text says: it is tried if the first is no task of its array, or is planned."""
import sys

from lab import Tally, hold, lab, release

CONF = """\
SchedulerType=sched/backfill
SchedulerParameters=sched_interval=50000,bf_interval=30,bf_resolution=60,bf_window=120{keys}
PriorityType=priority/basic
SelectType=select/cons_tres
SelectTypeParameters=CR_Core
NodeName=n[1-3] Sockets=1 CoresPerSocket=4 ThreadsPerCore=1 RealMemory=64000
PartitionName=p Nodes=n[1-3] Default=YES MaxTime=INFINITE State=UP
"""
# further keys, minutes that the two nodes are held, whether the two are tasks of an array, what becomes of the second
CASES = [("", 60, True, "RUNNING"), ("", 60, False, "RUNNING"), ("", 600, True, "PENDING"), ("", 600, False, "RUNNING"), (",bf_min_age_reserve=3600", 60, True, "PENDING"),
         (",bf_min_age_reserve=3600", 60, False, "RUNNING"), (",bf_job_part_count_reserve=1", 60, True, "RUNNING")]  # fmt: skip


def main():
    tally = Tally()
    for keys in dict.fromkeys(case[0] for case in CASES):
        with lab(CONF.format(keys=keys)) as one:
            for _, minutes, in_array, told in [case for case in CASES if case[0] == keys]:
                held = hold(one, [f"-w n{at} -n4 -t {minutes}" for at in (1, 2)])
                if in_array:
                    array = one.sub("-N2 -n2 --exclusive -t 10 -a 1-2 -H")
                    second = f"{array}_2"
                else:
                    array, second = (one.sub("-N2 -n2 --exclusive -t 10 -H") for _ in range(2))
                one.out(f"scontrol update JobId={second} NumNodes=1-1 NumCPUs=1")
                first = f"{array}_1" if in_array else array
                one.out(f"scontrol release {first} {second}")
                one.rest(100)
                tally.note(f"{keys or '-'}, {minutes} minutes, {'tasks' if in_array else 'jobs'}:", one.job(second)["JobState"], told)
                release(one, [*held, array, second])
    return tally.close()


if __name__ == "__main__":
    sys.exit(main())
