#!/usr/bin/env python3
# scripts/reference/experiments/last_of_lists.py — a list of partitions of which none could ever serve the job: which of them decides whether it is refused (limits.md §1.3).
"""The cluster of beyond_limits.py, all idle, and six partitions more: one above the others, the GPU node alone, all nodes but for two of them at most, few CPUs of a node,
little memory of a node, a QOS that admits nothing. Each line of tests/data/placements/last_of_lists.txt has sbatch's words and what becomes of the job. Prints those that are answered otherwise. About four minutes."""
import pathlib
import sys

from beyond_limits import ACCOUNTS, CONF, ask

CASES = pathlib.Path(__file__).resolve().parents[3] / "tests/data/placements/last_of_lists.txt"
MORE = """\
PartitionName=high Nodes=a[1-2] MaxTime=INFINITE State=UP MaxNodes=1 PriorityTier=5 DefMemPerCPU=100
PartitionName=card Nodes=b1 MaxTime=INFINITE State=UP DefMemPerCPU=100
PartitionName=wide Nodes=ALL MaxTime=INFINITE State=UP MaxNodes=2 DefMemPerCPU=100
PartitionName=few Nodes=a[1-2] MaxTime=INFINITE State=UP MaxCPUsPerNode=2 DefMemPerCPU=100
PartitionName=lean Nodes=a[1-2] MaxTime=INFINITE State=UP MaxMemPerNode=1000 DefMemPerCPU=100
PartitionName=shut Nodes=a[1-2] MaxTime=INFINITE State=UP QOS=shut DefMemPerCPU=100
"""
SHUT = "add qos shut MaxJobsPerUser=0\n"


if __name__ == "__main__":
    sys.exit(ask(CONF + MORE, ACCOUNTS + SHUT, CASES))
