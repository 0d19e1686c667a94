#!/usr/bin/env python3
# scripts/reference/experiments/memory_left.py — whose memory a job of two partitions has, of which one has DefMemPerGPU (gres.md §2.3).
"""Jobs wait for GPUs in `gpu` and `short`, which come up one by one, so that each test is told apart: g tests in gpu alone, s in short
alone, b in both. Then short is free. Printed: the memory and CPUs of the start, and whether they are as the text says."""
import re
import sys

from lab import lab

CONF = """\
SelectType=select/cons_tres
SelectTypeParameters=CR_Core_Memory
SchedulerType=sched/backfill
PriorityType=priority/basic
GresTypes=gpu
DefMemPerCPU=500
SchedulerParameters={parameters}
NodeName=g[1-2] Sockets=1 CoresPerSocket=16 ThreadsPerCore=1 RealMemory=64000 Gres=gpu:4
PartitionName=gpu Nodes=g1 MaxTime=INFINITE State=UP DefMemPerGPU=3000 DefCpuPerGPU=4
PartitionName=short Nodes=g2 Default=YES MaxTime=INFINITE State=UP {short}
"""
GRES = "NodeName=g[1-2] Name=gpu File=/dev/nvidia[0-3]\n"
MAIN = "sched_interval=50000,bf_interval=-1"  # a pass for each partition that comes up, and no other
BACKFILL = "sched_interval=-1,bf_interval=10"
FULL = "-N1 -n1 --mem=100 --gres=gpu:4 -t 1-0"  # of the GPUs, not of the rest
ONE = "--gres=gpu:1 -t 10"
ALL = 64000
# (what short has, options, tests, [MB] CPUs): expected by the text
MAIN_CASES = [
    ("", f"-p gpu,short {ONE}", "", ALL, 4), ("", f"-p gpu,short {ONE}", "g", ALL, 4), ("", f"-p gpu,short {ONE}", "s", 2000, 4),
    ("", f"-p gpu,short {ONE}", "gs", 2000, 4), ("", f"-p gpu,short {ONE}", "sg", ALL, 4), ("", f"-p gpu,short {ONE}", "b", 2000, 4),
    ("", f"-p short,gpu {ONE}", "", 500, 1), ("", f"-p short,gpu {ONE}", "g", ALL, 1), ("", f"-p short,gpu {ONE}", "b", ALL, 1),
    ("", f"-p short,gpu {ONE}", "bs", 500, 1), ("", f"-p gpu,short {ONE} --mem=700", "g", 700, 4),
    ("", f"-p gpu,short {ONE} --mem-per-cpu=300", "g", 1200, 4), ("", f"-p gpu,short {ONE} -n1", "s", 500, 1),
    ("DefMemPerNode=7000", f"-p gpu,short {ONE}", "gs", 7000, 4), ("MaxMemPerNode=10000", f"-p gpu,short {ONE}", "g", ALL, 4),
    ("DefMemPerGPU=5000 DefCpuPerGPU=6", f"-p gpu,short {ONE}", "g", 5000, 4),
    ("DefMemPerGPU=5000 DefCpuPerGPU=6", f"-p short,gpu {ONE}", "g", 5000, 6),
]  # fmt: skip
BACKFILL_CASES = [case for case in MAIN_CASES if not case[0] and case[2] in ("", "g", "gs", "b")]


class Asked:
    def __init__(self, one):
        self.lab = one
        self.fill("gpu", "g1")

    def fill(self, partition, node):
        number = self.lab.sub(f"-p {partition} -w {node} {FULL}")
        self.only(partition)
        self.lab.until(lambda: self.lab.job(number).get("JobState") == "RUNNING", 300)
        return number

    def only(self, *up):
        """One test in each of these partitions."""
        for partition in ("gpu", "short"):
            self.lab.out(f"scontrol update partitionname={partition} state={'up' if partition in up else 'down'}")
        self.lab.rest(30)

    def case(self, options, tests):
        """Memory [MB] and CPUs with which the job starts in short."""
        filler = self.fill("short", "g2")
        self.only()
        number = self.lab.sub(options)
        for test in tests:
            self.only(*{"g": ["gpu"], "s": ["short"], "b": ["gpu", "short"]}[test])
            self.only()
        self.lab.out(f"scancel {filler}")
        self.lab.rest(40)
        self.only("short")
        self.lab.until(lambda: self.lab.job(number).get("JobState") == "RUNNING", 120)
        told = self.lab.out(f"scontrol -o -d show job {number}")
        self.lab.out(f"scancel {number}")
        self.lab.rest(40)
        memory, cpus = re.search(r" Mem=(\d+)", told), re.search(r"NumCPUs=(\d+)", told)
        return (int(memory[1]) if memory else None, int(cpus[1]) if cpus else None)


def main():
    wrong = 0
    for loop, parameters, cases in (("main", MAIN, MAIN_CASES), ("backfill", BACKFILL, BACKFILL_CASES)):
        for short in dict.fromkeys(case[0] for case in cases):
            with lab(CONF.format(parameters=parameters, short=short), GRES) as one:
                asked = Asked(one)
                for _, options, tests, memory, cpus in (case for case in cases if case[0] == short):
                    got = asked.case(options, tests)
                    wrong += got != (memory, cpus)
                    print(f"{loop:8} | {short} | {options} | {tests} | {memory} MB {cpus} | {got[0]} MB {got[1]} | "
                          f"{'ok' if got == (memory, cpus) else 'DIFF'}", flush=True)
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
