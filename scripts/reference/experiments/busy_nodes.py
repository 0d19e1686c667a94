#!/usr/bin/env python3
# scripts/reference/experiments/busy_nodes.py — bf_busy_nodes: how many nodes a plan is made of where those that are busy do not have the CPUs (scheduling.md §6.4, rule 2).
"""Nodes of 8 cores: n1 and m1 are idle, the others held in part and for so long that jobs leave after 10, 30, 60 and 120 minutes. Each job has to wait; the
nodes that it is planned on, and in how many minutes. Told: a group (the busy nodes of a weight, then its idle ones) ends behind the node with which the job has
its most nodes, but not the choice. About five minutes."""
import sys
import time

from lab import Tally, hold, lab, release

CONF = """\
SelectType={select}
SelectTypeParameters=CR_Core
SchedulerType=sched/backfill
PriorityType=priority/basic
SchedulerParameters=sched_interval=50000,bf_interval=5,bf_busy_nodes,bf_window=1000,bf_resolution=60
NodeName=n[1-4] Sockets=1 CoresPerSocket=8 ThreadsPerCore=1 RealMemory=64000 Weight=1
NodeName=m[1-2] Sockets=1 CoresPerSocket=8 ThreadsPerCore=1 RealMemory=64000 Weight=5
NodeName=e[1-3] Sockets=1 CoresPerSocket=8 ThreadsPerCore=1 RealMemory=64000 Weight=1
NodeName=w1 Sockets=1 CoresPerSocket=5 ThreadsPerCore=1 RealMemory=64000 Weight=1
PartitionName=edge Nodes=e[1-3],w1 MaxTime=INFINITE State=UP
PartitionName=all Nodes=n[1-4],m[1-2] Default=YES MaxTime=INFINITE State=UP
NodeName=k1 Sockets=1 CoresPerSocket=2 ThreadsPerCore=1 RealMemory=64000 Weight=1
PartitionName=low Nodes=n[1-4] MaxTime=INFINITE State=UP
PartitionName=few Nodes=n[2-4],k1 MaxTime=INFINITE State=UP
"""
HELD = ("-w n2 -n4 -t 30", "-w n3 -n4 -t 60", "-w n4 -n1 -t 10", "-w n4 -n5 -t 120", "-w m2 -n2 -t 120")
HELD_AT_THE_EDGE = ("-p edge -w e1 -n4 -t 30", "-p edge -w e2 -n4 -t 60", "-p edge -w e3 -n6 -t 10", "-p edge -w e3 -n2 -t 120")
# the job; what select/cons_tres and select/cons_res do.
CASES = (
    ("-p low -N2 -n16", "n[1-3] 10", "n[1-2] 30"),
    ("-p low -N2 -n14", "n[1-3] 10", "n[1-2] 30"),
    ("-p low -N2 -n13", "n[1-3] 10", "n[1-2] 30"),
    ("-p low -N1-2 -n14", "n[1-3] 10", "n[1-2] 30"),
    ("-p low -N3 -n17", "n[1-4] 10", "n[1-3] 30"),
    ("-p low -N3 -n20", "n[1-4] 30", "n[1-3] 30"),
    ("-p low -N3 -n24", "n[1-4] 60", "n[1-3] 60"),
    ("-p low -N2 --ntasks-per-node=8", "n[1-2] 30", "n[1-2] 30"),
    ("-p low -N2 -n16 -w n2", "n[1-3] 10", "n[1-2] 30"),
    ("-p low -N1 -n6 -x n1", "n2 30", "n2 30"),
    ("-p low -N2 -n10 -x n1", "n[2-3] 30", "n[2-3] 30"),
    ("-N3 -n23", "n[1-4] 30", "m2,n[2-3] 120"),
    ("-N3 -n24", "m[1-2],n[1-2] 30", "m2,n[2-3] 120"),
    ("-N4 -n27", "m[1-2],n[1-3] 10", "m[1-2],n[1-2] 30"),
    ("-N5 -n31", "m[1-2],n[1-4] 10", "m[1-2],n[1-3] 30"),
    ("-p low -N1 -n6 -w n2", "n2 30", "n2 30"),
    ("-p low -N2 -n14 -w n[2-3]", "n[2-3] 60", "n[2-3] 60"),
    ("-p few -N2 -n11", "k1,n[2-3] 30", "n[2-3] 30"),
    ("-p few -N2 -n10", "k1,n[2-3] 10", "n[2-3] 30"),
    ("-p few -N1 -n6", "n2 30", "n2 30"),
    ("-p edge -N1-3 -n15", "e[1-3],w1 10", "e[2-3],w1 10"),
    ("-p edge -N3 -n15", "e[1-3],w1 10", "e[2-3],w1 10"),
    ("-p edge -N2 -n12", "e[1-2],w1 10", "e[1-2] 30"),
    ("-p edge -N1-3 -n16", "e[1-3],w1 10", "e[1-3] 30"),
    ("-N3 -n22 -x n1", "m[1-2],n[2-3] 10", "m[1-2],n2 30"),
    ("-N2 -n15 -x n[1-2]", "m[1-2],n3 10", "m2,n3 120"),
)


def plan(one, words, began):
    """`NODES MINUTES` of the plan of such a job, by the minutes at which those held end."""
    number = one.sub(f"{words} -t 300")
    if not number.isdigit():
        return number
    one.until(lambda: one.job(number).get("SchedNodeList") or one.job(number).get("JobState") == "RUNNING", 60)
    job = one.job(number)
    release(one, [number])
    if job.get("JobState") == "RUNNING":
        return f"runs on {job.get('NodeList')}"
    if not job.get("SchedNodeList"):
        return "no plan"
    start = time.mktime(time.strptime(job["StartTime"], "%Y-%m-%dT%H:%M:%S"))
    return f"{job['SchedNodeList']} {min((10, 30, 60, 120), key=lambda minutes: abs(start - began - 60 * minutes))}"


def main():
    tally = Tally()
    for at, select in enumerate(("select/cons_tres", "select/cons_res")):
        with lab(CONF.format(select=select)) as one:
            for words, *answers in CASES:
                held = hold(one, HELD_AT_THE_EDGE if "edge" in words else HELD)
                began = time.mktime(time.strptime(one.job(held[0])["StartTime"], "%Y-%m-%dT%H:%M:%S"))
                tally.note(f"  {select.partition('/')[2]} {words:34}", plan(one, words, began), answers[at])
                release(one, held)
    return tally.close()


if __name__ == "__main__":
    sys.exit(1 if main() else 0)
