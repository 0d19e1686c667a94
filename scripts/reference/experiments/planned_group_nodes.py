#!/usr/bin/env python3
# scripts/reference/experiments/planned_group_nodes.py — whether nodes that a group uses already count for a plan under a limit on nodes (limits.md §6.4).
"""Four nodes of four cores: di holds n1 and n2 for ten minutes, others hold n3 and n4 for long; only backfill looks at the queue. Printed is what becomes of a job of di's: where it
is planned, where it runs, or the limit by which it has no plan. Told: a plan counts all of its nodes, also those that di uses already; a start does not. About five minutes."""
import sys

from lab import Tally, hold, lab, release

CONF = """\
SelectType=select/cons_tres
SelectTypeParameters=CR_Core
SchedulerType=sched/backfill
PriorityType=priority/basic
AccountingStorageEnforce=associations,limits,qos
SchedulerParameters=defer,sched_interval=50000,bf_interval=5,bf_window=1000{more}
NodeName=n[1-4] Sockets=1 CoresPerSocket=4 ThreadsPerCore=1 RealMemory=64000
PartitionName=all Nodes=n[1-4] Default=YES MaxTime=1-0 State=UP
"""
ACCOUNTS = "add account top\nadd account sub Parent=top\nadd account far\nadd user di Account=sub\nadd user bo Account=far\nadd qos nores Flags=NoReserve\nmodify user di set qos+=nores\n"
FULL = ("--uid=di -w n1 -n4 -t 10", "--uid=di -w n2 -n4 -t 10", "--uid=bo -w n3 -n4 -t 300", "--uid=bo -w n4 -n4 -t 300")
PARTS = ("--uid=di -w n1 -n1 -t 10", "--uid=di -w n2 -n1 -t 10", "--uid=bo -w n3 -n4 -t 300", "--uid=bo -w n4 -n4 -t 300")
# (what is held, of whom, which limit, its value, options, what becomes of it)
CASES = [
    (FULL, "qos normal", "MaxTRESPerUser", 3, "-N2 -n8 -t 30", "QOSMaxNodePerUserLimit"),
    (FULL, "qos normal", "MaxTRESPerUser", 4, "-N2 -n8 -t 30", "planned on n[1-2]"),
    (FULL, "qos normal", "MaxTRESPerUser", 2, "-N1 -n4 -t 30", "QOSMaxNodePerUserLimit"),
    (FULL, "qos normal", "GrpTRES", 3, "-N2 -n8 -t 30", "QOSGrpNodeLimit"),
    (FULL, "qos normal", "MaxTRESPerAccount", 3, "-N2 -n8 -t 30", "MaxNodePerAccount"),
    (FULL, "user di", "GrpTRES", 3, "-N2 -n8 -t 30", "AssocGrpNodeLimit"),
    (FULL, "account top", "GrpTRES", 3, "-N2 -n8 -t 30", "AssocGrpNodeLimit"),
    (FULL, "account top", "GrpTRES", 4, "-N2 -n8 -t 30", "planned on n[1-2]"),
    (PARTS, "qos normal", "MaxTRESPerUser", 2, "-n3 -t 30", "runs on n1"),
    (PARTS, "qos normal", "MaxTRESPerUser", 3, "-N2 -n6 -t 30", "runs on n[1-2]"),
    (PARTS, "account top", "GrpTRES", 2, "-n3 -t 30", "runs on n1"),
    (FULL, "qos normal", "MaxTRESPerUser", 9, "-N2 -n8 -t 30 --qos=nores", "planned on None"),
]  # fmt: skip


def main():
    tally = Tally()
    with lab(CONF.format(more=""), sacctmgr=ACCOUNTS) as one:
        for held, owner, key, most, words, told in CASES:
            one.out(f"sacctmgr -i modify {owner} set {key}=node={most}")
            one.rest(6)
            ids = hold(one, held)
            number = one.sub(f"--uid=di {words}")
            one.until(lambda: one.job(number).get("Reason") not in ("None", "Priority") or one.job(number).get("JobState") == "RUNNING", 60)
            one.rest(12)
            job = one.job(number)
            print("      ", {k: job.get(k) for k in ("JobState", "Reason", "StartTime", "SchedNodeList", "NodeList", "LastSchedEval")})
            if job.get("JobState") == "RUNNING":
                got = f"runs on {job.get('NodeList')}"
            elif "Node" in job.get("Reason", ""):
                got = job["Reason"]
            else:
                got = f"planned on {job.get('SchedNodeList')}"
            tally.note(f"{owner:12} {key:18} node={most} {words:26}", got, told)
            release(one, [*ids, number])
            one.out(f"sacctmgr -i modify {owner} set {key}=node=-1")
    return tally.close()


if __name__ == "__main__":
    sys.exit(main())
