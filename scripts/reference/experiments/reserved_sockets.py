#!/usr/bin/env python3
# scripts/reference/experiments/reserved_sockets.py — what a socket of which some cores are reserved gives under CR_Socket (scheduling.md §9).
"""One node of four sockets with four cores each, of which a reservation `r` has the first few. Asks every question of
tests/data/placements/reserved_sockets.txt (or the named file): what NumCPUs and CPU_IDs a job has, beside the jobs that are held. About ten minutes.

    reserved_sockets.py [FILE] [--write OUT]"""
import argparse
import pathlib
import re
import sys

from lab import Tally, hold, lab, numbers, ranges, release

QUESTIONS = pathlib.Path(__file__).resolve().parents[3] / "tests/data/placements/reserved_sockets.txt"
CONF = """\
SchedulerType=sched/backfill
SchedulerParameters=sched_interval=50000,bf_interval=-1
PriorityType=priority/basic
SelectType=select/cons_tres
SelectTypeParameters=CR_Socket
NodeName=n1 Sockets=4 CoresPerSocket=4 ThreadsPerCore=1 RealMemory=1000
PartitionName=p Nodes=n1 Default=YES MaxTime=INFINITE State=UP
"""


def stand(one, line):
    """The reservation and the jobs of a `reserved: CORES` or `reserved: CORES held: JOB; JOB` line."""
    cores, _, jobs = line.removeprefix("reserved: ").partition(" held: ")
    if int(cores):
        one.out(f"scontrol create reservation ReservationName=r Users=root StartTime=now Duration=600 Nodes=n1 CoreCnt={cores}")
        one.rest(20)
    return [each for words in jobs.split("; ") if words for each in hold(one, [f"-t 300 {words}"])]


def answer(one, words):
    number = one.sub(f"-N1 -t 10 {words}")
    if not number.isdigit():
        return "refused"
    one.rest(12)
    job = one.job(number)
    one.out(f"scancel {number}")
    one.rest(14)
    return f"{job['NumCPUs']} {ranges(numbers(job['CPU_IDs']))}" if "CPU_IDs" in job else "waits"


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("file", nargs="?", type=pathlib.Path, default=QUESTIONS)
    parser.add_argument("--write", type=pathlib.Path, help="the answers, as such a file")
    given = parser.parse_args()
    tally, written, held = Tally(), [], []
    with lab(CONF) as one:
        for line in given.file.read_text().splitlines():
            if line.startswith("reserved: "):
                release(one, held)
                one.out("scontrol delete ReservationName=r")
                one.rest(10)
                held = stand(one, line)
                print(line)
                written.append(line)
                continue
            open_question, words, told = re.fullmatch(r"(\? )?(.*) \| (.*)", line).groups()
            got = answer(one, words)
            tally.note(words, got, told)
            written.append(f"{open_question or ''}{words} | {got}")
    if given.write:
        given.write.write_text("\n".join(written) + "\n")
    return tally.close()


if __name__ == "__main__":
    sys.exit(main())
