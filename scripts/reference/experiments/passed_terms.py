#!/usr/bin/env python3
# scripts/reference/experiments/passed_terms.py — where backfill plans a job of counted features of which one has no nodes there (scheduling.md §8.7 step 6).
"""Partitions of some of the nodes, each with `all` behind it, so that the job is no impossible one. Printed: the nodes that are planned, and
whether from now on or how many minutes later, with select/linear and with select/cons_tres. About three minutes."""
import sys
from datetime import datetime

from lab import Tally, lab, release

CONF = """\
SelectType=select/{select}
SchedulerType=sched/backfill
SchedulerParameters=sched_interval=10,bf_interval=10,bf_window=2880
PriorityType=priority/basic
NodeName=a[1-3] CPUs=8 RealMemory=4000 Feature=a
NodeName=b[1-2] CPUs=8 RealMemory=4000 Feature=b
NodeName=c[1-2] CPUs=8 RealMemory=4000 Feature=c
NodeName=d[1-2] CPUs=2 RealMemory=4000 Feature=d
PartitionName=all Nodes=ALL Default=YES MaxTime=INFINITE State=UP
PartitionName=as Nodes=a[1-3] MaxTime=INFINITE State=UP
PartitionName=ab Nodes=a[1-3],b1 MaxTime=INFINITE State=UP
PartitionName=ac Nodes=a[1-3],c[1-2] MaxTime=INFINITE State=UP
"""
# nodes held for so many minutes, what is asked, the planned nodes and whether from now on (of linear before the stroke)
CASES = [
    ({"b1": 60, "b2": 90}, [
        ("-p as,all -C [a*1&b*1] -N2 -n2", "a[1-2] now"), ("-p as,all -C [b*1&a*1] -N2 -n2", "a1,b1 60"), ("-p as,all -C [a*1&b*1] -N2 -n8", "a[1-2] now"), ("-p as,all -C [a*1&b*1] -N2 -n16", "a[1-2],b[1-2] 90"),
        ("-p ac,all -C [a*1&b*1&c*1] -N3 -n3", "a[1-3] now"), ("-p ac,all -C [c*1&b*1&a*1] -N3 -n3", "a[1-2],c1 now"), ("-p ac,all -C [b*1&a*1&c*1] -N3 -n3", "a1,b1,c1 60"), ("-p ac,all -C [a*1&c*1&b*1] -N3 -n3", "a1,c[1-2] now"),
        ("-p ab,all -C [a*1&b*2] -N3 -n3", "a[1-3] now"), ("-p as,all -C [a*2&b*1] -N3 -n3", "a[1-3] now"), ("-p as,all -C [a*1&b*1] -N2-4 -n4", "a[1-3] now"), ("-p as,all -C [a*1&b*1] -N4 -n4", "a[1-3],b1 60"),
        ("-p as,all -C [a*2&b*1] -N2 -n2", "a[1-2],b1 60"),
    ]),
    ({"a1": 60, "a2,a3": 90}, [
        ("-C [a*1&d*1] -N2 -n8", "a1,c2 60 / a1,b1 60"), ("-C [d*1&a*1] -N2 -n8", "None never"), ("-C [a*1&d*1] -N2 -n2", "a1,d1 60"), ("-C [b*1&a*1&d*1] -N3 -n8", "a1,b1,c2 60 / a1,b[1-2] 60"), ("-C [a*1&b*1&d*1] -N3 -n9", "None never"),
    ]),
]  # fmt: skip


def planned(one, words, since):
    number = one.sub(words + " -t 300")
    if not number.isdigit():
        return number
    one.until(lambda: one.job(number).get("SchedNodeList") or one.job(number).get("JobState") == "RUNNING", 45)
    job = one.job(number)
    one.out(f"scancel {number}")
    if job.get("JobState") == "RUNNING":
        one.rest(20)
        return f"runs {job.get('NodeList')}"
    at = job.get("StartTime", "Unknown")
    minutes = "never" if at == "Unknown" else round((datetime.fromisoformat(at) - since).total_seconds() / 60)
    if at != "Unknown" and minutes < 50:  # nobody ends that early
        minutes = "now"
    return f"{job.get('SchedNodeList')} {minutes}"


def main():
    tally = Tally()
    for select in sys.argv[1:] or ("linear", "cons_tres\nSelectTypeParameters=CR_Core"):
        with lab(CONF.format(select=select)) as one:
            for holders, questions in CASES:
                held = [one.sub(f"-w {nodes} -N{nodes.count(',') + 1} --exclusive -t {minutes}") for nodes, minutes in holders.items()]
                one.until(lambda held=held: all(one.job(i).get("JobState") == "RUNNING" for i in held), 60)
                since = max(datetime.fromisoformat(one.job(i)["StartTime"]) for i in held)
                for words, told in questions:
                    tally.note(f"{select.partition(chr(10))[0]:10} {words:40}", planned(one, words, since), told.split(" / ")[0 if select == "linear" else -1])
                release(one, held)
    return tally.close()


if __name__ == "__main__":
    sys.exit(main())
