#!/usr/bin/env python3
# scripts/reference/experiments/alternatives_cpus.py — which CPUs count in the size of a job with -C [x|y] (priority.md §3.4).
"""Two nodes of feature x with two threads a core and two of y, whose GPUs are all held. Printed after the first backfill cycles: the CPUs that the
job's size factor counts (with twelve for a node), which are those of the last alternative that an estimate found a start for, and whether they are as
the text says."""
import sys

from lab import Tally, hold, lab

CONF = """\
SelectType=select/cons_tres
SelectTypeParameters=CR_Core_Memory
SchedulerType=sched/backfill
SchedulerParameters=bf_interval=30
GresTypes=gpu
DefMemPerCPU=10
PriorityType=priority/multifactor
PriorityWeightJobSize=1000000
PriorityCalcPeriod=1
NodeName=a[1-2] Sockets=2 CoresPerSocket=4 ThreadsPerCore=2 RealMemory=16000 Gres=gpu:a:4 Feature=x Weight=1
NodeName=h[1-2] Sockets=2 CoresPerSocket=4 ThreadsPerCore=1 RealMemory=16000 Gres=gpu:h:4 Feature=y Weight=50
PartitionName=cpu Nodes=ALL Default=YES MaxTime=INFINITE State=UP
"""
GRES = """\
NodeName=a[1-2] Name=gpu Type=a File=/dev/nvidia[0-1] Cores=0-3
NodeName=a[1-2] Name=gpu Type=a File=/dev/nvidia[2-3] Cores=4-7
NodeName=h[1-2] Name=gpu Type=h File=/dev/nvidia[0-3]
"""
CPUS = 48
# (options, CPUs that the text says)
CASES = [
    ("--gpus=6 -n4 -C x", 18),
    ("--gpus=6 -n4 -C [x|y]", 16),
    ("--gpus=6 -n4 -C x|y", 18),
    ("-N2 --gres=gpu:2 -n4 -C [x|y]", 28),
    ("--gpus=6 -n4 -C y", 16),
    ("--gpus=4 -n4 -C [x|y]", 16),
    ("--gpus=4 -n4 -C x", 16),
    ("--gpus=6 --mem-per-gpu=100 -n4 -C [x|y]", 16),
    ("--gpus=6 --mem-per-gpu=100 -n4 -C x", 18),
    ("-N2 --gpus-per-node=2 --cpus-per-gpu=2 -C [x|y]", 32),
    ("-N2 --gpus-per-node=2 --cpus-per-gpu=2 -C x", 32),
    ("--gpus=6 --cpus-per-gpu=2 -C [x|y]", 24),
    ("-n4 --gpus-per-task=1 --cpus-per-gpu=2 -C [x|y]", 20),
    ("-N1 --gpus-per-node=4 --cpus-per-gpu=2 -C [x|y]", 20),
    ("--gpus=6 -C [x|y]", 14),
    ("-N1 -n3 --exclusive -C [x|y]", 20),
    ("-N1 -n3 --exclusive -C [y|x]", 28),
    ("-N1 -n1 --exclusive -C [y|x]", 28),
    ("--gpus=6 -C [y|x]", 16),
    ("-N2 --exclusive -C [y|x]", 56),
    ("-N2 --exclusive -C [x|y]", 40),
    ("-n5 --gpus=2 -C [y|x]", 18),
    ("-n5 --gpus=2 -C [x|y]", 17),
]  # fmt: skip


def main():
    tally = Tally()
    for first in range(0, len(CASES), 3):  # behind many plans other searches are the last
        with lab(CONF, GRES) as one:
            hold(one, [f"-w {node} -N1 --gres=gpu:4 -n1 -t {minutes}" for node, minutes in (("a1", 30), ("a2", 32), ("h1", 60), ("h2", 62))])
            asked = CASES[first : first + 3]
            ids = [one.sub(words + " -t 10") for words, _ in asked]
            one.rest(200)
            factors = dict(line.split() for line in one.out("sprio -h -o '%i %J'").splitlines())
            for job, (words, told) in zip(ids, asked):
                tally.note(f"{words:48}", round(2 * CPUS * int(factors[job]) / 1e6), told)
    return tally.close()


if __name__ == "__main__":
    sys.exit(main())
