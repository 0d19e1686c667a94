#!/usr/bin/env python3
# scripts/reference/experiments/operator_set.py — which limits a job is free of whose request an operator changed (limits.md §9).
"""A held job of di's within a limit; root changes it by scontrol to something above the limit, and releases it. Printed is the Reason after the next pass, or what scontrol said, and whether the text says so. At last
one that ran beyond a limit on minutes. About five minutes."""
import sys

from lab import Tally, lab

CONF = """\
SelectType=select/cons_tres
SelectTypeParameters=CR_Core_Memory
SchedulerType=sched/backfill
PriorityType=priority/basic
GresTypes=gpu
Licenses=tool:8
AccountingStorageEnforce=associations,limits,qos{safe}
AccountingStorageTRES=gres/gpu,license/tool
SchedulerParameters=bf_interval=-1
NodeName=n[1-2] Sockets=1 CoresPerSocket=8 ThreadsPerCore=1 RealMemory=64000 Gres=gpu:a:4
PartitionName=all Nodes=n[1-2] Default=YES MaxTime=1-0 State=UP DefMemPerCPU=100
"""
GRES = "NodeName=n[1-2] Name=gpu Type=a File=/dev/nvidia[0-3]\n"
ACCOUNTS = "add qos high\nadd account top\nadd account sub Parent=top\nadd user di Account=sub\n"
NONE = "RUNNING"
# (of whom, the limit and its value, what is submitted, what root changes, what then shows)
CASES = [
    ("qos", "MaxWall=60", "-t 30", "TimeLimit=120", NONE),
    ("user", "MaxWall=60", "-t 30", "TimeLimit=120", NONE),
    ("qos", "MaxWall=60", "-t 30", "NumCPUs=2", NONE),
    ("qos", "MaxTRESMins=cpu=100", "-n2 -t 30", "TimeLimit=120", "QOSMaxCpuMinutesPerJobLimit"),
    ("qos", "MaxTRESMins=cpu=100", "-n1 -t 30", "NumCPUs=4", NONE),
    ("qos", "GrpTRESRunMins=cpu=100", "-n1 -t 30", "NumCPUs=4", "QOSGrpCPURunMinutesLimit"),
    ("qos", "GrpTRESRunMins=cpu=100", "-n1 -t 30", "TimeLimit=120", "QOSGrpCPURunMinutesLimit"),
    ("qos", "MaxTRES=cpu=2", "-n1 -t 30", "NumCPUs=4", NONE),
    ("qos", "MaxTRES=cpu=2", "-n1 -t 30", "NumCPUs=4-4", NONE),
    ("qos", "MaxTRES=cpu=2", "-n1 -t 30", "NumTasks=4 NumCPUs=4", NONE),
    ("qos", "GrpTRES=cpu=2", "-n1 -t 30", "NumCPUs=4", NONE),
    ("qos", "MaxTRESPerUser=cpu=2", "-n1 -t 30", "NumCPUs=4", NONE),
    ("qos", "MaxTRESPerAccount=cpu=2", "-n1 -t 30", "NumCPUs=4", NONE),
    ("qos", "MaxTRESPerNode=cpu=2", "-n1 -t 30", "NumCPUs=4", NONE),
    ("qos", "MinTRES=cpu=4", "-n1 -t 30", "NumCPUs=2", NONE),
    ("qos", "MaxTRES=billing=2", "-n1 -t 30", "NumCPUs=4", "QOSMaxBillingPerJob"),
    ("qos", "MaxTRES=mem=200", "-n1 -t 30", "NumCPUs=4", "QOSMaxMemoryPerJob"),
    ("qos", "MaxTRES=mem=200", "-n1 -t 30", "MinMemoryNode=400", NONE),
    ("qos", "MaxTRES=mem=200", "-n1 -t 30", "MinMemoryCPU=400", NONE),
    ("user", "MaxTRES=cpu=2", "-n1 -t 30", "NumCPUs=4", NONE),
    ("top", "GrpTRES=cpu=2", "-n1 -t 30", "NumCPUs=4", NONE),
    ("user", "MaxTRES=mem=200", "-n1 -t 30", "MinMemoryNode=400", NONE),
    ("qos", "MaxTRES=node=1", "-N1 -n2 -t 30", "NumNodes=2-2", "QOSMaxNodePerJobLimit"),
    ("user", "MaxTRES=node=1", "-N1 -n2 -t 30", "NumNodes=2-2", "AssocMaxNodePerJobLimit"),
    ("qos", "MaxTRESMins=node=40", "-N1 -n2 -t 30", "NumNodes=2-2", NONE),
    ("other", "none", "-N1 -n2 -t 30", "NumNodes=2", "Node count specification invalid"),
    ("other", "none", "-N1-3 -n4 -t 30", "NumNodes=4", "Node count specification invalid"),
    ("other", "none", "-n2 -t 30", "NumNodes=2", NONE),
    ("qos", "MaxTRES=gres/gpu=1", "-n1 -t 30 --gres=gpu:1", "Gres=gpu:2", "QOSMaxGRESPerJob"),
    ("qos", "MaxTRES=gres/gpu=1", "-n1 -t 30 --gpus=1", "TresPerJob=gres:gpu:2", "QOSMaxGRESPerJob"),
    ("qos", "MaxTRES=license/tool=1", "-n1 -t 30 -L tool:1", "Licenses=tool:2", "QOSMaxLicensePerJob"),
    ("qos", "MaxTRES=cpu=2", "-n1 -t 30", "TimeLimit=60", NONE),
    ("other", "none", "-n1 -t 30", "QOS=high", NONE),
]  # fmt: skip
SAFE = [
    ("qos", "GrpWall=60", "-t 30", "TimeLimit=120", NONE),
    ("top", "GrpWall=60", "-t 30", "TimeLimit=120", NONE),
    ("qos", "GrpTRESMins=cpu=100", "-n1 -t 30", "NumCPUs=4", NONE),
    ("qos", "GrpTRESMins=cpu=100", "-n1 -t 30", "TimeLimit=120", "QOSGrpCPUMinutesLimit"),
    ("top", "GrpTRESMins=cpu=100", "-n1 -t 30", "NumCPUs=4", NONE),
]  # fmt: skip


