#!/usr/bin/env python3
# scripts/reference/experiments/unreserved_minutes.py — what a job of a QOS with NoReserve leaves of its committed run time (limits.md §3).
"""A job of 4 CPUs and an hour runs for six minutes and is cancelled; ticks come every minute. Printed is what sshare shows of its user's TRESRunMins [CPU minutes] three minutes later.
Told: ticks count down no more than the limit that backfill planned it with, a minute where there is preemption, --time-min without, so that what they pass beyond it stays for good:
4 × (five or six minutes - that limit). Six minutes later it is the same. About five minutes."""
import re
import sys

from lab import hold, lab

CONF = """\
SelectType=select/cons_tres
SelectTypeParameters=CR_Core
SchedulerType=sched/backfill
PriorityType=priority/multifactor
PriorityWeightFairshare=1000
PriorityCalcPeriod=1
AccountingStorageEnforce=associations,limits,qos
{more}
NodeName=n[1-2] Sockets=1 CoresPerSocket=4 ThreadsPerCore=1 RealMemory=64000
PartitionName=low Nodes=n[1-2] Default=YES MaxTime=1-0 State=UP PriorityTier=1
PartitionName=high Nodes=n[1-2] MaxTime=1-0 State=UP PriorityTier=2
"""
BACKFILL = "SchedulerParameters=bf_interval=5,bf_window=2000"
MAIN = "SchedulerParameters=bf_interval=-1"
PREEMPT = "\nPreemptType=preempt/partition_prio\nPreemptMode=REQUEUE"
ACCOUNTS = "add account top\nadd user di,bo Account=top\nadd qos nores Flags=NoReserve\nadd qos half Flags=NoReserve UsageFactor=0.5\nmodify user di set qos+=nores,half\n"
# (loops and preemption, words, what an admin does two minutes after its start, least and most that is left)
CASES = [
    (BACKFILL + PREEMPT, "-t 60 --qos=nores", None, (15, 20)),
    (BACKFILL + PREEMPT, "-t 60", None, (0, 0)),
    (MAIN + PREEMPT, "-t 60 --qos=nores", None, (0, 0)),
    (BACKFILL, "-t 60 --qos=nores", None, (0, 0)),
    (BACKFILL, "-t 60 --time-min=2 --qos=nores", None, (11, 16)),
    (BACKFILL, "-t 60 --time-min=2", None, (0, 0)),
    (BACKFILL + PREEMPT, "-t 60 --time-min=2 --qos=nores", None, (15, 20)),
    (BACKFILL + PREEMPT, "-t 60 --qos=half", None, (7, 10)),
    (BACKFILL + PREEMPT, "-t 60 --qos=nores", "scontrol update JobId={} TimeLimit=50", (0, 4)),
    (BACKFILL + PREEMPT, "-t 60 --qos=nores", "scontrol update JobId={} TimeLimit=70", (0, 4)),
    (BACKFILL + PREEMPT, "-t 60 --qos=nores", "scontrol requeue {}", (0, 4)),
]  # fmt: skip


def left(one):
    shown = [line for line in one.out("sshare -a -l -P").splitlines() if "|di|" in line]
    return int(re.search(r"cpu=(\d+)", shown[0].rpartition("|")[2])[1])


def main():
    wrong = asked = 0
    for more, words, then, told in CASES:
        with lab(CONF.format(more=more), sacctmgr=ACCOUNTS) as one:
            one.rest(10)
            if more.startswith(BACKFILL):  # behind a job that waits for both nodes, so that no pass starts it
                hold(one, ["--uid=bo -p low -w n2 -n4 -t 600"])
                one.sub("--uid=bo -p low -N2 -n8 -t 600 --nice=-1000")
                one.rest(10)
            number = one.sub(f"--uid=di -p low -n4 {words}")
            one.until(lambda: one.job(number).get("JobState") == "RUNNING", 100)
            by = one.job(number).get("Scheduler")
            one.rest(120)
            if then:
                one.out(then.format(number))
                one.rest(2)
                if "requeue" in then:
                    one.out(f"scontrol hold {number}")
            one.rest(240)
            running = left(one)
            one.out(f"scancel {number}")
            one.rest(180)
            first = left(one)
            one.rest(360)
            second = left(one)
            fits = told is None or (told[0] <= first <= told[1] and first == second)
            asked += told is not None
            wrong += not fits
            print(f"{by:8} {'preemption' if 'Preempt' in more else '-':10} {words:34} {then or '-':40} running {running} left {first} then {second}{'' if fits else f'   WRONG: told {told}'}", flush=True)
    print(f"{asked - wrong} of {asked}, {wrong} wrong")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
