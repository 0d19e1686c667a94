#!/usr/bin/env python3
# scripts/reference/experiments/whole_shared.py — whole nodes for jobs that ask for mps or shards (gres.md §2.1, §3.1).
"""Nodes with two GPUs and shards, with mps, with one GPU and shards, and with GPUs alone, all idle. Printed: the GRES that the job gets."""
import re
import sys

from lab import Tally, lab, shown

CONF = """\
SelectType=select/cons_tres
SelectTypeParameters=CR_Core_Memory
SchedulerType=sched/backfill
PriorityType=priority/basic
GresTypes=gpu,mps,shard
DefMemPerCPU=10
NodeName=s1 Sockets=2 CoresPerSocket=8 ThreadsPerCore=1 RealMemory=16000 Gres=gpu:a100:2,shard:8
NodeName=m1 Sockets=2 CoresPerSocket=8 ThreadsPerCore=1 RealMemory=16000 Gres=gpu:a100:2,mps:200
NodeName=o1 Sockets=2 CoresPerSocket=8 ThreadsPerCore=1 RealMemory=16000 Gres=gpu:a100:1,shard:4
NodeName=g1 Sockets=2 CoresPerSocket=8 ThreadsPerCore=1 RealMemory=16000 Gres=gpu:a100:2
PartitionName=s Nodes=s1 MaxTime=INFINITE State=UP Default=YES
PartitionName=m Nodes=m1 MaxTime=INFINITE State=UP
PartitionName=o Nodes=o1 MaxTime=INFINITE State=UP
PartitionName=x Nodes=s1,m1,o1,g1 MaxTime=INFINITE State=UP OverSubscribe=EXCLUSIVE
"""
GRES = """\
NodeName=s1 Name=gpu Type=a100 File=/dev/nvidia[0-1]
NodeName=s1 Name=shard Count=8
NodeName=m1 Name=gpu Type=a100 File=/dev/nvidia[0-1]
NodeName=m1 Name=mps Count=200
NodeName=o1 Name=gpu Type=a100 File=/dev/nvidia0
NodeName=o1 Name=shard Count=4
NodeName=g1 Name=gpu Type=a100 File=/dev/nvidia[0-1]
"""
# (options, what the text says)
CASES = [
    ("-p s --exclusive", "gpu:a100:2(IDX:0-1)"), ("-p s --exclusive --gres=shard:1", "waits"), ("-p s --exclusive --gres=shard:8", "waits"),
    ("-p s --exclusive --gres=shard:4", "waits"), ("-p s --exclusive --gres=gpu:1", "gpu:a100:2(IDX:0-1)"), ("-p s --exclusive --gpus=1", "gpu:a100:2(IDX:0-1)"),
    ("-p m --exclusive", "gpu:a100:2(IDX:0-1)"), ("-p m --exclusive --gres=mps:10", "waits"), ("-p m --exclusive --gres=mps:100", "waits"),
    ("-p m --exclusive --gres=gpu:1", "gpu:a100:2(IDX:0-1)"), ("-p o --exclusive --gres=shard:1", "gpu:a100:1(IDX:0)"), ("-p o --exclusive --gres=shard:4", "gpu:a100:1(IDX:0)"),
    ("-p o --exclusive", "gpu:a100:1(IDX:0)"), ("-p x -w s1", "gpu:a100:2(IDX:0-1)"), ("-p x -w s1 --gres=shard:2", "waits"),
    ("-p x -w m1 --gres=mps:20", "waits"), ("-p x -w g1", "gpu:a100:2(IDX:0-1)"), ("-p x -w g1 --gres=gpu:1", "gpu:a100:2(IDX:0-1)"),
]  # fmt: skip


def main():
    tally = Tally()
    with lab(CONF, GRES) as one:
        for words, told in CASES:
            got = re.findall(r" Nodes=\S+ CPU_IDs=\S+ Mem=\d+ GRES=(\S*)", shown(one, words))
            tally.note(f"{words:36}", got[0] if got else "waits", told)
    return tally.close()


if __name__ == "__main__":
    sys.exit(main())
