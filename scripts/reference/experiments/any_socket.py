#!/usr/bin/env python3
# scripts/reference/experiments/any_socket.py — the cores and GPUs of jobs on nodes that have GPUs at no socket of their own (gres.md §3.3).
"""Seven idle nodes of two sockets with eight cores, GPUs at one socket, at the other, or at both. Each case is asked of each node, in a partition
without DefCpuPerGPU and, after `|`, for some in one with two CPUs a GPU. Printed: `cores / devices`, and where that is not as the text says."""
import re
import sys

from lab import lab, numbers, ranges

# node: type, devices, cores
GPUS = {
    "k1": (("a", "0-1", "0-7"), ("a", "2-3", "8-15"), ("l", "4-5", "0-15")),
    "o1": (("a", "0-1", "0-7"), ("l", "2-3", "0-15")),
    "p1": (("l", "0-3", "0-15"),),
    "q1": (("a", "0-3", "0-7"),),
    "r1": (("a", "0-1", "0-7"), ("a", "2-3", "8-15"), ("l", "4", "0-15")),
    "s1": (("a", "0-1", "0-7"), ("a", "2-3", "8-15"), ("a", "4-5", "0-15")),
    "t1": (("a", "0-1", "0-7"), ("b", "2-3", "8-15")),
}
# what is asked: the answers of the nodes in that order, `!` is refused
CASES = [
    ("-n1 --gpus-per-task=1", "8/2  8/2  8/0  0/0  8/2  8/2  0/0"),
    ("d -n1 --gpus-per-task=1", "0,8/0  0,8/0  0,8/0  0-1/0  0,8/0  0,8/0  0-1/0"),
    ("-n2 --gpus-per-task=1", "0,8/0,2  0,8/0,2  0,8/0-1  0-1/0-1  0,8/0,2  0,8/0,2  0-1/0-1"),
    ("d -n2 --gpus-per-task=1", "0-1,8-9/0-1  0-1,8-9/0-1  0-1,8-9/0-1  0-3/0-1  0-1,8-9/0-1  0-1,8-9/0-1  0-3/0-1"),
    ("-n4 --gpus-per-task=1", "0-1,8-9/0-3  0-1,8-9/0-3  0-1,8-9/0-3  0-3/0-3  0-1,8-9/0-3  0-1,8-9/0-3  0-1,8-9/0-3"),
    ("d -n4 --gpus-per-task=1", "0-3,8-11/0-1,4-5  0-3,8-11/0-3  0-3,8-11/0-3  0-7/0-3  0-3,8-11/0-2,4  0-3,8-11/0-1,4-5  0-3,8-11/0-3"),
    ("-n1 --gpus-per-task=2", "8/2-3  8/2-3  8/0-1  0/0-1  8/2-3  8/2-3  0/0-1"),
    ("-n2 -N1 --gpus-per-task=1", "0,8/0,2  0,8/0,2  0,8/0-1  0-1/0-1  0,8/0,2  0,8/0,2  0-1/0-1"),
    ("-n2 -N1 --gpus-per-task=2", "0,8/0-3  0,8/0-3  0,8/0-3  0-1/0-3  0,8/0-3  0,8/0-3  0,8/0-3"),
    ("-n1 --gpus-per-task=3", "8/2-4  8/0,2-3  8/0-2  0/0-2  8/2-4  8/2-4  8/0,2-3"),
    ("--gres=gpu:1", "0/4  0/2  0/0  0/0  0/4  0/4  0/0"),
    ("d --gres=gpu:1", "0,8/4  0,8/2  0,8/0  0-1/0  0,8/4  0,8/4  0-1/0"),
    ("--gpus=1", "0/4  0/2  0/0  0/0  0/4  0/4  0/0"),
    ("--gres=gpu:2", "0/0,4  0/0,2  0/0-1  0/0-1  0/0,4  0/0,4  0/0-1"),
    ("--gpus=2", "0/4-5  0/2-3  0/0-1  0/0-1  0/0,4  0/4-5  0/0-1"),
    ("--gres=gpu:3", "0/0,4-5  0/0,2-3  0/0-2  0/0-2  0/0-1,4  0/0,4-5  0/0-2"),
    ("d --gres=gpu:3", "0-2,8-10/0,2,4  0-2,8-10/0,2-3  0-2,8-10/0-2  0-5/0-2  0-2,8-10/0,2,4  0-2,8-10/0,2,4  0-2,8-10/0-2"),
    ("--gpus=3", "0/0,4-5  0/0,2-3  0/0-2  0/0-2  0/0-1,4  0/0,4-5  0/0-2"),
    ("d --gpus=3", "0-2,8-10/0,4-5  0-2,8-10/0,2-3  0-2,8-10/0-2  0-5/0-2  0-2,8-10/0-1,4  0-2,8-10/0,4-5  0-2,8-10/0-2"),
    ("--gres=gpu:4", "0/0-1,4-5  0/0-3  0/0-3  0/0-3  0/0-2,4  0/0-1,4-5  0/0-3"),
    ("d --gres=gpu:4", "0-3,8-11/0,2,4-5  0-3,8-11/0-3  0-3,8-11/0-3  0-7/0-3  0-3,8-11/0-2,4  0-3,8-11/0,2,4-5  0-3,8-11/0-3"),
    ("--gpus=4", "0/0-1,4-5  0/0-3  0/0-3  0/0-3  0/0-2,4  0/0-1,4-5  0/0-3"),
    ("d --gpus=4", "0-3,8-11/0-1,4-5  0-3,8-11/0-3  0-3,8-11/0-3  0-7/0-3  0-3,8-11/0-2,4  0-3,8-11/0-1,4-5  0-3,8-11/0-3"),
    ("--gres=gpu:5", "0/0-2,4-5  !  !  !  0/0-4  0/0-2,4-5  !"),
    ("--gpus=5", "0/0-2,4-5  !  !  !  0/0-4  0/0-2,4-5  !"),
    ("--gres=gpu:6", "0/0-5  !  !  !  !  0/0-5  !"),
    ("--gpus=6", "0/0-5  !  !  !  !  0/0-5  !"),
    ("-n4 --gres=gpu:3", "0-1,8-9/0,2,4  0-1,8-9/0,2-3  0-1,8-9/0-2  0-3/0-2  0-1,8-9/0,2,4  0-1,8-9/0,2,4  0-1,8-9/0-2"),
    ("-n4 --gres=gpu:4", "0-1,8-9/0,2,4-5  0-1,8-9/0-3  0-1,8-9/0-3  0-3/0-3  0-1,8-9/0-2,4  0-1,8-9/0,2,4-5  0-1,8-9/0-3"),
    ("-N1 -n4 --gres=gpu:4", "0-1,8-9/0,2,4-5  0-1,8-9/0-3  0-1,8-9/0-3  0-3/0-3  0-1,8-9/0-2,4  0-1,8-9/0,2,4-5  0-1,8-9/0-3"),
    ("-N1 -n4 --gres=gpu:1", "0-1,8-9/4  0-1,8-9/2  0-1,8-9/0  0-3/0  0-1,8-9/4  0-1,8-9/4  0-3/0"),
    ("-N1 -n4 --gpus=4", "0-1,8-9/0-1,4-5  0-1,8-9/0-3  0-1,8-9/0-3  0-3/0-3  0-1,8-9/0-2,4  0-1,8-9/0-1,4-5  0-1,8-9/0-3"),
    ("-n4 --gpus=3", "0-1,8-9/0,4-5  0-1,8-9/0,2-3  0-1,8-9/0-2  0-3/0-2  0-1,8-9/0-1,4  0-1,8-9/0,4-5  0-1,8-9/0-2"),
    ("-c3 --gres=gpu:3", "0-2/0,4-5  0-2/0,2-3  0-2/0-2  0-2/0-2  0-2/0-1,4  0-2/0,4-5  0-2/0-2"),
    ("-c3 --gres=gpu:1", "0-2/4  0-2/2  0-2/0  0-2/0  0-2/4  0-2/4  0-2/0"),
    ("-c3 --gpus=3", "0-2/0,4-5  0-2/0,2-3  0-2/0-2  0-2/0-2  0-2/0-1,4  0-2/0,4-5  0-2/0-2"),
    ("-n2 -c3 --gres=gpu:4", "0-5/0-1,4-5  0-5/0-3  0-5/0-3  0-5/0-3  0-5/0-2,4  0-5/0-1,4-5  0-5/0-3"),
    ("-N1 --ntasks-per-node=4 --gres=gpu:4", "0-1,8-9/0,2,4-5  0-1,8-9/0-3  0-1,8-9/0-3  0-3/0-3  0-1,8-9/0-2,4  0-1,8-9/0,2,4-5  0-1,8-9/0-3"),
    ("--ntasks-per-node=4 --gres=gpu:3", "0-1,8-9/0,2,4  0-1,8-9/0,2-3  0-1,8-9/0-2  0-3/0-2  0-1,8-9/0,2,4  0-1,8-9/0,2,4  0-1,8-9/0-2"),
]  # fmt: skip


