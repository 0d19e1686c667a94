#!/usr/bin/env python3
# scripts/reference/experiments/magnetic_plans.py — what the plan of a magnetic record counts for, which keeps its nodes from nobody (scheduling.md §8.7 step 14).
"""n1 is reserved for account red and MAGNETIC, and like n2 to n4 held by a job. In one cycle are tested: a member of red for the reservation, and beside it, then two jobs of others. Printed: the key and the member's words, and who of
the member beside the reservation and the two others is planned on nodes. Backfill alone. About four minutes."""
import sys

from lab import Tally, hold, lab, release

CONF = """\
SelectType=select/cons_tres
SelectTypeParameters=CR_Core
SchedulerType=sched/backfill
SchedulerParameters=sched_interval=-1,bf_interval=10,{key}
PriorityType=priority/multifactor
AccountingStorageEnforce=associations,limits,qos
NodeName=n[1-4] CPUs=4 RealMemory=64000
PartitionName=all Nodes=n[1-4] Default=YES MaxTime=INFINITE State=UP
"""
ACCOUNTS = "add account red\nadd account blue\nadd user ada Account=red\nadd user bo Account=blue\n"
HOLDERS = ["--uid=ada -n4 -t 60", "--uid=bo -w n2 -n4 -t 50", "--uid=bo -w n3 -n4 -t 50", "--uid=bo -w n4 -n4 -t 50"]
CASES = {
    "bf_continue": [("", "member first second"), ("-a 0-1", "member first second"), ("--reservation=r", "first second")],
    "bf_one_resv_per_job": [("", "first second"), ("-a 0-1", "first second"), ("--reservation=r", "first second")],
    "bf_job_part_count_reserve=1": [("", "none"), ("--reservation=r", "none")],
    "bf_job_part_count_reserve=2": [("", "member"), ("-a 0-1", "none"), ("--reservation=r", "first"), ("-a 0-1 --reservation=r", "none")],
    "bf_job_part_count_reserve=3": [("", "member first"), ("-a 0-1", "member"), ("--reservation=r", "first second"), ("-a 0-1 --reservation=r", "first")],
}


def main():
    tally = Tally()
    for key, questions in CASES.items():
        with lab(CONF.format(key=key), sacctmgr=ACCOUNTS) as one:
            one.out("scontrol create reservation ReservationName=r Accounts=red StartTime=now Duration=600 Nodes=n1 Flags=MAGNETIC")
            one.rest(8)
            hold(one, HOLDERS)
            for words, told in questions:
                ids = [one.sub(f"--uid=ada -N1 -n4 -t 30 {words}"), one.sub("--uid=bo -N1 -n4 -t 30 --nice=100"), one.sub("--uid=bo -N1 -n4 -t 30 --nice=200")]
                one.rest(40)
                nodes = [one.job(number).get("SchedNodeList") for number in ids]
                planned = [name for name, node in zip(("member", "first", "second"), nodes) if node and (name != "member" or node != "n1")]
                tally.note(f"{key:28} {words:24}", " ".join(planned) or "none", told)
                release(one, ids)
    return tally.close()


if __name__ == "__main__":
    sys.exit(main())
