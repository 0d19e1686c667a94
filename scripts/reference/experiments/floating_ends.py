#!/usr/bin/env python3
# scripts/reference/experiments/floating_ends.py — when a job is planned that a TIME_FLOAT reservation keeps from starting (scheduling.md §8.7).
"""One of two nodes is reserved in ten minutes for half an hour, with and without TIME_FLOAT, and wanted for twenty; others end by plans of backfill, or
by another reservation, or do not. Printed: in how many minutes the job is planned, `-` without a plan, and whether that is as the text says."""
import re
import sys

from lab import Tally, hold, lab, plan_of

CONF = """\
SelectType=select/cons_tres
SelectTypeParameters=CR_Core_Memory
SchedulerType=sched/backfill
SchedulerParameters=bf_interval=30,bf_resolution=60,bf_window=1440
DefMemPerCPU=10
NodeName=n[1-2] CPUs=4 RealMemory=1000
PartitionName=p Nodes=ALL Default=YES MaxTime=INFINITE State=UP
"""
ACCOUNTS = """\
add account main Organization=o
add user ada,bob Account=main
"""
FLOAT = "ReservationName=f StartTime=now+10minutes Duration=30 Users=bob NodeCnt=1 Nodes=n1 Flags=TIME_FLOAT"
FIXED = "ReservationName=f StartTime=now+10minutes Duration=30 Users=bob NodeCnt=1 Nodes=n1"
OTHER = "ReservationName=g StartTime=now+10minutes Duration={} Users=bob Nodes=n2"
# (reservations, minutes for which n2 is held and then planned, options of the job, the minutes that the text says)
CASES = [
    ([FIXED], None, "-w n1 -t 20", "40"),
    ([FLOAT], None, "-w n1 -t 20", "-"),
    ([FLOAT], (20, 40), "-w n1 -t 20", "60"),
    ([FLOAT], (10, 20), "-w n1 -t 20", "-"),
    ([FLOAT, OTHER.format(60)], None, "-w n1 -t 20", "70"),
    ([FLOAT, OTHER.format(20)], None, "-w n1 -t 20", "-"),
    ([FLOAT], None, "-w n1 -t 5", "runs"),
    ([FIXED], None, "-w n1 -t 5", "runs"),
    ([FLOAT], (20, 40), "-N2 --exclusive -t 30", "60"),
    ([FLOAT], (50, 20), "-N2 --exclusive -t 30", "70"),
]  # fmt: skip


def main():
    tally = Tally()
    for reservations, beside, words, told in CASES:
        with lab(CONF, sacctmgr=ACCOUNTS) as one:
            if beside:
                hold(one, [f"--uid=ada -w n2 -n4 --mem=100 -t {beside[0]}"])
                one.sub(f"--uid=ada -w n2 -n4 --mem=100 -t {beside[1]}")
            for words_of in reservations:
                one.out(f"scontrol create reservation {words_of}")
            now = one.cluster.clock.now()
            job = one.sub(f"--uid=ada {words}")
            one.rest(65)
            what = " ".join(re.sub("ReservationName=. StartTime=now.10minutes | Users=bob|NodeCnt=1 ", "", r) for r in reservations)
            tally.note(f"{what:70} beside {str(beside):9} {words:22}", plan_of(one, job, now).partition(" ")[0], told)
    return tally.close()


if __name__ == "__main__":
    sys.exit(main())
