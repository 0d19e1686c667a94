#!/usr/bin/env python3
# scripts/reference/experiments/released_nice.py — what does `scontrol release` leave of a job's Nice?
"""A full node; each question a pending job, commands, and its Nice and whether it is held afterwards (lifecycle.md §10.1)."""
import sys

from lab import Tally, hold, lab

CONF = """ClusterName=lab
SelectType=select/cons_tres
SelectTypeParameters=CR_Core
PriorityType=priority/multifactor
PriorityWeightJobSize=5000
PriorityCalcPeriod=1
AccountingStorageType=accounting_storage/slurmdbd
NodeName=n1 CPUs=4 Sockets=1 CoresPerSocket=4
PartitionName=part Nodes=n1 Default=YES MaxTime=UNLIMITED State=UP
"""
# sbatch's words, commands with {} for the id, Nice afterwards
QUESTIONS = [
    ("--nice=100", [], "100"),
    ("--nice=100", ["scontrol release {}"], "0"),
    ("--nice=-100", ["scontrol release {}"], "0"),
    ("--nice=100", ["scontrol hold {}"], "100"),
    ("--nice=100", ["scontrol hold {}", "scontrol release {}"], "100"),
    ("--nice=100", ["scontrol uhold {}", "scontrol release {}"], "100"),
    ("-H --nice=100", ["scontrol release {}"], "100"),
    ("-H --nice=100", ["scontrol release {}", "scontrol release {}"], "0"),
    ("--nice=100", ["scontrol update JobId={} Priority=500"], "0"),
    ("--nice=100", ["scontrol update JobId={} Priority=500", "scontrol update JobId={} Nice=70", "scontrol release {}"], "0"),
    ("--nice=100", ["scontrol hold {}", "scontrol update JobId={} Nice=30", "scontrol release {}"], "30"),
    ("--nice=100 -d afterok:1", ["scontrol release {}"], "0"),
    ("--nice=100 --begin=now+1hour", ["scontrol release {}"], "0"),
    ("--nice=100 -a 1-3", ["scontrol release {}"], "0"),
    ("--nice=100", ["scontrol top {}"], "100"),
    ("--nice=100", ["scontrol hold {}", "scontrol requeuehold {}", "scontrol release {}"], "100"),
]


def main():
    tally = Tally()
    with lab(CONF) as one:
        hold(one, ["-n4"])
        for words, commands, told in QUESTIONS:
            number = one.sub(f"-n1 {words}")
            for command in commands:
                one.out(command.format(number))
            one.rest(3)
            job = one.job(number)
            tally.note(f"{words:32} {' '.join(c.format('J').removeprefix('scontrol ') for c in commands):60} |", job.get("Nice", number), told)
            one.out(f"scancel {number}")
    return tally.close()


if __name__ == "__main__":
    sys.exit(main())
