#!/usr/bin/env python3
# scripts/reference/experiments/typed_cards.py — CPUs that GPUs of two types bring, by DefCpuPerGPU and --cpus-per-gpu (gres.md §2.4).
"""Two nodes of 2 x 16 cores with two threads and four GPUs of each of two types; DefCpuPerGPU=4 in `p`, none in `q`. Printed: the job's CPUs, or that it was refused. Five minutes."""
import sys

from lab import Tally, lab

CONF = """\
SelectType=select/cons_tres
SelectTypeParameters=CR_CPU
SchedulerType=sched/backfill
SchedulerParameters=bf_interval=10000
PriorityType=priority/basic
GresTypes=gpu
NodeName=a[1-2] Sockets=2 CoresPerSocket=16 ThreadsPerCore=2 RealMemory=256000 Gres=gpu:x:4,gpu:y:4
PartitionName=p Nodes=ALL State=UP Default=YES MaxTime=INFINITE DefMemPerCPU=100 DefCpuPerGPU=4
PartitionName=q Nodes=ALL State=UP MaxTime=INFINITE DefMemPerCPU=100
"""
GRES = "".join(f"NodeName=a[1-2] Name=gpu Type={name} File=/dev/nvidia[{first}-{first + 3}]\n" for name, first in (("x", 0), ("y", 4)))
# Those from which the rule was made; the others were told beforehand, four of them otherwise than they stand here.
FITTED = [
    ("-N1 --gpus=x:1,y:1 -n2", "4"), ("-N1 --gpus=x:1,y:1", "8"), ("-N1 --gpus=x:1,y:1 -n1", "4"), ("-N1 --gpus=x:1,y:1 -n4", "4"), ("-N1 --gpus=x:2,y:1 -n2", "4"), ("-N1 --gpus=x:2,y:1 -n1", "4"), ("-N1 --gpus=x:2,y:2 -n2", "8"),
    ("--gpus=x:1,y:1 -n2", "8"), ("--gpus=x:1,y:1", "8"), ("-N1 --gpus=x:1 -n2", "4"), ("-N1 --gpus=x:2 -n2", "8"), ("-N1 --gpus=y:1,x:1 -n2", "4"), ("-N1 --gpus=x:1,y:2 -n2", "refused"), ("-N1 --gpus=x:1,y:1 -n2 --cpus-per-gpu=4", "4"),
    ("-N1 --gpus=x:1,y:1 -n2 --cpus-per-gpu=2", "2"), ("-N1 --gpus=x:1,y:1 -n2 -c2", "4"), ("-N1 --gres=gpu:x:1,gpu:y:1 -n2", "4"), ("-N1 --gres=gpu:x:1,gpu:y:1", "8"), ("--gres=gpu:x:2,gpu:y:1 -n2", "12"),
    ("-N1 --gpus=x:1,y:1 -n2 --cpus-per-gpu=4 -p q", "4"), ("-N1 --gpus=x:1,y:1 -n2 -p q", "2"), ("-N2 --gpus=x:2,y:2 -n2", "16"), ("-N1 --gpus=x:1,y:1 -n3", "4"), ("-N1 --gpus=x:1,y:1 -n5", "6"), ("-N1 --gpus=x:1,y:1 -n8", "8"),
    ("-N1 --gpus=x:4,y:4 -n2", "16"), ("-N1 --gpus=x:1,y:1 --ntasks-per-node=2", "4"), ("-N1 --gpus=x:3,y:1 -n2", "4"), ("-N1 --gpus=x:2,y:2 -n4", "8"),
]  # fmt: skip
TOLD = [
    ("-N1 --gpus=x:1,y:3 -n2", "refused"), ("-N1 --gpus=x:3,y:2 -n2", "8"), ("-N1 --gpus=y:2,x:1 -n2", "4"), ("-N1 --gpus=y:1,x:2 -n2", "refused"), ("-N1 --gpus=x:1,y:2 -n8", "8"), ("-N1 --gpus=x:1,y:2 -n6", "refused"),
    ("-N1 --gpus-per-node=x:2,y:1 -n2", "4"), ("-N1 --gpus-per-node=x:1,y:2 -n2", "refused"), ("-N1 --gres=gpu:x:1,gpu:y:2 -n2", "refused"), ("-N1 --gres=gpu:x:2,gpu:y:1 -n2", "4"), ("-N1-2 --gpus=x:1,y:1 -n2", "4"),
    ("-N1 --gpus=x:1,y:1 --ntasks-per-node=4", "4"), ("-N1 --gpus=x:2,y:1 -n2 --cpus-per-gpu=2", "refused"), ("-N1 --gpus=x:2,y:2 -n1 --cpus-per-gpu=2", "4"), ("-N1 --gpus=x:1,y:1 -n9", "9"), ("-N1 --gpus=x:1,y:2", "12"), ("-N2 --gpus=x:2,y:1 -n2", "refused"),
    ("-N1 --gpus=x:2,y:2 -n10", "10"), ("-N1 --gpus=x:1,y:1 -n2 --exclusive", "64"),
]  # fmt: skip


def cpus(one, words):
    number = one.sub(f"{words} -t 5")
    if not number.isdigit():
        return "refused"
    one.until(lambda: one.job(number).get("JobState") == "RUNNING", 65)
    job = one.job(number)
    one.out(f"scancel {number}")
    one.rest(12)
    return job["NumCPUs"] if job["JobState"] == "RUNNING" else f"waits {job['Reason']}"


def main():
    tally = Tally()
    with lab(CONF, GRES) as one:
        for words, told in FITTED + TOLD:
            tally.note(f"{words} |", cpus(one, words), told)
    return tally.close()


if __name__ == "__main__":
    sys.exit(main())
