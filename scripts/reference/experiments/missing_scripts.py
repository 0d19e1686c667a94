#!/usr/bin/env python3
# scripts/reference/experiments/missing_scripts.py — how old a batch job must be for the registration of its booted node to miss it (lifecycle.md §11).
"""Twelve nodes with a job each, started some seconds after each other, crash together and are booted so that their jobs are BatchStartTimeout - 6 to + 24 seconds old. Printed: each job's age in the log's
second of the registration, and whether it is missed; told is that it is, if it is older than BatchStartTimeout + 10. Three minutes."""
import datetime
import re
import sys
import time

from lab import Tally, lab, site_conf

CONF = """\
SelectType=select/cons_tres
SelectTypeParameters=CR_Core
SchedulerType=sched/backfill
SchedulerParameters=sched_interval=2,bf_interval=600
PriorityType=priority/basic
ReturnToService={comes_back}
BatchStartTimeout={timeout}
SlurmdTimeout=3600
NodeName=n[1-12] Sockets=1 CoresPerSocket=4 ThreadsPerCore=1 RealMemory=64000
PartitionName=all Nodes=ALL Default=YES MaxTime=INFINITE State=UP
"""
LATER = 3  # seconds from a job to the next


def read_dying(path, read=site_conf.read_slurm_conf):
    """Of a site whose nodes die the recorder leaves these times to the site."""
    conf = read(path)
    conf.nodes_die = True
    return conf


def ages(one, timeout):
    """Of each job (node, age at the registration, whether it is missed)."""
    begun = one.cluster.clock.now()
    jobs = {}
    for node in range(1, 13):
        one.rest(max(0.0, begun + LATER * node - one.cluster.clock.now()))
        jobs[node] = one.sub(f"-w n{node} -n4 -t 600 --no-requeue", script="sleep 100000")
    one.until(lambda: all(one.job(jobs[n]).get("JobState") == "RUNNING" for n in jobs), 60)
    start = {n: datetime.datetime.fromisoformat(one.job(jobs[n])["StartTime"]).timestamp() for n in jobs}
    hosts = [f"n{n}" for n in jobs]
    one.cluster.befall("crash", hosts)
    one.rest(max(0.0, start[12] + timeout - 8 - one.cluster.clock.now()))
    mark = len(one.cluster.log())
    one.cluster.befall("boot", hosts)
    one.rest(30)
    time.sleep(1)
    log = one.cluster.log()[mark:].decode(errors="replace")
    for node, job in jobs.items():
        seen = re.search(rf"\[([^\]]+)\].*(?:Node n{node} (?:now responding|rebooted)|JobId={job} missing from batch node n{node} )", log)
        if not seen:
            yield node, None, False
            continue
        now = datetime.datetime.fromisoformat(seen[1]).timestamp()
        yield node, int(now) - int(start[node]), f"JobId={job} missing" in log


def main():
    tally = Tally()
    site_conf.read_slurm_conf = read_dying
    for comes_back in (2, 1):
        for timeout in (60, 100):
            with lab(CONF.format(comes_back=comes_back, timeout=timeout), rate=15) as one:
                for node, age, missed in ages(one, timeout):
                    tally.note(f"ReturnToService={comes_back}, BatchStartTimeout={timeout}, n{node}, {age} s old |", "missed" if missed else "runs", "?" if age is None else "missed" if age > timeout + 10 else "runs")
    return tally.close()


if __name__ == "__main__":
    sys.exit(main())
