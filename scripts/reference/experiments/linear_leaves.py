#!/usr/bin/env python3
# scripts/reference/experiments/linear_leaves.py — the order of the leaves below one switch, for whole nodes of select/linear (scheduling.md §6.6).
"""Three leaves under one switch, some of their nodes held. Told: the leaves with the fewest CPUs left come first, on ties in table order, of each its nodes by index; nodes of -w before (whose answer was told wrongly at first, by hand).
With nodes all alike the order by nodes is the same one: `unlike` has leaves where it is not. About four minutes."""
import sys

from lab import Tally, hold, lab, numbers, release

CONF = """\
SelectType=select/linear
SchedulerType=sched/backfill
SchedulerParameters=bf_interval=600
TopologyPlugin=topology/tree
PriorityType=priority/basic
{more}
{nodes}
PartitionName=a Nodes=ALL MaxTime=INFINITE State=UP Default=YES PriorityTier=5 {off}
PartitionName=low Nodes=ALL MaxTime=INFINITE State=UP PriorityTier=1
"""
ALIKE = "NodeName=k[1-12] Sockets=1 CoresPerSocket=4 ThreadsPerCore=1 RealMemory=16000"
UNLIKE = """\
NodeName=k[1-4] Sockets=1 CoresPerSocket=4 ThreadsPerCore=1 RealMemory=16000
NodeName=k[5-6] Sockets=1 CoresPerSocket=16 ThreadsPerCore=1 RealMemory=16000
NodeName=k[9-11] Sockets=1 CoresPerSocket=8 ThreadsPerCore=1 RealMemory=16000"""
LEAVES = "SwitchName=s1 Nodes=k[1-4]\nSwitchName=s2 Nodes=k[5-8]\nSwitchName=s3 Nodes=k[9-12]\nSwitchName=top Switches=s[1-3]\n"
FEWER = "SwitchName=s1 Nodes=k[1-4]\nSwitchName=s2 Nodes=k[5-6]\nSwitchName=s3 Nodes=k[9-11]\nSwitchName=top Switches=s[1-3]\n"
PREEMPT = "PreemptType=preempt/partition_prio\nPreemptMode=REQUEUE"
CASES = [
    ("k[4,7-12]", [("-N4", "k[1-2,5-6]")]),
    ("k[8-12]", [("-N5", "k[1-2,5-7]"), ("-N6", "k[1-3,5-7]"), ("-n24", "k[1-3,5-7]")]),
    ("k[8,11-12]", [("-N5", "k[5-7,9-10]"), ("-N6", "k[1,5-7,9-10]"), ("-N7", "k[1-2,5-7,9-10]"), ("-N6 -w k3", "k[1-4,9-10]")]),
    ("k[3-4,8]", [("-N6", "k[1-2,5-7,9]"), ("-N5", "k[1-2,5-7]")]),
    ("k[4,10-12]", [("-N5", "k[1-3,5,9]")]),
]  # fmt: skip
UNLIKE_CASES = [("", [("-N5", "k[1-4,9]"), ("-N6", "k[1-4,9-10]"), ("-N8", "k[1-5,9-11]"), ("-n60", "k[1-6,9-11]")]), ("k1", [("-N5", "k[2-4,9-10]"), ("-N7", "k[2-5,9-11]")]), ("k[10-11]", [("-N6", "k[1-5,9]")])]  # fmt: skip


def main():
    tally = Tally()
    for name, nodes, topology, more, off, cases in (("plain", ALIKE, LEAVES, "", "", CASES), ("preemption", ALIKE, LEAVES, PREEMPT, "PreemptMode=OFF", CASES), ("unlike", UNLIKE, FEWER, "", "", UNLIKE_CASES)):
        with lab(CONF.format(nodes=nodes, more=more, off=off), topology=topology) as one:
            for held, questions in cases:
                holders = hold(one, [f"-p a -w {held} -N{len(numbers(held[1:].strip('[]')))}"]) if held else []
                for words, told in questions:
                    job = one.sub(f"-p a {words}")
                    one.until(lambda: one.job(job).get("JobState") == "RUNNING", 20)
                    tally.note(f"{name:10} held {held or '-':12} {words:10}", one.job(job).get("NodeList"), told)
                    release(one, [job])
                release(one, holders)
    return tally.close()


if __name__ == "__main__":
    sys.exit(main())
