#!/usr/bin/env python3
# scripts/reference/experiments/linear_sharing.py — which nodes select/linear gives where several jobs may be on one (scheduling.md §6).
"""Four nodes of weight 1 and two of weight 5, all of eight CPUs, in a partition of OverSubscribe=FORCE:n or YES:n; some are held. Printed: where a job starts
by passes alone, or that it waits, and whether that is as the text says. Some two minutes."""
import sys

from lab import Tally, hold, lab, release

CONF = """\
SelectType=select/linear
SelectTypeParameters=CR_Memory
SchedulerType=sched/backfill
SchedulerParameters=bf_interval=-1
PriorityType=priority/basic
DefMemPerNode=1000
NodeName=n[1-4] Sockets=2 CoresPerSocket=4 ThreadsPerCore=1 RealMemory=10000
NodeName=m[1-2] Sockets=2 CoresPerSocket=4 ThreadsPerCore=1 RealMemory=10000 Weight=5
PartitionName=all Nodes=n[1-4],m[1-2] Default=YES MaxTime=INFINITE State=UP OverSubscribe={over}
PartitionName=oth Nodes=n[1-4],m[1-2] MaxTime=INFINITE State=UP
"""
ONE_EACH = ["-w n2", "-w n3", "-w n4", "-w m1"]
# (OverSubscribe, what is held, [(options, what the text says)]); five are answered otherwise, and not explained.
CASES = [
    ("FORCE:2", ["-w n1", "-w n3"], [
        ("-N1", "n2"), ("-N2", "n[2,4]"), ("-N3", "n[1-3]"), ("-N4", "n[1-4]"), ("-N5", "m1,n[1-4]"), ("-N6", "m[1-2],n[1-4]"), ("-n16", "n[2,4]"),
        ("-n40", "m1,n[1-4]"), ("--exclusive -N1", "n2"), ("-N6 --exclusive", "m[1-2],n[1-4]")]),
    ("FORCE:3", ["-w n1", "-w n1", "-w n2", "-w n[3-4]", "-w m1"], [
        ("-N1", "n2"), ("-N2", "n[2-3]"), ("-N3", "n[2-4]"), ("-N4", "n[1-4]"), ("-N5", "m[1-2],n[2-4]"), ("-N6", "m[1-2],n[1-4]"), ("-n48", "m[1-2],n[1-4]"),
        ("-N2 --mem=8000", "n[2-3]")]),
    ("FORCE:2", ["-w n1 --mem=6000", *ONE_EACH, "-w m2"], [
        ("-N1", "n1"), ("-N1 --mem=6000", "n2"), ("-N2 --mem=5000", "n[2-3]"), ("-N6 --mem=4000", "m[1-2],n[1-4]"), ("-N6 --mem=5000", "-")]),
    ("YES:2", ["-w n1 -s", *ONE_EACH, "-w m2 -s"], [("-N1", "-"), ("-N1 -s", "n1"), ("-N2 -s", "m2,n1"), ("-N3 -s", "-")]),
    ("FORCE:2", ["-p oth -w n1", *ONE_EACH, "-w m2"], [("-N1", "n2"), ("-N2", "n[2-3]"), ("-N5", "m[1-2],n[2-4]"), ("-N6", "-"), ("-p oth -N1", "-")]),
    ("FORCE:2", ["-w n[1-2]", "-w n2", "-w n[3-4]", "-w m[1-2]", "-w n4"], [("-N1", "n1"), ("-N2", "n[1,3]"), ("-N3", "m1,n[1,3]"), ("-N4", "m[1-2],n[1,3]")]),
]  # fmt: skip


def ask(one, words):
    job = one.sub(words + " -t 50")
    one.rest(8)
    shown = one.job(job)
    release(one, [job])
    return shown["NodeList"] if shown["JobState"] == "RUNNING" else "-"


def main():
    tally = Tally()
    for over, held, asked in CASES:
        with lab(CONF.format(over=over)) as one:
            hold(one, [f"{each} -t 100" for each in held])
            for words, told in asked:
                tally.note(f"{over:8} {'; '.join(held):60} | {words}", ask(one, words), told)
    return tally.close()


if __name__ == "__main__":
    sys.exit(main())
