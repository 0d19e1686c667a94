#!/usr/bin/env python3
# scripts/reference/experiments/all_partitions.py — which partitions of a list the submission tests, by EnforcePartLimits (scheduling.md §5.3).
"""x has OverSubscribe=EXCLUSIVE and a lower PriorityTier than y and z. Printed: where a job starts, and with how many CPUs: those of the whole node if x has tested it. About two minutes."""
import sys

from lab import Tally, lab, release

CONF = """\
SchedulerType=sched/backfill
SchedulerParameters=sched_interval=2,bf_interval=-1
PriorityType=priority/multifactor
SelectType=select/cons_tres
SelectTypeParameters=CR_Core
EnforcePartLimits={enforce}
NodeName=a[1-3] Sockets=2 CoresPerSocket=4 ThreadsPerCore=1 RealMemory=16000
PartitionName=x Nodes=a1 MaxTime=INFINITE State=UP OverSubscribe=EXCLUSIVE PriorityTier=1
PartitionName=y Nodes=a2 MaxTime=INFINITE State=UP Default=YES PriorityTier=5
PartitionName=z Nodes=a3 MaxTime=INFINITE State=UP PriorityTier=5
PartitionName=w Nodes=a2 MaxTime=INFINITE State=UP PriorityTier=1
"""
WORDS = ["-p x,y -n1", "-p y,x -n1", "-p w,x,y -n1", "-p z,x,y -n1", "-p x,z,y -n1", "-p y,x,z -n2", "-p y,z -n1", "-p x,y -n1 --oversubscribe", "-p x,y -n1 --begin=now+10", "-p x,y -n1 -a 1-1"]
TOLD = {"ALL": ["y 8", "y 8", "y 8", "z 8", "z 8", "y 8", "y 1", "y 8", "y 8", "y 8"], "ANY": ["y 1", "y 1", "y 1", "z 1", "z 1", "y 2", "y 1", "y 1", "y 1", "y 1"]}
TOLD["NO"] = TOLD["ANY"]


def ask(one, words):
    number = one.sub(words)
    if not number.isdigit():
        return number
    shown = f"{number}_1" if "-a" in words else number
    one.until(lambda: one.job(shown).get("JobState") == "RUNNING", 60)
    job = one.job(shown)
    release(one, [number])
    return f"{job['Partition']} {job['NumCPUs']}" if job["JobState"] == "RUNNING" else "waits"


def main():
    tally = Tally()
    for enforce, told in TOLD.items():
        with lab(CONF.format(enforce=enforce)) as one:
            for words, each in zip(WORDS, told, strict=True):
                tally.note(f"{enforce:4} {words:28}", ask(one, words), each)
    return tally.close()


if __name__ == "__main__":
    sys.exit(main())
