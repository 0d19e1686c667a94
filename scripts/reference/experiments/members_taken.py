#!/usr/bin/env python3
# scripts/reference/experiments/members_taken.py — which members of a reservation are refused at their submission (lifecycle.md §13).
"""Reservations of whole nodes and of cores, alone and under another one, active and to come; members that fit, are too large for its cores or its
nodes, ask for what its nodes do not have, or name a node. Prints what becomes of each. About four minutes."""
import sys

from lab import Tally, lab

CONF = """\
SelectType=select/cons_tres
SelectTypeParameters=CR_Core
SchedulerType=sched/backfill
SchedulerParameters=bf_interval=5,sched_interval=5
PriorityType=priority/basic
GresTypes=gpu
NodeName=n[1-2] Sockets=1 CoresPerSocket=4 ThreadsPerCore=1 RealMemory=4000 Gres=gpu:2 Feature=g
NodeName=n[3-4] Sockets=1 CoresPerSocket=4 ThreadsPerCore=1 RealMemory=4000 Feature=f
PartitionName=all Nodes=ALL MaxTime=INFINITE State=UP Default=YES
PartitionName=two Nodes=ALL MaxTime=INFINITE State=UP
"""
GRES = "NodeName=n[1-2] Name=gpu File=/dev/nvidia[0-1]\n"
MEMBERS = ("-n1", "-n3", "-n9", "-N2", "-C g", "--gres=gpu:1", "--mem=9000", "-w n1", "-w n3 -n3", "-p all,two -n3", "-p all,two --gres=gpu:1")
NO, WAITS, TAKEN = "refused", "Resources", "ReqNodeNotAvail,_Reserved_for_maintenance"
LATER = ["Reservation"] * 11
# its nodes, another one over them, and what becomes of MEMBERS: the nodes they get, why they wait, or that they are refused
CASES = [
    ("Nodes=n3", "", ["n3", "n3", NO, NO, NO, NO, NO, NO, "n3", "n3", NO]),
    ("CoreCnt=2 Nodes=n3", "", ["n3", WAITS, NO, NO, NO, NO, NO, NO, WAITS, "Priority", NO]),
    ("CoreCnt=2,2 Nodes=n3,n4", "", ["n3", "n[3-4]", NO, "n[3-4]", NO, NO, NO, NO, "n[3-4]", "n[3-4]", NO]),
    ("CoreCnt=2 Nodes=n1", "", ["n1", WAITS, NO, NO, "n1", "n1", NO, "n1", NO, "Priority", "n1"]),
    ("Nodes=n3 StartTime=now+30minutes", "", LATER),
    ("CoreCnt=2 Nodes=n3 StartTime=now+30minutes", "", LATER),
    ("CoreCnt=2 Nodes=n3 Flags=OVERLAP", "Nodes=n3 Flags=MAINT,OVERLAP", [TAKEN] * 7 + [NO, NO, TAKEN, TAKEN]),
    ("Nodes=n3 Flags=OVERLAP", "Nodes=n3 Flags=MAINT,OVERLAP", [TAKEN] * 7 + [NO, NO, TAKEN, TAKEN]),
    ("Nodes=n3", "Nodes=n3 Flags=OVERLAP", [TAKEN] * 7 + [NO, NO, TAKEN, TAKEN]),
    ("CoreCnt=2 Nodes=n3", "Nodes=n3,n4 Flags=OVERLAP", [TAKEN] * 7 + [NO, NO, TAKEN, TAKEN]),
    ("Nodes=n3,n4 Flags=OVERLAP", "Nodes=n3 Flags=MAINT,OVERLAP", ["n4", "n4", NO, NO, NO, NO, NO, NO, NO, "n4", NO]),
    ("Nodes=n2,n3", "Nodes=n2 Flags=MAINT,OVERLAP", ["n3", "n3", NO, NO, NO, NO, NO, NO, "n3", "n3", NO]),
]


def became(one, words):
    number = one.sub(f"{words} -t 5 --reservation=r")
    if not number.isdigit():
        return NO if "Requested node configuration is not available" in number else number
    one.rest(12)
    job = one.job(number)
    one.out(f"scancel {number}")
    one.rest(12)
    return job.get("NodeList") if job.get("JobState") == "RUNNING" else job.get("Reason")


def main():
    tally = Tally()
    with lab(CONF, GRES) as one:
        for own, other, told in CASES:
            start = "" if "StartTime" in own else "StartTime=now "
            print(one.out(f"scontrol create reservation ReservationName=r Users=root {start}Duration=200 {own}"), own, flush=True)
            if other:
                print(one.out(f"scontrol create reservation ReservationName=m Users=nobody StartTime=now Duration=200 {other}"), other, flush=True)
            one.rest(15)
            for words, expected in zip(MEMBERS, told):
                tally.note(f"  {words:26}", became(one, words), expected)
            one.out("scontrol delete ReservationName=r")
            one.out("scontrol delete ReservationName=m")
            one.rest(5)
    return tally.close()


if __name__ == "__main__":
    sys.exit(main())
