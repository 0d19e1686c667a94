#!/usr/bin/env python3
# scripts/reference/experiments/start_of_no_plan.py — whether a start that is found, and no plan, counts for bf_one_resv_per_job, and is shown (scheduling.md §8.9).
"""Partitions `one` (n1, n2) and `two` (n3, n4), all full; only backfill looks at the queue. A job of both finds a start in `one` first, where a limit after selection stops its plan (OPEN: it
does not). Printed is where it is planned, and whether the start shown is that of `one` (soon) or of `two` (later). The answers were asked freely first. About five minutes."""
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
PartitionName=one Nodes=n[1-2] Default=YES MaxTime=1-0 State=UP PriorityTier=2 QOS=pq
PartitionName=two Nodes=n[3-4] MaxTime=1-0 State=UP PriorityTier=1
"""
ACCOUNTS = "add account top\nadd user di Account=top\nadd user bo Account=top\nadd qos pq MaxTRESPerUser=node=1\nadd qos nores Flags=NoReserve\nmodify user di set qos+=nores\n"
HELD = ("--uid=di -p one -w n1 -n4 -t 10", "--uid=bo -p one -w n2 -n4 -t 300", "--uid=bo -p two -w n3 -n4 -t 60", "--uid=bo -p two -w n4 -n4 -t 300")
# (SchedulerParameters, jobs of di's in turn, what is shown of the last: where it is planned, start shown, Reason)
CASES = [
    ("", ["-p one,two -n4 -t 30"], (None, "soon")),
    (",bf_one_resv_per_job", ["-p one,two -n4 -t 30"], (None, "soon")),
    ("", ["-p one,two -n4 -t 30 --qos=nores"], (None, "later")),
    ("", ["-p one -n4 -t 30 --qos=nores"], (None, "soon")),
    ("OPEN", ["-p one,two -n4 -t 30 --qos=nores"], (None, "later")),
    ("OPEN", ["-p one,two -n4 -t 30"], ("n1", "soon")),
    (",bf_one_resv_per_job", ["-p two -n4 -t 30"], ("n3", "later")),
    (",bf_job_part_count_reserve=1", ["-p two -n4 -t 20", "-p two -n4 -t 30"], (None, "never")),
    (",bf_job_part_count_reserve=1", ["-p two -n4 -t 20", "-p two -n4 -t 30 --qos=nores"], (None, "never")),
]  # fmt: skip


def main():
    tally = Tally()
    for more, jobs, told in CASES:
        is_open = more == "OPEN"
        with lab(CONF.format(more="" if is_open else more), sacctmgr=ACCOUNTS.replace("node=1", "node=9") if is_open else ACCOUNTS) as one:
            one.sub("--uid=bo -p one -w n2 -n4 -t 300")
            ids = hold(one, HELD[:1] + HELD[2:])
            base = one.cluster.clock.now()
            numbers = [one.sub(f"--uid=di {words}") for words in jobs]
            one.rest(50)
            job = one.job(numbers[-1])
            print("      ", {k: job.get(k) for k in ("JobState", "Partition", "Reason", "StartTime", "SchedNodeList", "LastSchedEval")}, "now", int(base) % 86400 // 3600, int(base) % 3600 // 60)
            start = job.get("StartTime", "Unknown")
            when = "never"
            if start[:2] == "20":
                h, m = int(start[11:13]), int(start[14:16])
                when = "soon" if h * 60 + m - int(base) % 86400 // 60 < 30 else "later"
            tally.note(f"{more or '-':30} {'; '.join(jobs):50}", (job.get("SchedNodeList"), when), told)
            release(one, [*ids, *numbers])
    return tally.close()


if __name__ == "__main__":
    sys.exit(main())
