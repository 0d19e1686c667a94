#!/usr/bin/env python3
# scripts/reference/experiments/spared_lent.py — lists that begin with a partition of ReqResv, with a number of nodes and without (limits.md §1.3).
"""a[1-3] with a GPU each, c[1-2] without, which are all of `lent` (ReqResv). Each case: what is asked, without a reservation, and the partition in which the job runs, or why it waits. About two minutes."""
import sys

from lab import Tally, lab

CONF = """\
SchedulerType=sched/backfill
SchedulerParameters=sched_interval=2,bf_interval=5
PriorityType=priority/multifactor
SelectType=select/cons_tres
SelectTypeParameters=CR_Core_Memory
GresTypes=gpu
NodeName=a[1-3] Sockets=2 CoresPerSocket=4 ThreadsPerCore=1 RealMemory=16000 Gres=gpu:h100:1 Feature=akind
NodeName=c[1-2] Sockets=1 CoresPerSocket=4 ThreadsPerCore=1 RealMemory=8000 Feature=ckind
PartitionName=all Nodes=ALL MaxTime=INFINITE State=UP Default=YES DefMemPerCPU=100
PartitionName=lent Nodes=c[1-2] MaxTime=60 State=UP ReqResv=YES DefMemPerCPU=100
PartitionName=lens Nodes=c[1-2] MaxTime=60 State=UP ReqResv=YES DefMemPerCPU=100 PriorityTier=5
PartitionName=part Nodes=a[1-3] MaxTime=INFINITE State=UP DefMemPerCPU=100
PartitionName=high Nodes=ALL MaxTime=INFINITE State=UP DefMemPerCPU=100 PriorityTier=9
PartitionName=low Nodes=ALL MaxTime=INFINITE State=UP DefMemPerCPU=100 PriorityTier=0
"""
GRES = "NodeName=a[1-3] Name=gpu Type=h100 File=/dev/nvidia0\n"
NEVER = "PartitionNodeLimit"
# What is asked; where it runs, or the Reason.
CASES = [("-p lent,all", NEVER), ("-p lent,all -N1", "all"), ("-p lent,all -N1 -n1", "all"), ("-p lent,all -N1 --gres=gpu:1", "all"), ("-p lent,all --gres=gpu:1", NEVER), ("-p lent,all -N1-2", "all"), ("-p lent,all -N2", "all"), ("-p lent,all -N1 -C ckind", "all"),
         ("-p lent,all -C akind", NEVER), ("-p lent,part,all -N1", "part"), ("-p lent,part,all", NEVER), ("-p lent,lens,all -N1", "all"), ("-p lens,lent,all", NEVER), ("-p lent,high", "PartitionConfig"), ("-p lent,high -N1", "high"), ("-p all,lens", "all"), ("-p all,lens -N1", "all"), ("-p lent,low -N1", "low"),
         ("-p lent,all -N1 -a 0-1", "all"), ("-p lent,all -a 0-1", NEVER), ("-p lent,all -N1 -n8", "all"), ("-p lent,all -n12", NEVER), ("-p lent,all -n2 --ntasks-per-node=1", NEVER), ("-p lent,all -w a1", NEVER), ("-p lent,all -N1 -w a1", "all"), ("-p lent,all -N1 --exclusive", "all"),
         ("-p lent,all -n4 -B 1:2:1", NEVER), ("-p lent,all -N1 -w c1", "all"), ("-p lent,all -N3", "all"), ("-p lent,all -N2 --mincpus=8", "all"), ("-p lent,all -N1 --mem=12000", "all"), ("-p lent,all -N1 -t 90", "all"), ("-p lent,all -t 90", NEVER), ("-p all,lent", "all"), ("-p all,lent -N1", "all")]  # fmt: skip


def answer(one, words):
    number = one.sub(f"{words}" + ("" if " -t " in words else " -t 10"))
    if not number.isdigit():
        return number
    one.until(lambda: "R/" in one.out(f"squeue -h -j {number} -o '%t/%P/%r'"), 40)
    stands = [line.split("/") for line in one.out(f"squeue -r -h -j {number} -o '%t/%P/%r'").splitlines()]
    one.out(f"scancel {number}")
    one.rest(25)
    return " ".join(sorted({place if state == "R" else reason for state, place, reason in stands}))


def main():
    tally = Tally()
    with lab(CONF, GRES) as one:
        for words, told in CASES:
            tally.note(f"{words} |", answer(one, words), told)
    return tally.close()


if __name__ == "__main__":
    sys.exit(main())
