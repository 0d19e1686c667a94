#!/usr/bin/env python3
# scripts/reference/experiments/submit_limits.py — which of two accounts' group limits a submission meets (limits.md §5).
"""di is in account sub, below top, both with a limit; QOS deny has DenyOnLimit, and jobs are held. Printed is the time limit of the new job, or that it was refused, and whether the text says so. About two minutes."""
import sys

from lab import Tally, lab

CONF = """\
SelectType=select/cons_tres
SelectTypeParameters=CR_Core
SchedulerType=sched/backfill
PriorityType=priority/basic
AccountingStorageEnforce=associations,limits,qos
SchedulerParameters=bf_interval=-1,sched_interval=-1
NodeName=n[1-2] Sockets=1 CoresPerSocket=8 ThreadsPerCore=1 RealMemory=64000
PartitionName=all Nodes=n[1-2] Default=YES MaxTime=1-0 State=UP
"""
ACCOUNTS = "add qos deny Flags=DenyOnLimit\nadd account top\nadd account sub Parent=top\nadd user di Account=sub QOS=normal,deny\n"
REFUSED = "refused"
# (sub's limit, top's, QOS, options, what becomes of the job)
CASES = [
    ("GrpTRESMins=cpu=200", "GrpTRESMins=cpu=100", "deny", "-n1", "03:20:00"),
    ("GrpTRESMins=cpu=200", "GrpTRESMins=cpu=100", "deny", "-n1 -t 150", "02:30:00"),
    ("GrpTRESMins=cpu=100", "GrpTRESMins=cpu=200", "deny", "-n1", "01:40:00"),
    ("GrpTRESMins=cpu=200", "GrpTRESMins=cpu=100", "normal", "-n1", "1-00:00:00"),
    ("GrpTRESMins=cpu=-1", "GrpTRESMins=cpu=100", "deny", "-n1 -t 150", REFUSED),
    ("GrpTRESMins=cpu=200", "GrpTRESMins=mem=1", "deny", "-n1 --mem=10 -t 10", REFUSED),
    ("GrpTRESMins=cpu=200", "GrpTRESRunMins=cpu=100", "deny", "-n1", "01:40:00"),
    ("GrpTRESRunMins=cpu=200", "GrpTRESRunMins=cpu=100", "deny", "-n1 -t 150", "02:30:00"),
    ("GrpWall=200", "GrpWall=100", "deny", "-n1", "03:20:00"),
    ("GrpWall=200", "GrpWall=100", "deny", "-n1 -t 150", "02:30:00"),
    ("GrpWall=200", "GrpWall=100", "normal", "-n1", "03:20:00"),
    ("GrpWall=-1", "GrpWall=100", "deny", "-n1 -t 150", REFUSED),
    ("GrpTRES=cpu=4", "GrpTRES=cpu=2", "deny", "-n3", REFUSED),
    ("GrpTRES=cpu=2", "GrpTRES=cpu=4", "deny", "-n3", REFUSED),
    ("GrpSubmitJobs=1000", "GrpSubmitJobs=0", "normal", "-n1", REFUSED),
]  # fmt: skip


def cleared(limit):
    key, _, rest = limit.partition("=")
    return f"{key}={rest.partition('=')[0]}=-1" if "=" in rest else f"{key}=-1"


def change(one, sub, top):
    one.out(f"sacctmgr -i modify account sub set {sub}")
    one.out(f"sacctmgr -i modify account top set {top}")
    one.rest(6)


def becomes(one, qos, words):
    number = one.sub(f"--uid=di -H -q {qos} {words}")
    if not number.isdigit():
        return REFUSED if "Job violates accounting/QOS policy" in number else number
    limit = one.job(number).get("TimeLimit")
    one.out(f"scancel {number}")
    return limit


def main():
    tally = Tally()
    with lab(CONF, sacctmgr=ACCOUNTS) as one:
        for sub, top, qos, words, told in CASES:
            change(one, sub, top)
            tally.note(f"{sub:22} {top:22} {qos:6} {words:20}", becomes(one, qos, words), told)
            change(one, cleared(sub), cleared(top))
    return tally.close()


if __name__ == "__main__":
    sys.exit(main())
