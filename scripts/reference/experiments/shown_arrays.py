#!/usr/bin/env python3
# scripts/reference/experiments/shown_arrays.py — how squeue names what waits of an array (outputs.md §1).
"""Two equal nodes, one task each. Printed of each state of an array: what `squeue -o %i` says of its tasks that wait. About a minute."""
import sys

from lab import Tally, lab

CONF = """\
SelectType=select/cons_tres
SelectTypeParameters=CR_Core
SchedulerType=sched/backfill
SchedulerParameters=bf_interval=30
NodeName=n[1-2] CPUs=4 RealMemory=4000
PartitionName=all Nodes=n[1-2] Default=YES MaxTime=1-0 State=UP
PartitionName=first Nodes=n1 MaxTime=1-0 State=UP
"""
TASK = "-N1 -n4 -t 60"


def waiting(one):
    """Without the array's id."""
    rows = [row.split() for row in one.out("squeue -h -t PD -S i -o '%i %P'").splitlines()]
    return " ".join(name.partition("_")[2] + (f" {where}" if "," in where else "") for name, where in rows)


def main():
    tally = Tally()
    with lab(CONF) as one:

        def after(question, told, *commands, rest=5):
            for command in commands:
                one.out(command)
            one.rest(rest)
            tally.note(f"  {question:60}", waiting(one), told)

        held = one.sub("-H -n1 -a 3")
        after("one task, held", "[3]")
        one.out(f"scancel {held}")
        held = one.sub("-H -n1 -a 0-3")
        after("four, held; three cancelled", "[3]", f"scancel {held}_[0-2]")
        one.out(f"scancel {held}")
        one.rest(20)
        array = one.sub(f"{TASK} -a 0-3", 9000)
        after("four, two run", "[2-3]", rest=70)
        after("one requeued: the third starts in its place", "0 3", f"scontrol requeue {array}_0")
        after("one ended: the last starts", "0", f"scancel {array}_1", rest=60)
        one.out(f"scancel {array}")
        one.rest(40)
        one.sub(f"{TASK} -a 0-2%2", 9000)
        after("three of %2, two run", "2", rest=70)
        one.out("scancel -p all -u root")
        one.rest(40)
        array = one.sub(f"{TASK} -a 0-5%2", 9000)
        after("six of %2, two run", "[2-5%2]", rest=70)
        after("one requeued: it is told with the rest, without %2", "[0,3-5]", f"scontrol requeue {array}_0", rest=40)
        one.out("scancel -u root")
        one.rest(40)
        holder = one.sub("-p first -N1 -n4 -t 600", 9000)
        one.rest(20)
        array = one.sub("-p first,all -N1 -n4 -t 60 -a 0-5", 9000)
        after("of two partitions, one runs in the second", "[1-5] first,all", rest=100)
        after("it is requeued, and stands beside the rest", "0 all,first [2-5] first,all", f"scontrol requeue {array}_0", rest=40)
        one.out(f"scancel {holder} {array}")
    return tally.close()


if __name__ == "__main__":
    sys.exit(main())
