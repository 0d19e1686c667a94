#!/usr/bin/env python3
# scripts/reference/experiments/light_nodes.py — how large a node of the lowest weight counts in the step of all cores, where CPUs come with GPUs (scheduling.md §6.4).
"""Nodes of the lowest weight, of which some GPUs are free, ahead of two idle ones with eight. Asks every question of
tests/data/placements/light_nodes.txt (or the named file) and prints those that are answered otherwise. Five minutes.

    light_nodes.py [FILE] [--grep WORDS] [--write OUT]"""
import sys

import near_cores

near_cores.THREADS = {"p": 2}
# Light nodes: cores of each of two sockets, GPUs, and whether the GPUs are at sockets.
LIGHT = {"g": (24, 8, True), "b": (24, 8, False), "c": (4, 2, True), "d": (16, 4, True), "e": (20, 8, True), "f": (12, 8, True)}
CONF = near_cores.USUAL + """\
NodeName=p[1-2] Sockets=2 CoresPerSocket=28 ThreadsPerCore=2 RealMemory=16000 Gres=gpu:a100:8 Weight=50
NodeName=q[1-2] Sockets=2 CoresPerSocket=24 ThreadsPerCore=1 RealMemory=16000 Gres=gpu:a100:8 Weight=50
PartitionName=all Nodes=ALL State=UP Default=YES
""" + "".join(
    f"NodeName={one}1 Sockets=2 CoresPerSocket={cores} ThreadsPerCore=1 RealMemory=16000 Gres=gpu:a100:{gpus} Weight=10\n"
    f"PartitionName={one}p Nodes={one}1,p[1-2] State=UP DefCpuPerGPU=4\n"
    f"PartitionName={one}q Nodes={one}1,q[1-2] State=UP DefCpuPerGPU=4\n"
    f"PartitionName={one}n Nodes={one}1,p[1-2] State=UP\n"
    f"PartitionName={one}m Nodes={one}1,p[1-2] State=UP DefCpuPerGPU=4 MaxCPUsPerNode=40\n"
    for one, (cores, gpus, _) in LIGHT.items()
) + """\
NodeName=h[1-4] Sockets=2 CoresPerSocket=24 ThreadsPerCore=1 RealMemory=16000 Gres=gpu:a100:8 Weight=10
PartitionName=zp Nodes=g1,h[1-4],p[1-2] State=UP DefCpuPerGPU=4
PartitionName=zm Nodes=g1,h[1-4],p[1-2] State=UP DefCpuPerGPU=4 MaxCPUsPerNode=40
"""  # fmt: skip
GRES = """\
NodeName=h[1-4] Name=gpu Type=a100 File=/dev/nvidia[0-3] Cores=0-23
NodeName=h[1-4] Name=gpu Type=a100 File=/dev/nvidia[4-7] Cores=24-47
NodeName=p[1-2] Name=gpu Type=a100 File=/dev/nvidia[0-3] Cores=0-27
NodeName=p[1-2] Name=gpu Type=a100 File=/dev/nvidia[4-7] Cores=28-55
NodeName=q[1-2] Name=gpu Type=a100 File=/dev/nvidia[0-3] Cores=0-23
NodeName=q[1-2] Name=gpu Type=a100 File=/dev/nvidia[4-7] Cores=24-47
""" + "".join(
    f"NodeName={one}1 Name=gpu Type=a100 File=/dev/nvidia[{low}-{low + gpus // 2 - 1}]" + (f" Cores={first}-{first + cores - 1}" if bound else "") + "\n"
    for one, (cores, gpus, bound) in LIGHT.items()
    for low, first in ((0, 0), (gpus // 2, cores))
)  # fmt: skip

if __name__ == "__main__":
    sys.exit(near_cores.ask_file(__doc__, lambda _: CONF, GRES, near_cores.QUESTIONS.with_name("light_nodes.txt")))
