#!/usr/bin/env python3
# scripts/reference/experiments/linear_counts.py — what of tasks, sockets and threads select/linear looks at, what of memory, and pack_serial_at_end (scheduling.md §6).
"""Each job is alone on three nodes of eight cores and two of 2 x 4 cores with two threads; asked without SelectTypeParameters, and with CR_Memory and pack_serial_at_end. Printed: its
nodes, and whether the text says so. About four minutes."""
import re
import sys

from lab import Tally, hold, lab, release, shown

CONF = """\
SelectType=select/linear
{memory}SchedulerType=sched/backfill
SchedulerParameters=sched_interval=5,bf_interval=5{more}
PriorityType=priority/basic
NodeName=a[1-3] Sockets=1 CoresPerSocket=8 RealMemory=64000
NodeName=b[1-2] Sockets=2 CoresPerSocket=4 ThreadsPerCore=2 RealMemory=64000
PartitionName=all Nodes=ALL Default=YES MaxTime=INFINITE State=UP
PartitionName=pa Nodes=a[1-3] MaxTime=INFINITE State=UP
PartitionName=pb Nodes=b[1-2] MaxTime=INFINITE State=UP
"""
REFUSED, WAITS = "Requested node configuration is not available", "waits Resources"
# options, nodes without SelectTypeParameters, and with CR_Memory if they are others
CASES = [
    ("-n1", "a1"), ("-n1 --exclusive", "a1"), ("-N1 --exclusive", "a1"), ("-n2", "a1"), ("-n8 --ntasks-per-socket=2 -p pa", "a1"), ("-n8 --ntasks-per-socket=2 -p pb", "b1"),
    ("-n16 --ntasks-per-socket=2 -p pa", "a[1-2]"), ("-n2 --ntasks-per-socket=1 -p pb", "b1"), ("-N2 -n4 --ntasks-per-socket=1 -p pb", "b[1-2]"), ("-n9 --ntasks-per-core=1 -p pb", "b1"),
    ("-n16 --ntasks-per-core=1 -p pb", "b1"), ("-n17 --ntasks-per-core=1 -p pb", "b[1-2]"), ("-n9 --threads-per-core=1 -p pb", "b1"), ("-n16 --hint=nomultithread -p pb", "b1"), ("-n9 --hint=nomultithread -p pb", "b1"),
    ("-N1 --sockets-per-node=2 -p pa", REFUSED), ("-N1 --sockets-per-node=2 -p all", "b1"), ("-n2 -B 2:2 -p all", "b1"), ("-n2 --cores-per-socket=8 -p all", "a1"), ("-n2 --cores-per-socket=4 -p pb", "b1"),
    ("-n3 -c5 -p pa", "a[1-2]"), ("-n3 -c5 -p pb", "b1"), ("-n24 -p pa", "a[1-3]"), ("-N2-3 -n8 -p pa", "a[1-3]"), ("-N1-3 -n8 -p pa", "a[1-3]"), ("-n16 --ntasks-per-node=4 -p all", "a[1-3],b1"),
    ("-n3 --ntasks-per-node=2 -p pa", "a[1-2]"), ("-n4 -O -p pa", "a1"), ("-n40 -O -p pa", "a1"), ("-n1 --mincpus=9 -p all", "b1"), ("-n8 --mem-per-cpu=10000 -p pa", "a1", WAITS),
    ("-n4 --mem-per-cpu=10000 -p pa", "a1", WAITS), ("-n3 -c5 --mem-per-cpu=5000 -p pa", "a[1-2]"), ("-n16 --hint=nomultithread --mem-per-cpu=3000 -p pb", "b1"), ("-n2 --threads-per-core=2 -p all", "b1"),
    ("-n8 --ntasks-per-core=1 --mem-per-cpu=6000 -p pb", "b1", WAITS), ("-n16 --ntasks-per-socket=1 --mem-per-cpu=6000 -p pb", "b1", WAITS), ("-n7 -c2 -p pa", "a[1-2]"),
    ("-n8 --hint=nomultithread -c2 -p pb", "b1"), ("-n9 --hint=compute_bound -p pb", "b1"), ("-N1 -n9 --hint=nomultithread -p pb", "b1"), ("-N2 -n18 --ntasks-per-core=1 -p pb", "b[1-2]"),
    ("-n8 -N1-2 --ntasks-per-socket=2 -p pa", "a[1-2]"),
]  # fmt: skip


def nodes(one, words):
    text = shown(one, words)
    if not text.startswith("JobId="):
        return text.rpartition(": ")[2]
    job = dict(re.findall(r"(\S+?)=(\S+)", text))
    return job["NodeList"] if job["JobState"] == "RUNNING" else f"waits {job['Reason']}"


def main():
    tally = Tally()
    for number, (memory, more) in enumerate((("", ""), ("SelectTypeParameters=CR_Memory\nDefMemPerCPU=100\n", ",pack_serial_at_end"))):
        with lab(CONF.format(memory=memory, more=more)) as one:
            for words, *told in CASES:
                tally.note(f"{'CR_Memory' if memory else '-':9} {words:50}", nodes(one, words), told[min(number, len(told) - 1)])
            held = hold(one, ["-N5 --exclusive -t 60"])
            planned = one.sub("-n1 -t 10")
            one.until(lambda: one.job(planned).get("SchedNodeList"), 60)
            tally.note("-n1 is planned on", one.job(planned).get("SchedNodeList"), "a1")
            release(one, [planned, *held])
    return tally.close()


if __name__ == "__main__":
    sys.exit(main())
