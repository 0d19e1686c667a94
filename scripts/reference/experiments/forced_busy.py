#!/usr/bin/env python3
# scripts/reference/experiments/forced_busy.py — as whole_busy.py, where partitions share cores: whom a job blocks whose own nodes have left the pass (scheduling.md §4.3).
"""Node g1 has the one GPU, which runs. `first` waits for it in gpu, so that g1 leaves the pass; `second` wants a GPU in all; `third` would run on a free node of all. Printed: whether it does,
by OverSubscribe of all and by what holds n1. About three minutes."""
import sys

from lab import Tally, lab
from whole_busy import CONF, CONS, GRES, ask

MORE = "PartitionName=big Nodes=g1 OverSubscribe=EXCLUSIVE MaxTime=INFINITE State=UP\n"
# OverSubscribe of all, what holds n1, and whether the third starts.
CASES = [("FORCE:2", "-w n1 --exclusive", "starts"), ("FORCE:2", "-p whole -n1", "waits"), ("FORCE:2", "-p big,all -n1", "starts"), ("FORCE:2", "-w n1 -n4", "starts"), ("FORCE:1", "-w n1 --exclusive", "waits"), ("FORCE:1", "-p big,all -n1", "waits"), ("FORCE:1", "-w n1 -n4", "starts"),
         ("YES:2", "-w n1 --exclusive", "waits"), ("YES:2", "-w n1 -n4 -s", "starts"), ("YES:2", "-p big,all -n1", "waits"), ("NO", "-p big,all -n1", "waits"), ("NO", "-w n1 --exclusive", "waits")]  # fmt: skip


def main():
    tally = Tally()
    for shares in ("FORCE:2", "FORCE:1", "YES:2", "NO"):
        conf = CONF.format(**CONS).replace("Default=YES", f"Default=YES OverSubscribe={shares}") + MORE
        with lab(conf, gres=GRES) as one:
            for of, holds, told in CASES:
                if of == shares:
                    tally.note(f"all {shares}, n1: {holds} |", ask(one, holds), told)
    return tally.close()


if __name__ == "__main__":
    sys.exit(main())
