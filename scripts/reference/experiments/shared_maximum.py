#!/usr/bin/env python3
# scripts/reference/experiments/shared_maximum.py — what MaxCPUsPerNode counts where jobs share cores (scheduling.md §6.2).
"""One node of eight cores, jobs of equal CPUs in a partition with MaxCPUsPerNode, of which jobs may share cores. Printed: the cores of those that run. Two minutes."""
import sys

from lab import Tally, lab, release

CONF = """\
SelectType=select/cons_tres
SelectTypeParameters=CR_Core
SchedulerType=sched/backfill
SchedulerParameters=sched_interval=5,bf_interval=15
PriorityType=priority/basic
NodeName=n1 Sockets=1 CoresPerSocket=8 ThreadsPerCore=1 RealMemory=16000
"""
PARTITIONS = [("yes4", "OverSubscribe=YES:2 MaxCPUsPerNode=4"), ("yes3", "OverSubscribe=YES:2 MaxCPUsPerNode=3"), ("yes6", "OverSubscribe=YES:2 MaxCPUsPerNode=6"), ("three", "OverSubscribe=YES:3 MaxCPUsPerNode=4"),
              ("force", "OverSubscribe=FORCE:2 MaxCPUsPerNode=4")]
# partition, CPUs of each of eight jobs, whether they may share, the cores of those that run
QUESTIONS = [("yes4", 2, True, "0-1 2-3 0-1 2-3"), ("yes4", 2, False, "0-1 2-3"), ("yes4", 3, True, "0-2 0-2"), ("yes3", 2, True, "0-1 0-1"), ("yes6", 2, True, "0-1 2-3 4-5 0-1 2-3 4-5"), ("yes6", 4, True, "0-3 0-3"),
             ("three", 2, True, "0-1 2-3 0-1 2-3 0-1 2-3"), ("three", 4, True, "0-3 0-3 0-3"), ("force", 2, True, "0-1 2-3 0-1 2-3"), ("force", 2, False, "0-1 2-3 0-1 2-3"), ("force", 1, False, "0 1 2 3 0 1 2 3")]


def running(one, partition, cpus, shares):
    jobs = [one.sub(f"-p {partition} -c{cpus} -t 30" + (" --oversubscribe" if shares else "")) for _ in range(8)]
    one.rest(20)
    cores = [one.job(number).get("CPU_IDs", "") for number in jobs if one.job(number).get("JobState") == "RUNNING"]
    release(one, jobs)
    return " ".join(cores)


def main():
    tally = Tally()
    with lab(CONF + "".join(f"PartitionName={name} Nodes=n1 MaxTime=60 State=UP {words}\n" for name, words in PARTITIONS)) as one:
        for partition, cpus, shares, told in QUESTIONS:
            tally.note(f"{dict(PARTITIONS)[partition]}, -c{cpus}{' -s' if shares else ''} |", running(one, partition, cpus, shares), told)
    return tally.close()


if __name__ == "__main__":
    sys.exit(main())
