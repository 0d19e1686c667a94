#!/usr/bin/env python3
# scripts/reference/experiments/named_nodes.py — which nodes a job that names them withholds from those behind it (scheduling.md §4.4).
"""Three nodes, preempt/qos: a job of QOS hi, which goes first, and one of QOS lo behind it in the same pass. Printed: the reservation, both jobs and what becomes
of the second, and what is not as the text says."""
import sys

from lab import Tally, lab

CONF = """\
SchedulerType=sched/backfill
SchedulerParameters=sched_interval=50000,bf_interval=-1
PriorityType=priority/multifactor
PriorityWeightAge=1
SelectType=select/cons_tres
SelectTypeParameters=CR_Core
PreemptType=preempt/qos
PreemptMode=CANCEL
AccountingStorageEnforce=associations,limits,qos
NodeName=n[1-3] Sockets=1 CoresPerSocket=4 ThreadsPerCore=1 RealMemory=64000
PartitionName=p Nodes=n[1-3] Default=YES MaxTime=INFINITE State=UP
"""
ACCOUNTS = """\
add qos lo
add qos hi
modify qos hi set preempt=lo maxtresperjob=cpu=3
add qos none
modify qos none set grpjobs=0
modify user root set qos=lo,hi,none,normal
"""
# reservation, the job ahead, the one behind, what becomes of it
CASES = [
    ("Nodes=n1", "-n1 -w n1 --qos=hi", "--reservation=r -n1", "waits"),
    ("Nodes=n1", "-n1 -w n1 --qos=hi", "--reservation=r -n1 -w n1", "waits"),
    ("Nodes=n1", "-N3 --qos=hi", "--reservation=r -n1", "n1"),
    ("Nodes=n[1-2]", "-n1 -w n1 --qos=hi", "--reservation=r -n1", "n2"),
    ("Nodes=n[1-2]", "-n1 -w n1 --qos=hi", "--reservation=r -N2", "waits"),
    ("Nodes=n[1-2]", "-N2 -w n1 --qos=hi", "--reservation=r -n1", "n1"),
    ("Nodes=n[1-2]", "-N2 -w n1,n3 --qos=hi", "--reservation=r -n1", "n2"),
    ("Nodes=n[1-2]", "-N2 -w n1,n3 --qos=hi", "-n1 -w n3", "waits"),
    ("Nodes=n[1-2]", "-N2 --qos=hi", "-n1 -w n3", "n3"),
    ("Nodes=n[1-2]", "-n1 --exclusive -w n1 --qos=hi", "--reservation=r -n1", "n2"),
    ("Nodes=n[1-2] Flags=MAINT", "-n1 -w n1 --qos=hi", "--reservation=r -n1", "n2"),
    ("Nodes=ALL", "-n1 -w n1 --qos=hi", "--reservation=r -n1", "n2"),
    ("Nodes=ALL Flags=MAINT", "-n1 -w n1 --qos=hi", "--reservation=r -n1", "n2"),
    ("Nodes=n1 CoreCnt=2", "-n3 -w n1 --exclusive --qos=hi", "--reservation=r -n1", "waits"),
    ("", "-n4 -w n3 --qos=hi", "-n1 -w n3", "waits"),  # over MaxTRESPerJob
    ("", "-n4 -w n3 --qos=hi", "-n1 -w n2", "n2"),
    ("", "-N2 -n4 -w n3 --qos=hi", "-n1 -w n3", "n3"),
    ("", "-n4 --qos=hi", "-n1 -w n3", "n3"),
    ("", "-n1 -w n3 --qos=none", "-n1 -w n3", "n3"),  # over GrpJobs, which no selection is needed for
]


def main():
    tally = Tally()
    with lab(CONF, sacctmgr=ACCOUNTS) as one:
        for reservation, ahead, behind, told in CASES:
            if reservation:
                one.out(f"scontrol create reservation ReservationName=r Users=root StartTime=now Duration=600 {reservation}")
                one.rest(12)
            ids = [one.sub(f"-t 60 {ahead}")]
            one.rest(8)
            ids.append(one.sub(f"-t 60 --qos=lo {behind}"))
            one.rest(14)
            job = one.job(ids[1])
            tally.note(f"{reservation or '-'} | {ahead} | {behind} |", job["NodeList"] if job.get("JobState") == "RUNNING" else "waits", told)
            one.out("scancel " + " ".join(ids))
            one.rest(8)
            one.out("scontrol delete ReservationName=r")
            one.rest(6)
    return tally.close()


if __name__ == "__main__":
    sys.exit(main())
