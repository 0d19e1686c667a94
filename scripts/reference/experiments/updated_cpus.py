#!/usr/bin/env python3
# scripts/reference/experiments/updated_cpus.py — what `scontrol update JobId= CPUsPerTask=` makes of a job (lifecycle.md §10.1).
"""Idle nodes of 32 cores and four GPUs, and of 2 × 8 with two threads (t). A job is held, updated and released; printed: NumCPUs after the update, then the CPUs by node that it gets (0: it has
the node, and nothing of it). Two minutes. With --cores: how many CPUs of the second node are then in use, by SelectTypeParameters. Three minutes."""
import re
import sys

from lab import Tally, lab, numbers

CONF = """\
SelectType=select/cons_tres
SelectTypeParameters=CR_Core_Memory
SchedulerType=sched/backfill
PriorityType=priority/basic
GresTypes=gpu
NodeName=b[1-3] Sockets=1 CoresPerSocket=32 ThreadsPerCore=1 RealMemory=192000 Gres=gpu:l40s:4
NodeName=t[1-3] Sockets=2 CoresPerSocket=8 ThreadsPerCore=2 RealMemory=192000
PartitionName=b Nodes=b[1-3] Default=YES State=UP DefMemPerCPU=2000
PartitionName=t Nodes=t[1-3] State=UP DefMemPerCPU=2000
"""
GRES = "NodeName=b[1-3] Name=gpu Type=l40s File=/dev/nvidia[0-3]\n"
CASES = [
    ("-N2 --gres=gpu:1 -n4", "CPUsPerTask=3", "4: 3 0"),
    ("-N2 --gres=gpu:1 -n4", "CPUsPerTask=2", "4: 2 1"),
    ("-N2 --gres=gpu:1 -n4", "CPUsPerTask=1", "4: 3 1"),
    ("-N2 -n4", "CPUsPerTask=3", "4: 3 0"),
    ("-n4", "CPUsPerTask=3", "4: 3"),
    ("-n4 -N1", "CPUsPerTask=2", "4: 4"),
    ("-n2", "CPUsPerTask=3", "2: 2"),
    ("-n4 --gpus=2", "CPUsPerTask=3", "4: 3"),
    ("-n4 --gpus-per-task=1", "CPUsPerTask=3", "4: 3"),
    ("-n2 -c2", "CPUsPerTask=4", "4: 4"),
    ("-n2 -c4", "CPUsPerTask=2", "8: 8"),
    ("-N2 -n8", "CPUsPerTask=2", "8: 6 1"),
    ("-N3 -n6", "CPUsPerTask=2", "6: 2 1 1"),
    ("-N2 --ntasks-per-node=2", "CPUsPerTask=2", "4: 3 2"),
    ("-N2 -n2", "CPUsPerTask=4", "2: 1 0"),
    ("-n1", "CPUsPerTask=4", "1: 1"),
    ("-N2 -n4 --gpus-per-node=1", "CPUsPerTask=2", "4: 2 1"),
    ("-N2 -n4 -c2", "CPUsPerTask=3", "8: 3 2"),
    ("-N2 -n4 -c2", "CPUsPerTask=1", "8: 6 2"),
    ("-n4 -c2", "CPUsPerTask=3", "8: 6"),
    ("-n40", "CPUsPerTask=2", "40: 32 8"),
    ("-n40", "CPUsPerTask=3", "40: 30 9"),
    ("-N1-3 -n6", "CPUsPerTask=4", "6: 4 0 0"),
    ("-N2 -n4 --mincpus=3", "CPUsPerTask=2", "4: 3 2"),
    ("-n4", "CPUsPerTask=2 NumTasks=2", "4: 4"),
    ("-n4", "CPUsPerTask=2 NumCPUs=8", "8: 8"),
    ("-N2 -n4", "CPUsPerTask=3 NumCPUs=12", "12: 9 1"),
    ("-N2 -n4 --gpus-per-task=1", "CPUsPerTask=2", "4: 2 1"),
    ("-N2 -n4", "CPUsPerTask=3 NumNodes=2", "12: 9 1"),
    # Told beforehand.
    ("-N3 -n9", "CPUsPerTask=2", "9: 4 1 1"),
    ("-N2 -n6 -c2", "CPUsPerTask=5", "12: 5 2"),
    ("-N3 --ntasks-per-node=2", "CPUsPerTask=3", "6: 4 2 2"),
    ("-N2 --ntasks-per-node=4 --gres=gpu:2", "CPUsPerTask=2", "8: 7 4"),
    ("-N2 -n10 --gpus-per-node=2", "CPUsPerTask=4", "10: 4 1"),
    ("-N3 -n3 -c4", "CPUsPerTask=2", "12: 4 4 4"),
    ("-n70", "CPUsPerTask=4", "70: 32 32 4"),
    ("-N2 -n4 --mem-per-cpu=1000", "CPUsPerTask=2", "4: 2 1"),
    ("-N2 -n4 --mem=4000", "CPUsPerTask=3", "4: 3 0"),
    ("-N2 -n4 --exclusive", "CPUsPerTask=3", "4: 32 32"),
    ("-p t -n3", "CPUsPerTask=3", "3: 4"),
    ("-p t -N2 -n4", "CPUsPerTask=3", "4: 2 0"),  # told as 2 2
]

