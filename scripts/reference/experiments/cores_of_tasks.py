#!/usr/bin/env python3
# scripts/reference/experiments/cores_of_tasks.py — for how many CPUs a node counts whose tasks have whole cores (scheduling.md §6.2).
"""Nodes of eight cores with two threads, some of which are held, under CR_ONE_TASK_PER_CORE or with --ntasks-per-core=1. Printed: the answer of each question
as tests/data/placements/cores_of_tasks.txt has it, and how many are not as that file says."""
import pathlib
import re
import sys

from lab import hold, lab, numbers, ranges, release, shown

ANSWERS = pathlib.Path(__file__).resolve().parents[3] / "tests/data/placements/cores_of_tasks.txt"
CONF = """\
SchedulerType=sched/backfill
SchedulerParameters=sched_interval=50000,bf_interval=-1
PriorityType=priority/basic
SelectType=select/cons_tres
SelectTypeParameters={parameters}
NodeName=n[1-3] Sockets=2 CoresPerSocket=4 ThreadsPerCore=2 RealMemory=64000
PartitionName=n Nodes=n[1-3] Default=YES MaxTime=INFINITE State=UP{memory}
"""
ALONE = "CR_ONE_TASK_PER_CORE"
HELD = {ALONE: (["-w n1 -n1", "-w n2 -n2", "-w n3 -N1 --exclusive"], ["-w n1 -n1", "-w n2 -n3", "-w n3 -N1 --exclusive"], ["-w n1 -n2", "-w n2 -n1"]),
        "": [[f"-w n{1 + at} -n{8 - cores} --ntasks-per-core=1" for at, cores in enumerate(free) if cores < 8] for free in ((5, 5, 5), (4, 5, 8), (7, 5, 3), (1, 7, 6))]}  # fmt: skip
TASKS = {ALONE: ["-n1 -c4", "-n1 -c3", "-n1 -c4 --ntasks-per-core=1", "-n3 -c4", "-n4 -c4", "-n5 -c4", "-n6 -c4", "-n3 -c3", "-N1 -n3 -c4", "-N1 -n3 -c3", "-n5 -c3", "-n2 -c6", "-n3 -c6", "-n7 -c3", "-N2 -n4 -c4", "-N2 -n5 -c3"],
         "": [f"-n{tasks} -c{cpus} --ntasks-per-core=1" for cpus, most in ((3, 8), (5, 5), (7, 4)) for tasks in range(1, most + 1)]}  # fmt: skip


def main():
    known = ANSWERS.read_text().splitlines() if ANSWERS.exists() else []
    known = [line.removeprefix("? ") for line in known]
    wrong = 0
    for parameters in (f"CR_Core,{ALONE}", f"CR_Core_Memory,{ALONE}", "CR_Core"):
        counts_memory = "Memory" in parameters
        kind = ALONE if ALONE in parameters else ""
        print(f"conf: {parameters}")
        with lab(CONF.format(parameters=parameters, memory=" DefMemPerCPU=100" if counts_memory else "")) as one:
            for held in HELD[kind]:
                ids = hold(one, held)
                print("held: " + "; ".join(f"n {words}" for words in held))
                for words in [f"{tasks}{memory}" for tasks in TASKS[kind] for memory in ([" --mem=100", ""] if counts_memory else [""])]:
                    found = re.findall(r" Nodes=(\S+) CPU_IDs=(\S+) Mem", shown(one, words))
                    answer = "; ".join(f"{node} {ranges({cpu // 2 for cpu in numbers(cpus)})} -" for node, cpus in found) or "waits"
                    line = f"n {words} | {answer}"
                    wrong += line not in known
                    print(line, flush=True)
                release(one, ids)
    print(f"{wrong} answers are not as the file says", file=sys.stderr)
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
