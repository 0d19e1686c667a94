#!/usr/bin/env python3
# scripts/reference/experiments/whole_runs.py — do nodes that others use part the sets of neighbours of a job of whole nodes (scheduling.md §5.5).
"""Eight light nodes and four heavier, wider ones, of which some are held in part or whole. Printed: where a job of whole nodes starts, by passes and
by backfill alone, under select/cons_res and cons_tres, and whether that is as the text says. Some six minutes."""
import sys

from lab import Tally, hold, lab, release

CONF = """\
SelectType=select/{select}
SelectTypeParameters=CR_CPU
SchedulerType=sched/backfill
SchedulerParameters={parameters}
PriorityType=priority/basic
NodeName=n[01-08] Sockets=2 CoresPerSocket=4 RealMemory=32000 Weight=1
NodeName=g[01-04] Sockets=2 CoresPerSocket=8 RealMemory=64000 Weight=5
PartitionName=all Nodes=ALL Default=YES MaxTime=INFINITE State=UP
"""
MAIN, BACKFILL = "bf_interval=-1", "sched_interval=50000,defer,bf_interval=5"
ASKED = ("-N1 --exclusive", "-N2 --exclusive", "-n1 --exclusive")
FIRST = ("n01", "n[01-02]", "n01")
HELD = [["-w n05 -n1"], ["-w n03 -n1"], ["-w n07 -n1"], ["-w n03 -n8"], ["-w n03 -n1", "-w n06 -n1"], ["-w g02 -n1", "-w n05 -n1"],
        ["-w n05 --exclusive"]]  # fmt: skip
# (select plugin, loop, what is held, what the text says of ASKED)
CASES = [("cons_res", loop, held, FIRST) for loop in (MAIN, BACKFILL) for held in HELD] + [
    ("cons_tres", BACKFILL, HELD[0], ("n06", "n[06-07]", "n06")),
    ("cons_tres", BACKFILL, HELD[1], FIRST),
    ("cons_tres", BACKFILL, HELD[2], ("n08", "n[01-02]", "n08")),
    ("cons_tres", BACKFILL, HELD[6], ("n06", "n[06-07]", "n06")),
]


def main():
    tally = Tally()
    for select, loop in dict.fromkeys(case[:2] for case in CASES):
        with lab(CONF.format(select=select, parameters=loop)) as one:
            for _, _, held, told in (case for case in CASES if case[:2] == (select, loop)):
                ids = hold(one, [f"{each} -t 100" for each in held])
                for words, where in zip(ASKED, told):
                    job = one.sub(words + " -t 50")
                    one.rest(14)
                    by = "main" if loop == MAIN else "backfill"
                    tally.note(f"{select:9} {by:8} {'; '.join(held):24} {words}", one.job(job).get("NodeList"), where)
                    release(one, [job])
                release(one, ids)
    return tally.close()


if __name__ == "__main__":
    sys.exit(main())
