#!/usr/bin/env python3
# scripts/reference/experiments/failed_node_tres.py — the TRES that a job ranks by whose run a node's failure has ended: those that its run had (priority.md §3.8).
"""Four nodes of 16 CPUs, eight cores, with four GPUs. Each job loses its node, and is told while all are drained; the last is then preempted by a requeue. Compared are sprio's columns of TRES (19 characters of them). About four minutes."""
import re
import sys

from lab import Tally, lab
from requeued_tres import ACCOUNTS, CONF, GRES, terms

# what is asked for; as it ranks before; once its node has gone DOWN; requeued from a run on another
JOBS = [
    ("-n1", "cpu=16,mem=250,node=", "cpu=31,node=250", "cpu=16,mem=250,node="),
    ("-n3 --gres=gpu:1", "cpu=47,mem=250,node=", "cpu=62,node=250,gres", "cpu=47,mem=250,node="),
    ("-N1 --exclusive", "cpu=16,mem=250,node=", "cpu=250,node=250,gre", "cpu=16,mem=250,node="),
    ("-p batch,two -n1", "cpu=31,mem=500,node=", "cpu=62,node=500", "cpu=31,mem=500,node="),
    ("-N2 -n2", "cpu=31,mem=500,node=", "cpu=62,node=500", "cpu=31,mem=500,node="),
]  # fmt: skip


def shown(one, number):
    return re.sub(r"\s+", " ", terms(one, number))


def ranks(one, words):
    every = lambda state: one.out(f"scontrol update NodeName=c[1-4] State={state} Reason=asked")  # noqa: E731
    every("DRAIN")
    number = one.sub(f"{words} --requeue --uid=lou", 3000)
    one.rest(40)
    told = [shown(one, number)]
    running = lambda: "JobState=RUNNING" in one.out(f"scontrol -o show job {number}")  # noqa: E731
    for ends in (lambda: one.out("scontrol update NodeName=c1 State=DOWN Reason=asked"), lambda: one.out(f"scontrol requeue {number}")):
        every("RESUME")
        one.until(running, 200)
        every("DRAIN")
        ends()
        one.rest(200)
        told.append(shown(one, number))
    one.out(f"scancel {number}")
    every("RESUME")
    one.rest(30)
    return told


def main():
    tally = Tally()
    with lab(CONF.format(parameters="CR_Core"), GRES, sacctmgr=ACCOUNTS) as one:
        for words, *expected in JOBS:
            for when, got, told in zip(("before", "its node failed", "requeued"), ranks(one, words), expected):
                tally.note(f"{words} {when} |", got, told)
    return tally.close()


if __name__ == "__main__":
    sys.exit(main())
