#!/usr/bin/env python3
# scripts/reference/experiments/overcommitted_gpus.py — what nodes a job that counts tasks by GPU finds with -O, and without (gres.md §2.4).
"""Two idle nodes of eight cores and four GPUs. Printed: CPUs and GPUs by node, `waits`, or `refused`. Three minutes. The answer that is told otherwise than the text has it, 9 tasks on two nodes, is the first."""
import sys

from lab import Tally, given, lab

CONF = """\
SelectType=select/cons_tres
SelectTypeParameters=CR_Core
SchedulerParameters=sched_interval=15,bf_interval=15
PriorityType=priority/basic
GresTypes=gpu
NodeName=n[1-2] Sockets=1 CoresPerSocket=8 ThreadsPerCore=1 RealMemory=64000 Gres=gpu:4
PartitionName=all Nodes=n[1-2] Default=YES MaxTime=INFINITE State=UP
"""
GRES = "NodeName=n[1-2] Name=gpu File=/dev/nvidia[0-3]\n"
CASES = (
    ("-O --ntasks-per-gpu=3 --gpus=3", "n1 0 0-1, n2 0 0"),
    ("-O --ntasks-per-gpu=2 --gpus=4", "n1 0 0-3"),
    ("-O -c2 --ntasks-per-gpu=2 --gpus=2", "n1 0-1 0-1"),
    ("-O -c2 --ntasks-per-gpu=2 --gpus=3", "refused"),
    ("-O -N2 --ntasks-per-gpu=4 --gpus=4", "n1 0 0-2, n2 0 0"),
    ("-O -N2 --ntasks-per-gpu=4 --gpus=6", "refused"),
    ("-O --ntasks-per-gpu=4 --gres=gpu:3", "refused"),
    ("-O --ntasks-per-gpu=4 --gres=gpu:2", "n1 0 0-1"),
    ("-O -N2 --ntasks-per-gpu=4 --gres=gpu:2", "n[1-2] 0 0-1"),
    ("-O -N2 --ntasks-per-gpu=4 --gres=gpu:3", "refused"),
    ("-O -n12 --ntasks-per-gpu=4", "refused"),
    ("-O -n8 --ntasks-per-gpu=4", "n1 0 0-1"),
    ("-O -N1 --ntasks-per-gpu=4 --gpus=3", "refused"),
    ("-O -N1 -c2 --ntasks-per-gpu=4 --gpus=1", "n1 0-1 0"),
    ("-O -N1 -c3 --ntasks-per-gpu=4 --gpus=1", "refused"),
    ("-O -c3 --ntasks-per-gpu=4 --gpus=1", "refused"),
    ("--ntasks-per-gpu=3 --gpus=3", "refused"),
    ("--ntasks-per-gpu=2 --gpus=4", "n1 0-7 0-3"),
    ("-c2 --ntasks-per-gpu=2 --gpus=2", "n1 0-7 0-1"),
    ("-c2 --ntasks-per-gpu=2 --gpus=3", "refused"),
    ("-N2 --ntasks-per-gpu=4 --gpus=4", "n1 0-7 0-2, n2 0-7 0"),
    ("-N2 --ntasks-per-gpu=4 --gpus=6", "waits"),
    ("--ntasks-per-gpu=4 --gres=gpu:3", "refused"),
    ("--ntasks-per-gpu=4 --gres=gpu:2", "n1 0-7 0-1"),
    ("-N2 --ntasks-per-gpu=4 --gres=gpu:2", "n[1-2] 0-7 0-1"),
    ("-N2 --ntasks-per-gpu=4 --gres=gpu:3", "waits"),
    ("-n12 --ntasks-per-gpu=4", "refused"),
    ("-n8 --ntasks-per-gpu=4", "n1 0-7 0-1"),
    ("-N1 --ntasks-per-gpu=4 --gpus=3", "refused"),
    ("-N1 -c2 --ntasks-per-gpu=4 --gpus=1", "n1 0-7 0"),
    ("-N1 -c3 --ntasks-per-gpu=4 --gpus=1", "refused"),
    ("-c3 --ntasks-per-gpu=4 --gpus=1", "refused"),
)


def main():
    tally = Tally()
    with lab(CONF, gres=GRES) as one:
        for words, told in CASES:
            got = given(one, words) or "waits"
            tally.note(f"{words:40}", "refused" if got.startswith("sbatch") else got, told)
    return tally.close()


if __name__ == "__main__":
    sys.exit(main())
