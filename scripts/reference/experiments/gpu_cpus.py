#!/usr/bin/env python3
# scripts/reference/experiments/gpu_cpus.py — the CPUs that GPUs bring, and the node, the cores and the GPUs that they lead to (gres.md §2.4, §3.3; scheduling.md §6.7).
"""Three nodes of two sockets with 16 cores, four GPUs at each; partition `def` has four CPUs and 100 GB a GPU, `raw` the memory only. What a case
says is held first. Printed: where the job runs, `node cores/devices`, and whether that is as the text says."""
import re
import sys

from lab import lab

CONF = """\
SelectType=select/cons_tres
SelectTypeParameters=CR_Core_Memory
SchedulerType=sched/backfill
PriorityType=priority/basic
GresTypes=gpu
SchedulerParameters=sched_interval=50000,bf_interval=-1
NodeName=h[1-3] Sockets=2 CoresPerSocket=16 ThreadsPerCore=1 RealMemory=1000000 Gres=gpu:8
PartitionName=def Nodes=h[1-3] Default=YES MaxTime=INFINITE State=UP DefCpuPerGPU=4 DefMemPerGPU=100000
PartitionName=raw Nodes=h[1-3] MaxTime=INFINITE State=UP DefMemPerGPU=100000
"""
GRES = "NodeName=h[1-3] Name=gpu File=/dev/nvidia[0-3] Cores=0-15\nNodeName=h[1-3] Name=gpu File=/dev/nvidia[4-7] Cores=16-31\n"
HELD_GPUS = "-p raw -w h1 -n2 --gres=gpu:6; -p raw -w h2 -n2 --gres=gpu:5; -p raw -w h3 -n32 --mem=1000"
EIGHT = "-p raw -w h1 -n8 --mem=20000"
UNEVEN = "-p raw -w h1 -n32 --mem=1000; -p raw -w h2 -n4 -c2 --mem=20000; -p def -w h2 --gpus-per-task=1 -n1"
BESIDE = "-p raw -w h2 -n4 -c2 --mem=20000; -p def -w h2 --gpus-per-task=1 -n1; -p def -w h2 -n4 --ntasks-per-gpu=1"
TWELVE = "-p def -w h1 -n1 --gpus=4 --cpus-per-gpu=6"
TEN_FREE = "-p raw -w h1 -n22 --mem=1000; -p raw -w h2 -n22 --mem=1000; -p raw -w h3 -n22 --mem=1000"
CASES = [
    ("", "-p def -N1 --gres=gpu:8 --ntasks-per-node=8", "h1 0-31/0-7"),
    ("", "-p raw -N1 --gres=gpu:8 --ntasks-per-node=8", "h1 0-3,16-19/0-7"),
    ("", "-p def -N1 --gres=gpu:4 --ntasks-per-node=8", "h1 0-15/0-3"),
    ("", "-p raw -N1 --gres=gpu:4 --ntasks-per-node=8", "h1 0-7/0-3"),
    ("", "-p def --ntasks-per-node=2 --gres=gpu:4", "h1 0-15/0-3"),
    ("", "-p raw --ntasks-per-node=2 --gres=gpu:4", "h1 0-1/0-3"),
    ("", "-p def -N2 --gres=gpu:2 --ntasks-per-node=3", "h[1-2] 0-7/0-1"),
    ("", "-p raw -N2 --gres=gpu:2 --ntasks-per-node=3", "h[1-2] 0-2/0-1"),
    ("", "-p def --gpus=4 --ntasks-per-node=2", "h1 0-15/0-3"),
    ("", "-p raw --gpus=4 --ntasks-per-node=2", "h1 0-1/0-3"),
    ("", "-p def --gpus=4 --ntasks-per-node=8", "h1 0-15/0-3"),
    ("", "-p raw --gpus=4 --ntasks-per-node=8", "h1 0-7/0-3"),
    ("", "-p def --ntasks-per-node=2 --gres=gpu:4 --cpus-per-gpu=3", "h1 0-11/0-3"),
    ("", "-p raw --ntasks-per-node=2 --gres=gpu:4 --cpus-per-gpu=3", "h1 0-11/0-3"),
    ("", "-p def --ntasks-per-node=4 --gres=gpu:4 -c2", "h1 0-7/0-3"),
    ("", "-p raw --ntasks-per-node=4 --gres=gpu:4 -c2", "h1 0-7/0-3"),
    ("", "-p def -n4 --ntasks-per-node=4 --gres=gpu:4", "h1 0-15/0-3"),
    ("", "-p raw -n4 --ntasks-per-node=4 --gres=gpu:4", "h1 0-3/0-3"),
    ("", "-p def -n8 --ntasks-per-node=4 --gres=gpu:4", "h[1-2] 0-15/0-3"),
    ("", "-p raw -n8 --ntasks-per-node=4 --gres=gpu:4", "h[1-2] 0-3/0-3"),
    ("", "-p def -N2 -n8 --gres=gpu:4", "h[1-2] 0-15/0-3"),
    ("", "-p raw -N2 -n8 --gres=gpu:4", "h1 0-6/0-3  h2 0/0-3"),
    ("", "-p def -N2 -n3 --gres=gpu:1", "h[1-2] 0-3/0"),
    ("", "-p raw -N2 -n3 --gres=gpu:1", "h1 0-1/0  h2 0/0"),
    ("", "-p def -N2 --gpus-per-node=4 --ntasks-per-node=4", "h[1-2] 0-15/0-3"),
    ("", "-p raw -N2 --gpus-per-node=4 --ntasks-per-node=4", "h[1-2] 0-3/0-3"),
    ("", "-p def -n1 --ntasks-per-gpu=1", "h1 0/0"),
    ("", "-p raw -n1 --ntasks-per-gpu=1", "h1 0/0"),
    ("", "-p def -n4 --ntasks-per-gpu=1", "h1 0-3/0-3"),
    ("", "-p raw -n4 --ntasks-per-gpu=1", "h1 0-3/0-3"),
    ("", "-p def -n4 --ntasks-per-gpu=2", "h1 0-3/0-1"),
    ("", "-p raw -n4 --ntasks-per-gpu=2", "h1 0-3/0-1"),
    ("", "-p def -n6 -N2 --ntasks-per-gpu=1", "h1 0-2,16-18/0-4  h2 0-2,16-18/0"),
    ("", "-p raw -n6 -N2 --ntasks-per-gpu=1", "h[1-2] 0-1,16/0-2"),
    ("", "-p def -n12 --ntasks-per-gpu=1", "h1 0-5,16-21/0-7  h2 0-5,16-21/0-3"),
    ("", "-p raw -n12 --ntasks-per-gpu=1", "h1 0-5,16-20/0-7  h2 0/0-3"),
    ("", "-p def --gpus=4 --ntasks-per-gpu=2", "h1 0-7/0-3"),
    ("", "-p raw --gpus=4 --ntasks-per-gpu=2", "h1 0-7/0-3"),
    ("", "-p def --gres=gpu:4 --ntasks-per-gpu=1", "h1 0-3/0-3"),
    ("", "-p raw --gres=gpu:4 --ntasks-per-gpu=1", "h1 0-3/0-3"),
    ("", "-p def -N2 --gres=gpu:4 --ntasks-per-gpu=1", "h[1-2] 0-3/0-3"),
    ("", "-p raw -N2 --gres=gpu:4 --ntasks-per-gpu=1", "h[1-2] 0-3/0-3"),
    ("", "-p def -n4 --ntasks-per-gpu=1 --cpus-per-gpu=3", "h1 0-11/0-3"),
    ("", "-p raw -n4 --ntasks-per-gpu=1 --cpus-per-gpu=3", "h1 0-11/0-3"),
    (HELD_GPUS, "-p def -n5 --ntasks-per-gpu=1", "h1 17-21/6-7  h2 17-21/5-7"),
    (HELD_GPUS, "-p raw -n5 --ntasks-per-gpu=1", "h1 17/6-7  h2 17-20/5-7"),
    (HELD_GPUS, "-p def -n4 --ntasks-per-gpu=1", "h1 17-20/6-7  h2 17-20/5-6"),
    (HELD_GPUS, "-p raw -n4 --ntasks-per-gpu=1", "h1 17/6  h2 17-19/5-7"),
    (HELD_GPUS, "-p def --gpus=5", "h1 17-21/6-7  h2 17-31/5-7"),
    (HELD_GPUS, "-p raw --gpus=5", "h1 17/6-7  h2 17/5-7"),
    (HELD_GPUS, "-p def --gpus=4", "h1 17-20/6-7  h2 17-28/5-6"),
    (HELD_GPUS, "-p raw --gpus=4", "h1 17/6-7  h2 17/5-6"),
    (HELD_GPUS, "-p def -n4 --gpus=4", "h1 17-20/6-7  h2 17-28/5-6"),
    (HELD_GPUS, "-p raw -n4 --gpus=4", "h1 17/6-7  h2 17-19/5-6"),
    (HELD_GPUS, "-p def -n5 --gpus=5 --mem=5000", "h1 17-21/6-7  h2 17-31/5-7"),
    (HELD_GPUS, "-p raw -n5 --gpus=5 --mem=5000", "h1 17/6-7  h2 17-20/5-7"),
    ("", "-p def -n12 --ntasks-per-gpu=1 --cpus-per-gpu=3", "h1 0-11,16-27/0-7  h2 0-5,16-21/0-3"),
    ("", "-p raw -n12 --ntasks-per-gpu=1 --cpus-per-gpu=3", "h1 0-11,16-27/0-7  h2 0-5,16-21/0-3"),
    ("", "-p def -n12 --ntasks-per-gpu=1 -c2", "h1 0-11,16-25/0-7  h2 0-1/0-3"),
    ("", "-p raw -n12 --ntasks-per-gpu=1 -c2", "h1 0-11,16-25/0-7  h2 0-1/0-3"),
    ("", "-p def -n12 -N3 --ntasks-per-gpu=1", "h1 0-3,16-19/0-7  h2 0-3,16-19/0-2  h3 0-3,16-19/0"),
    ("", "-p raw -n12 -N3 --ntasks-per-gpu=1", "h[1-3] 0-1,16-17/0-3"),
    ("", "-p def -n12 -N2 --ntasks-per-gpu=1", "h1 0-3,16-19/0-7  h2 0-3,16-19/0-3"),
    ("", "-p raw -n12 -N2 --ntasks-per-gpu=1", "h[1-2] 0-2,16-18/0-5"),
    ("", "-p def -n20 --ntasks-per-gpu=1", "h[1-2] 0-9,16-25/0-7  h3 0-9,16-25/0-3"),
    ("", "-p raw -n20 --ntasks-per-gpu=1", "h1 0-8,16-24/0-7  h2 0/0-7  h3 0/0-3"),
    ("", "-p def -n12 --ntasks-per-gpu=2", "h1 0-5,16-21/0-5"),
    ("", "-p raw -n12 --ntasks-per-gpu=2", "h1 0-5,16-21/0-5"),
    ("", "-p def -n24 --ntasks-per-gpu=2", "h1 0-11,16-27/0-7  h2 0-11,16-27/0-3"),
    ("", "-p raw -n24 --ntasks-per-gpu=2", "h1 0-11,16-26/0-7  h2 0/0-2,4"),
    ("", "-p def -n12 --gpus=12", "h1 0-31/0-7  h2 0-7,16-23/0-3"),
    ("", "-p raw -n12 --gpus=12", "h1 0-5,16-20/0-7  h2 0/0-3"),
    ("", "-p def -n12 --gpus=12 --ntasks-per-node=6", "h1 0-11,16-27/0-7  h2 0-7,16-23/0-3"),
    ("", "-p raw -n12 --gpus=12 --ntasks-per-node=6", "h1 0-2,16-18/0-7  h2 0-2,16-18/0-3"),
    ("", "-p def --gpus=12 --ntasks-per-node=2", "h1 0-11,16-27/0-7  h2 0-7,16-23/0-3"),
    ("", "-p raw --gpus=12 --ntasks-per-node=2", "h1 0,16/0-7  h2 0,16/0-3"),
    ("", "-p def --gpus=12 --ntasks-per-node=2 --cpus-per-gpu=3", "h1 0-8,16-24/0-7  h2 0-5,16-21/0-3"),
    ("", "-p raw --gpus=12 --ntasks-per-node=2 --cpus-per-gpu=3", "h1 0-8,16-24/0-7  h2 0-5,16-21/0-3"),
    (EIGHT, "-p def -w h1 --gpus-per-task=1 -n1", "h1 4-7/0"),
    (EIGHT, "-p def -w h1 --gpus=1", "h1 4-7/0"),
    (EIGHT, "-p def -w h1 --gres=gpu:1", "h1 4-7/0"),
    (EIGHT, "-p def -w h1 -n1 --ntasks-per-gpu=1", "h1 4/0"),
    (EIGHT, "-p def -w h1 --gpus=1 -c2", "h1 4-5/0"),
    (EIGHT, "-p def -w h1 --gpus-per-task=1 -n2", "h1 4-11/0-1"),
    (EIGHT, "-p def -w h1 --gpus=2", "h1 4-11/0-1"),
    (EIGHT, "-p def -w h1 --gres=gpu:2 -n2", "h1 4-11/0-1"),
    (UNEVEN, "-p def -n4 --ntasks-per-gpu=1", "h2 8-9,20-21/0-3"),
    (UNEVEN, "-p raw -n4 --ntasks-per-gpu=1", "h2 8-9,20-21/0-3"),
    (UNEVEN, "-p raw --gpus=4 --ntasks-per-gpu=1", "h2 8-9,20-21/0-3"),
    (UNEVEN, "-p raw -n3 --ntasks-per-gpu=1", "h2 20-22/5-7"),
    (UNEVEN, "-p raw -N1 -n4 --gpus=4", "h2 8-9,20-21/0-3"),
    (UNEVEN, "-p raw -n4 --gpus=4", "h3 0-3/0-3"),
    (UNEVEN, "-p raw --gpus=4", "h3 0/0-3"),
    (UNEVEN, "-p def --gpus-per-task=1 -n2", "h2 20-27/5-6"),
    (UNEVEN, "-p def --gpus=1", "h2 20-23/5"),
    (UNEVEN, "-p raw -n5 --ntasks-per-gpu=1", "h2 8-9,20-22/0-3,5"),
    (UNEVEN, "-p raw -n5 --gpus=5", "h2 8-10,20-21/0-3,5"),
    (BESIDE, "-p def --gpus-per-task=1 -n2", "h1 0-7/0-1"),
    (BESIDE, "-p def --gpus=2", "h2 22-29/5-6"),
    (BESIDE, "-p def --gres=gpu:2", "h2 22-29/5-6"),
    (TWELVE, "-p def --gpus=4 -c8", "h1 12-15,28-31/4-7"),
    (TEN_FREE, "-p def -n12 --ntasks-per-gpu=1", "waits"),
    (TEN_FREE, "-p def -n6 --ntasks-per-gpu=1", "h1 11-13,27-29/0-5"),
    (TEN_FREE, "-p def -n4 --ntasks-per-gpu=1", "h1 11-14/0-3"),
]  # fmt: skip


def where(one, number):
    if not number.isdigit():
        return "!"
    told = one.out(f"scontrol -o -d show job {number}")
    if "JobState=RUNNING" not in told:
        return "waits"
    shares = re.findall(r" Nodes=(\S+) CPU_IDs=(\S+) Mem=\S* GRES=(\S*)", told)
    return "  ".join(f"{node} {cores}/{','.join(re.findall(r'IDX:([0-9,-]+)', gres))}" for node, cores, gres in shares)


def ask(one, held, words):
    ids = []
    for filler in filter(None, held.split("; ")):
        ids.append(one.sub(filler))
        one.rest(8)
    ids.append(one.sub(words))
    one.rest(15)
    answer = where(one, ids[-1])
    one.out("scancel " + " ".join(number for number in ids if number.isdigit()))
    one.rest(20)
    return answer


def main():
    wrong = 0
    with lab(CONF, GRES) as one:
        for held, words, expected in CASES:
            answer = ask(one, held, words)
            wrong += answer != expected
            print(f"{held:90} {words:60} {answer}{'' if answer == expected else '   NOT ' + expected}", flush=True)
    print(f"{wrong} answers are not as the text says")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
