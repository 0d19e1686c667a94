#!/usr/bin/env python3
# scripts/reference/experiments/lent_limits.py — the time limit of a job of a QOS with NoReserve that a limit before selection stops (scheduling.md §8.6).
"""Two full nodes, one with a job of di's, whose QOS `nores` (NoReserve) allows one a user. Printed is the TimeLimit [minutes] of the last of the jobs named, after a few cycles.
Told: of such a job, where there is preemption, it becomes the limit of the last record that the cycle looked at further before it. About six minutes."""
import sys

from lab import Tally, hold, lab, release
from times import seconds

CONF = """\
SelectType=select/cons_tres
SelectTypeParameters=CR_Core
SchedulerType=sched/backfill
PriorityType=priority/basic
AccountingStorageEnforce=associations,limits,qos
SchedulerParameters=defer,sched_interval=50000,bf_interval=5,bf_window=2000{more}
Licenses=lic:1
NodeName=n[1-2] Sockets=1 CoresPerSocket=4 ThreadsPerCore=1 RealMemory=64000
PartitionName=low Nodes=n[1-2] Default=YES MaxTime=1-0 DefaultTime=25 State=UP PriorityTier=1
PartitionName=high Nodes=n[1-2] MaxTime=1-0 State=UP PriorityTier=2
"""
PREEMPT = "\nPreemptType=preempt/partition_prio\nPreemptMode=REQUEUE"
ACCOUNTS = ("add account top\nadd user di,bo Account=top\nadd account few MaxJobs=1\nadd user cy Account=few\nadd qos nores Flags=NoReserve MaxJobsPerUser=1\n"
            "add qos plain MaxJobsPerUser=1\nmodify user di,bo set qos+=nores,plain\n")
HELD = ("--uid=di -w n1 -n4 -t 300 --qos=nores", "--uid=bo -w n2 -n4 -t 300")
STOPPED = "--uid=di -n4 -t 10 --qos=nores"
BEFORE = "--uid=bo -n4 -t 45"
# (jobs in the order of the queue, limit that the last one has then)
CASES = [
    ([BEFORE, STOPPED], 45),
    ([BEFORE, "--uid=bo -n4 -t 77", STOPPED], 77),
    ([BEFORE, "--uid=cy -n4 -t 66", STOPPED], 66),
    ([BEFORE, "--uid=bo -n4 -t 33 --qos=nores", STOPPED], 33),
    ([BEFORE, "--uid=bo -n4 -t 50 --time-min=5", STOPPED], 50),
    ([BEFORE, "--uid=di -n4 -t 20 --qos=nores", STOPPED], 45),
    ([BEFORE, f"{STOPPED} -L lic:1"], 45),
    ([BEFORE, "--uid=di -n4 --qos=nores"], 45),
    (["--uid=bo -n4", STOPPED], None),
    ([BEFORE, f"{STOPPED} -a 1-3"], 45),
    ([BEFORE, f"{STOPPED} -p high,low"], None),
    ([BEFORE, "--uid=di -n4 -t 10 --qos=nores -d afterany:{}"], 10),
    ([BEFORE, "--uid=bo -n4 -t 10 --qos=nores"], 10),
    ([STOPPED, BEFORE, "--uid=bo -n4 -t 44 -p high"], 44),
    ([STOPPED], None),
]  # fmt: skip
# Who lends: not who is stopped before it is looked at, by a limit, licences, bf_max_job_user or its deadline; held and dependent ones are no records.
LENDERS = [
    (PREEMPT, "", [BEFORE, "--uid=cy -n4 -t 66 --hold", STOPPED], 45),
    (PREEMPT, "", [BEFORE, "--uid=di -n4 -t 66 --qos=plain", "--uid=di -n4 -t 67 --qos=plain", STOPPED], 67),
    (PREEMPT, "", [BEFORE, "--uid=bo -n4 -t 66 -L lic:1", STOPPED], 45),
    (PREEMPT, ",bf_max_job_user=1", [BEFORE, "--uid=bo -n4 -t 66", STOPPED], 45),
    (PREEMPT, "", [BEFORE, "--uid=cy -n4 -t 66", "--uid=cy -n4 -t 67", STOPPED], 67),
    (PREEMPT, "", [BEFORE, "--uid=bo -n4 -t 66 -a 1-2", STOPPED], 66),
]  # fmt: skip
CY = "--uid=cy -w n2 -n4 -t 300"
STOPPED_LENDERS = [([BEFORE, "--uid=cy -n4 -t 66", STOPPED], 45), ([BEFORE, "--uid=cy -n4 -t 66", "--uid=bo -n4 -t 12", STOPPED], 12)]
FREE = [
    (PREEMPT, ",bf_max_job_user=1", [BEFORE, "--uid=bo -n4 -t 10 --qos=nores"], None),
    (PREEMPT, "", [BEFORE, "--uid=bo -n4 -t 10 --qos=nores -L lic:1"], None),
    (PREEMPT, ",assoc_limit_stop", [BEFORE, STOPPED], None),
    ("", "", [BEFORE, STOPPED], None),
    ("", "", [BEFORE, f"{STOPPED} --time-min=5"], None),
    (PREEMPT, "", [BEFORE, "--uid=di -n4 -t 10 --qos=plain"], 10),
]


def ask(one, tally, name, jobs, told, second=HELD[1]):
    held = hold(one, (HELD[0], second))
    ids = []
    for words in jobs:
        ids.append(one.sub(words.format(held[1])))
    one.rest(40)
    limits = [one.out(f"squeue -h -o %l -j {i}").splitlines()[0] for i in ids]
    reason = one.job(ids[-1]).get("Reason")
    got = [seconds(text) // 60 for text in limits]
    if told is None:
        print(f"{name}{'; '.join(jobs):90} {got} {reason}   (asked freely)", flush=True)
    else:
        tally.note(f"{name}{'; '.join(jobs):90} {got} {reason}", got[-1], told)
    release(one, [*ids, *held])


def main():
    tally = Tally()
    with lab(CONF.format(more="") + PREEMPT, sacctmgr=ACCOUNTS) as one:
        for jobs, told in CASES:
            ask(one, tally, "", jobs, told)
    for preempt, more, jobs, told in LENDERS + FREE:
        with lab(CONF.format(more=more) + preempt, sacctmgr=ACCOUNTS) as one:
            ask(one, tally, f"{more or '-'} {'preemption' if preempt else '-'} ", jobs, told, HELD[1] + (" -L lic:1" if "-L lic" in "".join(jobs) else ""))
    with lab(CONF.format(more="") + PREEMPT, sacctmgr=ACCOUNTS) as one:
        for jobs, told in STOPPED_LENDERS:
            ask(one, tally, "beside one of cy's ", jobs, told, CY)
    return tally.close()


if __name__ == "__main__":
    sys.exit(main())
