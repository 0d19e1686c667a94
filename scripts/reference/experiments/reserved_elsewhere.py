#!/usr/bin/env python3
# scripts/reference/experiments/reserved_elsewhere.py — whose plans a reservation leads to its end (scheduling.md §8.7 step 4).
"""With assoc_limit_stop a job over a limit is planned at the next instant that is to be tried, else 500 s ahead: so its StartTime tells whether the end of a reservation, five minutes away, was such an instant. Printed:
the job and reservations, and what it is. Partition p has n1 and n2. About a minute and a half."""
import re
import sys

from lab import Tally, hold, lab, release

CONF = """\
SelectType=select/cons_tres
SelectTypeParameters=CR_Core
SchedulerType=sched/backfill
SchedulerParameters=bf_interval=5,assoc_limit_stop
PriorityType=priority/multifactor
AccountingStorageEnforce=associations,limits
NodeName=n[1-4] CPUs=4 RealMemory=64000
PartitionName=all Nodes=n[1-4] Default=YES MaxTime=INFINITE State=UP
PartitionName=p Nodes=n[1-2] MaxTime=INFINITE State=UP
"""
ACCOUNTS = "add account red\nadd user ada Account=red MaxJobs=1\n"
OTHERS = "Users=root StartTime=now Duration=5 "
OWN = "Users=ada StartTime=now Duration=60 "
END, AHEAD = "at its end", "500 s ahead"
CASES = [("-p p", [OTHERS + "Nodes=n3"], AHEAD),
         ("-p p", [OTHERS + "Nodes=n1"], END),
         ("-p all", [OTHERS + "Nodes=n3"], END),
         ("-p all -x n3", [OTHERS + "Nodes=n3"], END),
         ("-p p", [OTHERS + "Nodes=n3 CoreCnt=2"], AHEAD),
         ("-p p", [OTHERS + "Nodes=n1 CoreCnt=2"], END),
         ("-p p --exclusive", [OTHERS + "Nodes=n3"], AHEAD),
         ("-p p --exclusive", [OTHERS + "Nodes=n3 CoreCnt=2"], AHEAD),
         ("-p p --exclusive", [OTHERS + "Nodes=n1 CoreCnt=2"], END),
         ("-p p", [OTHERS + "Nodes=n4 Flags=IGNORE_JOBS"], AHEAD),
         ("-p p", [OTHERS + "Nodes=n3", "Users=root StartTime=now Duration=9 Nodes=n1"], END),
         ("-p p --reservation=r1", [OTHERS + "Nodes=n3", OWN + "Nodes=n1 Flags=FLEX"], END),
         ("-p p --reservation=r1", [OTHERS + "Nodes=n3", OWN + "Nodes=n1,n3 Flags=OVERLAP"], AHEAD),
         ("-p p --reservation=r1", [OTHERS + "Nodes=n3 Flags=MAINT", OWN + "Nodes=n1,n3 Flags=OVERLAP"], END)]  # fmt: skip


def seconds(clock):
    hours, minutes, rest = clock.rpartition("T")[2].split(":")
    return 3600 * int(hours) + 60 * int(minutes) + int(rest)


def planned(one, words, reservations):
    """When the job is planned, by the end of the first of the reservations."""
    for i, text in enumerate(reservations):
        one.out(f"scontrol create reservation ReservationName=r{i} {text}")
    number = one.sub(f"--uid=ada -n1 -t 30 {words}")
    one.rest(25)
    end = seconds(re.search(r"EndTime=(\S+)", one.out("scontrol -o show reservation r0"))[1])
    start = one.job(number).get("StartTime", "Unknown")
    release(one, [number])
    for i, _ in enumerate(reservations):
        one.out(f"scontrol delete ReservationName=r{i}")
    one.rest(12)
    if start == "Unknown":
        return "not planned"
    return END if seconds(start) == (end + 59) // 60 * 60 + 1 else AHEAD if seconds(start) > end + 120 else start


def main():
    tally = Tally()
    with lab(CONF, sacctmgr=ACCOUNTS) as one:
        hold(one, ["--uid=ada -w n4 -n1 -t 300"])
        for words, reservations, told in CASES:
            tally.note(f"{words:24} {'; '.join(reservations):100}", planned(one, words, reservations), told)
    return tally.close()


if __name__ == "__main__":
    sys.exit(main())
