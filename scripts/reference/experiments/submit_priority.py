#!/usr/bin/env python3
# scripts/reference/experiments/submit_priority.py — whose --priority and negative --nice count (priority.md §4.2).
"""root submits for di, and di himself, at last as an operator; nothing is scheduled. Printed is whether the priority is the one asked for ("set"), held, or one that slurmctld worked out, and whether the text says so. About a minute."""
import sys

from lab import Tally, lab

CONF = """\
SelectType=select/cons_tres
SelectTypeParameters=CR_Core
PriorityType=priority/basic
AccountingStorageEnforce=associations
SchedulerParameters=bf_interval=-1,sched_interval=-1
NodeName=n1 Sockets=1 CoresPerSocket=4 ThreadsPerCore=1 RealMemory=64000
PartitionName=all Nodes=n1 Default=YES MaxTime=1-0 State=UP
"""
ACCOUNTS = "add account red\nadd user di Account=red\n"
HIMSELF = ["runuser", "-u", "di", "--", "sbatch"]
REFUSED = "Invalid --nice value"
CASES = [
    ("root", "--priority=5000", "set"), ("root", "--priority=0", "worked out"), ("root", "--priority=TOP", "set"), ("root", "--nice=-100", "worked out"),
    ("di", "--priority=5000", "worked out"), ("di", "--priority=0", "worked out"), ("di", "--priority=TOP", "worked out"), ("di", "--nice=-100", REFUSED),
]  # fmt: skip
AS_OPERATOR = [("di", "--priority=5000", "set"), ("di", "--nice=-100", "worked out")]


def asked(one, who, option):
    program = HIMSELF if who == "di" else ["sbatch", "--uid=di"]
    done = one.cluster.ask(*program, "--parsable", "-D", "/", "-o", "/dev/null", option, "--wrap", "sleep 1000")
    if done.returncode:
        return done.stderr.strip().rpartition(": ")[2]
    job = one.job(done.stdout.strip())
    priority = int(job.get("Priority"))
    return "held" if priority == 0 else "set" if priority in (5000, 0xFFFFFFFD) else "worked out"


def main():
    tally = Tally()
    with lab(CONF, sacctmgr=ACCOUNTS) as one:
        for who, option, told in CASES:
            tally.note(f"{who:5} {option:16}", asked(one, who, option), told)
        one.out("sacctmgr -i modify user di set AdminLevel=Operator")
        one.rest(20)
        for who, option, told in AS_OPERATOR:
            tally.note(f"an operator {option:16}", asked(one, who, option), told)
    return tally.close()


if __name__ == "__main__":
    sys.exit(main())
