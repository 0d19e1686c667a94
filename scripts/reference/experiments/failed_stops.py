#!/usr/bin/env python3
# scripts/reference/experiments/failed_stops.py — whether a job blocks its QOS whose start finds neither nodes nor room under a limit (scheduling.md §8.8).
"""Partition all is OverSubscribe=YES:2, quick has the same nodes and shares none. A job with `-s` is estimated to start now beside jobs of quick, and its start finds these nodes busy; it is over a limit, too. Printed: that job's QOS
and words, and whether a job of the same QOS, within the limit and on free cores, starts behind it. With assoc_limit_stop; backfill alone. About a minute and a half."""
import sys

from lab import Tally, hold, lab, release

CONF = """\
SelectType=select/cons_tres
SelectTypeParameters=CR_Core
SchedulerType=sched/backfill
SchedulerParameters=sched_interval=-1,bf_interval=10,assoc_limit_stop
PriorityType=priority/multifactor
AccountingStorageEnforce=associations,limits,qos
NodeName=n[1-4] CPUs=4 RealMemory=64000
PartitionName=all Nodes=n[1-4] Default=YES MaxTime=INFINITE State=UP OverSubscribe=YES:2
PartitionName=quick Nodes=n[1-4] MaxTime=INFINITE State=UP
"""
ACCOUNTS = """\
add qos group GrpTRES=cpu=6
add qos minutes GrpTRESRunMins=cpu=600
add qos user MaxTRESPU=cpu=6
add account red
add user ada Account=red QOS=normal,group,minutes,user
"""
FIRST = {"group": "-n2 -t 60", "minutes": "-n2 -t 100", "user": "-n2 -t 60"}  # of each QOS a job that runs
# The last finds no nodes even in the estimate.
CASES = [("group", "-s -n5", "waits"), ("group", "-n5", "waits"), ("group", "-s -n9", "runs"),
         ("minutes", "-s -n5", "waits"), ("minutes", "-n5", "waits"), ("minutes", "-s -n9", "runs"),
         ("user", "-s -n5", "runs"), ("user", "-n5", "runs"), ("user", "-s -n9", "runs")]  # fmt: skip


def main():
    tally = Tally()
    with lab(CONF, sacctmgr=ACCOUNTS) as one:
        for qos, first in FIRST.items():
            held = hold(one, ["-w n1 -p quick -n2", "-w n2 -p quick -n2", "-w n3 -p quick -n4", f"--uid=ada --qos={qos} -p quick -w n4 {first}"])
            for words, told in [case[1:] for case in CASES if case[0] == qos]:
                over = one.sub(f"--uid=ada --qos={qos} -p all -t 100 {words}")
                behind = one.sub(f"--uid=ada --qos={qos} -p quick -n1 -t 5 --nice=100")
                one.rest(35)
                found = "runs" if one.job(behind).get("JobState") == "RUNNING" else "waits"
                tally.note(f"{qos:8} {words:8}", found, told)
                release(one, [over, behind])
            release(one, held)
    return tally.close()


if __name__ == "__main__":
    sys.exit(main())
