#!/usr/bin/env python3
# scripts/reference/scenarios/sizes_changed.py — jobs whose nodes, CPUs or tasks an operator changes while they are held, one after the other.
"""usage: sizes_changed.py OUT_DIR"""
import pathlib
import sys

CONF = """\
ClusterName=sizes
SlurmctldHost=h
SelectType=select/cons_tres
SelectTypeParameters=CR_Core
SchedulerType=sched/backfill
PriorityType=priority/multifactor
Licenses=sim:4
NodeName=n[1-4] CPUs=8 RealMemory=64000
PartitionName=all Nodes=n[1-4] Default=YES MaxTime=INFINITE State=UP
"""
CASES = (  # options of sbatch, keys of scontrol update
    ("-N2-3 -c2", "NumNodes=1-3"),
    ("-N2-4 -c3", "NumNodes=3"),
    ("-N3 -c2", "NumNodes=1-2"),
    ("-N2 -c2", "NumNodes=3-3"),
    ("-N1-4 -n20", "NumNodes=2-4"),
    ("-N2-4 -n12", "NumNodes=1-4 NumTasks=20"),
    ("-N4 -n4", "NumNodes=1-2"),
    ("-N2-4 -n20 --ntasks-per-node=6", "NumNodes=3"),
    ("-N3 --ntasks-per-node=2", "NumNodes=2 NumCPUs=12"),
    ("-n10", "NumNodes=2 NumTasks=12"),
    ("-n10 -c2", "NumNodes=1-4 NumCPUs=4"),
    ("-N2 -n8", "ReqNodeList=n[1-3]"),
    ("-N2 -n8", "ReqNodeList=n[2-3]"),
    ("-n8", "ReqNodeList=n[2-4]"),
    ("-N1-3 -n8", "ReqNodeList=n[2-4]"),
    ("-N2-4 -n8", "ReqNodeList=n[2-4]"),
    ("-N2-4 --exclusive", "NumNodes=2-3"),
    ("-N2-4 --exclusive", "NumNodes=2-4"),
    ("-N3-4 -n3", "NumNodes=2-4"),
    ("-N1-2 -n16", "NumNodes=1-4"),
    ("-N1-2 -n8", "NumNodes=1-4"),
    ("-N4 -n24", "NumNodes=2-4 NumTasks=10"),
    ("-N2 -n4 -c4", "NumNodes=1-3 NumCPUs=24"),
    ("-N4 -n8 --spread-job", "NumNodes=2"),
    ("-N1-3 -n6", "NumCPUs=9"),
    ("-N1-3 -n6", "NumCPUs=9 NumNodes=1-3"),
    ("-N2 -w n[3-4]", "NumNodes=1-1"),
    ("-N2 -n8 -x n1", "NumNodes=1-3"),
)
APART = 150  # seconds: each job has the cluster for itself


def main():
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    jobs, events = ["submit_s,user,runtime_s,args,exit_code,name"], ["at_s,command"]
    for i, (options, update) in enumerate(CASES):
        at = 300 + APART * i
        jobs.append(f'{at},ada,40,"-H -t 5 {options}",,q{i}')
        events += [f'{at + 15},"scontrol update JobId={{q{i}}} {update}"', f'{at + 30},"scontrol release {{q{i}}}"', f'{at + 125},"scancel {{q{i}}}"']
    out = pathlib.Path(sys.argv[1])
    out.mkdir(parents=True)
    for name, text in (("slurm.conf", CONF), ("sacctmgr.txt", "add account red\nadd user ada Account=red\n"), ("jobs.csv", "\n".join(jobs) + "\n"), ("events.csv", "\n".join(events) + "\n")):
        (out / name).write_text(text, encoding="utf-8")


if __name__ == "__main__":
    main()
