#!/usr/bin/env python3
# scripts/reference/experiments/crowded_victims.py — whether the walk that chooses victims asks for memory by CPU of the cores that would be picked (preemption.md §4).
"""Two nodes of four sockets of four cores under CR_Socket_Memory with memory by CPU, one of them full, on the other jobs that hold memory. Printed: what
becomes of a job of the high tier, by passes and by backfill alone, on how many CPUs it runs, and which of those held have gone for it, and whether
that is as the text says. It is asked before a second choice of victims: the lab's MessageTimeout of 600 s keeps that away for 630 s. Some two minutes."""
import sys

from lab import Tally, hold, lab, release

CONF = """\
SelectType=select/cons_tres
SelectTypeParameters=CR_Socket_Memory
SchedulerType=sched/backfill
SchedulerParameters={parameters}
PriorityType=priority/basic
PreemptType=preempt/partition_prio
PreemptMode=REQUEUE
JobRequeue=1
DefMemPerCPU=3000
NodeName=g[1-2] Sockets=4 CoresPerSocket=4 ThreadsPerCore=1 RealMemory=48000
PartitionName=high Nodes=g[1-2] PriorityTier=20 PreemptMode=OFF Default=YES MaxTime=INFINITE State=UP
PartitionName=low Nodes=g[1-2] PriorityTier=1 MaxTime=INFINITE State=UP
"""
LOOPS = {"main": "bf_interval=-1", "backfill": "sched_interval=-1,bf_interval=5,defer"}
FULL = "-p high -w g2 -n16 -t 500"
# (what is held on g1: partition and options of A, B; the job; what the text says becomes of it; and who goes)
CASES = [
    (["low -c4"], "-n8", "RUNNING None 16", "A"),
    (["low -c4", "low -c8"], "-n8", "PENDING Resources 8", "B"),
    (["low -c8", "low -c4"], "-n8", "RUNNING None 16", "A B"),
    (["low -c8", "low -c4"], "-n16", "RUNNING None 16", "A B"),
    (["high -c4", "low -c8"], "-n8", "PENDING Resources 8", "B"),
    (["high -c4"], "-n8", "PENDING Resources 8", ""),
]  # fmt: skip


def main():
    tally = Tally()
    for loop, parameters in LOOPS.items():
        with lab(CONF.format(parameters=parameters)) as one:
            for held, words, becomes, gone in CASES:
                ids = hold(one, [FULL, *(f"-w g1 --mem=20000 -t 300 -p {each}" for each in held)])
                job = one.sub(f"-p high -t 50 {words}")
                one.rest(90)
                shown = one.job(job)
                went = [name for name, each in zip("AB", ids[1:]) if one.job(each)["JobState"] != "RUNNING"]
                got = f"{shown['JobState']} {shown['Reason']} {shown['NumCPUs']}"
                tally.note(f"{loop:8} {'; '.join(held):18} {words:4} |", f"{got}; gone: {' '.join(went)}", f"{becomes}; gone: {gone}")
                release(one, [job, *ids])
    return tally.close()


if __name__ == "__main__":
    sys.exit(main())
