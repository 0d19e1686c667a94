#!/usr/bin/env python3
# scripts/reference/experiments/lent_tasks.py — which nodes serve a job with GPUs that counts more tasks on a node than it needs CPUs for, with -O or --ntasks-per-node (gres.md §3.3).
"""Two nodes of 2 x 8 cores with eight GPUs each, of which some cores of the first are held; m[1-2] have two threads a core. Each case: partition, what is held, what is asked, and the node that it is to have. Five minutes."""
import re
import sys

from lab import Tally, hold, lab, release, shown

CONF = """\
SelectType=select/cons_tres
SelectTypeParameters=CR_Core
SchedulerType=sched/backfill
SchedulerParameters=sched_interval=10,bf_interval=3600
PriorityType=priority/basic
GresTypes=gpu
NodeName=n[1-2] Sockets=2 CoresPerSocket=8 ThreadsPerCore=1 RealMemory=64000 Gres=gpu:h100:8
NodeName=m[1-2] Sockets=2 CoresPerSocket=8 ThreadsPerCore=2 RealMemory=64000 Gres=gpu:h100:8
PartitionName=n Nodes=n[1-2] MaxTime=60 State=UP Default=YES
PartitionName=m Nodes=m[1-2] MaxTime=60 State=UP
"""
GRES = "NodeName=n[1-2],m[1-2] Name=gpu Type=h100 File=/dev/nvidia[0-3] Cores=0-7\nNodeName=n[1-2],m[1-2] Name=gpu Type=h100 File=/dev/nvidia[4-7] Cores=8-15\n"
GPU = "--gres=gpu:1"
# The held jobs, and of each question its words and the node.
CASES = (
    (["-p n -n15 -w n1"], [(f"-p n -N1 -n2 -O {GPU}", "n1"), (f"-p n -N1 -n3 -O {GPU}", "n2"), (f"-p n -N1 -n2 {GPU}", "n2"), (f"-p n -N1 -n1 -c2 -O {GPU}", "n2"), ("-p n -N1 -n2 -O --gres=gpu:4", "n1"), ("-p n -N1 -n2 -O --gpus-per-task=1", "n1")]),
    (["-p n -n14 -w n1"], [(f"-p n -N1 -n2 -O {GPU}", "n1"), (f"-p n -N1 -n3 -O {GPU}", "n2"), ("-p n -N1 -n3 -O --gres=gpu:5", "n1"), ("-p n -N1 -n4 -O --gres=gpu:5", "n2")]),
    (["-p n -n14 -w n1", "-p n -n16 -w n2"], [(f"-p n -N1 -n2 -O {GPU}", "n1"), (f"-p n -N1 -n3 -O {GPU}", "n1"), (f"-p n -N1 -n4 -O {GPU}", "waits")]),
    (["-p n -n8 -m block:block -w n1", "-p n -n5 -w n1"], [(f"-p n -N1 -n4 -O {GPU}", "n1"), (f"-p n -N1 -n5 -O {GPU}", "n2"), (f"-p n -N1 -n2 -c2 -O {GPU}", "n1"), (f"-p n -N1 -n3 -c2 -O {GPU}", "n2"), (f"-p n -N1 -n2 -c3 -O {GPU}", "n1"), (f"-p n -N1 -n2 -c4 -O {GPU}", "n2"),
     (f"-p n -N2 --ntasks-per-node=4 -O {GPU}", "waits"), (f"-p n -N1 --ntasks-per-node=4 -O {GPU}", "n2"), (f"-p n -N1 --ntasks-per-node=5 -O {GPU}", "n2")]),
    (["-p n -n6 -m block:block -w n1", "-p n -n5 -m block:block -w n1"], [("-p n -n1 -c2 --ntasks-per-node=2 --gpus=1", "n1"), ("-p n -n2 -c2 --ntasks-per-node=2 --gpus=1", "n2"), ("-p n -n2 --ntasks-per-node=4 --gpus=1", "n1"), ("-p n -n2 --ntasks-per-node=5 --gpus=1", "n2"), ("-p n -n1 --ntasks-per-node=5 --gpus=1", "n2"),
     (f"-p n -N1 -n1 --ntasks-per-node=4 {GPU}", "n1"), ("-p n -n3 --ntasks-per-node=4 --gpus=1", "n1"), ("-p n -n4 --ntasks-per-node=4 --gpus=1", "n2")]),
    (["-p m -n16 -m block:block -w m1", "-p m -n14 -w m1"], [(f"-p m -N1 -n2 -O {GPU}", "m1"), (f"-p m -N1 -n3 -O {GPU}", "m2"), (f"-p m -N1 -n4 -O {GPU}", "m2"), (f"-p m -N1 -n5 -O {GPU}", "m2"), (f"-p m -N1 -n2 -c2 -O {GPU}", "m2"), (f"-p m -N1 -n3 -c2 -O {GPU}", "m2"), (f"-p m -N1 -n2 -c3 -O {GPU}", "m2")]),
    (["-p m -n16 -m block:block -w m1", "-p m -n12 -w m1"], [(f"-p m -N1 -n5 -O {GPU}", "m2"), (f"-p m -N1 -n6 -O {GPU}", "m2"), (f"-p m -N1 -n2 -c3 -O {GPU}", "m2"), (f"-p m -N1 -n2 -c4 -O {GPU}", "m2"), (f"-p m -N1 -n3 -c3 -O {GPU}", "m2"), (f"-p m -N1 -n3 -c2 -O {GPU}", "m2"), (f"-p m -N1 -n4 -c2 -O {GPU}", "m2")]),
)  # fmt: skip


def main():
    tally = Tally()
    with lab(CONF, GRES) as one:
        for held, asked in CASES:
            ids = hold(one, held)
            print("; ".join(held))
            for words, told in asked:
                text = shown(one, words)
                nodes = re.search(r"\n\s+NodeList=(\S+)", text) if text.startswith("JobId=") else None
                tally.note(f"  {words} |", nodes[1] if nodes else "waits" if text.startswith("JobId=") else "refused", told)
            release(one, ids)
    return tally.close()


if __name__ == "__main__":
    sys.exit(main())
