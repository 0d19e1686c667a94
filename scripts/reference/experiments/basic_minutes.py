#!/usr/bin/env python3
# scripts/reference/experiments/basic_minutes.py — what priority/basic leaves of committed run time when a job has ended (limits.md §3).
"""Jobs run one after the other under QOS of UsageFactor 1, 2 and 0.5, and end in several ways. Printed: the run minutes of CPUs and of memory (GB) that the account then has, and of CPUs the one
above it, where those without a command go on running; in the end those of the QOS; and whether the text says so. About a minute."""
import re
import sys

from lab import Tally, lab

CONF = """\
SelectType=select/cons_tres
SelectTypeParameters=CR_Core_Memory
SchedulerType=sched/backfill
PriorityType=priority/basic
DefMemPerCPU=1000
AccountingStorageEnforce=associations,limits,qos
NodeName=n[1-2] CPUs=8 RealMemory=64000
PartitionName=all Nodes=n[1-2] Default=YES MaxTime=INFINITE State=UP
"""
ACCOUNTS = """\
add qos twice UsageFactor=2
add qos half UsageFactor=0.5
add account top
add account red parent=top
add account blue parent=top
add account green parent=top
add user ada Account=red QOS=normal,twice,half
add user bo Account=blue QOS=normal,twice,half
add user di Account=green QOS=normal,twice,half
"""
# who, QOS, options, what befalls it while it runs, then CPU minutes that are left of the account and of top
CASES = [
    ("ada", "normal", "-n2 -t 30", "scancel {}", 0, 0), ("ada", "twice", "-n2 -t 30", "", 120, 120), ("ada", "twice", "-n2 -t 30", "scancel {}", 180, 180), ("bo", "half", "-n1 -t 40", "", 20, 200),
    ("bo", "half", "-n1 -t 40", "scancel {}", 0, 180), ("ada", "half", "-n4 -t 20", "scancel {}", 140, 140), ("di", "twice", "-n1 -t 10", "scontrol update JobId={} TimeLimit=30; scancel {}", 10, 150),
    ("di", "twice", "-n1 -t 30", "scontrol update JobId={} TimeLimit=10; scancel {}", 40, 180), ("di", "normal", "-n2 -t 10", "scontrol requeuehold {}", 40, 180), ("di", "twice", "-n1 -t 2", "over", 42, 182),
]  # fmt: skip


def left(one, account):
    rows = [line.split("|") for line in one.out("sshare -a -l -P").splitlines()]
    at = rows[0].index("TRESRunMins")
    row = next(row for row in rows[1:] if row[0].strip() == account and not row[1])
    return int(re.search(r"cpu=(\d+)", row[at])[1]), int(re.search(r"mem=(\d+)", row[at])[1])


def main():
    tally = Tally()
    accounts = {"ada": "red", "bo": "blue", "di": "green"}
    with lab(CONF, sacctmgr=ACCOUNTS) as one:
        running = []
        for who, qos, words, then, own, top in CASES:
            number = one.sub(f"--uid={who} --qos={qos} {words}")
            one.until(lambda: one.job(number).get("JobState") == "RUNNING", 60)
            one.rest(30)
            if then:
                for command in then.split("; ") if then != "over" else []:
                    one.out(command.replace("{}", number))
                one.until(lambda: one.job(number).get("JobState") not in ("RUNNING", "COMPLETING"), 300)
                one.rest(20)
            else:
                running.append(number)
            cpu, memory = left(one, accounts[who])
            tally.note(f"{who:4} {qos:7} {words:10} {then:50}", f"{cpu} {memory // 1000} {left(one, 'top')[0]}", f"{own} {own} {top}")
        shown = re.findall(r"GrpTRESRunMins=cpu=N\((\d+)\)", one.out("scontrol show assoc_mgr flags=qos"))
        tally.note("QOS normal, twice, half", " ".join(shown), "0 222 0")
        one.out("scancel " + " ".join(running))
    return tally.close()


if __name__ == "__main__":
    sys.exit(main())
