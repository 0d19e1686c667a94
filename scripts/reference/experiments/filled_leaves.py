#!/usr/bin/env python3
# scripts/reference/experiments/filled_leaves.py — topology/tree: leaves that hold a taken node are filled beyond the most nodes of a job (scheduling.md §6.6).
"""n[1-3] and n[4-6] are leaves, of four GPUs each; w1 is lighter than w[2-3] of its leaf and w[4-5] of the next. Each case: what is free (GPUs of n1 to n6; CPUs of w1 to w5), then jobs with
the nodes of an estimate (sbatch --test-only; `later`: not from now on) and those of a start. Three minutes."""
import re
import sys

from lab import Tally, hold, lab, release

CONF = """\
SelectType=select/cons_tres
SelectTypeParameters=CR_Core
SchedulerType=sched/backfill
PriorityType=priority/basic
SchedulerParameters=sched_interval=5,bf_interval=-1
TopologyPlugin=topology/tree
GresTypes=gpu
NodeName=n[1-6] Sockets=2 CoresPerSocket=16 ThreadsPerCore=1 RealMemory=96000 Gres=gpu:h:4
NodeName=w1 Sockets=2 CoresPerSocket=8 ThreadsPerCore=1 RealMemory=96000 Weight=1
NodeName=w[2-5] Sockets=2 CoresPerSocket=8 ThreadsPerCore=1 RealMemory=96000 Weight=2
PartitionName=n Nodes=n[1-6] State=UP Default=YES MaxTime=INFINITE DefaultTime=600
PartitionName=w Nodes=w[1-5] State=UP MaxTime=INFINITE DefaultTime=600
"""
GRES = "NodeName=n[1-6] Name=gpu Type=h File=/dev/nvidia[0-3]\n"
TREE = "SwitchName=s1 Nodes=n[1-3]\nSwitchName=s2 Nodes=n[4-6]\nSwitchName=s3 Nodes=w[1-3]\nSwitchName=s4 Nodes=w[4-5]\nSwitchName=top Switches=s[1-4]\n"
CASES = [
    ("n", (4, 2, 2, 0, 0, 0), [("-N2 --gpus=8", "n[1-3]", "waits"), ("-N2 --gpus=7", "n[1-3]", "waits"), ("-N2 --gpus=6", "n[1-2]", "n[1-2]"), ("-N3 --gpus=8", "n[1-3]", "n[1-3]"), ("-N1-2 --gpus=8", "n[1-3]", "waits"),
                               ("-N2 --gpus=8 -n8", "n[1-3]", "waits"), ("-N2 --gpus=8 --ntasks-per-node=4", "n[1-3]", "waits")]),
    ("n", (4, 2, 0, 2, 0, 0), [("-N2 --gpus=8", "later", "waits"), ("-N2 --gpus=6", "n[1-2]", "n[1-2]"), ("-N1-2 --gpus=8", "later", "waits")]),
    ("n", (4, 2, 2, 2, 0, 0), [("-N2 --gpus=10", "n[1-4]", "refused"), ("-N2 --gpus=8", "n[1-3]", "waits"), ("-N3 --gpus=10", "later", "waits")]),
    ("n", (4, 2, 2, 2, 2, 0), [("-N2 --gpus=12", "n[1-5]", "refused"), ("-N3 --gpus=12", "later", "waits")]),
    ("n", (4, 0, 0, 2, 2, 2), [("-N3 --gpus=10", "later", "waits"), ("-N3 --gpus=8", "n[1,4-5]", "n[1,4-5]")]),
    ("n", (4, 2, 1, 1, 2, 2), [("-N2 --gpus=8", "later", "waits"), ("-N4 --gpus=12 --ntasks-per-node=4", "later", "waits")]),
    ("n", (3, 3, 3, 0, 0, 0), [("-N2 --gpus=8", "later", "waits"), ("-N2 --gpus=6", "n[1-2]", "n[1-2]")]),
    ("n", (2, 1, 0, 0, 0, 0), [("-N1 --gpus=3", "later", "waits"), ("-N1 --gpus=2", "n1", "n1")]),
    ("w", (16, 12, 12, 0, 0), [("-N2 -n32", "w[1-3]", "waits"), ("-N2 -n28", "w[1-2]", "w[1-2]"), ("-N1-2 -n32", "w[1-3]", "waits"), ("-N3 -n32", "w[1-3]", "w[1-3]"), ("-n32", "w[1-3]", "w[1-3]")]),
    ("w", (16, 12, 12, 16, 0), [("-N2 -n32", "w[1-3]", "waits"), ("-N2 -n30", "w[1-3]", "waits")]),
]  # fmt: skip


def held(kind, free):
    """Jobs that leave so much of each node."""
    most, asked = (4, "--gres=gpu:{}") if kind == "n" else (16, "-n{}")
    return [f"-p {kind} -w {kind}{number} {asked.format(most - left)}" for number, left in enumerate(free, 1) if left < most]


def main():
    tally = Tally()
    with lab(CONF, GRES, topology=TREE) as one:
        for kind, free, jobs in CASES:
            holders = hold(one, held(kind, free))
            for words, planned, started in jobs:
                said = one.out(f"sbatch --test-only -p {kind} {words} --wrap true")
                found = re.search(r"to start at \S+T(\d\d):.* on nodes (\S+)", said)
                later = found is None or int(found[1]) >= 18
                tally.note(f"{free} {words} | planned", "later" if later else found[2], planned)
                number = one.sub(f"-p {kind} {words}")
                if not number.isdigit():
                    tally.note(f"{free} {words} | given", "refused", started)
                    continue
                one.rest(22)
                tally.note(f"{free} {words} | given", one.job(number).get("NodeList", "").replace("(null)", "") or "waits", started)
                release(one, [number])
            release(one, holders)
    return tally.close()


if __name__ == "__main__":
    sys.exit(main())
