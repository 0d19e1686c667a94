#!/usr/bin/env python3
# scripts/reference/experiments/gpus_of_open_tasks.py — for how many GPUs the CPUs of sockets count where a job says only how many tasks a GPU has (gres.md §3.2).
"""Two nodes of two sockets of eight cores, each socket beside two GPUs; q1 has one GPU of each socket held, with some of its cores, q2 some others. Printed:
where a job starts by passes alone and with how many CPUs, or that it waits, and whether that is as the text says. Some five minutes."""
import sys

from lab import Tally, hold, lab, release

CONF = """\
SelectType=select/cons_tres
SelectTypeParameters=CR_Core_Memory
SchedulerType=sched/backfill
SchedulerParameters=bf_interval=-1
PriorityType=priority/basic
GresTypes=gpu
DefMemPerCPU=1000
{default}
NodeName=q[1-2] Sockets=2 CoresPerSocket=8 RealMemory=96000 Gres=gpu:4
PartitionName=all Nodes=q[1-2] Default=YES MaxTime=INFINITE State=UP
"""
GRES = "NodeName=q[1-2] Name=gpu File=/dev/nvidia[0-1] Cores=0-7\nNodeName=q[1-2] Name=gpu File=/dev/nvidia[2-3] Cores=8-15\n"
ASKED = ("-n4 --ntasks-per-gpu=2", "-N1 -n4 --ntasks-per-gpu=2", "-N1-2 -n4 --ntasks-per-gpu=2", "-n2 --ntasks-per-gpu=1", "-n6 --ntasks-per-gpu=3",
         "-n4 --gpus=2", "-N2 -n8 --ntasks-per-gpu=2")  # fmt: skip
# (cores held of q1's sockets; GPUs and cores held of q2; what the text says of ASKED without DefCpuPerGPU; and with 3)
CASES = [
    ((7, 5), (3, 9), "q1:4 q1:4 q1:4 q1:2 - q1:4 -", "q1:4 q1:4 q1:4 q1:2 - q[1-2]:6 -"),
    ((6, 6), (3, 9), "q1:4 q1:4 q1:4 q1:2 - q1:4 -", "q1:4 q1:4 q1:4 q1:2 - q[1-2]:6 -"),
    ((7, 6), (3, 9), "- - - q1:2 - q[1-2]:4 -", "- - - q1:2 - q[1-2]:6 -"),
    ((5, 7), (2, 9), "q2:4 q2:4 q2:4 q2:2 q2:6 q2:4 -", "q1:4 q1:4 q1:4 q1:2 q2:6 q2:6 q[1-2]:8"),
    ((6, 6), (2, 9), "q2:4 q2:4 q2:4 q2:2 q2:6 q2:4 -", "q1:4 q1:4 q1:4 q1:2 q2:6 q2:6 q[1-2]:8"),
    ((7, 7), (3, 10), "- - - q1:2 - q[1-2]:4 -", "- - - q1:2 - - -"),
    ((4, 4), (1, 16), "q1:4 q1:4 q1:4 q1:2 q1:6 q1:4 -", "q1:4 q1:4 q1:4 q1:2 q1:6 q1:6 -"),
]  # fmt: skip


def ask(one, words):
    job = one.sub(words + " -t 50")
    one.rest(8)
    shown = one.job(job)
    release(one, [job])
    return f"{shown['NodeList']}:{shown['NumCPUs']}" if shown["JobState"] == "RUNNING" else "-"


def main():
    tally = Tally()
    for default in ("", "DefCpuPerGPU=3"):
        with lab(CONF.format(default=default), GRES) as one:
            for (first, second), (gpus, cores), *tolds in CASES:
                ids = hold(one, [f"{words} --mem=1000 -t 100" for words in (
                    f"-w q1 --gres=gpu:1 -n{first} -m block:block", f"-w q1 --gres=gpu:1 -n{second} --gres-flags=enforce-binding", f"-w q2 --gres=gpu:{gpus} -n{cores}")])  # fmt: skip
                for words, told in zip(ASKED, tolds[bool(default)].split()):
                    tally.note(f"{default:14} | q1 {first} {second}, q2 {gpus} {cores} | {words:29} |", ask(one, words), told)
                release(one, ids)
    return tally.close()


if __name__ == "__main__":
    sys.exit(main())
