#!/usr/bin/env python3
# scripts/reference/experiments/linear_tree.py — select/linear under topology/tree: which leaves, and which of their nodes (scheduling.md §6.6).
"""Twelve nodes, eight of 4 cores and four of 8, under four leaves; the `conf:` line tells the weights of the two kinds. Asks every question of tests/data/placements/linear_tree.txt
(or the named file) and prints those that are answered otherwise. About three minutes.

    linear_tree.py [FILE] [--grep WORDS] [--write OUT]"""
import sys

import near_cores

TOPOLOGY = """\
SwitchName=s1 Nodes=k[1-4]
SwitchName=s2 Nodes=k[5-8]
SwitchName=s3 Nodes=k[9-10]
SwitchName=s4 Nodes=k[11-12]
SwitchName=r1 Switches=s1,s2
SwitchName=r2 Switches=s3,s4
SwitchName=top Switches=r1,r2
"""


def conf(weights):
    """A slurm.conf of nodes k1, k2 … with these two weights."""
    small, large = weights.split()
    return ("SelectType=select/linear\nSchedulerType=sched/backfill\nSchedulerParameters=bf_interval=600\nTopologyPlugin=topology/tree\nPriorityType=priority/basic\n"
            f"NodeName=k[1-8] Sockets=1 CoresPerSocket=4 ThreadsPerCore=1 RealMemory=16000 Weight={small}\n"
            f"NodeName=k[9-12] Sockets=1 CoresPerSocket=8 ThreadsPerCore=1 RealMemory=16000 Weight={large}\n"
            "PartitionName=a Nodes=ALL MaxTime=INFINITE State=UP Default=YES\n")


if __name__ == "__main__":
    sys.exit(near_cores.ask_file(__doc__, conf, "", near_cores.QUESTIONS.with_name("linear_tree.txt"), TOPOLOGY))
