#!/usr/bin/env python3
# scripts/reference/experiments/one_node_by_partition.py — which nodes are too small for the tasks of a job on one node (scheduling.md §6.2).
"""Five nodes of eight CPUs with 8, 4, 2, 4 and 4 free. Where the third one is of no use for four tasks it parts two runs of nodes, the smaller of which
is taken: n4; where it is n2 is, of the one run. The job may have one node by its own words, or by its partition's.
Printed: the node, and whether that is as the text says."""
import re
import sys

from lab import Tally, hold, lab, shown

CONF = """\
SelectType=select/{select}
SelectTypeParameters=CR_Core_Memory
DefMemPerCPU=10
NodeName=n[1-5] CPUs=8 RealMemory=1000
PartitionName=all Nodes=ALL Default=YES MaxTime=INFINITE State=UP
PartitionName=one Nodes=ALL MaxNodes=1 MaxTime=INFINITE State=UP
PartitionName=two Nodes=ALL MaxNodes=2 MaxTime=INFINITE State=UP
"""
FREE = (8, 4, 2, 4, 4)
# (options, the node under cons_tres, under cons_res)
ASKED = [
    ("-n4", "n2", "n2"), ("-N1 -n4", "n4", "n2"), ("-N1-1 -n4", "n4", "n2"), ("-p one -n4", "n2", "n2"), ("-p one -N1 -n4", "n4", "n2"),
    ("-p two -n4", "n2", "n2"), ("-p two -N1-2 -n4", "n[1-2]", "n[1-2]"), ("-p one -n4 --ntasks-per-node=4", "n4", "n4"), ("-p one -c4", "n4", "n4"),
    ("-p one -n2 -c2", "n2", "n2"), ("-p one -N1 -n2 -c2", "n4", "n2"),
    ("-N1 -n3 -O", "n3", "n3"),
]  # fmt: skip


def main():
    tally = Tally()
    for select, at in (("cons_tres", 1), ("cons_res", 2)):
        with lab(CONF.format(select=select)) as one:
            hold(one, [f"-w n{i + 1} -N1 -n{8 - free} -t 900" for i, free in enumerate(FREE) if free < 8])
            for words, *told in ASKED:
                found = re.findall(r" NodeList=(\S+)", shown(one, words + " -t 5"))
                tally.note(f"{select:9} {words:32}", " ".join(found), told[at - 1])
    return tally.close()


if __name__ == "__main__":
    sys.exit(main())
