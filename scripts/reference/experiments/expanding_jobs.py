#!/usr/bin/env python3
# scripts/reference/experiments/expanding_jobs.py — --dependency=expand, and what a job in SPECIAL_EXIT is to those who wait for it (lifecycle.md §8, §10).
"""Jobs that would expand another, with permit_job_expansion and without; jobs that wait for one that is requeued and held. About two minutes."""
import sys

from lab import Tally, hold, lab, release

CONF = """\
SelectType=select/cons_tres
SelectTypeParameters=CR_Core
PriorityType=priority/basic
SchedulerParameters=bf_interval=5{more}
NodeName=n[1-2] Sockets=1 CoresPerSocket=4 ThreadsPerCore=1 RealMemory=64000
PartitionName=all Nodes=n[1-2] Default=YES MaxTime=1-0 State=UP
"""
NOT = "Requested operation not supported on this system"
BAD = "Job dependency problem"
# {a} and {b} run with a limit of ten hours, {w} waits; the limit that the job has, or the refusal
EXPANDING = [("expand:{a}", "09:58:00"), ("expand:{a},after:{b}", "09:58:00"), ("expand:{a}:{b}", BAD), ("expand:999", BAD), ("expand:{w}", BAD)]
# what the job that waits does 70 s after `requeuehold` of its target, with State=SpecialExit and without
HELD = [("afternotok", "RUNNING", "PENDING"), ("afterok", "PENDING", "PENDING"), ("afterany", "PENDING", "PENDING")]


def expanding(one, tally, is_permitted):
    a, b = ids = hold(one, ["-n1 -t 600", "-n1 -t 600"])
    w = one.sub("-n1 -t 600 --begin=now+1hour")
    one.rest(65)
    for words, told in EXPANDING:
        number = one.sub(f"-n1 -t 700 -d {words.format(a=a, b=b, w=w)}")
        got = one.job(number).get("TimeLimit") if number.isdigit() else number.partition("failed: ")[2]
        tally.note(f"{words:22}", got, told if is_permitted else NOT)
        release(one, [number] if number.isdigit() else [])
    release(one, [*ids, w])


def waits(one, kind, state):
    target = hold(one, ["-n1 -t 10"])[0]
    number = one.sub(f"-n1 -t 10 -d {kind}:{target}")
    one.out(f"scontrol requeuehold {state} {target}")
    one.rest(70)
    got = one.job(number).get("JobState")
    release(one, [number, target])
    return got


def main():
    tally = Tally()
    for more in ("", ",permit_job_expansion"):
        with lab(CONF.format(more=more)) as one:
            expanding(one, tally, bool(more))
            for kind, special, plain in [] if more else HELD:
                tally.note(f"{kind:12} SpecialExit", waits(one, kind, "State=SpecialExit"), special)
                tally.note(f"{kind:12} held", waits(one, kind, ""), plain)
    return tally.close()


if __name__ == "__main__":
    sys.exit(main())
