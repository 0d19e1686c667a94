#!/usr/bin/env python3
# scripts/reference/experiments/failed_start_minutes.py — for which time limit a job with --time-min counts whose start waits for victims (scheduling.md §8.6).
"""Three nodes of four CPUs: n2 held by a job of account x, which has 600 CPU minutes and uses 400 of them, n1 and n3 by jobs of a lower tier; only backfill looks at
the queue. Printed: what the first cycle makes of a job of account x for which one of these has to go, and of one of account y behind it, and from which nodes it displaces
jobs; and whether that is as the text says. About a minute."""
import re
import sys

from lab import Tally, hold, lab, release

CONF = """\
SelectType=select/cons_tres
SelectTypeParameters=CR_Core
SchedulerType=sched/backfill
SchedulerParameters=sched_interval=-1,defer,bf_interval=5
PriorityType=priority/basic
PreemptType=preempt/partition_prio
PreemptMode=REQUEUE
AccountingStorageEnforce=associations,limits,qos
DebugFlags=Backfill
NodeName=n[1-3] CPUs=4
PartitionName=low Nodes=n[1-3] MaxTime=INFINITE State=UP
PartitionName=high Nodes=n[1-3] Default=YES PriorityTier=10 MaxTime=INFINITE State=UP
"""
ACCOUNTS = "add account x\nadd account y\nadd user root account=y\nadd user root account=x\nmodify account x set GrpTRESRunMins=cpu=600\n"
HELD = ["-A x -w n2 -n4 -t 100", "-A y -p low -w n1 -n4 -t 100", "-A y -p low -w n3 -n4 -t 100"]
NEXT = "-A y -n4 -t 20"
# (the time of the first job, what the text says; no start is tried on a node whose job is going already)
CASES = [
    ("-t 100 --time-min=10", "fails, no plan; n1; n1"), ("-t 100 --time-min=60", "no plan; fails, n1; n1"), ("-t 40 --time-min=10", "fails, n1; fails, n3; n1 n3"),
    ("-t 40", "fails, n1; fails, n3; n1 n3"), ("-t 100", "no plan; fails, n1; n1"),
]  # fmt: skip


def made_of(cycle, job):
    """What a cycle's log says of a job: that its start fails, and where it is planned."""
    told = ["fails"] if re.search(rf"planned start of JobId={job} failed", cycle) else []
    planned = re.search(rf"_dump_job_sched: JobId={job} to start at .* on nodes (\S+)", cycle)
    return ", ".join([*told, planned[1] if planned else "no plan"])


def ask(one, words):
    log = one.cluster.work / "log" / "slurmctld.log"
    held = hold(one, HELD)
    before = log.stat().st_size
    jobs = [one.sub(f"-A x -n4 {words}"), one.sub(NEXT)]
    one.rest(12)
    cycles = log.read_text()[before:].split("_attempt_backfill: beginning")
    cycle = next((each for each in cycles if all(f"test for JobId={job} " in each for job in jobs)), "")
    displaced = [node for node, job in zip(("n2", "n1", "n3"), held) if f"preempted JobId={job} " in cycle]
    release(one, [*jobs, *held])
    return f"{made_of(cycle, jobs[0])}; {made_of(cycle, jobs[1])}; {' '.join(displaced)}"


def main():
    tally = Tally()
    with lab(CONF, "", ACCOUNTS) as one:
        for words, told in CASES:
            tally.note(f"{words:21} |", ask(one, words), told)
    return tally.close()


if __name__ == "__main__":
    sys.exit(main())
