#!/usr/bin/env python3
# scripts/reference/experiments/reserved_features.py — which Features= of a reservation are taken, and which nodes they lead to (lifecycle.md §13).
"""Six idle nodes, n1 to n4 with a and b, n5 and n6 with b and c. Printed are the nodes, or "refused" for Invalid feature specification. About a minute."""
import re
import sys

from lab import Tally, lab

CONF = """\
SelectType=select/cons_tres
SelectTypeParameters=CR_Core
PriorityType=priority/basic
SchedulerParameters=bf_interval=-1,sched_interval=-1
NodeName=n[1-4] Sockets=1 CoresPerSocket=4 ThreadsPerCore=1 RealMemory=64000 Feature=a,b
NodeName=n[5-6] Sockets=1 CoresPerSocket=4 ThreadsPerCore=1 RealMemory=64000 Feature=b,c
PartitionName=all Nodes=n[1-6] Default=YES MaxTime=1-0 State=UP
"""
BAD = "Invalid feature specification"
NOT = "Requested operation not supported on this system"
CREATED = [
    ("a", "n[1-2]"), ("a|b", "n[1-2]"), ("a&b", "n[1-2]"), ("a,b", "n[1-2]"), ("b&c", "n[5-6]"), ("c|a", "n[1-2]"), ("a*2", "n[1-2]"), ("b*1&c", "n[1-2]"), ("b&c*1", "n[1-2]"), ("(a|c)&b", "n[1-2]"), ("c&(a|b)", "n[5-6]"),
    ("[a*1&b*1]", "n[1-2]"), ("[a*1&c*1]", "n[1,5]"), ("[c*1&a*1]", "n[1,5]"), ("a*1&c*1", "n[1-2]"), ("c*1&b*1", "n[1-2]"), ("[c]", "n[5-6]"), ("[c]&b", "n[5-6]"), ("[c*1]&b", "n[1-2]"), ("c*1|b", "n[1-2]"), ("[c*2&b*1]", "n[1,5-6]"), ("[a*1&c*1]&b", "n[1-2,5]"), ("(c)", "n[5-6]"), ("[c*1]", "n[1-2]"), ("[a]", "n[1-2]"), ("a|c*1", "n[1-2]"), ("[(a&b)*1&c*1]", "n[1,5]"),
    ("[a|b]", BAD), ("[a|c]", BAD), ("[a&b]", BAD), ("[a*2|c*1]", BAD), ("[a*1|b*1]&b", BAD), ("[a*1&c]", BAD), ("zz", BAD), ("a&zz", BAD), ("[a*1&zz*1]", BAD), ("a&&b", BAD), ("a*x", BAD), ("[a*1&b*1", BAD), ("[c]|[a]", BAD), ("(a&b", BAD), ("A", BAD),
]  # fmt: skip


def main():
    tally = Tally()
    with lab(CONF) as one:
        for features, told in CREATED:
            said = one.out(f"scontrol create reservation ReservationName=r StartTime=now+1hour Duration=10 NodeCnt=2 Users=root 'Features={features}'")
            shown = re.search(r" Nodes=(\S+)", one.out("scontrol -o show reservation r"))
            tally.note(f"created {features:20}", shown[1] if shown else said.rpartition(": ")[2].splitlines()[0], told)
            one.out("scontrol delete ReservationName=r")
        one.out("scontrol create reservation ReservationName=r StartTime=now+1hour Duration=10 NodeCnt=2 Users=root Features=a")
        for features, told in (("Features=[a|b]", NOT), ("Features=c", NOT), ("NodeCnt=2 Features=c", NOT), ("NodeCnt=3", "n[1-3]"), ("Features=", "n[1-3]"), ("NodeCnt=5", "n[1-5]")):
            said = one.out(f"scontrol update reservation ReservationName=r {features}")
            shown = re.search(r" Nodes=(\S+)", one.out("scontrol -o show reservation r"))[1]
            tally.note(f"updated {features:20}", shown if said.startswith("Reservation updated") or not said else said.rpartition(": ")[2].splitlines()[0], told)
    return tally.close()


if __name__ == "__main__":
    sys.exit(main())
