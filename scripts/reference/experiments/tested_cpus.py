#!/usr/bin/env python3
# scripts/reference/experiments/tested_cpus.py — how many CPUs the size of a pending job counts after each kind of test (priority.md §3.4).
"""Nodes of 16 CPUs, two for each core. A job of one CPU runs on n1 for its user, who may run one. Each case asks for whole nodes under one loop
and one set of keys, so that one kind of test is made of it. Printed: the CPUs that its JOBSIZE tells after a tick, and whether the text says so."""
import sys

from lab import Tally, hold, lab, release

CONF = """\
SelectType=select/cons_tres
SelectTypeParameters=CR_Core_Memory,CR_ONE_TASK_PER_CORE
SchedulerType=sched/backfill
SchedulerParameters={parameters}
PriorityType=priority/multifactor
PriorityWeightJobSize=1000000
PriorityCalcPeriod=1
AccountingStorageEnforce=associations,limits,qos
DefMemPerCPU=100
NodeName=n[1-3] Sockets=1 CoresPerSocket=8 ThreadsPerCore=2 RealMemory=16000
PartitionName=all Nodes=n[1-2] Default=YES MaxTime=INFINITE State=UP
PartitionName=other Nodes=n3 MaxTime=INFINITE State=UP
"""
ACCOUNTS = "add account red\nadd user ada Account=red\nmodify user ada set {limit}\n"
MAIN = "sched_interval=10,bf_interval=-1"
BACKFILL = "sched_interval=-1,bf_interval=10"
NOW = ",bf_min_prio_reserve=4000000000"  # no job reserves: it is tested for now alone
STOP = ",assoc_limit_stop"
JOBS, CPUS = "MaxJobs=1", "GrpTRES=cpu=12"  # stops before a selection; stops what 16 CPUs would be
FULL = ("-w n1 -n1 -t 60", "-w n2 -n1 -t 90")
# (loop and keys, limit, what runs, options, CPUs that the text says)
CASES = [
    # A limit that is asked before: backfill makes its estimate all the same with assoc_limit_stop, also of a job that it tests for now alone.
    (MAIN + STOP, JOBS, FULL[:1], "-n1 --exclusive", 1), (BACKFILL, JOBS, FULL[:1], "-n1 --exclusive", 1),
    (BACKFILL + STOP, JOBS, FULL[:1], "-n1 --exclusive", 16), (BACKFILL + STOP + NOW, JOBS, FULL[:1], "-n1 --exclusive", 16),
    (BACKFILL + STOP + NOW, JOBS, FULL[:1], "-n9 --exclusive", 9), (BACKFILL + STOP, JOBS, FULL[:1], "-n9 --exclusive", 32),
    # One that is asked after.
    (MAIN, CPUS, FULL[:1], "-n1 --exclusive", 16), (BACKFILL, CPUS, FULL[:1], "-n1 --exclusive", 16), (BACKFILL + NOW, CPUS, FULL[:1], "-n1 --exclusive", 16),
    # Both nodes are held.
    (MAIN, "MaxJobs=9", FULL, "-n1 --exclusive", 1), (BACKFILL, "MaxJobs=9", FULL, "-n1 --exclusive", 16), (BACKFILL + NOW, "MaxJobs=9", FULL, "-n1 --exclusive", 1),
    # Whole nodes with memory for what tasks use of them, not for both threads: they can be chosen, for the tasks whose cores have it, and a start fails.
    (BACKFILL, "MaxJobs=9", (), "-n8 --exclusive --mem-per-cpu=1500", 32), (BACKFILL, "MaxJobs=9", (), "-n5 --exclusive --mem-per-cpu=1500", 16),
    (BACKFILL + NOW, "MaxJobs=9", (), "-n8 --exclusive --mem-per-cpu=1500", 32), (MAIN, "MaxJobs=9", (), "-n8 --exclusive --mem-per-cpu=1500", 32),
    (BACKFILL, "MaxJobs=9", (), "-n11 --exclusive --mem-per-cpu=1500", None), (BACKFILL, "MaxJobs=9", (), "-n4 --exclusive --mem-per-cpu=2500", None),
]  # fmt: skip


def counted(one, words):
    """CPUs of the job by its JOBSIZE: half of it is CPUs, half nodes; None if it was refused."""
    number = one.sub(f"--uid=ada -t 30 {words}")
    if not number.isdigit():
        return None
    one.rest(150)  # some tests, and a tick after them
    size = float(one.out(f"sprio -h -j {number} -o %J").split()[-1]) / 1e6
    release(one, [number])
    return round((2 * size - 1 / 3) * 48)


def main():
    tally = Tally()
    for keys, limit in dict.fromkeys(case[:2] for case in CASES):
        with lab(CONF.format(parameters=keys), sacctmgr=ACCOUNTS.format(limit=limit)) as one:
            for _, _, held, words, told in (case for case in CASES if case[:2] == (keys, limit)):
                holders = hold(one, [f"--uid=ada {each}" for each in held])
                got = counted(one, words)
                tally.note(f"{keys:72} {limit:14} {len(held)} held {words:36}", got, told)
                release(one, holders)
    return tally.close()


if __name__ == "__main__":
    sys.exit(main())
