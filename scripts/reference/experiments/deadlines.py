#!/usr/bin/env python3
# scripts/reference/experiments/deadlines.py — jobs with a deadline: what is refused, and by which limit backfill plans and starts them (lifecycle.md §2, §7, scheduling.md §8.6).
"""A job that wants all six nodes waits an hour for five of them, and blocks the main loop; the sixth is idle. Printed is the time limit with which a job is started by backfill, or "waits", and what sbatch refuses. About four minutes."""
import sys

from lab import Tally, hold, lab, release

CONF = """\
SelectType=select/cons_tres
SelectTypeParameters=CR_Core
SchedulerType=sched/backfill
PriorityType=priority/basic
SchedulerParameters=bf_interval=5
NodeName=n[1-6] Sockets=1 CoresPerSocket=4 ThreadsPerCore=1 RealMemory=64000
PartitionName=all Nodes=n[1-6] Default=YES MaxTime=1-0 State=UP
PartitionName=half Nodes=n[1-6] MaxTime=1-0 DefaultTime=30 State=UP
"""
PAST = "Requested time limit is invalid (missing or exceeds some limit)"
MIN = "Invalid time-min specification (exceeds job's time or other limits)"
# (options, TimeLimit and TimeMin of the held job, or the refusal)
SUBMITTED = [("-t 60 --deadline=now-1hour", PAST), ("--deadline=now+5minutes --time-min=10", MIN), ("-t 20 --deadline=now+10minutes", "00:20:00 N/A"), ("--deadline=now+2hours", "1-00:00:00 00:01:00"), ("-p half --deadline=now+2hours", "00:30:00 N/A")]
# (options, the limit of its run)
STARTED = [("-t 60 --time-min=5", "00:05:00"), ("-t 60 --deadline=now+50minutes --time-min=5", "waits"), ("-t 20 --deadline=now+50minutes --time-min=5", "00:20:00"), ("--deadline=now+2hours", "waits"), ("-t 120 --deadline=now+20hours --time-min=5", "waits")]


def submitted(one, words):
    number = one.sub(f"-H -n1 {words}")
    if not number.isdigit():
        return number.partition("failed: ")[2]
    job = one.job(number)
    one.out(f"scancel {number}")
    return f"{job.get('TimeLimit')} {job.get('TimeMin')}"


def started(one, words):
    held = hold(one, [f"-w n{i} -n4 -t 60" for i in range(2, 7)])
    wide = one.sub("-N6 -n24 -t 60")
    one.rest(8)
    number = one.sub(f"-n1 {words}")
    one.until(lambda: one.job(number).get("JobState") == "RUNNING", 60)
    job = one.job(number)
    release(one, [*held, wide, number])
    return job.get("TimeLimit") if job.get("JobState") == "RUNNING" else "waits"


def main():
    tally = Tally()
    with lab(CONF) as one:
        for words, told in SUBMITTED:
            tally.note(f"submitted {words:44}", submitted(one, words), told)
        for words, told in STARTED:
            tally.note(f"started {words:46}", started(one, words), told)
    return tally.close()


if __name__ == "__main__":
    sys.exit(main())
