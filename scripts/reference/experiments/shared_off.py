#!/usr/bin/env python3
# scripts/reference/experiments/shared_off.py — whether jobs of a partition share cores that has PreemptMode=OFF (scheduling.md §6.3).
"""Two nodes of eight cores of a partition whose OverSubscribe lets two jobs share a core, all cores held. Printed: the node on which one more job starts that needs
eight cores, by passes and by backfill, or `-` where it waits, and whether that is as the text says. Some six minutes."""
import sys

from lab import Tally, hold, lab

CONF = """\
SelectType=select/cons_tres
SelectTypeParameters={parameters}
SchedulerType=sched/backfill
SchedulerParameters=bf_interval=10
PriorityType=priority/basic
PreemptType=preempt/{preempts}
PreemptMode={mode}
DefMemPerCPU=1000
NodeName=n[1-2] CPUs=8 Sockets=1 CoresPerSocket=8 RealMemory=60000
NodeName=far CPUs=8 Sockets=1 CoresPerSocket=8 RealMemory=60000
PartitionName=far Nodes=far PriorityTier=10 OverSubscribe=FORCE:1 MaxTime=INFINITE State=UP
PartitionName=all Nodes=n[1-2] Default=YES OverSubscribe={own} MaxTime=INFINITE State=UP
"""
HELD = ["-w n1 -n4 --mem=6G -t 15", "-w n1 -c4 --mem=8G -t 15", "-w n2 -c8 --mem=8G -t 20"]
GANG = "SUSPEND,GANG"
# (PreemptType, PreemptMode of the cluster, SelectTypeParameters, of the partition; what the text says). GANG alone is no OFF here, for which the simulator takes it.
CASES = [
    *(("partition_prio", GANG, parameters, own, told) for parameters in ("CR_CPU_Memory", "CR_Core_Memory") for own, told in (
        ("FORCE:2", "n1"), ("FORCE:2 PreemptMode=OFF", "-"), ("FORCE:2 PreemptMode=OFF PriorityTier=1", "-"), ("FORCE:2 PreemptMode=SUSPEND", "n1"),
        ("FORCE:2 PreemptMode=OFF MaxMemPerNode=20000", "-"), ("FORCE:2 MaxMemPerNode=20000", "n1"), ("YES:2 PreemptMode=OFF", "-"))),
    *(("partition_prio", GANG, "CR_Core_Memory", f"FORCE:2 PreemptMode={mode}", "n1") for mode in ("REQUEUE", "CANCEL", "GANG")),
    *(("partition_prio", mode, "CR_Core_Memory", own, told) for mode in ("REQUEUE", "REQUEUE,GANG") for own, told in (
        ("FORCE:2", "n1"), ("FORCE:2 PreemptMode=OFF", "-"), ("FORCE:2 PreemptMode=REQUEUE", "n1"))),
    *((preempts, mode, "CR_Core_Memory", own, "n1") for preempts, mode in (("none", "GANG"), ("qos", GANG)) for own in ("FORCE:2", "FORCE:2 PreemptMode=OFF")),
    ("none", "OFF", "CR_Core_Memory", "FORCE:2", "n1"),
]  # fmt: skip


def main():
    tally = Tally()
    for preempts, mode, parameters, own, told in CASES:
        with lab(CONF.format(preempts=preempts, mode=mode, parameters=parameters, own=own)) as one:
            hold(one, HELD)
            job = one.sub(f"-c8 --mem=8G -t 10{' -s' if own.startswith('YES') else ''}")
            one.rest(14)
            shown = one.job(job)
            answer = "-" if shown["JobState"] == "PENDING" else shown["NodeList"]
            tally.note(f"{preempts:14} {mode:12} {parameters:14} {own:44} |", answer, told)
    return tally.close()


if __name__ == "__main__":
    sys.exit(main())
