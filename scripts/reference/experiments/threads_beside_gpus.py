#!/usr/bin/env python3
# scripts/reference/experiments/threads_beside_gpus.py — for how many CPUs a node counts beside its GPUs where a task has a core of two threads for itself (gres.md §3.2).
"""Four nodes of two sockets of four cores with two threads, each socket beside two GPUs; some cores of some nodes are held. Printed: where a job
starts by passes alone, or that it waits, and whether that is as the text says. Some five minutes."""
import sys

from lab import Tally, hold, lab, release

CONF = """\
SelectType=select/cons_tres
SelectTypeParameters={parameters}
SchedulerType=sched/backfill
SchedulerParameters=bf_interval=-1
PriorityType=priority/basic
GresTypes=gpu
DefMemPerCPU=4000
NodeName=g[1-4] Sockets=2 CoresPerSocket=4 ThreadsPerCore={threads} RealMemory=96000 Gres=gpu:a100:4
PartitionName=all Nodes=g[1-4] Default=YES MaxTime=INFINITE State=UP
"""
GRES = """\
NodeName=g[1-4] Name=gpu Type=a100 File=/dev/nvidia[0-1] Cores=0-3
NodeName=g[1-4] Name=gpu Type=a100 File=/dev/nvidia[2-3] Cores=4-7
"""
ONE = "CR_Core_Memory,CR_ONE_TASK_PER_CORE"
# (parameters, threads a core, what is held, [(options, what the text says)])
CASES = [
    (ONE, 2, ["-w g4 -n1"], [
        ("--gpus=1", "g4"), ("--gres=gpu:1", "g4"), ("--gpus=2", "g4"), ("--gres=gpu:1 -c2", "g1"), ("--gpus=1 -c4", "g1"), ("-n3 --gpus=1", "g4"),
        ("-N1 -n3 --gpus=1", "g4"), ("-n8 --gpus=1", "-"), ("-N2 -n6 --gpus=2", "-"), ("-n5 --gres=gpu:1", "-"), ("-n5 --gpus=2", "-"),
        ("-n2 --ntasks-per-node=2 --gpus=1", "g4"), ("--gpus=1 -O", "g4"), ("-n3 --gpus=1 --gres-flags=enforce-binding", "g1"), ("-c3 --gpus=1", "g1")]),
    (ONE, 2, ["-w g4 -n7"], [("--gpus=1", "g4"), ("-n2 --gpus=1", "g1"), ("-n8 --gpus=1", "-"), ("-n5 --gres=gpu:1", "-")]),
    (ONE, 2, ["-w g2 -n1", "-w g3 -n5"], [("--gpus=1", "g3"), ("--gres=gpu:1", "g3")]),
    (ONE, 2, ["-w g2 -n1", "-w g3 --gres=gpu:3"], [("--gpus=1", "g2"), ("--gres=gpu:1", "g2")]),
    (ONE, 1, ["-w g4 -n1"], [("--gpus=1", "g1"), ("--gres=gpu:1", "g1"), ("--gpus=2", "g1")]),
    ("CR_Core_Memory", 2, ["-w g4 -n1"], [
        ("--gpus=1", "g1"), ("--gres=gpu:1", "g1"), ("--gpus=1 --ntasks-per-core=1", "g1"), ("--gpus=1 --hint=nomultithread", "g1"),
        ("-n2 --gpus=1 --ntasks-per-core=1", "g1"), ("-n4 --gpus=1 --hint=nomultithread", "g1")]),
]  # fmt: skip


def ask(one, held, words):
    ids = hold(one, [f"{each} -t 100" for each in held])
    job = one.sub(words + " -t 50")
    one.rest(8)
    shown = one.job(job)
    release(one, [job, *ids])
    return shown["NodeList"] if shown["JobState"] == "RUNNING" else "-"


def main():
    tally = Tally()
    for parameters, threads in dict.fromkeys(case[:2] for case in CASES):
        with lab(CONF.format(parameters=parameters, threads=threads), GRES) as one:
            for _, _, held, asked in (case for case in CASES if case[:2] == (parameters, threads)):
                for words, told in asked:
                    tally.note(f"{parameters[14:]:22} {threads} | {'; '.join(held):30} | {words}", ask(one, held, words), told)
    return tally.close()


if __name__ == "__main__":
    sys.exit(main())
