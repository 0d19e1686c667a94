#!/usr/bin/env python3
# scripts/reference/experiments/maintenance_over.py — what "Reserved for maintenance" of waiting jobs becomes when a reservation goes (lifecycle.md §13).
"""No pass runs but for what a submission or a deletion asks. m and its like are reservations of one node each, k is one far ahead. Printed: each job's state and Reason after its submission, and again when the named
reservation was purged, deleted, moved on to its next day or is over and still used. About six minutes."""
import sys

from lab import Tally, lab

CONF = """\
SchedulerType=sched/builtin
SchedulerParameters=sched_interval=3600
SelectType=select/cons_tres
SelectTypeParameters=CR_Core
NodeName=n[1-4] Sockets=1 CoresPerSocket=4 ThreadsPerCore=1 RealMemory=16000
PartitionName=x1 Nodes=n1 MaxTime=INFINITE State=UP Default=YES
PartitionName=x2 Nodes=n2 MaxTime=INFINITE State=UP
PartitionName=x3 Nodes=n[3-4] MaxTime=INFINITE State=UP
"""
MAINT, MAYBE = "PENDING ReqNodeNotAvail,_Reserved_for_maintenance", "PENDING ReqNodeNotAvail,_May_be_reserved_for_other_job"
NONE, HELD, RUNS = "PENDING None", "PENDING JobHeldUser", "RUNNING None"
FAR = ("k", "n2", "50minutes", 60, "MAINT")
# What is made (name, node, start, minutes, flags); what then happens, and the Reasons of jobs on n1, n2, n3 and of a held one after it.
CASES = [
    ([("m", "n1", "1minute", 3, "MAINT"), FAR], "over", (NONE, NONE, None, HELD)),
    ([("m", "n1", "1minute", 3, "MAINT,FLEX"), FAR], "over", (NONE, NONE, None, HELD)),
    ([("m", "n1", "1minute", 3, "MAINT,DAILY"), FAR], "over", (MAINT, MAINT, None, HELD)),
    ([("p", "n3", "1minute", 3, ""), FAR], "over", (None, MAINT, MAYBE, HELD)),
    ([("m", "n1", "30minutes", 3, "MAINT"), FAR], "scontrol delete ReservationName=m", (RUNS, MAINT, None, HELD)),
    ([("p", "n3", "30minutes", 3, ""), FAR], "scontrol delete ReservationName=p", (None, MAINT, RUNS, HELD)),
    ([("m", "n1", "30minutes", 3, "MAINT"), FAR], "scontrol update ReservationName=m Duration=4", (MAINT, MAINT, None, HELD)),
]


def main():
    tally = Tally()
    for made, happens, told in CASES:
        with lab(CONF) as one:
            for name, node, start, minutes, flags in made:
                one.out(f"scontrol create reservation ReservationName={name} Nodes={node} StartTime=now+{start} Duration={minutes} Users=root" + (f" Flags={flags}" if flags else ""))
            jobs = [one.sub(words) for words in ("-p x1 -n4 -t 60", "-p x2 -n4 -t 60", "-p x3 -w n3 -n4 -t 60", "-H -p x1 -n4 -t 60")]
            one.rest(20)
            if happens == "over":
                one.rest(310)
            else:
                one.out(happens)
                one.rest(10)
            for job, where, expected in zip(jobs, ("n1", "n2", "n3", "n1, held"), told):
                if expected is not None:
                    tally.note(f"{made[0][4] or 'plain'} {happens} | job on {where} |", " ".join(one.job(job).get(key) for key in ("JobState", "Reason")), expected)
    return tally.close()


if __name__ == "__main__":
    sys.exit(main())
