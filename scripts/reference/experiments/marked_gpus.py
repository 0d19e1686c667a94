#!/usr/bin/env python3
# scripts/reference/experiments/marked_gpus.py — what makes a GPU whose shards are held look free or not to who wants GPUs (gres.md §4.5).
"""A node of two GPUs. Two jobs have shards of GPU 0, the first ends: from then on GPU 0 looks free, though the second still runs. Then something is done, and a job asks for
both GPUs. Printed: whether it starts. About two minutes."""
import sys

from lab import Tally, hold, lab, release

CONF = """\
SelectType=select/cons_tres
SelectTypeParameters=CR_Core
SchedulerType=sched/backfill
SchedulerParameters=sched_interval=15,bf_interval=-1
PriorityType=priority/basic
GresTypes=gpu,shard
NodeName=n1 CPUs=16 RealMemory=4000 Gres=gpu:t4:2,shard:8
NodeName=n2 CPUs=2 RealMemory=4000
PartitionName=all Nodes=n1 Default=YES MaxTime=INFINITE State=UP
PartitionName=other Nodes=n2 MaxTime=INFINITE State=UP
"""
GRES = "NodeName=n1 Name=gpu Type=t4 File=/dev/nvidia[0-1]\nNodeName=n1 Name=shard Count=8\n"
CASES = [
    ("", "starts"), ("scontrol update PartitionName=all MaxTime=1000", "waits"), ("scontrol update PartitionName=other State=DOWN", "waits"), ("scontrol update PartitionName=other State=UP", "waits"),
    ("scontrol update NodeName=n1 Weight=3", "starts"), ("scontrol update NodeName=n2 State=DRAIN Reason=x", "starts"), ("scontrol update NodeName=n2 State=RESUME", "starts"), ("scontrol reconfigure", "waits"),
    ("scontrol create PartitionName=new Nodes=n2", "waits"), ("scontrol create reservation ReservationName=r Users=root StartTime=now+100hours Duration=10 Nodes=n2", "starts"),
]  # fmt: skip


def main():
    tally = Tally()
    with lab(CONF, gres=GRES) as one:
        for command, told in CASES:
            first, second = hold(one, ["--gres=shard:1 -n1"]) + hold(one, ["--gres=shard:1 -n1"])
            release(one, [first])
            if command:
                one.out(command)
                one.rest(10)
            number = one.sub("--gres=gpu:2 -n1")
            found = "starts" if one.until(lambda: one.job(number).get("JobState") == "RUNNING", 60) else "waits"
            tally.note(f"{command or '-':60}", found, told)
            release(one, [number, second])
            one.rest(30)
    return tally.close()


if __name__ == "__main__":
    sys.exit(main())
