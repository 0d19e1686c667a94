#!/usr/bin/env python3
# scripts/reference/experiments/flex_members.py — members of a FLEX reservation who need more nodes than it has, in the main loop (scheduling.md §4.2 item 2).
"""c[1-2] of c[1-4] are reserved FLEX (or ANY_NODES); backfill does not run. Printed is where a member starts or that it waits, as
tests/data/placements/flex_members.txt has it, and what is not as that file says."""
import pathlib
import sys

from lab import lab

ANSWERS = pathlib.Path(__file__).resolve().parents[3] / "tests/data/placements/flex_members.txt"
CONF = """SelectType=select/cons_tres
SelectTypeParameters=CR_CPU_Memory
SchedulerType=sched/backfill
PriorityType=priority/basic
SchedulerParameters=sched_interval=10,bf_interval=-1
DefMemPerCPU=100
NodeName=c[1-4] Sockets=2 CoresPerSocket=8 ThreadsPerCore=1 RealMemory=64000
NodeName=d[1-2] Sockets=2 CoresPerSocket=8 ThreadsPerCore=1 RealMemory=64000 Weight=5
PartitionName=all Nodes=c[1-4] Default=YES MaxTime=INFINITE State=UP
PartitionName=big Nodes=ALL MaxTime=INFINITE State=UP
PartitionName=out Nodes=d[1-2] MaxTime=INFINITE State=UP
"""
WORDS = ("-N1 -n4", "-N1 -n4 -w c3", "-N1 -n1 -x c[1-2]", "-N2 -n2 -x c1", "-N3 -n3", "-N3 -n3 -w c[1-3]", "-n32", "-n33", "-n33 -O", "-n33 -p big", "-n17 -c2", "-n16 -c2", "-n4 -N2-4 --mem=40000", "-n3 -c9", "-N1-2 -n4", "-N1-3 -n40", "-n3 --exclusive", "-N2-4 -n4 --spread-job", "--ntasks-per-node=1 -n3", "-p out -N1 -n1")


def main():
    known = ANSWERS.read_text().splitlines() if ANSWERS.exists() else []
    wrong = 0
    for flags in ("FLEX", "ANY_NODES"):
        print(f"conf: {flags}", flush=True)
        with lab(CONF) as one:
            one.out(f"scontrol create reservation ReservationName=f StartTime=now+5 Duration=500 Users=root Nodes=c[1-2] Flags={flags},IGNORE_JOBS")
            one.rest(10)
            for words in WORDS:
                number = one.sub(f"{words} --reservation=f -t 30")
                one.rest(30)
                line = f"{words} | {one.job(number).get('NodeList') or 'waits'}"
                wrong += line not in known
                print(line, flush=True)
                one.out(f"scancel {number}")
                one.rest(15)
    print(f"{wrong} answers are not as the file says", file=sys.stderr)
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
