#!/usr/bin/env python3
# scripts/reference/experiments/required_sets.py — what is taken beside nodes that are named with -w, over nodes of several weights (scheduling.md §6.5).
"""Nine nodes of 2 × 4 cores, whose weights each `conf:` line of tests/data/placements/required_sets.txt (or the named file) tells, in order of their names. Asks every
question and prints those that are answered otherwise. About three minutes.

    required_sets.py [FILE] [--grep WORDS] [--write OUT]"""
import sys

import near_cores


def conf(weights):
    """A slurm.conf of nodes k1, k2 … with these weights."""
    nodes = "".join(f"NodeName=k{i} Sockets=2 CoresPerSocket=4 ThreadsPerCore=1 RealMemory=16000 Weight={weight}\n"
                    for i, weight in enumerate(weights.split(), 1))
    return ("SelectType=select/cons_tres\nSelectTypeParameters=CR_Core\nSchedulerType=sched/backfill\nSchedulerParameters=bf_interval=600\n"
            f"PriorityType=priority/basic\n{nodes}PartitionName=a Nodes=ALL MaxTime=INFINITE State=UP Default=YES\n")


if __name__ == "__main__":
    sys.exit(near_cores.ask_file(__doc__, conf, "", near_cores.QUESTIONS.with_name("required_sets.txt")))
