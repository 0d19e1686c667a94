#!/usr/bin/env python3
# scripts/reference/experiments/unfit_whole.py — whether a partition with OverSubscribe=EXCLUSIVE that has no nodes for a job makes it whole in the others of its list (scheduling.md §5.3).
"""x (EXCLUSIVE, tried first) has a1, which runs, y has a2, idle. Each case: what is asked of y,x, and the CPUs that the job has on a2. A minute."""
import sys

from lab import Tally, hold, lab, release

CONF = """\
SchedulerType=sched/backfill
SchedulerParameters=sched_interval=5,bf_interval=-1
PriorityType=priority/basic
SelectType=select/cons_tres
SelectTypeParameters=CR_Core_Memory
GresTypes=gpu
NodeName=a1 Sockets=1 CoresPerSocket=4 ThreadsPerCore=1 RealMemory=8000 Feature=xkind
NodeName=a2 Sockets=2 CoresPerSocket=4 ThreadsPerCore=1 RealMemory=16000 Gres=gpu:h100:2 Feature=ykind
PartitionName=x Nodes=a1 MaxTime=60 State=UP OverSubscribe=EXCLUSIVE PriorityTier=5 DefMemPerCPU=100
PartitionName=y Nodes=a2 MaxTime=INFINITE State=UP Default=YES DefMemPerCPU=100
"""
GRES = "NodeName=a2 Name=gpu Type=h100 File=/dev/nvidia[0-1]\n"
CASES = [("-n1", "8"), ("-n1 -C ykind", "1"), ("-n1 --mem=12000", "1"), ("-n1 --mincpus=6", "6"), ("-n1 -w a2", "waits Nodes_required_for_job_are_DOWN,_DRAINED_or_reserved_for_jobs_in_higher_priority_partitions"), ("-n1 -x a1", "1"), ("-n1 --gres=gpu:1", "8"), ("-n1 --gres=gpu:h100:1", "8"), ("-n1 -C ykind --exclusive=user", "1"), ("-n1 --exclusive=user", "8"),
         ("-N1 -n6", "8"), ("-n1 -t 90", "8"), ("-n1 -C ykind --gres=gpu:1", "1"), ("-n1 --sockets-per-node=2", "1"), ("-n1 -C ykind -a 0", "1")]  # fmt: skip


def main():
    tally = Tally()
    with lab(CONF, GRES) as one:
        holders = hold(one, ["-p x -n1 -t 60"])
        for words, told in CASES:
            number = one.sub(f"-p y,x {words}" + ("" if " -t " in words else " -t 10"))
            one.until(lambda: one.job(number).get("JobState") == "RUNNING", 40)
            job = one.job(number)
            tally.note(f"{words} |", job["NumCPUs"] if job.get("JobState") == "RUNNING" else f"waits {job.get('Reason')}", told)
            release(one, [number])
        release(one, holders)
    return tally.close()


if __name__ == "__main__":
    sys.exit(main())
