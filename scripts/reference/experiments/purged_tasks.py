#!/usr/bin/env python3
# scripts/reference/experiments/purged_tasks.py — what an array is to those who wait for it once records of its tasks are gone (lifecycle.md §8).
"""Arrays of three tasks of which some end early, with another exit code, and are purged after MinJobAge while the others still run; jobs wait for the
whole array, submitted at its begin and after the purge. Prints who of them runs once all tasks have ended, and who never will. At last some wait for an
array whose own record is older than MinJobAge, while a task that ended later is not. About three minutes."""
import sys

from lab import Tally, lab

CONF = """\
SelectType=select/cons_tres
SelectTypeParameters=CR_Core
SchedulerType=sched/backfill
SchedulerParameters=bf_interval=5,sched_interval=5
PriorityType=priority/basic
MinJobAge={age}
NodeName=n[1-2] CPUs=16
PartitionName=all Nodes=ALL MaxTime=INFINITE State=UP Default=YES
"""
KINDS = ("afterok", "afternotok", "afterany")
# seconds and exit code of the three tasks (task 2 bears the array's id), and what becomes of those that wait by KINDS, from its begin and from after the purge
CASES = [
    (((5, 1), (200, 0), (200, 0)), "never runs runs"),
    (((200, 0), (200, 0), (5, 1)), "never runs runs"),
    (((5, 0), (200, 0), (200, 0)), "runs never runs"),
    (((5, 1), (200, 0), (5, 0)), "never runs runs"),
    (((5, 1), (5, 1), (200, 0)), "never runs runs"),
    (((200, 0), (200, 1), (5, 0)), "never runs runs"),
]
# of arrays that have ended: the task that bears the id could have been purged, one that ended later not; what is known, and what becomes of those that wait
OVER = [(((5, 1), (400, 0), (5, 0)), [1, 2], "never runs runs"), (((5, 0), (400, 1), (5, 0)), [1, 2], "never runs runs"), (((400, 0), (400, 0), (5, 1)), [0, 1, 2], "never runs runs")]
# how task 0 ends early, beside two that run well, once its record is gone
ENDS = [("scancel {}_0", "never runs runs"), ("scontrol update JobId={}_0 TimeLimit=1", "never runs runs"), ("scontrol requeuehold {0}_0; scancel {0}_0", "never runs runs")]
GONE = "runs runs runs"  # once MinJobAge is over for all


def outcome(one, number):
    job = one.job(number)
    if job.get("JobState") in ("RUNNING", "COMPLETED"):
        return "runs"
    return {"DependencyNeverSatisfied": "never"}.get(job.get("Reason"), job.get("Reason", "gone"))


def known(one, array):
    return [task for task in range(3) if one.job(f"{array}_{task}").get("JobState")]


def script(tasks):
    return "case $SLURM_ARRAY_TASK_ID in " + " ".join(f"{i}) work {seconds}; exit {code};;" for i, (seconds, code) in enumerate(tasks)) + " esac"


def wait_for(one, array):
    return [one.sub(f"-n1 -t 600 -d {kind}:{array}") for kind in KINDS]


def outcomes(one, numbers):
    return " ".join(outcome(one, number) for number in numbers)


def running(one, tally):
    for tasks, told in CASES:
        array = one.sub("-n1 -t 600 -a 0-2", script=script(tasks))
        early = wait_for(one, array)
        one.rest(150)  # purges come once a minute
        left = known(one, array)
        late = wait_for(one, array)
        one.until(lambda: not one.out(f"squeue -h -r -j {array} -o %i").count("_"), 300)
        one.rest(25)
        print(f"tasks {tasks}, after 150 s known: {left}")
        tally.note("  waited from its begin: ", outcomes(one, early), told)
        tally.note("  from after the purge:  ", outcomes(one, late), told)
        one.out(f"scancel {array} {' '.join(early + late)}")
        one.rest(100)


def ended(one, tally):
    for commands, told in ENDS:
        array = one.sub("-n1 -t 600 -a 0-2", script=script(((150, 0), (260, 0), (260, 0))))
        one.rest(5)
        for command in commands.format(array).split("; "):
            one.out(command)
            one.rest(5)
        one.rest(200)
        print(f"{commands}, after 200 s known: {known(one, array)}")
        late = wait_for(one, array)
        one.until(lambda: not one.out(f"squeue -h -r -j {array} -o %i").count("_"), 300)
        one.rest(25)
        tally.note("  from after the purge:  ", outcomes(one, late), told)
        one.out(f"scancel {' '.join(late)}")
        one.rest(100)


def over(one, tally):
    for tasks, left, told in OVER:
        array = one.sub("-n1 -t 600 -a 0-2", script=script(tasks))
        one.rest(500)
        tally.note(f"tasks {tasks}, after 500 s known:", known(one, array), left)
        late = wait_for(one, array)
        one.rest(25)
        tally.note("  waits from then on: ", outcomes(one, late), told)
        one.rest(400)
        tally.note("  later known:", known(one, array), [])
        last = wait_for(one, array)
        one.rest(25)
        tally.note("  waits from then on: ", outcomes(one, last), GONE)
        one.out(f"scancel {array} {' '.join(late + last)}")


def main():
    tally = Tally()
    with lab(CONF.format(age=30)) as one:
        running(one, tally)
        ended(one, tally)
    with lab(CONF.format(age=300)) as one:
        over(one, tally)
    return tally.close()


if __name__ == "__main__":
    sys.exit(main())
