#!/usr/bin/env python3
# scripts/reference/experiments/yield_checks.py — a cycle that yields beside a reservation (scheduling.md §8.3).
"""Thirty jobs wait on a full cluster, and backfill sleeps half a second behind every test, so that a cycle takes sixteen seconds. Told: it tests all thirty
while no reservation is active, also beside one that is to come; while one is active (nodes, MAINT, FLEX, cores, MAGNETIC) it is cut short within five
seconds, the period of the check of reservations; with bf_continue it tests all. About three minutes."""
import re
import sys

from lab import Tally, lab

CONF = """\
SelectType=select/cons_tres
SelectTypeParameters=CR_Core
SchedulerType=sched/backfill
SchedulerParameters=bf_interval=10,bf_max_time=100,sched_interval=600,bf_yield_interval=1000{more}
PriorityType=priority/multifactor
DebugFlags=Backfill
SlurmctldDebug=debug
NodeName=n[1-4] CPUs=4
PartitionName=all Nodes=ALL MaxTime=INFINITE State=UP Default=YES
"""
WAITING = 30
RESERVATIONS = {
    "active": ("", "Nodes=n2", ""), "to come": ("+50minutes", "Nodes=n2", ""), "of MAINT": ("", "Nodes=n2", ",MAINT"),
    "of FLEX": ("", "Nodes=n2", ",FLEX"), "of cores": ("", "NodeCnt=1 CoreCnt=2", ""), "of MAGNETIC": ("", "Nodes=n1", ",MAGNETIC")}


def tested(one):
    """By how many jobs each cycle of two minutes came."""
    one.rest(30)
    before = len(one.cluster.log())
    one.rest(120)
    log = one.cluster.log()[before:].decode(errors="replace")
    return [int(found) for found in re.findall(r"completed testing (\d+)\(", log)]


def told(counts):
    return "whole" if set(counts) == {WAITING} else "cut" if counts and max(counts) < WAITING else str(counts)


def main():
    tally = Tally()
    for more in ("", ",bf_continue"):
        with lab(CONF.format(more=more)) as one:
            one.sub("-N4 --exclusive -t 600")
            one.rest(10)
            for _ in range(WAITING):
                one.sub("-n1 -t 60")
            tally.note(f"none{more}", told(tested(one)), "whole")
            for name, (when, words, flags) in RESERVATIONS.items():
                one.out(f"scontrol create reservation ReservationName=q Users=root StartTime=now{when} Duration=60 {words} Flags=IGNORE_JOBS{flags}")
                tally.note(name + more, told(tested(one)), "whole" if more or name == "to come" else "cut")
                one.out("scontrol delete ReservationName=q")
    return tally.close()


if __name__ == "__main__":
    sys.exit(main())
