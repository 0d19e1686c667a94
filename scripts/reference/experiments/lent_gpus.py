#!/usr/bin/env python3
# scripts/reference/experiments/lent_gpus.py — which GPU shards and mps are of where those beside their cores have no room (gres.md §4.5).
"""Nodes of two sockets of eight cores with two GPUs at each: s1 with shards, m1 with mps, t1 with shards of two types. Jobs hold what a case says; the asked ones run one after the other.
Printed: CPUs and devices of each (`waits`: it does not run), and whether they are as the text says. About five minutes."""
import sys

from lab import Tally, given, hold, lab, release

CONF = """\
SelectType=select/cons_tres
SelectTypeParameters=CR_Core
SchedulerType=sched/backfill
SchedulerParameters=sched_interval=50000,bf_interval=-1
PriorityType=priority/basic
GresTypes=gpu,mps,shard
NodeName=s1 Sockets=2 CoresPerSocket=8 RealMemory=4000 Gres=gpu:a100:4,shard:32
NodeName=m1 Sockets=2 CoresPerSocket=8 RealMemory=4000 Gres=gpu:a100:4,mps:400
NodeName=t1 Sockets=2 CoresPerSocket=8 RealMemory=4000 Gres=gpu:a100:2,gpu:v100:2,shard:32
PartitionName=s Nodes=s1 Default=YES MaxTime=INFINITE State=UP
PartitionName=m Nodes=m1 MaxTime=INFINITE State=UP
PartitionName=t Nodes=t1 MaxTime=INFINITE State=UP
"""
GRES = "".join(
    f"NodeName={node} Name=gpu Type={types[0]} File=/dev/nvidia[0-1] Cores=0-7\nNodeName={node} Name=gpu Type={types[1]} File=/dev/nvidia[2-3] Cores=8-15\nNodeName={node} Name={name} Count={count}\n"
    for node, types, name, count in (("s1", ("a100", "a100"), "shard", 32), ("m1", ("a100", "a100"), "mps", 400), ("t1", ("a100", "v100"), "shard", 32))
)
# what is held; (the job, CPUs and devices)
CASES = [
    (
        ["-p s -n1 --gres=gpu:1", "-p s -n8 --gres=shard:1", "-p s -n1 --gres=shard:8"],
        [("-p s -n1 --gres=shard:1", "s1 2 0"), ("-p s -n1 --gres=shard:6", "s1 2 0"), ("-p s -n3 --gres=shard:1", "s1 2-4 0"), ("-p s -n1 --gres=shard:1 --gres-flags=enforce-binding", "waits")],
    ),
    (
        ["-p s -n1 --gres=gpu:1", "-p s -n1 --gres=gpu:1", "-p s -n7 --gres=shard:1"],
        [("-p s -n1 --gres=shard:1", "s1 9 3"), ("-p s -n1 --gres=shard:6", "s1 9 3"), ("-p s -n3 --gres=shard:1", "s1 9-11 3")],
    ),
    (
        ["-p s -n1 --gres=gpu:1", "-p s -n1 --gres=gpu:1", "-p s -n2 --gres=shard:8", "-p s -n6 --gres=shard:3"],
        [("-p s -n1 --gres=shard:1", "s1 15 3"), ("-p s -n3 --gres=shard:1", "s1 3-4,15 3"), ("-p s -n1 --gres=shard:6", "waits")],
    ),
    (
        ["-p s -n1 --gres=gpu:1", "-p s -n8 --gres=shard:8", "-p s -n1 --gres=shard:8", "-p s -n1 --gres=shard:8"],
        [("-p s -n1 --gres=shard:1", "s1 3 3"), ("-p s -n3 --gres=shard:6", "s1 3-5 3")],
    ),
    (["-p s -n1 --gres=gpu:2", "-p s -n8 --gres=shard:8"], [("-p s -n1 --gres=shard:1", "s1 1 0"), ("-p s -n3 --gres=shard:6", "s1 1-3 0")]),
    (["-p s -n1 --gres=gpu:3", "-p s -n4 --gres=shard:2"], [("-p s -n1 --gres=shard:1", "s1 4 1"), ("-p s -n3 --gres=shard:6", "s1 4-6 1")]),
    (
        ["-p m -n1 --gres=gpu:1", "-p m -n8 --gres=mps:10"],
        [("-p m -n1 --gres=mps:1", "m1 1 2"), ("-p m -n1 --gres=mps:90", "m1 1 2"), ("-p m -n3 --gres=mps:10", "m1 1-3 2"), ("-p m -n1 --gres=mps:95", "waits")],
    ),
    (["-p m -n1 --gres=gpu:1", "-p m -n7 --gres=mps:10"], [("-p m -n1 --gres=mps:10", "m1 15 2"), ("-p m -n3 --gres=mps:60", "m1 1-2,15 2")]),
    (["-p m -n8 --gres=mps:10", "-p m -n4"], [("-p m -n1 --gres=mps:10", "m1 12 0")]),
    (
        ["-p t -n8 --gres=shard:1"],
        [("-p t -n1 --gres=shard:v100:1", "t1 8 2"), ("-p t -n1 --gres=shard:a100:1", "t1 8 0"), ("-p t -n1 --gres=shard:a100:8", "t1 8 1")],
    ),
    (["-p t -n8 --gres=shard:v100:1"], [("-p t -n1 --gres=shard:v100:1", "t1 0 0"), ("-p t -n1 --gres=shard:v100:8", "t1 0 0"), ("-p t -n1 --gres=shard:a100:1", "t1 0 0")]),
]  # fmt: skip


def main():
    tally = Tally()
    with lab(CONF, gres=GRES) as one:
        for held, jobs in CASES:
            holders = hold(one, held)
            print("; ".join(held))
            for words, told in jobs:
                tally.note(f"  {words:60}", given(one, words) or "waits", told)
            release(one, holders)
    return tally.close()


if __name__ == "__main__":
    sys.exit(main())
