#!/usr/bin/env python3
# scripts/reference/experiments/tasks_beside_few_cpus.py — which nodes serve a job that counts tasks by GPU (--ntasks-per-gpu): those with the CPUs for its tasks (scheduling.md §6.2).
"""Two nodes of 2 × 12 cores and four GPUs, of which nobody holds one; CPUs of each are held. Printed: the nodes that the job gets, or that it waits. Four minutes."""
import sys

from lab import Tally, hold, lab, release

CONF = """\
SelectType=select/cons_tres
SelectTypeParameters=CR_Core_Memory
SchedulerType=sched/backfill
SchedulerParameters=bf_interval=-1
PriorityType=priority/basic
GresTypes=gpu
DefMemPerCPU=100
NodeName=n[1-2] Sockets=2 CoresPerSocket=12 ThreadsPerCore=1 RealMemory=64000 Gres=gpu:4
PartitionName=all Nodes=n[1-2] Default=YES MaxTime=INFINITE State=UP
PartitionName=cap Nodes=n[1-2] MaxTime=INFINITE State=UP MaxCPUsPerNode=16
"""
GRES = "NodeName=n[1-2] Name=gpu File=/dev/nvidia[0-3]\n"
# partition; CPUs held on n1 and on n2; what is asked; what is told
CASES = [
    ("cap", 9, 9, "-n8 --ntasks-per-gpu=4", "waits"), ("all", 17, 17, "-n8 --ntasks-per-gpu=4", "waits"), ("cap", 12, 12, "-n8 --ntasks-per-gpu=4", "waits"), ("all", 20, 20, "-n8 --ntasks-per-gpu=4", "waits"),
    ("cap", 8, 12, "-n8 --ntasks-per-gpu=4", "n1"), ("all", 16, 20, "-n8 --ntasks-per-gpu=4", "n1"), ("all", 19, 19, "-n9 --ntasks-per-gpu=3", "waits"), ("all", 19, 19, "-n8 --ntasks-per-gpu=2", "waits"),
    ("all", 20, 20, "-n8 --gpus=2 --ntasks-per-gpu=4", "waits"), ("all", 20, 20, "-n8 --gpus=2", "n[1-2]"), ("cap", 9, 9, "-N2 -n8 --ntasks-per-gpu=4", "n[1-2]"), ("cap", 9, 9, "-n4 -c2 --ntasks-per-gpu=2", "waits"),
    ("all", 1, 1, "-n8 --ntasks-per-gpu=1", "n[1-2]"), ("all", 1, 1, "-n24 --ntasks-per-gpu=4", "waits"), ("all", 0, 0, "-n24 --ntasks-per-gpu=4", "n[1-2]"), ("all", 0, 1, "-n24 --ntasks-per-gpu=4", "waits"),
    ("all", 16, 12, "-n20 --ntasks-per-gpu=4", "waits"), ("all", 16, 17, "-n8 --ntasks-per-gpu=1", "waits"), ("all", 16, 16, "-n8 --ntasks-per-gpu=1", "n[1-2]"), ("all", 18, 18, "--gpus=6 --ntasks-per-gpu=1", "n[1-2]"),
    ("all", 19, 19, "--gpus=6 --ntasks-per-gpu=1", "waits"), ("all", 12, 12, "-n6 -c2 --ntasks-per-gpu=1", "n[1-2]"), ("all", 13, 13, "-n6 -c2 --ntasks-per-gpu=1", "waits"), ("all", 20, 20, "-N2 -n8 --ntasks-per-gpu=4", "n[1-2]"),
    ("all", 19, 21, "-N2 -n8 --ntasks-per-gpu=4", "waits"), ("all", 17, 23, "-N2 -n8 --ntasks-per-gpu=4", "waits"), ("all", 20, 20, "-w n1,n2 -n8 --ntasks-per-gpu=4", "n[1-2]"), ("all", 17, 19, "-N2 -n12 --ntasks-per-gpu=2", "waits"),
    ("all", 18, 18, "-N2 -n12 --ntasks-per-gpu=2", "n[1-2]"), ("all", 19, 20, "-N2 -n8 --ntasks-per-gpu=1", "n[1-2]"), ("all", 12, 12, "-n12 --ntasks-per-gpu=2", "n[1-2]"), ("all", 16, 16, "-n12 --ntasks-per-gpu=2", "waits"),
    ("all", 23, 20, "-N2 -n4 --ntasks-per-gpu=1", "waits"),
]  # fmt: skip


def ask(one, partition, first, second, words):
    ids = hold(one, [f"-p {partition} -w {node} -n{count}" for node, count in (("n1", first), ("n2", second)) if count])
    job = one.sub(f"-p {partition} {words}")
    if job.isdigit():
        one.until(lambda: one.job(job).get("JobState") == "RUNNING", 15)
    got = one.job(job).get("NodeList", job) if job.isdigit() else job
    release(one, [job, *ids] if job.isdigit() else ids)
    return "waits" if got == "(null)" or not got else got


def main():
    tally = Tally()
    with lab(CONF, gres=GRES) as one:
        for *question, told in CASES:
            tally.note(" ".join(str(word) for word in question), ask(one, *question), told)
    return tally.close()


if __name__ == "__main__":
    sys.exit(main())
