#!/usr/bin/env python3
# scripts/reference/experiments/default_memory_over.py — what sbatch says of memory beyond MaxMemPerNode that a job asks for, or has by default (limits.md §1.3).
"""Two nodes of eight cores and 16,000 MB, at most 8,000 of them for a job; x is EXCLUSIVE, free has no limit of its own. About two minutes."""
import sys

from lab import Tally, lab

CONF = """\
SelectType=select/cons_tres
SelectTypeParameters={way}
SchedulerType=sched/backfill
PriorityType=priority/basic
EnforcePartLimits={enforce}
{default}
NodeName=n[1-2] Sockets=2 CoresPerSocket=4 RealMemory=16000
PartitionName=n Nodes=n[1-2] MaxTime=INFINITE State=UP Default=YES {limit}
PartitionName=x Nodes=n[1-2] MaxTime=INFINITE State=UP OverSubscribe=EXCLUSIVE {limit}
PartitionName=free Nodes=n[1-2] MaxTime=INFINITE State=UP
"""
LIMIT = "MaxMemPerNode=8000"
ASKED, DEFAULT = "Memory required by task is not available", "Requested partition configuration not available now"
# under DefMemPerCPU=1500, under DefMemPerNode=12000, and with a limit for all partitions and no default
BY_CPU, BY_NODE, ALL = ("DefMemPerCPU=1500", LIMIT), ("DefMemPerNode=12000", LIMIT), (LIMIT, "")
ANY_DEFAULT = [
    ("-n1 --exclusive", DEFAULT),
    ("-p x -n1", DEFAULT),
    ("-N1 -c8", DEFAULT),
    ("-N2 -n16", DEFAULT),
    ("-N1 --exclusive --mem=12000", ASKED),
    ("-N1 --mem=12000", ASKED),
    ("-n1 --exclusive --mem-per-cpu=1500", ASKED),
    ("-p x -n1 --mem-per-cpu=1500", ASKED),
    ("-N1 --exclusive --mem=0", ASKED),
    ("-n1 --mem-per-cpu=9000", ASKED),
    ("-n8 -H --mem=12000", ASKED),
]
WHATEVER_CPUS = [("-n1", DEFAULT), ("-n8", DEFAULT), ("-n1 -H", DEFAULT), ("-n8 -b now+1hour", DEFAULT)]


def main():
    tally = Tally()
    for way in ("CR_Core_Memory", "CR_Core"):
        for enforce in ("ALL", "ANY"):
            for default, limit in (BY_CPU, BY_NODE, ALL):
                cases = ANY_DEFAULT + (WHATEVER_CPUS if (default, limit) != BY_CPU else [])
                with lab(CONF.format(way=way, enforce=enforce, default=default, limit=limit)) as one:
                    for words, told in cases:
                        tally.note(f"{way} {enforce} {default} {words} |", one.sub(words).rpartition("failed: ")[2], told)
    return tally.close()


if __name__ == "__main__":
    sys.exit(main())
