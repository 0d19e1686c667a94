#!/usr/bin/env python3
# scripts/reference/experiments/shown_gres.py — what `scontrol show node` says of a node's GRES, and on which merged lines slurmctld drains it (gres.md §1.4, §8).
"""Each line of tests/data/shown_gres.txt is a Gres= of slurm.conf, the node's lines of gres.conf (parted by `;`), the Gres= and the GresUsed= that scontrol shows of the idle node, and the Reason of one that is
drained. All are nodes of one cluster, of 4 x 2 cores. Prints the answers. About half a minute."""
import pathlib
import re
import sys
import time

from lab import Tally, lab
import cluster

CASES = pathlib.Path(__file__).resolve().parents[3] / "tests/data/shown_gres.txt"
CONF = """\
SelectType=select/cons_tres
SelectTypeParameters=CR_Core
SchedulerType=sched/backfill
PriorityType=priority/basic
GresTypes=gpu,mps,shard,nic
"""
SECONDS = 12  # some never come up


def main():
    cases = [row.split(" | ") for row in CASES.read_text().splitlines()]
    nodes = "".join(f"NodeName=n{i} Sockets=4 CoresPerSocket=2 ThreadsPerCore=1 RealMemory=16000 Gres={gres}\n" for i, (gres, *_) in enumerate(cases))
    lines = "".join(f"NodeName=n{i} {line}\n" for i, (_, given, *_) in enumerate(cases) for line in given.split(";"))
    begun = time.monotonic()
    cluster.Cluster.nodes_are_up = lambda _: time.monotonic() - begun > SECONDS
    tally = Tally()
    with lab(f"{CONF}{nodes}PartitionName=all Nodes=n[0-{len(cases) - 1}] Default=YES MaxTime=INFINITE State=UP\n", lines) as one:
        one.rest(60)
        for i, (gres, given, *told) in enumerate(cases):
            text = one.out(f"scontrol -d -o show node n{i}")
            said = [re.search(rf" {key}=(\S+)", text)[1] for key in ("Gres", "GresUsed")]
            reason = re.search(r" Reason=(.*?) \[", text)
            tally.note(f"{gres:28} {given}", " | ".join(said + ([reason[1]] if reason else [])), " | ".join(told))
    return tally.close()


if __name__ == "__main__":
    sys.exit(main())
