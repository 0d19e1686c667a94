#!/usr/bin/env python3
# scripts/reference/experiments/all_memory.py — MaxMemPerNode and MaxMemPerCPU of jobs that want all memory of a node, or memory by GPU (scheduling.md §6.1).
"""Nodes of five makes. Asks every question of tests/data/placements/all_memory.txt (or the named file), `PARTITION SBATCH-WORDS | ANSWER`, and prints those that are
answered otherwise. About nine minutes.

    all_memory.py [FILE] [--write OUT]"""
import argparse
import pathlib
import re
import sys

from lab import Tally, lab, release

QUESTIONS = pathlib.Path(__file__).resolve().parents[3] / "tests/data/placements/all_memory.txt"
CONF = """\
SelectType=select/cons_tres
SelectTypeParameters=CR_Core_Memory
SchedulerType=sched/backfill
SchedulerParameters=bf_interval=600
PriorityType=priority/basic
GresTypes=gpu
NodeName=a[1-2] Sockets=2 CoresPerSocket=4 ThreadsPerCore=1 RealMemory=16000
NodeName=b[1-2] Sockets=2 CoresPerSocket=8 ThreadsPerCore=1 RealMemory=32000
NodeName=c1 Sockets=2 CoresPerSocket=4 ThreadsPerCore=1 RealMemory=24000
NodeName=g[1-2] Sockets=2 CoresPerSocket=8 ThreadsPerCore=1 RealMemory=40000 Gres=gpu:4
NodeName=t[1-2] Sockets=2 CoresPerSocket=4 ThreadsPerCore=2 RealMemory=20000
PartitionName=all Nodes=a[1-2],b[1-2],c1 MaxTime=INFINITE State=UP Default=YES
PartitionName=n20 Nodes=a[1-2],b[1-2],c1 MaxTime=INFINITE State=UP MaxMemPerNode=20000
PartitionName=n10 Nodes=a[1-2],b[1-2],c1 MaxTime=INFINITE State=UP MaxMemPerNode=10000
PartitionName=x10 Nodes=a[1-2],b[1-2],c1 MaxTime=INFINITE State=UP MaxMemPerNode=10000 OverSubscribe=EXCLUSIVE
PartitionName=bc28 Nodes=b[1-2],c1 MaxTime=INFINITE State=UP MaxMemPerNode=28000
PartitionName=bcc2 Nodes=b[1-2],c1 MaxTime=INFINITE State=UP MaxMemPerCPU=2000
PartitionName=bcc4 Nodes=b[1-2],c1 MaxTime=INFINITE State=UP MaxMemPerCPU=4000
PartitionName=c1000 Nodes=a[1-2],b[1-2],c1 MaxTime=INFINITE State=UP MaxMemPerCPU=1000
PartitionName=c3000 Nodes=a[1-2],b[1-2],c1 MaxTime=INFINITE State=UP MaxMemPerCPU=3000
PartitionName=c9000 Nodes=a[1-2],b[1-2],c1 MaxTime=INFINITE State=UP MaxMemPerCPU=9000
PartitionName=t3 Nodes=t[1-2] MaxTime=INFINITE State=UP MaxMemPerCPU=3000
PartitionName=dc Nodes=a[1-2],b[1-2],c1 MaxTime=INFINITE State=UP MaxMemPerCPU=4000 DefMemPerCPU=1000
PartitionName=dn Nodes=a[1-2],b[1-2],c1 MaxTime=INFINITE State=UP MaxMemPerNode=28000 DefMemPerNode=5000
PartitionName=g30 Nodes=g[1-2] MaxTime=INFINITE State=UP MaxMemPerNode=30000
PartitionName=gd30 Nodes=g[1-2] MaxTime=INFINITE State=UP MaxMemPerNode=30000 DefMemPerGPU=3000
PartitionName=gdc30 Nodes=g[1-2] MaxTime=INFINITE State=UP MaxMemPerNode=30000 DefMemPerGPU=3000 DefMemPerCPU=1000
PartitionName=gc4 Nodes=g[1-2] MaxTime=INFINITE State=UP MaxMemPerCPU=4000
PartitionName=gd4 Nodes=g[1-2] MaxTime=INFINITE State=UP MaxMemPerCPU=4000 DefMemPerGPU=3000
PartitionName=gdc4 Nodes=g[1-2] MaxTime=INFINITE State=UP MaxMemPerCPU=4000 DefMemPerGPU=3000 DefMemPerCPU=1000
PartitionName=gdn4 Nodes=g[1-2] MaxTime=INFINITE State=UP MaxMemPerCPU=1000 DefMemPerGPU=3000 DefMemPerNode=5000
"""
GRES = "NodeName=g[1-2] Name=gpu File=/dev/nvidia[0-3]\n"


def mib(amount):
    """`62.50G` or `1000M` as MiB."""
    return round(float(amount[:-1]) * {"M": 1, "G": 1024}[amount[-1]])


def answer(one, words):
    """`runs NODES CPUS MEMORY`, `waits REASON` or `refused`."""
    number = one.sub(f"-p {words}")
    if not str(number).isdigit():
        return "refused"
    one.until(lambda: one.job(number).get("JobState") == "RUNNING", 10)
    job = one.job(number)
    release(one, [number])
    if job.get("JobState") != "RUNNING":
        return f"waits {job['Reason']}"
    return f"runs {job['NodeList']} {job['NumCPUs']} {mib(re.search(r'mem=([^,]+)', job['TRES'])[1])}"


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("file", nargs="?", type=pathlib.Path, default=QUESTIONS)
    parser.add_argument("--write", type=pathlib.Path, help="the answers, as such a file")
    given = parser.parse_args()
    tally = Tally()
    written = []
    with lab(CONF, gres=GRES) as one:
        for line in given.file.read_text().splitlines():
            words, _, told = line.partition(" | ")
            got = answer(one, words)
            written.append(f"{words} | {got}\n")
            tally.note(words, got, told or got)
    if given.write:
        given.write.write_text("".join(written))
    return tally.close()


if __name__ == "__main__":
    sys.exit(main())
