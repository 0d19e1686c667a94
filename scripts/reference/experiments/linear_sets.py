#!/usr/bin/env python3
# scripts/reference/experiments/linear_sets.py — select/linear where jobs may preempt: which sets of neighbours it takes (scheduling.md §6).
"""Twelve nodes, eight of 4 cores and four of 8, under PreemptMode=REQUEUE; the `conf:` line tells the weights of the two kinds. Asks every question of tests/data/placements/linear_sets.txt
(or the named file) and prints those that are answered otherwise. About four minutes.

    linear_sets.py [FILE] [--grep WORDS] [--write OUT]"""
import sys

import near_cores


def conf(weights):
    """A slurm.conf of nodes k1, k2 … with these two weights."""
    small, large = weights.split()
    return ("SelectType=select/linear\nSchedulerType=sched/backfill\nSchedulerParameters=bf_interval=600\nPriorityType=priority/basic\nPreemptType=preempt/partition_prio\nPreemptMode=REQUEUE\n"
            f"NodeName=k[1-8] Sockets=1 CoresPerSocket=4 ThreadsPerCore=1 RealMemory=16000 Weight={small}\n"
            f"NodeName=k[9-12] Sockets=1 CoresPerSocket=8 ThreadsPerCore=1 RealMemory=16000 Weight={large}\n"
            "PartitionName=a Nodes=ALL MaxTime=INFINITE State=UP Default=YES\n")


if __name__ == "__main__":
    sys.exit(near_cores.ask_file(__doc__, conf, "", near_cores.QUESTIONS.with_name("linear_sets.txt")))
