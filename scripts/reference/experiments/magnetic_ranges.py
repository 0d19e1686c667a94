#!/usr/bin/env python3
# scripts/reference/experiments/magnetic_ranges.py — which jobs a pass starts in a magnetic reservation that has fewer nodes than they would have elsewhere (scheduling.md §4.2 item 2).
"""Eight nodes; c[1-N] are reserved for the job's account, those behind them run jobs, but for those that are named. Printed: where a job is after some passes. About four minutes."""
import sys

from lab import Tally, hold, lab, release

CONF = """\
SelectType=select/cons_tres
SelectTypeParameters=CR_Core
SchedulerType=sched/backfill
PriorityType=priority/basic
SchedulerParameters={loops}
AccountingStorageEnforce=associations
NodeName=c[1-3] CPUs=8 RealMemory=8000 Feature=few
NodeName=c[4-8] CPUs=8 RealMemory=8000
PartitionName=batch Nodes=c[1-8] Default=YES MaxTime=INFINITE State=UP
PartitionName=half Nodes=c[1-4] MaxTime=INFINITE State=UP
"""
ACCOUNTS = "add account red\nadd user di Account=red\n"
PASSES, CYCLES = "bf_interval=3000,sched_interval=10", "bf_interval=10,sched_interval=-1"
# loops, reserved, busy, jobs with where they start
CASES = [
    (PASSES, 1, range(2, 9), [("-N1-2 -n2", "-"), ("-N1-8 -n8", "-"), ("-N1-2", "-"), ("-N1-2 -n1", "c1"), ("-n2", "c1"), ("-N1-2 -n2 --exclusive", "-"), ("-N1-2 -n2 -w c1", "c1"), ("-p half -N1-2 -n2", "-")]),
    (PASSES, 2, range(3, 9), [("-N1-2 -n2", "c[1-2]"), ("-N1-3 -n3", "-"), ("-N1-8 -n8", "-"), ("-N2-3 -n3", "-"), ("-p half -N1-3 -n3", "c[1-2]"), ("-p half -N1-8 -n8", "c[1-2]")]),
    (PASSES, 3, range(4, 9), [("-N1-2 -n2", "c[1-2]"), ("-N1-3 -n3", "c[1-3]"), ("-N1-4 -n4", "-"), ("-N1-4 -n3", "c[1-3]"), ("-N1-4 -n4 -C few", "c[1-3]"), ("-N1-4 -n4 -x c[4-8]", "c[1-3]"), ("-p half -N1-4 -n4", "c[1-3]")]),
    (PASSES, 4, range(5, 9), [("-N1-4 -n4", "c[1-4]"), ("-N1-5 -n5", "c[1-4]"), ("-N1-8 -n8", "c[1-4]")]),
    (PASSES, 2, range(4, 9), [("-N1-3 -n3", "c3"), ("-N1-2 -n3", "c[1-2]")]),
    (CYCLES, 1, range(2, 9), [("-N1-2 -n2", "c1"), ("-N1-8 -n8", "c1")]),
    (CYCLES, 2, range(3, 9), [("-N1-3 -n3", "c[1-2]"), ("-N2-3 -n3", "c[1-2]")]),
]  # fmt: skip


def ask(one, words):
    number = one.sub(f"--uid=di -t 30 {words}")
    one.until(lambda: one.job(number).get("JobState") == "RUNNING", 25)
    job = one.job(number)
    release(one, [number])
    return job["NodeList"] if job.get("JobState") == "RUNNING" else "-"


def main():
    tally = Tally()
    for loops in (PASSES, CYCLES):
        with lab(CONF.format(loops=loops), sacctmgr=ACCOUNTS) as one:
            for of, reserved, busy, jobs in CASES:
                if of != loops:
                    continue
                held = hold(one, [f"--uid=root -w c{i} -n8 -t 100" for i in busy])
                one.out(f"scontrol create reservation ReservationName=r Accounts=red StartTime=now Duration=1000 Nodes=c[1-{reserved}] Flags=MAGNETIC")
                one.rest(10)
                for words, told in jobs:
                    tally.note(f"{loops.partition(',')[0]:16} c[1-{reserved}] {words:24}", ask(one, words), told)
                release(one, held)
                one.out("scontrol delete ReservationName=r")
    return tally.close()


if __name__ == "__main__":
    sys.exit(main())
