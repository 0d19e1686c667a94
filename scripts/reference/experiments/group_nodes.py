#!/usr/bin/env python3
# scripts/reference/experiments/group_nodes.py — whether a limit on nodes draws jobs to the nodes that its group uses already (limits.md §6.3).
"""di uses n3 and n5 of six idle nodes under a limit on nodes. Printed is where a new job of his starts, or the Reason, and whether the text says so: as without the limit, it is then tested. About three minutes."""
import sys

from lab import Tally, hold, lab, release

CONF = """\
SelectType=select/cons_tres
SelectTypeParameters=CR_Core
SchedulerType=sched/backfill
PriorityType=priority/basic
AccountingStorageEnforce=associations,limits,qos
SchedulerParameters=bf_interval=-1
NodeName=n[1-6] Sockets=1 CoresPerSocket=4 ThreadsPerCore=1 RealMemory=64000
PartitionName=all Nodes=n[1-6] Default=YES MaxTime=1-0 State=UP
"""
ACCOUNTS = "add account top\nadd account sub Parent=top\nadd user di Account=sub\n"
# (of whom, which limit, its value, options, nodes or Reason)
CASES = [
    ("qos normal", "MaxTRESPerUser", 2, "-n1", "n3"), ("qos normal", "MaxTRESPerUser", 2, "-n4", "QOSMaxNodePerUserLimit"), ("qos normal", "MaxTRESPerUser", 3, "-n4", "n1"),
    ("qos normal", "MaxTRESPerUser", 3, "-N2 -n2", "QOSMaxNodePerUserLimit"), ("qos normal", "MaxTRESPerUser", 6, "-N2 -n2", "n[1-2]"), ("qos normal", "GrpTRES", 2, "-N2 -n2", "QOSGrpNodeLimit"),
    ("qos normal", "MaxTRESPerAccount", 2, "-N2 -n2", "MaxNodePerAccount"), ("user di", "GrpTRES", 2, "-N2 -n2", "AssocGrpNodeLimit"), ("account top", "GrpTRES", 2, "-n4", "AssocGrpNodeLimit"),
]  # fmt: skip


def main():
    tally = Tally()
    with lab(CONF, sacctmgr=ACCOUNTS) as one:
        for owner, key, most, words, told in CASES:
            one.out(f"sacctmgr -i modify {owner} set {key}=node={most}")
            one.rest(6)
            held = hold(one, ["--uid=di -w n3 -n1", "--uid=di -w n5 -n1"])
            number = one.sub(f"--uid=di {words}")
            one.rest(10)
            job = one.job(number)
            started = job.get("JobState") == "RUNNING"
            tally.note(f"{owner:12} {key:18} node={most} {words:8}", job.get("NodeList" if started else "Reason"), told)
            release(one, [*held, number])
            one.out(f"sacctmgr -i modify {owner} set {key}=node=-1")
    return tally.close()


if __name__ == "__main__":
    sys.exit(main())
