#!/usr/bin/env python3
# scripts/reference/experiments/limits_in_order.py — a job beyond two things of its partition: which one its Reason tells, and which one sbatch says where EnforcePartLimits=ALL (limits.md §1.3).
"""Two partitions' worth of each pair of limits, on idle nodes. Printed: the Reason of one job after the other, then what sbatch says. About six minutes."""
import itertools
import sys

from lab import Tally, lab

KEYS = {
    "cpus": "MaxCPUsPerNode=1",
    "nodes": "MaxNodes=1",
    "time": "MaxTime=10",
    "memory": "MaxMemPerNode=2000",
    "qos": "AllowQos=other",
    "account": "AllowAccounts=other",
}
WAITS = ["cpus", "nodes", "time", "memory", "qos", "account"]    # the first of these that is exceeded
REFUSED = ["cpus", "nodes", "time", "account", "qos", "memory"]  # is told, of these at a submission
REASONS = {
    "cpus": "PartitionConfig",
    "nodes": "PartitionNodeLimit",
    "time": "PartitionTimeLimit",
    "memory": "MaxMemPerLimit",
    "qos": "Job's_QOS_not_permitted_to_use_this_partition",
    "account": "Job's_account_not_permitted_to_use_this_partition",
}
SAID = {
    "cpus": "More processors requested than permitted",
    "nodes": "Node count specification invalid",
    "time": "Requested time limit is invalid (missing or exceeds some limit)",
    "memory": "Memory required by task is not available",
    "qos": "Invalid qos specification",
    "account": "Invalid account or account/partition combination specified",
}
SETS = [each for count in (1, 2) for each in itertools.combinations(KEYS, count)]
CONF = """\
SchedulerType=sched/backfill
SchedulerParameters=sched_interval=2,bf_interval=5
{more}PriorityType=priority/multifactor
SelectType=select/cons_tres
SelectTypeParameters=CR_Core_Memory
DefMemPerCPU=1000
AccountingStorageEnforce=associations,limits,qos
NodeName=a[1-3] Sockets=1 CoresPerSocket=4 ThreadsPerCore=1 RealMemory=16000
PartitionName=open Nodes=ALL Default=YES State=UP
""" + "".join(f"PartitionName={'_'.join(each)} Nodes=ALL State=UP {' '.join(KEYS[key] for key in each)}\n" for each in SETS)
ACCOUNTS = """\
add account acc
add account other
add user root Account=acc
add qos other
modify user root set qos=normal,other defaultqos=normal
"""


def first(order, exceeded):
    return next(key for key in order if key in exceeded)


def ask(tally, more, answer):
    with lab(CONF.format(more=more), sacctmgr=ACCOUNTS) as one:
        for each in SETS:
            job = one.sub(f"-p {'_'.join(each)} -N2 -n4 --mem=5000 -t 60")
            tally.note(" ".join(each) + " |", *answer(one, job, each))
            if job.isdigit():
                one.out(f"scancel {job}")
                one.rest(5)


def reason(one, job, each):
    one.rest(20)
    return one.job(job).get("Reason").partition("_(")[0], REASONS[first(WAITS, each)]


def refusal(_, said, each):
    return said.rpartition("failed: ")[2], SAID[first(REFUSED, each)]


def main():
    tally = Tally()
    ask(tally, "", reason)
    ask(tally, "EnforcePartLimits=ALL\n", refusal)
    return tally.close()


if __name__ == "__main__":
    sys.exit(main())
