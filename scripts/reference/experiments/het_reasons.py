#!/usr/bin/env python3
# scripts/reference/experiments/het_reasons.py — what squeue shows of components that wait: after their submission, the main loop and backfill (scheduling.md §11).
"""The cluster of het_in_loops.py, with the main loop alone, backfill alone, and both. Printed: the Reasons of both components once they are submitted, and a minute later. About eight minutes."""
import sys

from het_in_loops import ACCOUNTS, BACKFILL, CONF, FULL, MAIN, running, shown, submit
from lab import Tally, lab

LIMITED = "-p z -n1 --qos=one -t 100"
BOTH = "sched_interval=2,bf_interval=5,bf_window=1440"
# What runs, the heterogeneous job: the Reasons after its submission and a minute later.
OF_MAIN = [
    ("", "-n1 : -n1", "None None", "None None"),
    (FULL, "-n1 : -n1", "Resources Resources", "Resources Resources"),
    (FULL, "-n1 -p y : -n1 -p x", "None Resources", "None Resources"),
    ("-p x -n1 -L lic:1", "-n1 -L lic:1 : -n1", "None None", "None None"),
]
OF_BACKFILL = [
    (FULL, "-n1 -p y : -n1 -p x", "None Resources", "Resources Resources"),
    ("-p x -n1 -L lic:1", "-n1 -L lic:1 : -n1", "None None", "Resources Resources"),
    (LIMITED, "-n1 --qos=one : -n1 -p y --qos=normal", "QOSMaxJobsPerUserLimit None", "QOSMaxJobsPerUserLimit Resources"),
    ("-p x -n5 --qos=capped -t 100", "-p x -N1 -n1 --qos=capped : -p y -n1 --qos=normal", "None None", "QOSMaxCpuPerUserLimit Resources"),
    ("", "-n1 --begin=now+9minutes : -n1", "BeginTime BeginTime", "BeginTime BeginTime"),
]
COUNTED = [(FULL, "-n1 -p y : -n1 -p x", "None Resources", "Resources Resources")]
BEYOND = [(FULL, "-n1 -p y --nice=10 : -n1 -p y --nice=10", "None None", "None None")]


def reasons(one, job):
    return " ".join(values[0] for values in shown(one, job, "Reason"))


def ask(tally, parameters, questions, ahead=""):
    with lab(CONF.format(parameters=parameters), sacctmgr=ACCOUNTS) as one:
        for held, words, at_first, later in questions:
            if held:
                running(one, held)
            if ahead:
                one.sub(ahead)
            job = submit(one, words)
            tally.note(f"{parameters} {held} | {words} | submitted", reasons(one, job), at_first)
            one.rest(60)
            tally.note(f"{parameters} {held} | {words} | a minute later", reasons(one, job), later)
            one.out("scancel -u root")
            one.rest(30)


def main():
    tally = Tally()
    ask(tally, MAIN, OF_MAIN)
    ask(tally, BACKFILL, OF_BACKFILL)
    ask(tally, BOTH, OF_BACKFILL)
    ask(tally, BACKFILL + ",bf_max_job_part=1", COUNTED)
    ask(tally, BACKFILL + ",bf_max_job_test=1", BEYOND, ahead="-n1")
    return tally.close()


if __name__ == "__main__":
    sys.exit(main())
