#!/usr/bin/env python3
# scripts/reference/experiments/updated_licenses.py — `scontrol update JobId= Licenses=` of a running job (lifecycle.md §10.1).
"""18 of 20 are held by another. Printed: how many are in use after each update, in the cluster and for the account's limit. Half a minute."""
import re
import sys

from lab import Tally, hold, lab

CONF = """\
SelectType=select/cons_tres
SelectTypeParameters=CR_Core
SchedulerType=sched/backfill
PriorityType=priority/basic
Licenses=ansys:20,other:5
AccountingStorageEnforce=associations,limits
AccountingStorageTRES=license/ansys
NodeName=n[1-4] CPUs=8 RealMemory=64000
PartitionName=all Nodes=ALL Default=YES MaxTime=INFINITE State=UP
"""
ACCOUNTS = "add account red GrpTRES=license/ansys=6\nadd account blue\nadd user ada Account=red\nadd user bo Account=blue\n"
NONE, GONE = "Invalid license specification", "Job is not pending nor running"
# words, slurmctld's answer, in use of the cluster's, of the limit
CASES = [("ansys:2", "", "20 1"), ("ansys:3", "", "21 1"), ("ansys:30", NONE, "21 1"), ("nosuch:1", NONE, "21 1"), ("other:2,ansys:1", "", "19 1"), ("", "", "18 1"), ("ansys:5", "", "23 1")]  # fmt: skip


def in_use(one):
    cluster = re.search(r"LicenseName=ansys\s+Total=\d+ Used=(\d+)", one.out("scontrol show lic ansys"))[1]
    limit = re.search(r"license/ansys=6.(\d+).", one.out("scontrol show assoc_mgr flags=assoc accounts=red"))[1]
    return f"{cluster} {limit}"


def main():
    tally = Tally()
    with lab(CONF, sacctmgr=ACCOUNTS) as one:
        _, job = hold(one, ["--uid=bo -n1 -L ansys:18", "--uid=ada -n1 -L ansys:1"])
        for words, answer, told in CASES:
            said = one.out(f"scontrol update JobId={job} Licenses={words}").partition(" for job ")[0]
            tally.note(f"{words:16} {said:30}", f"{said} {in_use(one)}".strip(), f"{answer} {told}".strip())
        one.out(f"scontrol suspend {job}")
        tally.note("suspended", one.out(f"scontrol update JobId={job} Licenses=ansys:1").partition(" for job ")[0], GONE)
        one.out(f"scancel {job}")
        one.rest(30)
        tally.note("ended", in_use(one), "18 0")
    return tally.close()


if __name__ == "__main__":
    sys.exit(main())
