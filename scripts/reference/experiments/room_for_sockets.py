#!/usr/bin/env python3
# scripts/reference/experiments/room_for_sockets.py — of which nodes --ntasks-per-socket and --ntasks-per-core ask room for that many tasks (scheduling.md §6.2).
"""Two nodes of two sockets of four cores, of which one is held in part, and in another partition one of a single, larger socket. Printed: where a job
starts by passes alone, that it waits, or that it is refused, and whether that is as the text says. Some three minutes."""
import sys

from lab import Tally, hold, lab, release

CONF = """\
SelectType=select/{select}
SelectTypeParameters={parameters}
SchedulerType=sched/backfill
SchedulerParameters=bf_interval=-1
PriorityType=priority/basic
GresTypes=gpu
DefMemPerCPU=1000
NodeName=q[1-2] Sockets=2 CoresPerSocket=4 ThreadsPerCore={threads} RealMemory=32000 Gres=gpu:2
NodeName=w1 Sockets=1 CoresPerSocket=16 ThreadsPerCore={threads} RealMemory=32000
PartitionName=all Nodes=q[1-2] Default=YES MaxTime=INFINITE State=UP
PartitionName=mix Nodes=q[1-2],w1 MaxTime=INFINITE State=UP
"""
GRES = "NodeName=q[1-2] Name=gpu File=/dev/nvidia[0-1]\n"
REFUSAL = "Requested node configuration is not available"
# (select plugin, parameters, threads a core, what is held, [(options, what the text says)])
CASES = [
    ("cons_tres", "CR_Core_Memory", 2, ["-w q1 -n12"], [
        ("-N2 -n8 --ntasks-per-socket=8", "-"), ("-N2 -n8 --ntasks-per-socket=4", "q[1-2]"), ("-N2 -n6 --ntasks-per-socket=3", "q[1-2]"),
        ("-w q1 -n2 --ntasks-per-socket=8", "-"), ("-w q1 -n4 --ntasks-per-socket=4", "q1"), ("-N1 -n2 --ntasks-per-socket=8 -x q2", "-"),
        ("-N2 -n4 -c2 --ntasks-per-socket=4", "-"), ("-N2 -n4 -c2 --ntasks-per-socket=2", "q[1-2]"), ("-N1-2 -n18 --ntasks-per-socket=8", "-"),
        ("-N2 -n8 --ntasks-per-socket=8 -O", "q[1-2]"), ("-N2 -n8 --ntasks-per-socket=8 --ntasks-per-node=4", "q[1-2]"),
        ("-n2 --ntasks-per-socket=8 --gres=gpu:1 -w q1", "-"), ("-n2 --ntasks-per-socket=8 --gpus=1 -w q1", "-"),
        ("-n1 --ntasks-per-socket=8 --mem=1000 -w q1", "-"), ("-n2 --ntasks-per-socket=8 --exclusive -w q2", "q2"),
        ("-n1 -c2 --ntasks-per-core=2 -w q1", "q1"), ("-n1 --ntasks-per-socket=9", "refused"), ("-N1 -n1 --ntasks-per-socket=9 -p mix", "w1"),
        ("-n1 --ntasks-per-socket=33 -p mix", "refused")]),
    ("cons_tres", "CR_Core_Memory", 2, ["-w q1 -n8"], [
        ("-N2 -n8 --ntasks-per-socket=8", "q[1-2]"), ("-w q1 -n2 --ntasks-per-socket=8", "q1"), ("-N2 -n4 -c2 --ntasks-per-socket=4", "q[1-2]"),
        ("-N1-2 -n18 --ntasks-per-socket=8", "q[1-2]")]),
    ("cons_tres", "CR_CPU_Memory", 2, ["-w q1 -n12"], [
        ("-N2 -n8 --ntasks-per-socket=8", "-"), ("-N2 -n4 -c2 --ntasks-per-socket=4", "-"), ("-N2 -n8 --ntasks-per-socket=8 -O", "q[1-2]")]),
    ("cons_tres", "CR_Core", 1, ["-w q1 -n6"], [
        ("-N1 -n2 --ntasks-per-socket=4 -x q2", "-"), ("-n2 --ntasks-per-socket=2 -w q1", "q1"), ("-n1 -c2 --ntasks-per-core=2 -w q1", "-"),
        ("-n1 --ntasks-per-socket=5", "refused"), ("-N2 -n8 --ntasks-per-socket=8 -O", "refused"), ("-N1 -n1 --ntasks-per-socket=5 -p mix", "w1")]),
    ("cons_res", "CR_Core_Memory", 2, ["-w q1 -n12"], [
        ("-N2 -n8 --ntasks-per-socket=8", "q[1-2]"), ("-N2 -n4 -c2 --ntasks-per-socket=4", "q[1-2]"), ("-N1-2 -n18 --ntasks-per-socket=8", "q[1-2]")]),
    ("cons_res", "CR_Core", 1, ["-w q1 -n6"], [
        ("-N1 -n2 --ntasks-per-socket=4 -x q2", "q1"), ("-n2 --ntasks-per-socket=4 --gres=gpu:1 -w q1", "q1"), ("-n1 -c2 --ntasks-per-core=2 -w q1", "q1"),
        ("-n1 --ntasks-per-socket=5", "refused"), ("-N1 -n1 --ntasks-per-socket=5 -p mix", "w1"), ("-n1 --ntasks-per-socket=17 -p mix", "refused")]),
    ("linear", "CR_Memory", 1, [], [
        ("-N1 -n2 --ntasks-per-socket=4 -x q2", "q1"), ("-n1 --ntasks-per-socket=5", "q1"), ("-n1 --ntasks-per-socket=17 -p mix", "q1"),
        ("-n1 -c2 --ntasks-per-core=2 -w q1", "q1")]),
]  # fmt: skip


def ask(one, words):
    job = one.sub(words + " -t 50")
    if not job.isdigit():
        return "refused" if job.endswith(REFUSAL) else job
    one.rest(8)
    shown = one.job(job)
    release(one, [job])
    return shown["NodeList"] if shown["JobState"] == "RUNNING" else "-"


def main():
    tally = Tally()
    for select, parameters, threads in dict.fromkeys(case[:3] for case in CASES):
        with lab(CONF.format(select=select, parameters=parameters, threads=threads), GRES) as one:
            for _, _, _, held, asked in (case for case in CASES if case[:3] == (select, parameters, threads)):
                ids = hold(one, [f"{each} -t 100" for each in held])
                for words, told in asked:
                    tally.note(f"{select:9} {parameters:14} {threads} | {'; '.join(held):10} | {words}", ask(one, words), told)
                release(one, ids)
    return tally.close()


if __name__ == "__main__":
    sys.exit(main())
