#!/usr/bin/env python3
# scripts/reference/experiments/whole_tasks.py — CPUs of a node are cut to whole tasks where memory goes by CPU (scheduling.md §6.2).
"""Nodes of three makes, in a partition with DefMemPerCPU and in one with DefMemPerNode; n01 is full, n02 has 44 of its 48 CPUs free. Printed: CPUs by node that the job gets."""
import re
import sys

from lab import Tally, hold, lab, shown

CONF = """\
SelectType=select/cons_tres
SelectTypeParameters=CR_Core_Memory
SchedulerType=sched/backfill
PriorityType=priority/basic
NodeName=n[01-05] Sockets=2 CoresPerSocket=12 ThreadsPerCore=2 RealMemory=96000 Feature=thin
NodeName=s[01-02] Sockets=4 CoresPerSocket=6 ThreadsPerCore=2 RealMemory=192000 Feature=quad Weight=5
NodeName=f[01-02] Sockets=2 CoresPerSocket=20 ThreadsPerCore=1 RealMemory=512000 Feature=fat Weight=10
PartitionName=cpu Nodes=ALL Default=YES MaxTime=INFINITE DefMemPerCPU=1000 MaxMemPerCPU=8000 State=UP
PartitionName=node Nodes=n[03-05],f01 MaxTime=INFINITE DefMemPerNode=24000 MaxMemPerNode=90000 State=UP
"""
# (options, what the text says)
CASES = [
    ("-n 30 -c 3 --mem=10000", "n02 4-47, n03 0-45"), ("-n 30 -c 3 --mem-per-cpu=500", "n02 4-21,24-47, n03 0-47"),
    ("-n 19 -c 5 --exclusive", "n[03-05] 0-47"), ("-n 19 -c 5 --exclusive --mem=10000", "n[03-04] 0-47"),
    ("-n 19 -c 5 --exclusive --mem-per-cpu=100", "n[03-05] 0-47"), ("-n 18 -c 5 -x n02 --exclusive", "n[03-04] 0-47"),
    ("-n 10 -c 5 --hint=nomultithread", "n02 4-43, n03 0-19,24-43, n04 0-19"), ("-n 14 -c 3 -N1 -w n02", "n02 4-21,24-47"),
    ("-N2 -n 30 -c 3", "n02 4-21,24-47, n03 0-47"), ("-N2 -n 31 -c 3 -w n02", ""),
    ("-N2 --ntasks-per-node=14 -c 3 -w n02", "n02 4-21,24-47, n03 0-41"), ("-p node -n 30 -c 3", "n03 0-47, n04 0-41"),
    ("-n 30 -c 3 --ntasks-per-core=1", "n02 4-47, n03 0-47, n04 0-27"), ("-n 30 -c 3 -C quad", "s01 0-47, s02 0-41"),
    ("-n 60 -c 3 -C quad", ""), ("-n 9 -c 9 -x n02", "n03 0-45, n04 0-17,24-41"),
    ("-n 8 -c 9 --mem-per-cpu=2000 -x n02", "n03 0-45, n04 0-17,24-33"),
]  # fmt: skip


def main():
    tally = Tally()
    with lab(CONF) as one:
        hold(one, ["-w n01 --exclusive", "-w n02 -n 2 -c 2"])
        for words, told in CASES:
            got = ", ".join(" ".join(each) for each in re.findall(r" Nodes=(\S+) CPU_IDs=(\S+) Mem", shown(one, words)))
            tally.note(f"{words:44}", got or "waits", told or "waits")
    return tally.close()


if __name__ == "__main__":
    sys.exit(main())
