#!/usr/bin/env python3
# scripts/reference/experiments/counted_features.py — the nodes of features with counts (scheduling.md §5.4).
"""Seven idle nodes, s1 to s4 with `old`, m1 to m3 with `new` and a higher weight. Printed: the nodes of each job, with pack_serial_at_end and without. About two minutes."""
import sys

from lab import Tally, lab, release

CONF = """\
SelectType=select/cons_tres
SelectTypeParameters={select}
SchedulerType=sched/backfill
SchedulerParameters=sched_interval=10,bf_interval=-1{more}
PriorityType=priority/basic
NodeName=s[1-4] CPUs=4 RealMemory=4000 Feature=old
NodeName=m[1-3] CPUs=8 RealMemory=4000 Feature=new Weight=10
PartitionName=all Nodes=ALL Default=YES MaxTime=INFINITE State=UP
"""
# what is asked; the nodes with pack_serial_at_end, and without
CASES = [
    ("-C [old*1&new*1] -N2 -n2", "m3,s4", "m1,s1"), ("-C [old*1&new*1] -N2 -n10", "m3,s4", "m1,s1"), ("-C [old*2&new*1] -N3 -n3", "m3,s[1-2]", "m1,s[1-2]"), ("-C [old*2&new*1] -N3 -n12", "m3,s[1-2]", "m1,s[1-2]"),
    ("-C [old*1&new*1] -N3 -n3", "m3,s[3-4]", "m1,s[1-2]"), ("-C [old*1&new*1] -N3 -n6", "m3,s[3-4]", "m1,s[1-2]"), ("-n1", "s4", "s1"), ("-n2", "s1", "s1"), ("-N2 -n2", "s[1-2]", "s[1-2]"), ("-C new -n1", "m3", "m1"),
]  # fmt: skip


def main():
    tally = Tally()
    for more in (",pack_serial_at_end", ""):
        with lab(CONF.format(select="CR_Core", more=more)) as one:
            for words, packed, told in CASES:
                number = one.sub(words)
                one.until(lambda number=number: one.job(number).get("JobState") == "RUNNING", 40)
                tally.note(f"{more:20} {words:28}", one.job(number).get("NodeList"), packed if more else told)
                release(one, [number])
    return tally.close()


if __name__ == "__main__":
    sys.exit(main())
