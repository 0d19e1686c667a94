#!/usr/bin/env python3
# scripts/reference/experiments/linear_shared.py — which jobs share whole nodes under select/linear (scheduling.md §6).
"""Two nodes; five jobs of one node come one after the other, with -s or without, to a partition of YES:2 or FORCE:2. Printed: the node of each, or - of one that waits. Two minutes."""
import sys

from lab import Tally, lab, release

CONF = """\
SelectType=select/linear
{memory}SchedulerType=sched/backfill
SchedulerParameters=sched_interval=10,bf_interval=3600
PriorityType=priority/basic
NodeName=n[1-2] CPUs=4 RealMemory=8000
PartitionName=yes Nodes=n[1-2] MaxTime=60 State=UP Default=YES OverSubscribe=YES:2
PartitionName=force Nodes=n[1-2] MaxTime=60 State=UP OverSubscribe=FORCE:2
"""
CASES = [("yes", ("-s", "-s", "-s", "-s", "-s"), "n1 n2 n1 n2 -"), ("yes", ("-s", "", "-s", "-s", ""), "n1 n2 n1 - -"), ("yes", ("", "-s", "-s", "", "-s"), "n1 n2 n2 - -"), ("force", ("", "", "", "", ""), "n1 n2 n1 n2 -")]


def main():
    tally = Tally()
    for memory in ("", "SelectTypeParameters=CR_Memory\n"):
        with lab(CONF.format(memory=memory)) as one:
            for partition, words, told in CASES:
                jobs = []
                for word in words:
                    jobs.append(one.sub(f"-p {partition} -N1 --mem=1000 {word}"))
                    one.rest(25)
                got = " ".join(one.job(job).get("NodeList") or "-" for job in jobs)
                tally.note(f"{memory.strip() or 'no memory'}, {partition}, {' '.join(word or 'plain' for word in words)} |", got, told)
                release(one, jobs)
    return tally.close()


if __name__ == "__main__":
    sys.exit(main())