def count(devices):
    first, _, last = devices.partition("-")
    return int(last or first) - int(first) + 1


def conf():
    lines = ["SelectType=select/cons_tres", "SelectTypeParameters=CR_Core", "SchedulerType=sched/backfill", "PriorityType=priority/basic",
             "GresTypes=gpu", "SchedulerParameters=sched_interval=50000,bf_interval=-1"]
    for node, kinds in GPUS.items():
        gres = {}
        for kind, devices, _ in kinds:
            gres[kind] = gres.get(kind, 0) + count(devices)
        listed = ",".join(f"gpu:{kind}:{number}" for kind, number in gres.items())
        lines.append(f"NodeName={node} Sockets=2 CoresPerSocket=8 ThreadsPerCore=1 RealMemory=64000 Gres={listed}")
    for node in GPUS:
        lines.append(f"PartitionName={node} Nodes={node} MaxTime=INFINITE State=UP")
        lines.append(f"PartitionName={node}d Nodes={node} MaxTime=INFINITE State=UP DefCpuPerGPU=2")
    return "\n".join(lines) + "\n"


def gres_conf():
    return "".join(f"NodeName={node} Name=gpu Type={kind} File=/dev/nvidia[{devices}] Cores={cores}\n"
                   for node, kinds in GPUS.items() for kind, devices, cores in kinds)


def where(one, number):
    if not number.isdigit():
        return "!"
    told = one.out(f"scontrol -o -d show job {number}")
    cores = re.search(r" CPU_IDs=(\S+) ", told)
    devices = [i for listed in re.findall(r"IDX:([\d,-]*)", told) for i in numbers(listed)]
    return f"{cores[1]}/{ranges(devices)}" if cores else "waits"


def main():
    wrong = 0
    with lab(conf(), gres_conf()) as one:
        for words, expected in CASES:
            suffix, asked = ("d", words[2:]) if words.startswith("d ") else ("", words)
            ids = [one.sub(f"-p {node}{suffix} {asked}") for node in GPUS]
            one.rest(25)
            answers = [where(one, number) for number in ids]
            one.out("scancel " + " ".join(number for number in ids if number.isdigit()))
            one.rest(25)
            same = answers == expected.split("  ")
            wrong += not same
            print(f"{words:45} {'  '.join(answers)}{'' if same else '   NOT ' + expected}", flush=True)
    print(f"{wrong} answers are not as the text says")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
