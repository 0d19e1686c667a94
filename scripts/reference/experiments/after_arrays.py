#!/usr/bin/env python3
# scripts/reference/experiments/after_arrays.py — from which task's start `after:ARRAY+MINUTES` counts (lifecycle.md §8).
"""Arrays of three tasks on idle CPUs. While they run one is requeued, which starts again two minutes later: the dependent, of +4, may begin four
minutes after the start of the record that bears the array's id, its last task, if no other pends then. Prints the seconds from that start. About a minute."""
import sys
import time

from lab import Tally, lab

CONF = """\
SelectType=select/cons_tres
SelectTypeParameters=CR_Core
SchedulerType=sched/backfill
SchedulerParameters=bf_interval=5,sched_interval=5
PriorityType=priority/basic
NodeName=n[1-2] CPUs=16
PartitionName=all Nodes=ALL MaxTime=INFINITE State=UP Default=YES
"""


def seconds(text):
    return time.mktime(time.strptime(text, "%Y-%m-%dT%H:%M:%S"))


def main():
    tally = Tally()
    with lab(CONF) as one:
        for task in (0, 1, 2):
            array = one.sub("-n1 -t 600 -a 0-2")
            one.until(lambda: one.out(f"squeue -h -t R -r -j {array} -o %i").count("_") == 3, 60)
            begun = one.job(f"{array}_2")["StartTime"]
            waiting = one.sub(f"-n1 -t 600 -d after:{array}+4")
            one.rest(20)
            one.out(f"scontrol requeue {array}_{task}")
            one.until(lambda: one.job(waiting)["JobState"] == "RUNNING", 700)
            again = one.job(f"{array}_{task}")["StartTime"]
            after = one.job(waiting)["StartTime"]
            from_last, from_again = seconds(after) - seconds(begun), seconds(after) - seconds(again)
            print(f"task {task} started again {seconds(again) - seconds(begun):.0f} s after the last one: {from_last:.0f} s after the last one's, {from_again:.0f} s after its own")
            told = "its own" if task == 2 else "the last one's"
            tally.note(f"  task {task} requeued: counts from", "the last one's" if 240 <= from_last <= 250 else "its own" if 240 <= from_again <= 250 else "neither", told)
            one.out(f"scancel {array} {waiting}")
            one.rest(60)
    return tally.close()


if __name__ == "__main__":
    sys.exit(main())
