#!/usr/bin/env python3
# scripts/reference/experiments/preempted_owners.py — may --exclusive=user, or ExclusiveUser, have a node of which it would preempt the jobs (scheduling.md §5.2).
"""Jobs of ada's on k1 and k2, in a low and a high tier; then one of bob's. Printed: where bob's job is within two minutes, and who of ada's was preempted. Five minutes."""
import sys

from lab import Tally, hold, lab, release

CONF = """\
SelectType=select/cons_tres
SelectTypeParameters=CR_CPU
SchedulerType=sched/backfill
SchedulerParameters=bf_interval={}
PriorityType=priority/basic
PreemptType=preempt/partition_prio
PreemptMode=REQUEUE
AccountingStorageEnforce=associations
NodeName=k[1-2] CPUs=8 RealMemory=96000
PartitionName=low Nodes=k[1-2] Default=YES MaxTime=INFINITE State=UP PriorityTier=1
PartitionName=high Nodes=k[1-2] MaxTime=INFINITE State=UP PriorityTier=3
PartitionName=own Nodes=k[1-2] MaxTime=INFINITE State=UP PriorityTier=3 ExclusiveUser=YES
PartitionName=lowall Nodes=k[1-2] MaxTime=INFINITE State=UP PriorityTier=1 OverSubscribe=EXCLUSIVE
PartitionName=lowown Nodes=k[1-2] MaxTime=INFINITE State=UP PriorityTier=1 ExclusiveUser=YES
"""
ACCOUNTS = "add account red\nadd user ada Account=red\nadd user bob Account=red\n"
LOW, WHOLE, OWNED = ("low -w k1 -n2", "low -w k2 -n2"), ("low -w k1 --exclusive", "low -w k2 --exclusive"), ("low -w k1 -n2 --exclusive=user", "low -w k2 -n2 --exclusive=user")
ALL, HIGH = ("lowall -w k1 -n2", "lowall -w k2 -n2"), ("high -w k1 -n2", "high -w k2 -n2")
# ada's jobs, bob's, what is told: his node, and which of ada's are preempted
CASES = [
    (LOW, "high -n2 --exclusive=user", "waits"), (WHOLE, "high -n2 --exclusive=user", "k1 1"), (OWNED, "high -n2 --exclusive=user", "waits"), (OWNED, "high -n2", "waits"), (OWNED, "high -n8", "waits"), (OWNED, "high --exclusive", "waits"),
    (HIGH, "high -n2 --exclusive=user", "waits"), (LOW, "own -n2", "waits"), (WHOLE, "own -n2", "k1 1"), (("low -w k1 -n2",), "high -n2 --exclusive=user", "k2"), (("low -w k1 -n2", "high -w k2 -n2"), "high -n2 --exclusive=user", "waits"),
    (("low -w k1 -n2", "high -w k1 -n2", "high -w k2 -n2"), "high -n2 --exclusive=user", "waits"), (LOW, "low -n2 --exclusive=user", "waits"), (("lowown -w k1 -n2", "lowown -w k2 -n2"), "high -n2", "waits"), (("lowown -w k1 -n2", "lowown -w k2 -n2"), "own -n2", "waits"), (LOW, "high -N2 -n4 --exclusive=user", "waits"),
    (ALL, "high -n2 --exclusive=user", "k1 1"), (ALL, "own -n2", "k1 1"), (WHOLE, "high -N2 -n4 --exclusive=user", "k[1-2] 1 2"), (("low -w k1 --exclusive", "low -w k2 -n2"), "high -n2 --exclusive=user", "k1 1"), (("lowown -w k1 --exclusive", "lowown -w k2 --exclusive"), "own -n2", "k1 1"), (("lowown -w k1 --exclusive", "lowown -w k2 --exclusive"), "high -n2", "k1 1"),
]  # fmt: skip


def ask(one, jobs, words):
    ids = []
    for each in jobs:
        ids += hold(one, [f"--uid=ada -p {each} -t 900"])
    job = one.sub(f"--uid=bob -p {words} -t 900")
    one.until(lambda: one.job(job).get("JobState") == "RUNNING", 120)
    nodes = one.job(job).get("NodeList") if one.job(job).get("JobState") == "RUNNING" else "waits"
    gone = [str(at) for at, each in enumerate(ids, 1) if int(one.job(each).get("Restarts", 0))]
    one.out(f"scancel {' '.join([job, *ids])}")
    one.rest(40)
    return " ".join([nodes, *gone])


def main():
    tally = Tally()
    for interval in ("-1", "30"):
        with lab(CONF.format(interval), sacctmgr=ACCOUNTS) as one:
            for jobs, words, told in CASES:
                tally.note(f"{interval:3} {'; '.join(jobs):80} {words}", ask(one, jobs, words), told)
    return tally.close()


if __name__ == "__main__":
    sys.exit(main())
