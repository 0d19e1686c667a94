#!/usr/bin/env python3
# scripts/reference/experiments/counted_users.py — whom bf_max_job_user counts together (scheduling.md §8.1).
"""Two full nodes; di and bo are users of accounts `a` and `b`, di also of `a` in partition `two` alone. `1` for each waiting job that a cycle plans, `.` for the others. Told, from
recording deep_08: bf_max_job_user does not count a user's jobs, but those of each of his associations; that bf_max_job_user_part does was not. About four minutes."""
import sys

from lab import Tally, lab, planned

CONF = """\
SelectType=select/cons_tres
SelectTypeParameters=CR_Core
SchedulerType=sched/backfill
PriorityType=priority/basic
{enforce}
SchedulerParameters=defer,sched_interval=50000,bf_interval=5,bf_window=2000,{more}
NodeName=n[1-2] Sockets=1 CoresPerSocket=4 ThreadsPerCore=1 RealMemory=64000
PartitionName=one Nodes=n[1-2] Default=YES MaxTime=1-0 State=UP
PartitionName=two Nodes=n[1-2] MaxTime=1-0 State=UP
"""
ENFORCE = "AccountingStorageEnforce=associations,limits,qos"
ACCOUNTS = "add account top\nadd account a Parent=top\nadd account b Parent=top\nadd user di,bo Account=a\nadd user di,bo Account=b\nadd user di Account=a Partition=two\nadd user cy Account=b\n"
HELD = ["--uid=cy -A b -w n1 -n4 -t 60", "--uid=cy -A b -w n2 -n4 -t 70"]
A, B, TWO = "--uid=di -A a -n1 -t 10", "--uid=di -A b -n1 -t 10", "--uid=di -A a -p two -n1 -t 10"
BO = "--uid=bo -A a -n1 -t 10"
# (SchedulerParameters, jobs in the order of the queue, which have a plan)
CASES = [
    ("bf_max_job_user=1", [A, A], "1 ."),
    ("bf_max_job_user=1", [A, B], "1 1"),
    ("bf_max_job_user=1", [A, B, A, B], "1 1 . ."),
    ("bf_max_job_user=1", [A, BO, A, BO], "1 1 . ."),
    ("bf_max_job_user=2", [A, B, A, A, B, B], "1 1 1 . 1 ."),
    ("bf_max_job_user=1", [A, TWO, A, TWO], "1 1 . ."),
    ("bf_max_job_user_part=1", [A, B, A, B], "1 . . ."),
    ("bf_max_job_assoc=1", [A, B, A, B], "1 1 . ."),
    ("bf_max_job_assoc=3,bf_max_job_user=1", [A, B, A, B], "1 1 1 1"),
    ("bf_max_job_part=2", [A, B, A, B], "1 1 . ."),
]  # fmt: skip


def main():
    tally = Tally()
    for enforce in (ENFORCE, ""):
        for more in dict.fromkeys(case[0] for case in CASES):
            with lab(CONF.format(more=more, enforce=enforce), sacctmgr=ACCOUNTS) as one:
                for _, jobs, told in (case for case in CASES if case[0] == more):
                    short = " ".join({A: "a", B: "b", TWO: "a@two", BO: "bo"}[words] for words in jobs)
                    tally.note(f"{'enforced' if enforce else '-':9} {more:38} {short:24}", planned(one, HELD, jobs), told)
    return tally.close()


if __name__ == "__main__":
    sys.exit(main())
