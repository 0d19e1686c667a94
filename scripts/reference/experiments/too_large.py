#!/usr/bin/env python3
# scripts/reference/experiments/too_large.py — what no node, and what no partition can hold: refused, or kept waiting (limits.md §1.3).
"""Three nodes of 16 CPUs, q[1-3], of which a partition m takes one a job and c four CPUs a node, and two of 2 × 4 cores with two threads, t[1-2], all idle.
Each line of tests/data/placements/too_large.txt has sbatch's words and what becomes of the job. Prints those that are answered otherwise. About five minutes."""
import pathlib
import sys

from lab import Tally, became_of, lab

CASES = pathlib.Path(__file__).resolve().parents[3] / "tests/data/placements/too_large.txt"
CONF = """\
SelectType=select/cons_tres
SelectTypeParameters=CR_Core
SchedulerType=sched/backfill
PriorityType=priority/basic
GresTypes=gpu
NodeName=q[1-3] Sockets=4 CoresPerSocket=4 ThreadsPerCore=1 RealMemory=16000 Gres=gpu:2
NodeName=t[1-2] Sockets=2 CoresPerSocket=4 ThreadsPerCore=2 RealMemory=16000
PartitionName=q Nodes=q[1-3] MaxTime=INFINITE State=UP Default=YES
PartitionName=m Nodes=q[1-2] MaxTime=INFINITE State=UP MaxNodes=1
PartitionName=c Nodes=q[1-2] MaxTime=INFINITE State=UP MaxCPUsPerNode=4
PartitionName=t Nodes=t[1-2] MaxTime=INFINITE State=UP
"""
GRES = "NodeName=q[1-3] Name=gpu File=/dev/nvidia[0-1]\n"


def main():
    tally = Tally()
    with lab(CONF, GRES) as one:
        for line in CASES.read_text().splitlines():
            words, told = line.split(" | ")
            tally.note(f"{words:36}", became_of(one, words), told)
    return tally.close()


if __name__ == "__main__":
    sys.exit(main())
