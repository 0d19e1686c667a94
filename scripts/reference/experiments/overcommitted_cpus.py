#!/usr/bin/env python3
# scripts/reference/experiments/overcommitted_cpus.py — CPUs of jobs with -O and without GPUs, on nodes that others hold in part (scheduling.md §6.7).
"""Nodes with and without threads, under the SelectType, SelectTypeParameters and SchedulerParameters of each `conf:` line. Asks every question of tests/data/placements/overcommitted_cpus.txt
(or the named file) and prints those that are answered otherwise. About ten minutes.

    overcommitted_cpus.py [FILE] [--grep WORDS] [--write OUT]"""
import sys

import near_cores

NODES = """\
NodeName=a[1-3] Sockets=2 CoresPerSocket=8 ThreadsPerCore=1 RealMemory=16000
NodeName=n[1-3] Sockets=2 CoresPerSocket=8 ThreadsPerCore=2 RealMemory=16000
PartitionName=a Nodes=a[1-3] MaxTime=INFINITE State=UP Default=YES
PartitionName=n Nodes=n[1-3] MaxTime=INFINITE State=UP
"""


def conf(line):
    select, parameters, *scheduler = line.split()
    kept = "".join(f"SchedulerParameters={each}\n" for each in scheduler)
    return near_cores.USUAL.replace("cons_tres", select).replace("CR_Core\n", f"{parameters}\n").replace("GresTypes=gpu\n", kept) + NODES


if __name__ == "__main__":
    sys.exit(near_cores.ask_file(__doc__, conf, "", near_cores.QUESTIONS.with_name("overcommitted_cpus.txt")))
