#!/usr/bin/env python3
# scripts/reference/experiments/near_cores.py — what idle nodes give when the cores beside their GPUs are too few (gres.md §3.2).
"""Four nodes of 2 x 4 cores with two threads, two GPUs at each socket. A few jobs at rest, one beside a job that holds a GPU of each. About a minute."""
import sys

from lab import ask_cases, lab

CONF = """\
SelectType=select/cons_tres
SelectTypeParameters=CR_Core
SchedulerType=sched/backfill
PriorityType=priority/basic
GresTypes=gpu
NodeName=n[1-4] Sockets=2 CoresPerSocket=4 ThreadsPerCore=2 RealMemory=16000 Gres=gpu:a100:4
PartitionName=all Nodes=n[1-4] Default=YES MaxTime=INFINITE State=UP
"""
GRES = """\
NodeName=n[1-4] Name=gpu Type=a100 File=/dev/nvidia[0-1] Cores=0-3
NodeName=n[1-4] Name=gpu Type=a100 File=/dev/nvidia[2-3] Cores=4-7
"""
REFUSED = "sbatch: error: Batch job submission failed: Requested node configuration is not available"
JOBS = [
    ("-n16 -c2 --gres=gpu:2", "?"),
    ("-n17 -c2 --gres=gpu:2", REFUSED),
    ("-n17 -c2 --gres=gpu:1", REFUSED),
    ("-n17 -c2 --gres=gpu:3", "?"),
    ("-n17 -c2", "?"),
]
CASES = [([], JOBS), (["-N4 -n5 --gpus=4"], JOBS[:3])]


if __name__ == "__main__":
    with lab(CONF, gres=GRES) as one:
        sys.exit(1 if ask_cases(one, CASES) else 0)
