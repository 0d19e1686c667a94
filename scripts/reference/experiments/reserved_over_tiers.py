#!/usr/bin/env python3
# scripts/reference/experiments/reserved_over_tiers.py — whether a job that could preempt another is looked at before that one's reservation counts (scheduling.md §3.2 rules 1 and 2).
"""Two jobs wait for the one licence; node n2 is reserved. Printed: which of them a cycle starts once the licence is free. About two minutes."""
import sys

from lab import Tally, hold, lab, release

CONF = """\
SelectType=select/cons_tres
SelectTypeParameters=CR_Core
SchedulerType=sched/backfill
PriorityType=priority/basic
SchedulerParameters=sched_interval=-1,bf_interval=10,bf_continue
AccountingStorageEnforce=associations,qos
PreemptType={plugin}
PreemptMode=REQUEUE
Licenses=one:1
NodeName=n[1-3] CPUs=4 RealMemory=4000
PartitionName=high Nodes=n1 MaxTime=INFINITE State=UP {high}
PartitionName=low Nodes=n[2-3] Default=YES MaxTime=INFINITE State=UP
PartitionName=wide Nodes=n[1-3] MaxTime=INFINITE State=UP
PartitionName=off Nodes=n[1-3] MaxTime=INFINITE State=UP {off}
"""
QOS = "add qos below\nadd qos above preempt=below\nadd account red\nadd user di Account=red\nmodify user di set qos=normal,below,above defaultqos=normal\n"
PARTITIONS = ("preempt/partition_prio", "PriorityTier=2", "PreemptMode=OFF")
BY_QOS = ("preempt/qos", "", "")
CASES = [
    (PARTITIONS, "-p low --reservation=r", "-p high", "first"),
    (PARTITIONS, "-p wide --reservation=r", "-p high", "second"),
    (PARTITIONS, "-p wide -w n2 --reservation=r", "-p high", "second"),
    (PARTITIONS, "-p off --reservation=r", "-p high", "second"),
    (PARTITIONS, "-p low", "-p high", "second"),
    (PARTITIONS, "-p low --reservation=r", "-p low", "first"),
    (BY_QOS, "-p low --qos=below --reservation=r", "-p high --qos=above", "second"),
    (BY_QOS, "-p wide --qos=below --reservation=r", "-p high --qos=above", "second"),
    (BY_QOS, "-p low --qos=normal --reservation=r", "-p high --qos=above", "first"),
]  # fmt: skip


def ask(one, jobs):
    held = hold(one, ["--uid=di -p low -n1 -t 100 -L one:1"])
    waiting = [one.sub(f"--uid=di -n1 -t 10 -L one:1 {words}") for words in jobs]
    one.rest(15)
    release(one, held)
    one.until(lambda: any(one.job(number).get("JobState") == "RUNNING" for number in waiting), 60)
    states = [one.job(number).get("JobState") for number in waiting]
    release(one, waiting)
    return " ".join(name for name, state in zip(("first", "second"), states) if state == "RUNNING")


def main():
    tally = Tally()
    for asked in (PARTITIONS, BY_QOS):
        plugin, high, off = asked
        with lab(CONF.format(plugin=plugin, high=high, off=off), sacctmgr=QOS) as one:
            one.out("scontrol create reservation ReservationName=r Users=di StartTime=now Duration=1000 Nodes=n2")
            one.rest(10)
            for of, first, second, told in CASES:
                if of == asked:
                    tally.note(f"{plugin:22} {first:38} {second:24}", ask(one, [first, second]), told)
    return tally.close()


if __name__ == "__main__":
    sys.exit(main())
