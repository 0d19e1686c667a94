#!/usr/bin/env python3
# scripts/reference/experiments/alone_tasks.py — which node serves a job with GPUs where each task has a core for itself (gres.md §3.3).
"""Three nodes of two sockets with 16 cores of two threads and four GPUs, at the first socket (a) or at none (u); a job of one GPU runs on the
second. Each question is asked under CR_Core, or under CR_Core with CR_ONE_TASK_PER_CORE: a node that counts for one task only is as good as
its neighbours, so that the first is taken. Printed is the answer of each kind of node as tests/data/placements/alone_tasks.txt has it,
and what is not as that file says."""
import pathlib
import re
import sys

from lab import lab, numbers, ranges

ANSWERS = pathlib.Path(__file__).resolve().parents[3] / "tests/data/placements/alone_tasks.txt"
HELD = "-n1 --gres=gpu:1"
CASES = {
    "CR_Core": ["-n1 --gres=gpu:1", "-n1 -c2 --gres=gpu:1", "-n1 -c2 --ntasks-per-core=1 --gres=gpu:1", "-n1 --ntasks-per-core=1 --gres=gpu:1", "-n1 --ntasks-per-core=2 --gres=gpu:1",
                "-N1 -n4 --gres=gpu:1", "-N1 -n4 --ntasks-per-core=1 --gres=gpu:1", "--ntasks-per-node=2 --gres=gpu:1", "--ntasks-per-node=2 --ntasks-per-core=1 --gres=gpu:1",
                "-n1 --ntasks-per-core=1 --gpus=1", "-n1 -c2 --ntasks-per-core=1 --gpus-per-task=1", "-n2 --ntasks-per-gpu=1 --gpus=2"],
    "CR_Core,CR_ONE_TASK_PER_CORE": ["-n1 --gres=gpu:1", "-n1 -c2 --gres=gpu:1", "-n1 -c4 --gres=gpu:1", "-n1 --gpus=1", "-n1 -c2 --gpus=1", "-N1 --gpus=1", "-n1 --gpus-per-task=1",
                                     "-n1 -c2 --gpus-per-task=1", "-n1 -c3 --gpus-per-task=1", "-n2 -c2 --gpus-per-task=1", "-N1 -n4 --gres=gpu:1", "-N1 -n4 -c2 --gres=gpu:1",
                                     "--ntasks-per-node=2 --gres=gpu:1", "-N1 --ntasks-per-node=2 --gres=gpu:1", "--ntasks-per-node=2 -c2 --gres=gpu:1", "--ntasks-per-node=2 -c3 --gres=gpu:1",
                                     "-n1 --ntasks-per-node=1 --gres=gpu:1", "-n1 -c2 --ntasks-per-node=1 --gres=gpu:1", "-n1 -c4 --ntasks-per-node=1 --gres=gpu:1",
                                     "-n1 -c4 --ntasks-per-node=1 --gpus-per-task=1", "-n1 --ntasks-per-core=2 --gres=gpu:1", "-n2 --ntasks-per-gpu=1 --gpus=2", "-n6 --ntasks-per-gpu=2 --gpus=3",
                                     "-n1 --cpus-per-gpu=2 --gres=gpu:2", "--cpus-per-gpu=3 --gpus=1", "-N1 -n3 --gpus=3"],
}  # fmt: skip


def conf(parameters):
    lines = ["SelectType=select/cons_tres", f"SelectTypeParameters={parameters}", "SchedulerType=sched/backfill", "PriorityType=priority/basic",
             "GresTypes=gpu", "SchedulerParameters=sched_interval=50000,bf_interval=-1"]
    for kind in "au":
        lines.append(f"NodeName={kind}[1-3] Sockets=2 CoresPerSocket=16 ThreadsPerCore=2 RealMemory=64000 Gres=gpu:a100:4")
        lines.append(f"PartitionName={kind} Nodes={kind}[1-3] MaxTime=INFINITE State=UP")
    return "\n".join(lines) + "\n"


GRES = "NodeName=a[1-3] Name=gpu Type=a100 File=/dev/nvidia[0-3] Cores=0-15\nNodeName=u[1-3] Name=gpu Type=a100 File=/dev/nvidia[0-3]\n"


def where(one, number):
    if not number.isdigit():
        return "refused"
    told = one.out(f"scontrol -o -d show job {number}")
    found = re.search(r" Nodes=(\S+) CPU_IDs=(\S+) ", told)
    if not found:
        return "waits"
    cores = sorted({cpu // 2 for cpu in numbers(found[2])})
    devices = [i for listed in re.findall(r"IDX:([\d,-]*)", told.split(" Nodes=")[1]) for i in numbers(listed)]
    return f"{found[1]} {ranges(cores)} {ranges(devices)}"


def main():
    known = [line.removeprefix("? ") for line in ANSWERS.read_text().splitlines()] if ANSWERS.exists() else []
    wrong = 0
    for parameters, cases in CASES.items():
        print(f"conf: {parameters}")
        with lab(conf(parameters), GRES) as one:
            print("held: " + "; ".join(f"{kind} -w {kind}2 {HELD}" for kind in "au"))
            for kind in "au":
                one.sub(f"-p {kind} -w {kind}2 {HELD}")
            one.rest(20)
            for words in cases:
                ids = [one.sub(f"-p {kind} {words}") for kind in "au"]
                one.rest(16)
                for kind, number in zip("au", ids, strict=True):
                    line = f"{kind} {words} | {where(one, number)}"
                    wrong += line not in known
                    print(line, flush=True)
                one.out("scancel " + " ".join(number for number in ids if number.isdigit()))
                one.rest(16)
    print(f"{wrong} answers are not as the file says", file=sys.stderr)
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
