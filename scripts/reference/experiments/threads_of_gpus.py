#!/usr/bin/env python3
# scripts/reference/experiments/threads_of_gpus.py — CPUs of GPUs for a job that may use fewer threads of a core (gres.md §3.3).
"""Four nodes of two sockets of 16 cores and eight GPUs, and sites of other threads, defaults and ways to deal cores. Each job prints its CPUs, and those and the GPUs that it has of each node. About two minutes."""
import re
import sys

from lab import Tally, lab, shown

CONF = """\
SelectType=select/cons_tres
SelectTypeParameters={parameters}
SchedulerType=sched/backfill
SchedulerParameters=bf_interval=5,sched_interval=5
PriorityType=priority/basic
GresTypes=gpu
{default}NodeName=g[1-4] Sockets=2 CoresPerSocket=16 ThreadsPerCore={threads} RealMemory=512000 Gres=gpu:8
PartitionName=all Nodes=ALL MaxTime=INFINITE DefMemPerGPU=6000 State=UP Default=YES
"""
GRES = "NodeName=g[1-4] Name=gpu File=/dev/nvidia[0-3] Cores=0-15\nNodeName=g[1-4] Name=gpu File=/dev/nvidia[4-7] Cores=16-31\n"
BLOCK = "CR_Core_Memory,CR_CORE_DEFAULT_DIST_BLOCK"
SITES = [
    ("", 2, BLOCK, [
        ("-N2 -G4 --cpus-per-gpu=1 --hint=nomultithread", "4: g1 0-3 0-2, g2 0-3 0"),
        ("-N2 -G4 --cpus-per-gpu=3 --hint=nomultithread", "12: g1 0-11 0-2, g2 0-11 0"),
        ("-N2 -G4 --cpus-per-gpu=4 --hint=nomultithread", "16: g1 0-15 0-2, g2 0-15 0"),
        ("-N2 -G4 --cpus-per-gpu=6 --hint=nomultithread", "24: g1 0-23 0-2, g2 0-23 0"),
        ("-N2 -G4 --cpus-per-gpu=8 --hint=nomultithread", "32: g1 0-31 0-2, g2 0-31 0"),
        ("-N2 -G2 --cpus-per-gpu=1 --hint=nomultithread", "4: g[1-2] 0-1 0"),
        ("-N2 -G2 --cpus-per-gpu=3 --hint=nomultithread", "6: g[1-2] 0-5 0"),
        ("-N2 -G2 --cpus-per-gpu=4 --hint=nomultithread", "16: g[1-2] 0-7 0"),
        ("-N2 -G2 --cpus-per-gpu=8 --hint=nomultithread", "32: g[1-2] 0-15 0"),
        ("-N1 -G4 --cpus-per-gpu=1 --hint=nomultithread", "4: g1 0-3 0-3"),
        ("-N1 -G4 --cpus-per-gpu=2 --hint=nomultithread", "8: g1 0-7 0-3"),
        ("-N1 -G4 --cpus-per-gpu=4 --hint=nomultithread", "16: g1 0-15 0-3"),
        ("-N1 -G4 --cpus-per-gpu=6 --hint=nomultithread", "24: g1 0-23 0-3"),
        ("-N1 -G4 --cpus-per-gpu=8 --hint=nomultithread", "32: g1 0-31 0-3"),
        ("-N1 --gres=gpu:4 --cpus-per-gpu=2 --hint=nomultithread", "8: g1 0-7 0-3"),
        ("-N1 --gres=gpu:4 --cpus-per-gpu=4 --hint=nomultithread", "16: g1 0-15 0-3"),
        ("-N1 --gres=gpu:4 --cpus-per-gpu=6 --hint=nomultithread", "24: g1 0-23 0-3"),
        ("-N1 --gres=gpu:4 --cpus-per-gpu=8 --hint=nomultithread", "32: g1 0-31 0-3"),
        ("-n1 -G4 --cpus-per-gpu=2 --hint=nomultithread", "8: g1 0-7 0-3"),
        ("-n1 -G4 --cpus-per-gpu=6 --hint=nomultithread", "24: g1 0-23 0-3"),
        ("-G4 --cpus-per-gpu=6 --hint=nomultithread", "24: g1 0-31 0-3"),
        ("-G6 --cpus-per-gpu=6 --hint=nomultithread", "72: g1 0-59 0-4, g2 0-11 0"),
        ("--gres=gpu:4 --cpus-per-gpu=6 --hint=nomultithread", "24: g1 0-31 0-3"),
        ("-N2 -n2 -G4 --cpus-per-gpu=2 --hint=nomultithread", "8: g1 0-7 0-2, g2 0-7 0"),
        ("-N1 -n4 -G4 --cpus-per-gpu=2 --hint=nomultithread", "8: g1 0-7 0-3"),
        ("-N1 -n4 --gres=gpu:4 --cpus-per-gpu=8 --hint=nomultithread", "32: g1 0-31 0-3"),
        ("-n4 --gres=gpu:4 --cpus-per-gpu=8 --hint=nomultithread", "32: g1 0-31 0-3"),
        ("-n4 -G4 --cpus-per-gpu=8 --hint=nomultithread", "32: g1 0-31 0-3"),
        ("-N2 -n8 --ntasks-per-node=4 --gres=gpu:4 --cpus-per-gpu=8 --hint=nomultithread", "64: g[1-2] 0-31 0-3"),
        ("-N1 --ntasks-per-node=4 --gres=gpu:4 --cpus-per-gpu=4 --hint=nomultithread", "16: g1 0-15 0-3"),
        ("-n4 --gpus-per-task=1 --cpus-per-gpu=8 --hint=nomultithread", "32: g1 0-31 0-3"),
        ("-N1 -n4 --gpus-per-task=1 --cpus-per-gpu=8 --hint=nomultithread", "64: g1 0-63 0-3"),
        ("-N2 -n4 --gpus-per-task=1 --cpus-per-gpu=4 --hint=nomultithread", "32: g1 0-23 0-2, g2 0-7 0"),
        ("-n20 -G2 --threads-per-core=1", "40: g1 0-31 0, g2 0-7 0"),
        ("-n20 --gpus-per-node=2 --threads-per-core=1", "40: g1 0-31 0-1, g2 0-7 0-1"),
        ("-n17 -G2 --threads-per-core=1", "34: g1 0-31 0, g2 0-1 0"),
        ("-n33 -G2 --threads-per-core=1", "66: g[1-2] 0-31 4, g3 0-1 4"),
        ("-n33 -G8 --threads-per-core=1", "66: g1 0-63 0-6, g2 0-1 0"),
        ("-n32 -G5 --threads-per-core=1", "64: g1 0-63 0-4"),
        ("-N1 -n20 -G2 --threads-per-core=1", "40: g1 0-39 0-1"),
        ("-N2 -n20 -G2 --threads-per-core=1", "40: g1 0-31 0, g2 0-7 0"),
        ("-n20 --gres=gpu:2 -c1 --threads-per-core=1", "40: g1 0-31 0-1, g2 0-7 0-1"),
        ("-n10 --gres=gpu:2 -c2 --threads-per-core=1", "40: g1 0-31 0-1, g2 0-7 0-1"),
        ("-n20 --gpus-per-task=1 --threads-per-core=1", "40: g[1-2] 0-7,32-39 0-7, g3 0-7 0-3"),
        ("-n4 -c8 --gpus-per-task=1 --threads-per-core=1", "64: g[1-2] 0-31 0-1"),
        ("-n20 -G8 -N1 --threads-per-core=1", "40: g1 0-19,32-51 0-7"),
        ("-N1 -G4 --cpus-per-gpu=4 --ntasks-per-core=1", "32: g1 0-31 0-3"),
        ("-N1 -G4 --cpus-per-gpu=8 --ntasks-per-core=1", "32: g1 0-31 0-3"),
        ("-N2 -G4 --cpus-per-gpu=2 --ntasks-per-core=1", "16: g1 0-11 0-2, g2 0-3 0"),
        ("-G4 --cpus-per-gpu=8 --ntasks-per-core=1", "32: g1 0-31 0-3"),
        ("-n20 -G2 --ntasks-per-core=1", "40: g1 0-31 0, g2 0-7 0"),
        ("-n20 --gres=gpu:2 --ntasks-per-core=1", "40: g1 0-31 0-1, g2 0-7 0-1"),
        ("-n20 -N1 --gres=gpu:2 --ntasks-per-core=1", "40: g1 0-39 0,4"),
        ("-G5 --cpus-per-gpu=7 --threads-per-core=1", "70: g1 0-55 0-3, g2 0-13 0"),
        ("-N3 -G6 --cpus-per-gpu=3 --threads-per-core=1", "18: g1 0-7,32-41 0-3, g[2-3] 0-7,32-41 0"),
        ("-N2 --gres=gpu:3 --cpus-per-gpu=3 --threads-per-core=1", "18: g[1-2] 0-9 0-2"),
        ("-N3 -G3 --cpus-per-gpu=5 --threads-per-core=1", "30: g1 0-11 0, g2 0-9 0, g3 0-7 0"),
        ("-n24 -G2 --cpus-per-gpu=4 --threads-per-core=1", "24: g1 0-31 0-1"),
        ("-n40 -G2 --cpus-per-gpu=4 --threads-per-core=1", "40: g[1-2] 0-31 0"),
        ("-n3 --ntasks-per-gpu=1 --cpus-per-gpu=3 --threads-per-core=1", "9: g1 0-9 0-2"),
        ("-N1 -n6 -G6 --cpus-per-gpu=4 --threads-per-core=1", "24: g1 0-11,32-43 0-5"),
        ("-n6 --gpus-per-task=1 --cpus-per-gpu=6 --threads-per-core=1", "72: g1 0-29,32-61 0-4, g2 0-11 0"),
        ("-N1 -G6 --cpus-per-gpu=5 --ntasks-per-core=1", "60: g1 0-59 0-5"),
        ("-N1 -n2 --gres=gpu:4 --cpus-per-gpu=6 --ntasks-per-core=1", "24: g1 0-31 0-3"),
        ("-N2 -n2 --gres=gpu:4 --cpus-per-gpu=8 --ntasks-per-core=1", "64: g[1-2] 0-31 0-3"),
        ("-G8 --cpus-per-gpu=8 --ntasks-per-core=1", "128: g1 0-63 0-6, g2 0-63 0"),
        ("-n30 --gres=gpu:2 --cpus-per-gpu=2 --threads-per-core=1", "30: g1 0-31 0-1"),
        ("-N1 -G8 --cpus-per-gpu=8 --threads-per-core=1", "Requested node configuration is not available"),
        ("--gres=gpu:5 --cpus-per-gpu=6 --threads-per-core=1", "60: g1 0-59 0-4"),
    ]),
    ("DefCpuPerGPU=4\n", 2, BLOCK, [
        ("-n20 -G2 --threads-per-core=1", "20: g1 0-31 0-1"),
        ("-n20 --gpus-per-node=2 --threads-per-core=1", "20: g1 0-31 0-1"),
        ("-N1 -G3 --threads-per-core=1", "12: g1 0-11 0-2"),
        ("-N2 -G5 --threads-per-core=1", "20: g1 0-9,32-41 0-3, g2 0-9,32-41 0"),
        ("-n4 --gpus-per-task=1 --threads-per-core=1", "32: g1 0-31 0-3"),
        ("-n2 --ntasks-per-gpu=1 --threads-per-core=1", "4: g1 0-3 0-1"),
        ("-N1 --gres=gpu:3 --threads-per-core=1", "12: g1 0-11 0-2"),
        ("-n33 -G2 --threads-per-core=1", "33: g[1-2] 0-31 0"),
    ]),
    ("", 4, BLOCK, [
        ("-G4 --cpus-per-gpu=8 --threads-per-core=1", "32: g1 0-63 0-3"),
        ("-N2 -G4 --cpus-per-gpu=2 --threads-per-core=1", "8: g1 0-7 0-2, g2 0-7 0"),
        ("-N1 -G4 --cpus-per-gpu=2 --threads-per-core=1", "8: g1 0-7 0-3"),
        ("-N2 -G2 --cpus-per-gpu=3 --threads-per-core=1", "6: g[1-2] 0-7 0"),
        ("-N1 -G4 --cpus-per-gpu=6 --threads-per-core=2", "24: g1 0-23 0-3"),
        ("-G8 --cpus-per-gpu=8 --threads-per-core=1", "256: g1 0-127 0-6, g2 0-127 0"),
    ]),
    ("", 2, "CR_CPU_Memory", [
        ("-G5 --cpus-per-gpu=7 --threads-per-core=1", "35: g1 0-55 0-3, g2 0-13 0"),
        ("-N3 -G6 --cpus-per-gpu=3 --threads-per-core=1", "18: g1 0-7,32-41 0-3, g[2-3] 0-7,32-41 0"),
        ("-N2 --gres=gpu:3 --cpus-per-gpu=3 --threads-per-core=1", "18: g[1-2] 0-9 0-2"),
        ("-N3 -G3 --cpus-per-gpu=5 --threads-per-core=1", "15: g1 0-11 0, g2 0-9 0, g3 0-7 0"),
        ("-n24 -G2 --cpus-per-gpu=4 --threads-per-core=1", "24: g1 0-31 0-1"),
        ("-n40 -G2 --cpus-per-gpu=4 --threads-per-core=1", "40: g[1-2] 0-31 0"),
        ("-n3 --ntasks-per-gpu=1 --cpus-per-gpu=3 --threads-per-core=1", "9: g1 0-9 0-2"),
        ("-N1 -n6 -G6 --cpus-per-gpu=4 --threads-per-core=1", "24: g1 0-11,32-43 0-5"),
        ("-N2 -G4 --cpus-per-gpu=2 --threads-per-core=1", "8: g1 0-7 0-2, g2 0-7 0"),
        ("-N1 -G4 --cpus-per-gpu=2 --threads-per-core=1", "8: g1 0-7 0-3"),
    ]),
    ("", 2, "CR_Core_Memory", [  # with cores dealt over sockets in turn
        ("-N2 -G2 --cpus-per-gpu=3 --threads-per-core=1", "JobHeldAdmin"),
        ("-N2 -G2 --cpus-per-gpu=4 --threads-per-core=1", "16: g[1-2] 0-7 0"),
        ("-N1 -G4 --cpus-per-gpu=4 --threads-per-core=1", "JobHeldAdmin"),
        ("-n1 -G1 --cpus-per-gpu=3 --threads-per-core=1", "JobHeldAdmin"),
        ("-n1 -G2 --cpus-per-gpu=3 --threads-per-core=1", "JobHeldAdmin"),
        ("-G4 --cpus-per-gpu=8 --threads-per-core=1", "JobHeldAdmin"),
        ("-G4 --cpus-per-gpu=4 --threads-per-core=1", "32: g1 0-31 0-3"),
        ("-n4 --gpus-per-task=1 --cpus-per-gpu=8 --threads-per-core=1", "JobHeldAdmin"),
        ("-N1 -n4 --gpus-per-task=1 --cpus-per-gpu=8 --threads-per-core=1", "64: g1 0-63 0-3"),
    ]),
]


def count(one, words):
    text = shown(one, words)
    if not text.startswith("JobId="):
        return text.rpartition(": ")[2]
    each = re.findall(r" Nodes=(\S+) CPU_IDs=(\S+) Mem=\d+ GRES=\S*\(IDX:([^)]*)\)", text)
    cpus = re.search(r" NumCPUs=(\d+)", text)
    return f"{cpus[1]}: {', '.join(map(' '.join, each))}" if each else re.search(r" Reason=(\S+)", text)[1]


if __name__ == "__main__":
    tally = Tally()
    for default, threads, parameters, jobs in SITES:
        with lab(CONF.format(default=default, threads=threads, parameters=parameters), GRES) as one:
            print(f"{default.strip()} ThreadsPerCore={threads} {parameters}")
            for words, told in jobs:
                tally.note(f"  {words:62}", count(one, words), told)
    sys.exit(tally.close())
