#!/usr/bin/env python3
# scripts/reference/experiments/running_on_map.py — which running jobs stand in the map of backfill (scheduling.md §8.4).
"""A node held for an hour, where a first job is planned from then on, with a second node that is held otherwise, and a third one on which another
plan begins within that of the first. A job of a few minutes that must have the first node finds two slots without it one after the other, of which
the later one offers nothing more, where the running job stands in the map, and has no plan at all; else it is planned behind the first. Printed:
whether it has a plan, and whether that is as the text says."""
import sys

from lab import Tally, has_plan, hold, lab

CONF = """\
SelectType={select}
SchedulerType=sched/backfill
SchedulerParameters=bf_resolution=60,bf_window=1440,{parameters}
DefMemPerCPU=10
Licenses=a:4
PriorityType=priority/multifactor
NodeName=a[1-3] Sockets=2 CoresPerSocket=4 ThreadsPerCore=1 RealMemory=16000
PartitionName=cpu Nodes=ALL Default=YES MaxTime=INFINITE State=UP
PartitionName=own Nodes=ALL MaxTime=INFINITE State=UP OverSubscribe=EXCLUSIVE
"""
LINEAR = "select/linear\nSelectTypeParameters={}"
CORES = "select/cons_tres\nSelectTypeParameters=CR_Core_Memory"
CONS = "select/cons_res\nSelectTypeParameters=CR_CPU_Memory"
RESERVE, LICENSES = "bf_running_job_reserve", "bf_licenses"
# (select plugin, SchedulerParameters, [(options of the running job, has the other a plan?)])
CASES = [
    (CORES, RESERVE, [("-n8", True), ("-n8 --exclusive", False), ("-p own -n1", False), ("-n8 --exclusive=user", True)]),
    (CORES, LICENSES, [("-n8", True), ("-n8 --exclusive", False), ("-n8 -L a:1", True), ("-n8 --exclusive -L a:1", False)]),
    (CONS, RESERVE, [("-n8", True), ("-n8 --exclusive", False)]),
    (LINEAR.format("CR_Memory"), RESERVE, [("-n8", True), ("-N1 --exclusive", True), ("-p own -n1", True), ("-n8 --mem=0", True)]),
    (LINEAR.format("CR_Memory"), LICENSES, [("-N1", True), ("-N1 --exclusive", True), ("-N1 -L a:1", True)]),
    (CORES, "bf_continue", [("-n8", True), ("-n8 --exclusive", True)]),
    (LINEAR.format("CR_Memory"), "bf_continue", [("-N1 --exclusive", True)]),
]  # fmt: skip
# The same of a job that the very cycle starts.
JUST_STARTED = [
    (CORES, "defer,sched_interval=-1", [("-n8", True), ("-n8 --exclusive", False), ("-p own -n1", False)]),
    (LINEAR.format("CR_Memory"), "defer,sched_interval=-1", [("-n8", True), ("-N1 --exclusive", True), ("-p own -n1", True)]),
]  # fmt: skip


def has_a_plan(one, words, is_just_started):
    """Has the last of the jobs one, beside a job of these words that runs already, or that the very cycle starts?"""
    running = [f"-w a1 --priority=4000000000 -t 60 {words}", "-w a2 -n8 --priority=4000000000 -t 80", "-w a3 -n8 --priority=4000000000 -t 60"]
    ids = [one.sub(job) for job in running] if is_just_started else hold(one, running)
    one.sub("-w a[1,3] -N2 --exclusive --priority=2000000000 -t 60")
    one.sub("-w a2 -n8 --priority=2000000000 -t 60")
    asked = one.sub("-w a1 -n8 --priority=1000000000 -t 10")
    if is_just_started:
        one.until(lambda: all(one.job(i).get("JobState") == "RUNNING" for i in ids), 200)
    one.rest(5 if is_just_started else 70)
    return has_plan(one, asked)


def main():
    tally = Tally()
    for cases, interval in ((CASES, 30), (JUST_STARTED, 150)):
        for select, parameters, asked in cases:
            for words, told in asked:
                with lab(CONF.format(select=select, parameters=f"bf_interval={interval},{parameters}")) as one:
                    got = has_a_plan(one, words, is_just_started=cases is JUST_STARTED)
                tally.note(f"{select.split()[0]:17} {parameters:23} {words:24}", got, told)
    return tally.close()


if __name__ == "__main__":
    sys.exit(main())