BLOCK = "CR_CORE_DEFAULT_DIST_BLOCK"
WAYS = ("-N2 -n4 --gres=gpu:1", "-N2 -n4", "-N2 -n4 -m block:block", "-N2 -n4 -m cyclic:cyclic", "-N2 -n4 --gres=gpu:1 -m block:block", "-N2 -n4 --gpus=2", "-N2 -n4 --mincpus=2")
CORES = {
    "CR_Core_Memory": (0, 0, 32, 0, 30, 0, 0),
    f"CR_Core_Memory,{BLOCK}": (30, 32, 32, 0, 30, 30, 32),
    "CR_CPU_Memory": (30, 32, 32, 32, 30, 30, 32),
    f"CR_CPU_Memory,{BLOCK}": (30, 32, 32, 32, 30, 30, 32),
    f"CR_Core,{BLOCK}": (30, 32, 32, 0, 30, 30, 32),
    "CR_Socket": (0, 0, 32, 0, 30, 0, 0),
}


def in_use(one, words):
    """CPUs of b2 where the job's tasks have three CPUs, which is one task."""
    number = one.sub(f"-H {words}")
    one.out(f"scontrol update JobId={number} CPUsPerTask=3")
    one.out(f"scontrol release {number}")
    one.until(lambda: one.job(number).get("JobState") == "RUNNING", 30)
    found = re.search(r"CPUAlloc=(\d+)", one.out("scontrol show node b2"))
    one.out(f"scancel {number}")
    one.rest(25)
    return int(found[1])


def asked(one, words, change):
    number = one.sub(f"-H {words}")
    one.out(f"scontrol update JobId={number} {change}")
    cpus = one.job(number).get("NumCPUs")
    one.out(f"scontrol release {number}")
    one.until(lambda: one.job(number).get("JobState") == "RUNNING" or one.job(number).get("Reason") == "BadConstraints", 70)
    job, text = one.job(number), one.out(f"scontrol -d show job {number}")
    one.out(f"scancel {number}")
    one.rest(20)
    if job.get("JobState") != "RUNNING":
        return f"{cpus}: {job.get('Reason')}"
    got = [str(len(numbers(ids))) for nodes, ids in re.findall(r" Nodes=(\S+) CPU_IDs=(\S+)", text) for _ in (numbers(nodes[1:].strip("[]")))]
    return f"{cpus}: {' '.join(got + ['0'] * (int(job['NumNodes']) - len(got)))}"


def main():
    tally = Tally()
    if sys.argv[1:] == ["--cores"]:
        for parameters, told in CORES.items():
            with lab(CONF.replace("CR_Core_Memory", parameters), gres=GRES) as one:
                for words, expected in zip(WAYS, told):
                    tally.note(f"{parameters:44} {words:42}", in_use(one, words), expected)
        return tally.close()
    with lab(CONF, gres=GRES) as one:
        for words, change, told in CASES:
            tally.note(f"{words:42} {change:28}", asked(one, words, change), told)
    return tally.close()


if __name__ == "__main__":
    sys.exit(main())
