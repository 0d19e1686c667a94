#!/usr/bin/env python3
# scripts/reference/experiments/count_reserve.py — whether a job that preempts keeps its nodes from others in that cycle (scheduling.md §8.7 step 13).
"""n1 is held by a job that may be preempted, n3 by one that may not, n2 is idle. In one backfill cycle are tested: one that waits for n3, and so is
planned; one that wants n1 and n2, and preempts; one of a CPU on n2, that could start there unless the second is planned on it. Printed: who of
the last two runs after some cycles, under each set of keys, and whether that is as the text says."""
import sys

from lab import Tally, hold, lab

CONF = """\
SelectType=select/cons_tres
SelectTypeParameters=CR_Core
SchedulerType=sched/backfill
SchedulerParameters=sched_interval=-1,bf_interval=10{keys}
PriorityType=priority/basic
PreemptType=preempt/qos
PreemptMode=REQUEUE
AccountingStorageEnforce=associations,limits,qos
NodeName=n[1-3] Sockets=1 CoresPerSocket=4 ThreadsPerCore=1 RealMemory=16000
PartitionName=all Nodes=n[1-3] Default=YES MaxTime=INFINITE State=UP
PartitionName=other Nodes=n[1-3] MaxTime=INFINITE State=UP
"""
ACCOUNTS = "add account red\nadd user ada Account=red\nadd qos low\nadd qos high\nmodify qos high set preempt=low\nmodify user ada set qos=normal,low,high defaultqos=normal\n"
WAITS = "-w n3 -n4 -t 60"
# (keys, the first of the three, who runs by the text)
CASES = [
    ("", WAITS, "second"), (",bf_job_part_count_reserve=1", WAITS, "third"), (",bf_job_part_count_reserve=2", WAITS, "second"),
    (",bf_job_part_count_reserve=1", "", "second"), (",bf_job_part_count_reserve=1", f"-p other {WAITS}", "second"), (",bf_min_age_reserve=5000", WAITS, "second"),
]  # fmt: skip


def main():
    tally = Tally()
    for keys, first, told in CASES:
        with lab(CONF.format(keys=keys), sacctmgr=ACCOUNTS) as one:
            hold(one, ["--uid=ada --qos=low -w n1 -n4 -t 600", "--uid=ada -w n3 -n4 -t 600"])
            for partition in ("all", "other"):
                one.out(f"scontrol update partitionname={partition} state=down")
            ids = [one.sub(f"--uid=ada {words}") for words in ([first] if first else []) + ["--qos=high -N2 -x n3 --exclusive -t 60", "-n1 -w n2 -t 60"]]
            for partition in ("all", "other"):
                one.out(f"scontrol update partitionname={partition} state=up")
            one.rest(100)
            running = [name for name, number in zip(("second", "third"), ids[-2:]) if one.job(number).get("JobState") == "RUNNING"]
            got = " ".join(running) or "none"
            tally.note(f"{keys[1:]:28} {first:28}", got, told)
    return tally.close()


if __name__ == "__main__":
    sys.exit(main())
