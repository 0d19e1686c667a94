#!/usr/bin/env python3
# scripts/reference/experiments/record_memory.py — by which memory backfill looks for a later start, once the first does not do (gres.md §2.3).
"""On n1 (short) one GPU is held for 60 minutes and three for 20; another job is planned on those from then on, for 5 minutes. On n3 (third) all is
two minutes later; n2 (gpu, which has DefMemPerGPU) is full beyond the window. A job of two GPUs starts on n1 after 60 minutes if it wants all
memory of its node, after 25 by the default: an estimate of now says 60 or 20, and as both are not before 20 it is asked for again from 25 on.
Printed: node and minute of its plan after some cycles, and whether that is as the text says."""
import datetime
import math
import sys

from lab import Tally, lab, release

CONF = """\
SelectType=select/cons_tres
SelectTypeParameters=CR_Core_Memory
SchedulerType=sched/backfill
SchedulerParameters=sched_interval=-1,bf_interval=10
PriorityType=priority/basic
GresTypes=gpu
DefMemPerCPU=500
NodeName=n[1-3] Sockets=1 CoresPerSocket=16 ThreadsPerCore=1 RealMemory=64000 Gres=gpu:4
PartitionName=gpu Nodes=n2 MaxTime=INFINITE State=UP DefMemPerGPU=3000
PartitionName=short Nodes=n1 Default=YES MaxTime=INFINITE State=UP
PartitionName=third Nodes=n3 MaxTime=INFINITE State=UP
"""
GRES = "NodeName=n[1-3] Name=gpu File=/dev/nvidia[0-3]\n"
HELD = ["-p gpu --mem=100 --gres=gpu:4 -t 3-0", "-p short --mem=100 --gres=gpu:1 -t 60", "-p short --mem=100 --gres=gpu:3 -t 20",
        "-p third --mem=100 --gres=gpu:1 -t 62", "-p third --mem=100 --gres=gpu:3 -t 22"]  # fmt: skip
NEXT = [f"-p {p} --mem=100 --gres=gpu:3 -t 5" for p in ("short", "third")]
# (options, the partition that goes down before it is asked, what the text says: node, minutes)
CASES = [
    ("-p short --gres=gpu:2", "", "n1 25"), ("-p gpu,short --gres=gpu:2", "", "n1 60"), ("-p short,gpu --gres=gpu:2", "", "n1 60"),
    ("-p gpu,short --gpus=2", "", "n1 60"), ("-p gpu,short --gres=gpu:2 --mem=100", "", "n1 25"), ("-p gpu,short --gres=gpu:2", "gpu", "n1 25"),
    ("-p gpu,short --gres=gpu:2 --exclusive", "", "n1 60"), ("-p third --gres=gpu:2", "", "n3 27"),
    # The partition after the one that took it back goes by the default.
    ("-p gpu,short,third --gres=gpu:2", "", "n3 27"), ("-p gpu,third,short --gres=gpu:2", "", "n1 25"),
    # So does the second task of an array, whose plan is the one that is shown.
    ("-p gpu,short --gres=gpu:2 -a 0-1", "", "n1 25"),
]  # fmt: skip


def plan(one, number, began):
    """`n1 25`: the node and minute, from `began` on, at which the job is planned; plans of others end with a minute of the clock."""
    job = one.job(number)
    if job.get("StartTime", "Unknown") == "Unknown":
        return "-"
    seconds = (datetime.datetime.fromisoformat(job["StartTime"]) - began).total_seconds()
    return f"{job.get('SchedNodeList', '?')} {math.ceil(seconds / 60)}"


def main():
    tally = Tally()
    for options, down, told in CASES:  # each on a cluster of its own: minutes count from the start of those that hold it
        with lab(CONF, GRES) as one:
            holders = [one.sub(words) for words in HELD]
            one.until(lambda: all(one.job(i).get("JobState") == "RUNNING" for i in holders), 60)
            began = datetime.datetime.fromisoformat(one.job(holders[-1])["StartTime"])
            waiting = [one.sub(words) for words in NEXT]
            waiting.append(one.sub(options + " -t 10"))
            one.rest(40)
            if down:
                one.out(f"scontrol update partitionname={down} state=down")
                one.rest(30)
            got = plan(one, waiting[-1], began)
            tally.note(f"{options:44} {'without ' + down if down else '':12}", got, told)
            release(one, holders + waiting)
    return tally.close()


if __name__ == "__main__":
    sys.exit(main())
