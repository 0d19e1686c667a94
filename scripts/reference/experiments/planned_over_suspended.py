#!/usr/bin/env python3
# scripts/reference/experiments/planned_over_suspended.py — what backfill plans for a job that shares no cores, over jobs that it would have suspended (preemption.md §7).
"""GPUs of two nodes are held by jobs of `lo` (SUSPEND, FORCE:2) and `mid` (REQUEUE, FORCE:1); a job of `hi` (OverSubscribe=NO) asks for one on each, or on one.
Prints whether backfill plans it from now on, and what it signals. About eight minutes."""
import glob
import re
import sys

from lab import Tally, lab

CONF = """\
SelectType=select/cons_tres
SelectTypeParameters=CR_Core
PriorityType=priority/multifactor
PriorityWeightJobSize=1000
SchedulerParameters=bf_interval=25,bf_resolution=30
PreemptType=preempt/partition_prio
PreemptMode=SUSPEND,GANG
SchedulerTimeSlice=45
GresTypes=gpu
NodeName=k[1-2] Sockets=2 CoresPerSocket=4 ThreadsPerCore=1 RealMemory=40000 Gres=gpu:v100:2
NodeName=l[1-2] Sockets=1 CoresPerSocket=8 ThreadsPerCore=1 RealMemory=40000
PartitionName=lo Nodes=k[1-2],l[1-2] Default=YES MaxTime=4:00:00 State=UP PriorityTier=1 OverSubscribe=FORCE:2 PreemptMode=SUSPEND
PartitionName=mid Nodes=k[1-2],l[1-2] MaxTime=1:00:00 State=UP PriorityTier=5 OverSubscribe=FORCE:1 PreemptMode=REQUEUE {grace}
PartitionName=hi Nodes=k[1-2],l[1-2] MaxTime=20 State=UP PriorityTier=10 OverSubscribe=NO PreemptMode=OFF
"""
GRES = "NodeName=k[1-2] Name=gpu Type=v100 File=/dev/nvidia0 Cores=0-3\nNodeName=k[1-2] Name=gpu Type=v100 File=/dev/nvidia1 Cores=4-7\n"
BOTH, ONE = "--gpus-per-node=v100:1 -N2 -n4 -t 15", "--gpus-per-node=v100:1 -N1 -n2 -t 15"
NOW, NEVER = "busy, planned from now on", "no plan"
# who holds a GPU of each node, in this order; what becomes of the job: GPUs of who would be suspended stay held, those of who is requeued are free
CASES = [("lo", BOTH, NOW), ("lo", ONE, NOW), ("mid lo", BOTH, NOW), ("mid lo", ONE, NOW), ("lo mid", BOTH, NOW), ("lo mid", ONE, NOW),
         ("lo lo", BOTH, NEVER), ("lo lo", ONE, NEVER), ("mid mid", BOTH, f"preempts, {NOW}"), ("mid mid", ONE, f"preempts, {NOW}")]


def answer(one, holders, words):
    for each in holders.split():
        one.sub(f"-p {each} {BOTH}")
        one.rest(30)
    one.rest(40)
    number = one.sub(f"-p hi {words}")
    one.rest(70)
    log = open(glob.glob(f"{one.cluster.work}/**/slurmctld.log", recursive=True)[0], encoding="utf-8").read()
    signalled = re.search(rf"(reclaim resources for|preemption grace time.*) JobId={number}\b", log)
    # The instant of the line is that of the plan, or a second before.
    planned = re.search(rf"T(\S+)\.\d+\].*JobId={number} to start at \S+T(\S+),", log)
    busy = f"planned start of JobId={number} failed: Requested nodes are busy" in log
    if not planned:
        return NEVER
    return ("preempts, " if signalled else "") + (NOW if busy and planned[1][:5] == planned[2][:5] else f"planned at {planned[2]}")


def main():
    tally = Tally()
    for holders, words, told in CASES:
        with lab(CONF.format(grace="GraceTime=30"), GRES) as one:
            tally.note(f"{holders:8} {words}", answer(one, holders, words), told)
    return tally.close()


if __name__ == "__main__":
    sys.exit(main())
