#!/usr/bin/env python3
# scripts/reference/experiments/time_min.py — which --time-min are refused, at submission and by an update (lifecycle.md §2, §10.1).
"""Held jobs of root and of an ordinary user. Printed are TimeLimit and TimeMin, or "refused". About a minute."""
import sys

from lab import Tally, lab

CONF = """\
SelectType=select/cons_tres
SelectTypeParameters=CR_Core
PriorityType=priority/basic
AccountingStorageEnforce=associations,limits,qos
SchedulerParameters=bf_interval=-1,sched_interval=-1
NodeName=n1 Sockets=1 CoresPerSocket=4 ThreadsPerCore=1 RealMemory=64000
PartitionName=day Nodes=n1 Default=YES MaxTime=1-0 State=UP
PartitionName=half Nodes=n1 MaxTime=60 DefaultTime=30 State=UP
PartitionName=ever Nodes=n1 MaxTime=UNLIMITED State=UP
"""
ACCOUNTS = """\
add account red
add qos short MaxWall=20
add qos loose Flags=PartitionTimeLimit
modify qos normal set Priority=0
add user di Account=red QOS=normal,short,loose DefaultQOS=normal
"""
BAD = "Invalid time-min specification (exceeds job's time or other limits)"
CASES = [
    ("-t 10 --time-min=20", BAD), ("-t 10 --time-min=10", "00:10:00 00:10:00"), ("--time-min=20", "1-00:00:00 00:20:00"), ("--time-min=2-0", BAD),
    ("-t 0 --time-min=5", "UNLIMITED 00:05:00"), ("-t 10 --time-min=0", BAD), ("--time-min=0", BAD),
    ("-p half --time-min=40", BAD), ("-p half --time-min=20", "00:30:00 00:20:00"), ("-p half -t 100 --time-min=70", BAD), ("-p half -t 100 --time-min=50", "01:40:00 00:50:00"),
    ("-p half,day -t 100 --time-min=70", "01:40:00 01:10:00"), ("-p day,half -t 100 --time-min=70", "01:40:00 01:10:00"), ("-p half,day --time-min=40", BAD), ("-p day,half --time-min=40", "1-00:00:00 00:40:00"),
    ("-p half,day -t 3-0 --time-min=2-0", BAD),
    ("-p ever --time-min=UNLIMITED", BAD), ("-p ever -t 0 --time-min=UNLIMITED", "UNLIMITED UNLIMITED"), ("-p ever -t 30 --time-min=UNLIMITED", BAD),
    ("--qos=short --time-min=30", "00:20:00 00:30:00"), ("--qos=short -t 40 --time-min=30", "00:40:00 00:30:00"), ("--qos=loose -p half -t 100 --time-min=70", "01:40:00 01:10:00"),
    ("--time-min=40 --deadline=now+30minutes", BAD), ("-t 20 --time-min=40 --deadline=now+30minutes", BAD),
]  # fmt: skip
# of a job of -t 10 --time-min=5
UPDATES = [("TimeMin=20", BAD, "00:10:00 00:05:00"), ("TimeLimit=3", BAD, "00:10:00 00:05:00"), ("TimeLimit=30 TimeMin=20", "", "00:30:00 00:20:00"), ("TimeLimit=-6", "", "00:24:00 00:20:00"), ("TimeLimit=-6", BAD, "00:24:00 00:20:00"), ("TimeLimit=+6", "", "00:30:00 00:20:00"), ("TimeMin=0", "", "00:30:00 N/A")]


def limits(one, number):
    job = one.job(number)
    return f"{job.get('TimeLimit')} {job.get('TimeMin')}"


def submitted(one, words):
    number = one.sub(f"-H -n1 {words}")
    if not number.isdigit():
        return number.partition("failed: ")[2]
    shown = limits(one, number)
    one.out(f"scancel {number}")
    return shown


def main():
    tally = Tally()
    with lab(CONF, sacctmgr=ACCOUNTS) as one:
        for who in ("", "--uid=di "):
            for words, told in CASES:
                if who or "qos" not in words:
                    tally.note(f"{who}{words:50}", submitted(one, who + words), told)
        number = one.sub("-H -n1 -t 10 --time-min=5")
        for change, refusal, told in UPDATES:
            said = one.out(f"scontrol update JobId={number} {change}").partition(" for job ")[0]
            tally.note(f"update {change:40}", f"{said}; {limits(one, number)}", f"{refusal}; {told}")
    return tally.close()


if __name__ == "__main__":
    sys.exit(main())
