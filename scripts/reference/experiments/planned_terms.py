#!/usr/bin/env python3
# scripts/reference/experiments/planned_terms.py — where backfill plans a job of counted features (scheduling.md §8.7 step 6).
"""Three clusters of nodes a1, a2 … with `old` and b1, b2 … with `new`. Each case: who holds nodes for how many minutes, and what is asked; printed: the nodes that are planned, and
how many minutes after the last holder's start, with select/linear and with select/cons_tres. About four minutes."""
import sys
from datetime import datetime

from lab import Tally, lab, release

CONF = """\
SelectType=select/{select}
SchedulerType=sched/backfill
SchedulerParameters=sched_interval=10,bf_interval=10,bf_window=2880
PriorityType=priority/basic
{nodes}PartitionName=all Nodes=ALL Default=YES MaxTime=INFINITE State=UP
"""
# nodes, then who holds them; what is asked, the planned nodes and the minutes
CLUSTERS = [
("NodeName=a[1-4] CPUs=4 RealMemory=4000 Feature=old,any\nNodeName=b[1-3] CPUs=4 RealMemory=4000 Feature=new,any\n", [
    ({"a1,b1": 100, "a2,b2": 200, "b3": 200}, [
        ("-C [old*1&new*1] -N2 -n2", "a3,b1 100"), ("-C [new*1&old*1] -N2 -n2", "a3,b1 100"), ("-C [old*2&new*1] -N3 -n3", "a[3-4],b1 100"), ("-C [old*1&new*1] -N3 -n3", "a[3-4],b1 100"),
        ("-C [old*1&new*1] -N2 -n8", "a[3-4],b[1-2] 200"), ("-C [old*1&new*2] -N3 -n3", "a3,b[1-2] 200"), ("-C [new*2] -N2 -n2", "b[1-2] 200"), ("-C [new*1] -N2 -n2", "a3,b1 100"),
        ("-C [new*1&any*1] -N2 -n2", "a3,b1 100"), ("-C [any*1&new*1] -N2 -n2", "a3,b1 100"), ("-C [old*1&new*1] -N2-4 -n3", "a[3-4],b1 100"), ("-C [any*1&any*1&new*1] -N3 -n3", "a[3-4],b1 100"),
    ]),
    ({"a1": 150, "a2": 50, "a3,a4": 170, "b1,b2,b3": 200}, [
        ("-C [old*1&new*1] -N2 -n2", "a2,b1 200"), ("-C [new*1&old*1] -N2 -n2", "a2,b1 200"), ("-C [old*2&new*1] -N3 -n3", "a[1-2],b1 200"), ("-C [old*1&new*1] -N4 -n4", "a[2-4],b1 200"),
    ]),
]),
("NodeName=a[1-6] CPUs=4 RealMemory=4000 Feature=old,any\nNodeName=b[1-4] CPUs=4 RealMemory=4000 Feature=new,any\nNodeName=c[1-2] CPUs=4 RealMemory=4000 Feature=other,any\n", [
    ({"a1,b1": 100, "a2,b2": 200, "b3,b4": 250, "c1": 120}, [
        ("-C [old*1&new*1] -N2-4 -n4", "a[3-4],b1,c2 100"), ("-C [old*1&new*1] -N2-3 -n4", "a3,b1,c2 100"), ("-C [old*1&new*1] -N2-4", "a[3-4],b1,c2 100"), ("-C [old*1&new*1] -N2 -n5", "a[3-4],b[1-2] 200"),
        ("-C [old*1&new*1] -N2 -n4", "a3,b1 100"), ("-C [old*1&new*1] -N3 -n9", "a[3-5],b[1-3] 250"), ("-C [old*1&new*1] -N2-4 -n9", "a[3-5],b[1-3] 250"), ("-C [old*1&new*1] -N4 -n16", "a[3-6],b[1-4] 250"),
        ("-C [new*1] -n8", "b[1-2] 200"), ("-C [new*1] -N1-2 -n2", "b1,c2 100"), ("-C [new*1] -n5", "b[1-2] 200"), ("-C [old*1&new*1] -N4 -n4", "a[3-5],b1 100"),
        ("-C [new*1] -N4 -n4", "a[3-5],b1 100"), ("-C [new*1] -N4 -n7", "a[3-4],b[1-2] 200"), ("-C [new*1] -N7 -n7", "a[3-6],b[1-2],c2 200"), ("-C [old*1&new*1] -N2 -n4 -c2", "a[3-4],b[1-2] 200"),
        ("-C [old*1&new*1] -N2 --ntasks-per-node=2", "a[3-4],b[1-2] 200"), ("-C [old*1&new*1] -N2 --ntasks-per-node=4", "a[3-4],b[1-2] 200"), ("-C [old*2&new*1] -N3 -n6", "a[3-4],b[1-2] 200"), ("-C [old*2&new*1] -N3 -n5", "a[3-4],b[1-2] 200"),
        ("-C [old*2&new*1] -N3 -n12", "a[3-5],b[1-3] 250"), ("-C [old*2&new*1] -N2 -n2", "a[3-4],b1 100"),
    ]),
]),
("NodeName=a[1-6] CPUs=4 RealMemory=4000 Feature=old,any\nNodeName=b[1-4] CPUs=8 RealMemory=4000 Feature=new,any\nNodeName=c[1-2] CPUs=4 RealMemory=4000 Feature=other,any\n", [
    ({"a1,b1": 50, "a2": 100, "c1": 120, "b2": 120, "a3,a4,a5,a6,b3,b4,c2": 250}, [
        ("-C [old*1&new*1] -N3 -n3", "a[1-2],b1 50"), ("-C [old*1&new*1] -N2-3 -n3", "a[1-2],b1 50"), ("-C [old*1&new*1] -N2-4 -n4", "a[1-2],b1 50"), ("-C [new*1] -N2 -n8", "b[1-2] 50"),
        ("-C [new*1] -N1-2 -n8", "b[1-2] 50"), ("-C [new*1] -N2 -n3", "a1,b1 50"), ("-C [old*2] -N2 -n2 -w a4", "a[4-5] 250"), ("-C old*1&new*1 -N2 -n2", "a1,b1 50"),
        ("-C [old*1&new*1] -N2-3 -n2 --exclusive", "a1,b1 50"), ("-C [new*1] -N2 -n2 -x b1", "a1,b2 120"), ("-C [new*1&old*1] -N2 -n2 --contiguous", "a1,b1 50"),
    ]),
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
    return f"{job.get('SchedNodeList')} {minutes}"


def main():
    tally = Tally()
    for select in sys.argv[1:] or ("linear", "cons_tres\nSelectTypeParameters=CR_Core"):
        for nodes, cases in CLUSTERS:
            with lab(CONF.format(select=select, nodes=nodes)) as one:
                for holders, questions in cases:
                    held = [one.sub(f"-w {nodes} -N{nodes.count(',') + 1} --exclusive -t {minutes}") for nodes, minutes in holders.items()]
                    one.until(lambda held=held: all(one.job(i).get("JobState") == "RUNNING" for i in held), 60)
                    since = max(datetime.fromisoformat(one.job(i)["StartTime"]) for i in held)
                    for words, told in questions:
                        tally.note(f"{select.partition(chr(10))[0]:10} {words:32}", planned(one, words, since), told)
                    release(one, held)
    return tally.close()


if __name__ == "__main__":
    sys.exit(main())
