#!/usr/bin/env python3
# scripts/reference/experiments/switches_beside.py — whether --switches is heeded where the tree does not choose the nodes (scheduling.md §6.6).
"""Three leaf switches of two nodes each, of which one node is full, so that a job of two nodes must go over two switches. Asked with
and without CR_LLN, TopoOptional, --contiguous, --spread-job and -x. Printed is whether it starts or waits, as
tests/data/placements/switches_beside.txt has it, and what is not as that file says."""
import pathlib
import sys

from lab import hold, lab

ANSWERS = pathlib.Path(__file__).resolve().parents[3] / "tests/data/placements/switches_beside.txt"
WORDS = ("-N2 -n2 --switches=1", "-N2 -n2 --switches=1 --spread-job", "-N2 -n2 --switches=1 --contiguous", "-N2 -n2 --switches=2", "-N1-2 -n6 --switches=1", "-N2 -n2 -p lln --switches=1", "-N2 -n2")
TREE = "SwitchName=s1 Nodes=n[1-2]\nSwitchName=s2 Nodes=n[3-4]\nSwitchName=s3 Nodes=n[5-6]\nSwitchName=core Switches=s[1-3]\n"


def conf(parameters, topology):
    return f"""SelectType=select/cons_tres
SelectTypeParameters={parameters}
SchedulerType=sched/backfill
PriorityType=priority/basic
SchedulerParameters=sched_interval=10,bf_interval=-1
TopologyPlugin=topology/tree
{topology}
NodeName=n[1-6] Sockets=1 CoresPerSocket=4 ThreadsPerCore=1 RealMemory=8000
PartitionName=all Nodes=ALL Default=YES MaxTime=INFINITE State=UP
PartitionName=lln Nodes=ALL LLN=YES MaxTime=INFINITE State=UP
"""


def main():
    known = ANSWERS.read_text().splitlines() if ANSWERS.exists() else []
    wrong = 0
    for parameters in ("CR_Core", "CR_Core,CR_LLN"):
        for topology in ("", "TopologyParam=TopoOptional"):
            print(f"conf: {parameters} {topology}".rstrip(), flush=True)
            with lab(conf(parameters, topology), topology=TREE) as one:
                hold(one, ["-N1 -n4 -w n2", "-N1 -n4 -w n3", "-N1 -n4 -w n6"])
                for words in WORDS:
                    number = one.sub(words)
                    one.rest(40)
                    line = f"{words} | {one.job(number).get('NodeList') or 'waits'}"
                    wrong += line not in known
                    print(line, flush=True)
                    one.out(f"scancel {number}")
                    one.rest(20)
    print(f"{wrong} answers are not as the file says", file=sys.stderr)
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
