#!/usr/bin/env python3
# scripts/reference/experiments/refused_updates.py — what a refused `scontrol update NumNodes=` leaves behind (lifecycle.md §10.1).
"""A job that its account's limit of four CPUs stops is asked for more nodes than it may have. Where that raises its CPUs to one a node, they stay so though the update is refused, as if an operator had set them: no limit on CPUs stops the job any more.
Printed: what scontrol says, the CPUs afterwards and whether the job starts, and whether the text says so. About a minute."""
import sys

from lab import Tally, lab

CONF = """\
SelectType=select/cons_tres
SelectTypeParameters=CR_Core
SchedulerType=sched/backfill
PriorityType=priority/multifactor
AccountingStorageEnforce=associations,limits
NodeName=n[1-4] CPUs=8 RealMemory=64000
PartitionName=all Nodes=n[1-4] Default=YES MaxTime=INFINITE State=UP
"""
ACCOUNTS = "add account red\nadd user ada Account=red GrpTRES=cpu=4\n"
# options, update, what is said, CPUs and state afterwards
CASES = [
    ("-N1 --exclusive", "", "", "1 PENDING"),
    ("-N1 --exclusive", "NumNodes=2", "refused", "2 RUNNING"),
    ("-N1-2 --exclusive", "NumNodes=3", "refused", "3 RUNNING"),
    ("-N1 --exclusive", "NumNodes=1", "", "1 PENDING"),
    ("-N1 -n8", "NumNodes=2", "refused", "8 PENDING"),
    ("-N1 -n8", "NumNodes=9", "refused", "9 PENDING"),
    ("-n8", "NumNodes=2", "", "8 PENDING"),
    ("-n8 -N1-2", "NumNodes=2", "", "8 PENDING"),
    ("-N1-3 --exclusive", "NumNodes=2", "", "2 RUNNING"),
    ("-N2 --exclusive", "NumNodes=2", "", "2 PENDING"),
    ("-N2 --exclusive", "NumNodes=3", "refused", "3 RUNNING"),
    ("-N2 --exclusive", "NumNodes=3-4", "", "3 RUNNING"),
    ("-N1 --exclusive", "NumNodes=2 TimeLimit=30", "refused", "2 RUNNING"),
]


def ask(one, options, update):
    """What is said, and what became of the job; it is gone afterwards."""
    job = one.sub(f"--uid=ada -t 60 {options}")
    one.until(lambda: one.job(job).get("Reason") == "AssocGrpCpuLimit", 70)
    said = one.out(f"scontrol update JobId={job} {update}") if update else ""
    cpus = one.job(job).get("NumCPUs")
    one.until(lambda: one.job(job).get("JobState") == "RUNNING", 70)
    state = one.job(job).get("JobState")
    one.out(f"scancel {job}")
    one.rest(20)
    return "refused" if "Node count specification invalid" in said else said, f"{cpus} {state}"


def main():
    tally = Tally()
    with lab(CONF, sacctmgr=ACCOUNTS) as one:
        for options, update, *told in CASES:
            tally.note(f"{options:20} {update:24}", ", ".join(ask(one, options, update)), ", ".join(told))
    return tally.close()


if __name__ == "__main__":
    sys.exit(main())
