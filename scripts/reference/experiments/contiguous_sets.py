#!/usr/bin/env python3
# scripts/reference/experiments/contiguous_sets.py — which nodes a job with --contiguous has beyond the first set (scheduling.md §6.5).
"""Nine nodes of 4 CPUs, some of them full, alike or of two weights, with topology/tree and without. Each line of
tests/data/placements/contiguous_sets.txt has what is held, sbatch's words, and the nodes (or that it waits). Prints what is answered otherwise. About nine minutes."""
import pathlib
import sys

from lab import Tally, hold, lab, release

CASES = pathlib.Path(__file__).resolve().parents[3] / "tests/data/placements/contiguous_sets.txt"
TREE = "SwitchName=s1 Nodes=n[1-3]\nSwitchName=s2 Nodes=n[4-6]\nSwitchName=s3 Nodes=n[7-9]\nSwitchName=top Switches=s[1-3]\n"


def conf(kind):
    return f"""SelectType=select/cons_tres
SelectTypeParameters=CR_Core
SchedulerType=sched/backfill
PriorityType=priority/basic
SchedulerParameters=sched_interval=10,bf_interval=-1
{"TopologyPlugin=topology/tree" if kind == "tree" else ""}
NodeName=n[1-3,7-9] Sockets=1 CoresPerSocket=4 ThreadsPerCore=1 RealMemory=8000 Weight=1
NodeName=n[4-6] Sockets=1 CoresPerSocket=4 ThreadsPerCore=1 RealMemory=8000 Weight={5 if kind == "weights" else 1}
PartitionName=all Nodes=n[1-9] Default=YES MaxTime=INFINITE State=UP
"""


def nodes_of(one, words):
    number = one.sub(words)
    if not number.isdigit():
        return "refused"
    one.until(lambda: one.job(number).get("JobState") == "RUNNING", 22)
    nodes = one.job(number).get("NodeList") or "waits"
    one.out(f"scancel {number}")
    one.rest(15)
    return "waits" if nodes == "(null)" else nodes


def main():
    tally, sections = Tally(), {}
    for line in CASES.read_text().splitlines():
        kind, held, words, told = line.split(" | ")
        sections.setdefault(kind, {}).setdefault(held, []).append((words, told))
    for kind, cases in sections.items():
        with lab(conf(kind), topology=TREE if kind == "tree" else "") as one:
            for held, asked in cases.items():
                ids = hold(one, held.split("; "))
                for words, told in asked:
                    tally.note(f"{kind} | {held} | {words} |", nodes_of(one, words), told)
                release(one, ids)
    return tally.close()


if __name__ == "__main__":
    sys.exit(main())
