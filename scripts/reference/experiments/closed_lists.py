#!/usr/bin/env python3
# scripts/reference/experiments/closed_lists.py — what becomes of a list of partitions of which one takes no jobs (limits.md §1.3).
"""x is up; y, which the job names too, is DRAIN, INACTIVE or DOWN, and Alternate= of z. Printed are the partitions that the job has, or
that it was refused, as tests/data/placements/closed_lists.txt has it, and what is not as that file says."""
import pathlib
import sys

from lab import lab

ANSWERS = pathlib.Path(__file__).resolve().parents[3] / "tests/data/placements/closed_lists.txt"
CONF = """SelectType=select/cons_tres
SelectTypeParameters=CR_Core
SchedulerType=sched/backfill
PriorityType=priority/basic
SchedulerParameters=sched_interval=50000,bf_interval=-1
NodeName=a[1-2] Sockets=1 CoresPerSocket=4 ThreadsPerCore=1 RealMemory=1000
PartitionName=x Nodes=a1 Default=YES MaxTime=INFINITE State=UP
PartitionName=y Nodes=a2 MaxTime=INFINITE State=UP
PartitionName=z Nodes=a[1-2] MaxTime=INFINITE State=UP Alternate=y
"""


def main():
    known = ANSWERS.read_text().splitlines() if ANSWERS.exists() else []
    wrong = 0
    with lab(CONF) as one:
        for state in ("DRAIN", "INACTIVE", "DOWN"):
            print(f"conf: {state}", flush=True)
            one.out(f"scontrol update PartitionName=y State={state}")
            one.out(f"scontrol update PartitionName=z State={state}")
            asked = []
            for words in ("-p x,y", "-p y,x", "-p y", "-p x,y -w a2", "-p x,z"):
                number = one.sub(f"{words} -H")
                asked.append((words, one.job(number).get("Partition") if number.isdigit() else "refused"))
                one.out(f"scancel {number}")
            number = one.sub("-p x -H")
            for names in ("x,y", "y"):
                refused = "not available" in one.out(f"scontrol update JobId={number} Partition={names}")
                asked.append((f"-p x, then Partition={names}", "refused" if refused else one.job(number).get("Partition")))
            one.out(f"scancel {number}")
            number = one.sub("-p x,y -H")
            one.out("scontrol update PartitionName=y State=UP")
            one.out(f"scontrol update JobId={number} Nice=5")
            asked.append(("-p x,y, then y is up", one.job(number).get("Partition")))
            one.out(f"scancel {number}")
            number = one.sub("-p x,z -H")
            asked.append(("-p x,z where y is up", one.job(number).get("Partition")))
            one.out(f"scancel {number}")
            one.out("scontrol update PartitionName=z State=UP")
            for words, answer in asked:
                line = f"{words} | {answer}"
                wrong += line not in known
                print(line, flush=True)
    print(f"{wrong} answers are not as the file says", file=sys.stderr)
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
