#!/usr/bin/env python3
# scripts/reference/experiments/memory_over.py — CPUs and memory of `--exclusive` over the cores of a higher tier (scheduling.md §6.3).
"""The nodes of exclusive_over.py, of two threads a core: five tasks of h1 hold three cores of n1, jobs of l2 the other nodes. Printed: NumCPUs, CPU_IDs and memory of `--exclusive` jobs of l2."""
import re
import sys

import exclusive_over
from lab import Tally, hold, lab, release

HELD = ["-p h1 -w n1 -n5", "-p l2 -w n2 -n16", "-p l2 -w n3 -n16"]
JOBS = [("", 1000), ("--mem-per-cpu=70", 700), ("-n4", 1000), ("--mem=777", 777)]


def main():
    tally = Tally()
    for select, cpus in (("CR_Core_Memory", "4-7,10-15"), ("CR_CPU_Memory", "6-15")):
        with lab(exclusive_over.CONF.replace("ThreadsPerCore=1", "ThreadsPerCore=2").format(select)) as one:
            ids = hold(one, HELD)
            for words, memory in JOBS:
                number = one.sub(f"-p l2 -N1 --exclusive {words}")
                one.until(lambda: one.job(number).get("JobState") in ("RUNNING", "SUSPENDED"), 12)  # noqa: B023
                found = re.search(r"NumCPUs=(\d+).* CPU_IDs=(\S+) Mem=(\d+)", one.out(f"scontrol -d show job {number}"), re.DOTALL)
                tally.note(f"{select} --exclusive {words} |", " ".join(found.groups()) if found else "waits", f"16 {cpus} {memory}")
                release(one, [number])
            release(one, ids)
    return tally.close()


if __name__ == "__main__":
    sys.exit(main())