def change(one, whose, limit):
    owner = {"qos": "qos normal", "user": "user di", "top": "account top"}.get(whose)
    if owner:
        one.out(f"sacctmgr -i modify {owner} set {limit}")
        one.rest(6)


def cleared(limit):
    key, _, rest = limit.partition("=")
    return f"{key}=-1" if "=" not in rest else f"{key}={rest.partition('=')[0]}=-1"


def shows(one, words, update):
    number = one.sub(f"--uid=di -H {words}")
    if not number.isdigit():
        return number
    said = one.out(f"scontrol update JobId={number} {update}")
    one.out(f"scontrol release {number}")
    one.rest(15)
    job = one.job(number)
    one.out(f"scancel {number}")
    one.rest(12)
    said = said.partition(" for job ")[0]
    return said or (NONE if job.get("JobState") == "RUNNING" else job.get("Reason"))


def killed(one):
    """What becomes of a job of eight CPUs that an operator gave it, under MaxTRESMins=cpu=10."""
    change(one, "qos", "MaxTRESMins=cpu=10")
    number = one.sub("--uid=di -H -n1 -t 8")
    one.out(f"scontrol update JobId={number} NumCPUs=8")
    one.out(f"scontrol release {number}")
    one.rest(200)
    return one.job(number).get("JobState")


def main():
    tally = Tally()
    for safe, cases in ((",safe", SAFE), ("", CASES)):
        with lab(CONF.format(safe=safe), gres=GRES, sacctmgr=ACCOUNTS) as one:
            for whose, limit, words, update, told in cases:
                change(one, whose, limit)
                tally.note(f"{whose:5} {limit:24} {words:24} {update:24}", shows(one, words, update), told)
                if limit != "none":
                    change(one, whose, cleared(limit))
            if not safe:
                tally.note("while it runs", killed(one), "TIMEOUT")
    return tally.close()


if __name__ == "__main__":
    sys.exit(main())
