#!/usr/bin/env python3
# scripts/reference/experiments/gres_words.py — which texts of --gres and --gpus, and which tasks beside GPUs of each, are taken and which refused (gres.md §2.1, §2.2).
"""Two nodes of 2 x 4 cores and four GPUs, n[1-2], and one with two GPUs each of types a and b, t1, all idle. Each line of tests/data/placements/gres_words.txt has sbatch's words and what becomes of the job. Prints those
that are answered otherwise. About three minutes."""
import pathlib
import sys

from lab import Tally, became_of, lab

CASES = pathlib.Path(__file__).resolve().parents[3] / "tests/data/placements/gres_words.txt"
CONF = """\
SelectType=select/cons_tres
SelectTypeParameters=CR_Core
SchedulerType=sched/backfill
PriorityType=priority/basic
GresTypes=gpu
NodeName=n[1-2] Sockets=2 CoresPerSocket=4 ThreadsPerCore=1 RealMemory=16000 Gres=gpu:4
NodeName=t1 Sockets=2 CoresPerSocket=4 ThreadsPerCore=1 RealMemory=16000 Gres=gpu:a:2,gpu:b:2
PartitionName=all Nodes=n[1-2] Default=YES MaxTime=INFINITE State=UP
PartitionName=typed Nodes=t1 MaxTime=INFINITE State=UP
"""
GRES = """\
NodeName=n[1-2] Name=gpu File=/dev/nvidia[0-3]
NodeName=t1 Name=gpu Type=a File=/dev/nvidia[0-1]
NodeName=t1 Name=gpu Type=b File=/dev/nvidia[2-3]
"""


def main():
    tally = Tally()
    with lab(CONF, GRES) as one:
        for line in CASES.read_text().splitlines():
            words, told = line.split(" | ")
            tally.note(f"{words:60}", became_of(one, words), told)
    return tally.close()


if __name__ == "__main__":
    sys.exit(main())
