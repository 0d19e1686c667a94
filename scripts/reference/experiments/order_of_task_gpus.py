#!/usr/bin/env python3
# scripts/reference/experiments/order_of_task_gpus.py — in which order nodes are taken by --gpus-per-task where a task has a core of two threads for itself (gres.md §3.2).
"""Eight nodes of eight cores with two threads and four GPUs, g1 idle, on each next one a core more held. Printed: where a job starts by passes alone, and where
if not on the nodes before, and so on until it waits or needs several nodes, and whether that is as the text says. Some four minutes."""
import sys

from lab import Tally, hold, lab, release

CONF = """\
SelectType=select/cons_tres
SelectTypeParameters={parameters},CR_ONE_TASK_PER_CORE
SchedulerType=sched/backfill
SchedulerParameters=bf_interval=-1
PriorityType=priority/basic
GresTypes=gpu
NodeName=g[1-8] Sockets={sockets} CoresPerSocket={cores} ThreadsPerCore=2 RealMemory=96000 Gres=gpu:a100:4
PartitionName=all Nodes=g[1-8] Default=YES MaxTime=INFINITE State=UP
"""
MEMORY = "DefMemPerCPU=1000\n"
GRES = {
    1: "NodeName=g[1-8] Name=gpu Type=a100 File=/dev/nvidia[0-3] Cores=0-7\n",
    2: "NodeName=g[1-8] Name=gpu Type=a100 File=/dev/nvidia[0-1] Cores=0-3\nNodeName=g[1-8] Name=gpu Type=a100 File=/dev/nvidia[2-3] Cores=4-7\n",
}
HELD = [f"-w g{cores + 1} -n{cores} -t 100" for cores in range(1, 8)]
ODD_FIRST = "g2 g1 g4 g3 g6 g5"
# (parameters, sockets, [(options, what the text says)])
CASES = [
    ("CR_Core_Memory", 2, [
        ("-n1 --gpus-per-task=1", "g8 g7 g6 g5 g4 g3 g2 g1"), ("-n1 --gpus-per-task=2", f"g8 g7 {ODD_FIRST}"),
        ("-n2 --gpus-per-task=2", "g7 g2 g1 g4 g3 g6 g5 -"), ("-n3 --gpus-per-task=1", "g6 g5 g4 g3 g2 g1 g[7-8]"), ("-n4 --gpus-per-task=1", "g5 g[6-7]"),
        ("-n2 --gpus-per-task=1", "-"), ("-n2 --gpus-per-task=1 -c2", "g5 g6 g[7-8]")]),
    ("CR_Core_Memory", 1, [
        ("-n1 --gpus-per-task=2", f"g8 g7 {ODD_FIRST}"), ("-n1 --gpus-per-task=3", f"{ODD_FIRST} g8 g7"), ("-n2 --gpus-per-task=2", "g7 g2 g1 g4 g3 g6 g5 -"),
        ("-n3 --gpus-per-task=1", "g6 g[7-8]"), ("-n4 --gpus-per-task=1", "g5 g[6-7]")]),
    ("CR_Core", 1, [("-n1 --gpus-per-task=4", f"{ODD_FIRST} g8 g7")]),
]  # fmt: skip


def ask(one, words):
    job = one.sub(words + " -t 50")
    one.rest(8)
    shown = one.job(job)
    release(one, [job])
    return shown["NodeList"] if shown["JobState"] == "RUNNING" else "-"


def order(one, words):
    """The nodes in the order in which they are taken; last `-`, where none of the others serves, or the nodes that serve together."""
    taken = []
    while len(taken) < 8 and not (taken and ("[" in taken[-1] or taken[-1] == "-")):
        taken.append(ask(one, f"{words} -x {','.join(taken)}" if taken else words))
    return " ".join(taken)


def main():
    tally = Tally()
    for parameters, sockets, asked in CASES:
        conf = CONF.format(parameters=parameters, sockets=sockets, cores=8 // sockets)
        with lab(conf + MEMORY if "Memory" in parameters else conf, GRES[sockets]) as one:
            ids = hold(one, HELD)
            for words, told in asked:
                tally.note(f"{parameters:14} {sockets} | {words:26} |", order(one, words), told)
            release(one, ids)
    return tally.close()


if __name__ == "__main__":
    sys.exit(main())
