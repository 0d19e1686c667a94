#!/usr/bin/env python3
# scripts/reference/experiments/beyond_limits.py — what its partition's nodes can never serve, and the partition does not take: refused, or kept waiting (limits.md §1.3).
"""Two nodes of 8 CPUs, a[1-2], and one of 16 with a GPU, b1, all idle; every partition but `all` has the first two alone.
Each line of tests/data/placements/beyond_limits.txt has sbatch's words and what becomes of the job. Prints those that are answered otherwise. About three minutes."""
import pathlib
import sys

from lab import Tally, became_of, lab

CASES = pathlib.Path(__file__).resolve().parents[3] / "tests/data/placements/beyond_limits.txt"
CONF = """\
SelectType=select/cons_tres
SelectTypeParameters=CR_Core_Memory
SchedulerType=sched/backfill
PriorityType=priority/basic
AccountingStorageEnforce=associations,limits,qos
GresTypes=gpu
NodeName=a[1-2] CPUs=8 RealMemory=16000 Feature=slow
NodeName=b1 CPUs=16 RealMemory=32000 Gres=gpu:2 Feature=fast
PartitionName=all Nodes=ALL MaxTime=INFINITE State=UP Default=YES DefMemPerCPU=100
PartitionName=hour Nodes=a[1-2] MaxTime=60 State=UP DefMemPerCPU=100
PartitionName=half Nodes=a[1-2] MaxTime=30 State=UP DefMemPerCPU=100
PartitionName=down Nodes=a[1-2] MaxTime=INFINITE State=DOWN DefMemPerCPU=100
PartitionName=one Nodes=a[1-2] MaxTime=INFINITE State=UP MaxNodes=1 DefMemPerCPU=100
PartitionName=two Nodes=a[1-2] MaxTime=INFINITE State=UP MinNodes=2 DefMemPerCPU=100
PartitionName=others Nodes=a[1-2] MaxTime=INFINITE State=UP AllowAccounts=other DefMemPerCPU=100
PartitionName=rare Nodes=a[1-2] MaxTime=INFINITE State=UP AllowQos=rare DefMemPerCPU=100
"""
GRES = "NodeName=b1 Name=gpu File=/dev/nvidia[0-1]\n"
ACCOUNTS = "add account lab\nadd account other\nadd qos rare\nadd user root Account=lab\nmodify user root set qos=normal,rare defaultqos=normal\n"


def ask(conf, accounts, cases):
    """What becomes of each job of the file there, beside what it says; an exit code."""
    tally = Tally()
    with lab(conf, GRES, accounts) as one:
        for line in cases.read_text().splitlines():
            words, told = line.split(" | ")
            tally.note(f"{words:44}", became_of(one, words), told)
    return tally.close()


if __name__ == "__main__":
    sys.exit(ask(CONF, ACCOUNTS, CASES))
