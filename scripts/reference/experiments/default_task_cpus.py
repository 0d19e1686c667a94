#!/usr/bin/env python3
# scripts/reference/experiments/default_task_cpus.py — CPUs of tasks that bring GPUs by DefCpuPerGPU, over several nodes (gres.md §2.3).
"""Four nodes of 32 cores and eight GPUs, with and without hyperthreads, DefCpuPerGPU of the cluster or of the partition: jobs of --gpus-per-task over a number of nodes that
is given or not, beside such of --cpus-per-gpu, -c, --gpus and --gres. Prints the CPUs that the job has of each node. About three minutes."""
import re
import sys

from lab import Tally, given, lab, numbers

CONF = """\
SelectType=select/cons_tres
SelectTypeParameters={way}
SchedulerType=sched/backfill
SchedulerParameters=bf_interval=5,sched_interval=5
PriorityType=priority/basic
GresTypes=gpu
{more}NodeName=g[1-4] Sockets=2 CoresPerSocket=16 ThreadsPerCore={threads} RealMemory=512000 Gres=gpu:8
PartitionName=all Nodes=ALL MaxTime=INFINITE DefMemPerCPU=100 State=UP Default=YES{of}
"""
GRES = "NodeName=g[1-4] Name=gpu File=/dev/nvidia[0-3] Cores=0-15\nNodeName=g[1-4] Name=gpu File=/dev/nvidia[4-7] Cores=16-31\n"
TASKS = ("-n4 -N2 --gpus-per-task=2", "-n4 -N2 --gpus-per-task=1", "-n6 -N3 --gpus-per-task=1", "-n4 --gpus-per-task=1", "-n9 --gpus-per-task=1",
         "-N2 -n4 -G6", "-N2 -n4 --gpus-per-node=2", "-N2 -n2 -G2", "-N2 -n4 --gpus-per-task=1 --cpus-per-gpu=4", "-N2 -n4 -c4 --gpus-per-task=1",
         "-N4 -n8 --gpus-per-task=1", "-N2 -n4 --ntasks-per-node=2 --gpus-per-task=1", "-N2-3 -n5 --gpus-per-task=1")
FOUR, CLUSTER = "DefCpuPerGPU=4\n", "CR_Core_Memory"
CASES = [
    (dict(more=FOUR, of="", threads=2, way=CLUSTER), ["24 2", "12 2", "16 2 2", "16", "32 4", "20 4", "8 8", "4 4", "12 4", "12 4", "20 2 2 2", "8 8", "16 2"]),
    (dict(more=FOUR, of="", threads=1, way=CLUSTER), ["24 1", "12 1", "16 1 1", "16", "32 4", "20 4", "8 8", "4 4", "12 4", "12 4", "20 1 1 1", "8 8", "16 1"]),
    (dict(more="", of=" DefCpuPerGPU=4", threads=2, way=CLUSTER), ["24 2", "12 2", "16 2 2", "16", "32 4", "20 4", "8 8", "4 4", "12 4", "12 4", "20 2 2 2", "8 8", "16 2"]),
    (dict(more=FOUR, of="", threads=2, way="CR_CPU_Memory"), ["24 2", "12 2", "16 2 2", "16", "32 4", "20 4", "8 8", "4 4", "12 4", "12 4", "20 2 2 2", "8 8", "16 2"]),
]


def cpus(text):
    """Of each node in turn."""
    counts = []
    for part in re.findall(r"(\S+) (\S+) [^ ,]+(?:,\d[^ ]*)*(?:, |$)", text):
        nodes = len(numbers(part[0][1:].strip("[]")))
        counts += [str(len(numbers(part[1])))] * nodes
    return " ".join(counts) or text


def main():
    tally = Tally()
    for words, told in CASES:
        with lab(CONF.format(**words), GRES) as one:
            print(words, flush=True)
            for job, expected in zip(TASKS, told):
                tally.note(f"  {job:46}", cpus(given(one, job)), expected)
    return tally.close()


if __name__ == "__main__":
    sys.exit(main())
