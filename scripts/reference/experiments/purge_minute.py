#!/usr/bin/env python3
# scripts/reference/experiments/purge_minute.py — when slurmctld forgets a job that has ended (lifecycle.md §8).
"""Jobs of three seconds end one after the other; each is asked for until it is gone, under three values of MinJobAge. Told: slurmctld looks for old
records every minute, or every MinJobAge seconds where that is less, counted from its start; all that ended MinJobAge ago or longer go then,
and none between. Then some wait with `afternotok` for jobs that are old enough and not gone yet (never run), some for jobs that are gone (run). About two minutes."""
import calendar
import re
import sys
import time

from lab import Tally, lab

CONF = """\
SelectType=select/cons_tres
SelectTypeParameters=CR_Core
SchedulerType=sched/backfill
SchedulerParameters=bf_interval=5,sched_interval=5
PriorityType=priority/multifactor
MinJobAge={age}
NodeName=n[1-2] CPUs=16
PartitionName=all Nodes=ALL MaxTime=INFINITE State=UP Default=YES
"""
EVERY = 7  # s from job to job
LATE = 4  # s that asking takes, and a turn of the background loop


def started(one):
    """When slurmctld's own threads began."""
    line = next(line for line in one.cluster.log().decode(errors="replace").splitlines() if "MULTIFACTOR plugin loaded" in line)
    second, part = re.match(r"\[(\S+)\.(\d+)\]", line).groups()
    return calendar.timegm(time.strptime(second, "%Y-%m-%dT%H:%M:%S")) + float("0." + part)


def listed(one):
    return dict(line.split() for line in one.out("squeue -h -t all -o '%i %T'").splitlines())


def times_of_going(one, length, last):
    """(instant, seconds since it had ended) of each job that went."""
    begin, next_one, ended, gone = one.cluster.clock.now(), 0, {}, []
    while one.cluster.clock.now() - begin < length:
        if one.cluster.clock.now() - begin >= next_one and next_one < last:
            ended[one.sub("-n1 -t 10", seconds=3)] = None
            next_one += EVERY
        known = listed(one)
        now = one.cluster.clock.now()
        for job, at in list(ended.items()):
            if at is None and known.get(job) == "COMPLETED":
                ended[job] = now
            elif at is not None and job not in known:
                gone.append((now, now - at))
                del ended[job]
    return gone


def waits(one, tally, age):
    """For one job that is about to be forgotten, and for one that is."""
    every = min(age, 60)
    begin = started(one)
    one.until(lambda: (one.cluster.clock.now() - begin) % every < 2, 100)
    job = one.sub("-n1 -t 10", seconds=1)  # ends behind a purge, and so is old enough some seconds behind another
    one.until(lambda: listed(one).get(job) == "COMPLETED", 60)
    one.rest(age + every / 3)
    early = one.sub(f"-n1 -d afternotok:{job}", seconds=5)
    one.until(lambda: job not in listed(one), 100)
    late = one.sub(f"-n1 -d afternotok:{job}", seconds=5)
    one.rest(20)
    tally.note(f"MinJobAge={age}: afternotok {age + every / 3:.0f} s behind its end", one.job(early).get("Reason"), "DependencyNeverSatisfied")
    tally.note(f"MinJobAge={age}: afternotok once it is gone", one.job(late).get("JobState"), "COMPLETED")
    one.out(f"scancel {early}")


def main():
    tally = Tally()
    for age in (20, 45, 90):
        every = min(age, 60)
        with lab(CONF.format(age=age)) as one:
            gone = times_of_going(one, age + 4 * every, 3 * every)
            begin = started(one)
            phases = sorted(round((at - begin + 1) % every - 1, 1) for at, _ in gone)  # whole seconds are compared
            print(f"MinJobAge={age}: {len(gone)} gone, {phases[0]} to {phases[-1]} s behind start + n x {every} s, {min(a for _, a in gone):.0f} to {max(a for _, a in gone):.0f} s old")
            tally.note(f"MinJobAge={age}: all at start + n x {every} s", all(phase <= LATE for phase in phases), True)
            tally.note(f"MinJobAge={age}: ages", all(age - LATE <= a <= age + every + LATE for _, a in gone) and max(a for _, a in gone) > age + every / 2, True)
            if age == 90:
                waits(one, tally, age)
    return tally.close()


if __name__ == "__main__":
    sys.exit(main())
