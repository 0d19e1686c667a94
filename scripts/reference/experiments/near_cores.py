#!/usr/bin/env python3
# scripts/reference/experiments/near_cores.py — nodes, cores and GPUs where the cores beside the GPUs may be too few (gres.md §3.2, §3.3).
"""Asks every question of tests/data/placements/near_cores.txt (or the named file) of a real slurmctld and prints those that are answered otherwise. About ten minutes.

    near_cores.py [FILE] [--grep WORDS] [--write OUT]"""
import argparse
import pathlib
import re
import sys

from lab import hold, lab, numbers, ranges, release, shown

QUESTIONS = pathlib.Path(__file__).resolve().parents[3] / "tests/data/placements/near_cores.txt"
# What the clusters of GPUs have in common.
USUAL = """\
SelectType=select/cons_tres
SelectTypeParameters=CR_Core
SchedulerType=sched/backfill
PriorityType=priority/basic
GresTypes=gpu
"""
CONF = USUAL + """\
NodeName=k[1-2] Sockets=4 CoresPerSocket=4 ThreadsPerCore=1 RealMemory=16000 Gres=gpu:a100:4
NodeName=m[1-4] Sockets=2 CoresPerSocket=4 ThreadsPerCore=1 RealMemory=16000 Gres=gpu:a100:4
NodeName=n[1-4] Sockets=2 CoresPerSocket=4 ThreadsPerCore=2 RealMemory=16000 Gres=gpu:a100:4
NodeName=u[1-4] Sockets=2 CoresPerSocket=8 ThreadsPerCore=1 RealMemory=16000 Gres=gpu:a100:4
NodeName=v[1-3] Sockets=2 CoresPerSocket=8 ThreadsPerCore=1 RealMemory=16000 Gres=gpu:a100:4
NodeName=w[1-3] Sockets=2 CoresPerSocket=4 ThreadsPerCore=1 RealMemory=16000 Gres=gpu:a100:4
NodeName=x[1-3] Sockets=3 CoresPerSocket=4 ThreadsPerCore=1 RealMemory=16000 Gres=gpu:a100:6
PartitionName=k Nodes=k[1-2] MaxTime=INFINITE State=UP
PartitionName=m Nodes=m[1-4] MaxTime=INFINITE State=UP
PartitionName=n Nodes=n[1-4] MaxTime=INFINITE State=UP Default=YES
PartitionName=u Nodes=u[1-4] MaxTime=INFINITE State=UP
PartitionName=v Nodes=v[1-3] MaxTime=INFINITE State=UP
PartitionName=w Nodes=w[1-3] MaxTime=INFINITE State=UP
PartitionName=x Nodes=x[1-3] MaxTime=INFINITE State=UP
PartitionName=d Nodes=n[1-4] MaxTime=INFINITE State=UP DefCpuPerGPU=3
PartitionName=e Nodes=u[1-4] MaxTime=INFINITE State=UP DefCpuPerGPU=5
"""
GRES = """\
NodeName=k[1-2] Name=gpu Type=a100 File=/dev/nvidia[0-3] Cores=0-7
NodeName=m[1-4] Name=gpu Type=a100 File=/dev/nvidia[0-1] Cores=0-3
NodeName=m[1-4] Name=gpu Type=a100 File=/dev/nvidia[2-3] Cores=4-7
NodeName=n[1-4] Name=gpu Type=a100 File=/dev/nvidia[0-1] Cores=0-3
NodeName=n[1-4] Name=gpu Type=a100 File=/dev/nvidia[2-3] Cores=4-7
NodeName=u[1-4] Name=gpu Type=a100 File=/dev/nvidia[0-1] Cores=0-7
NodeName=u[1-4] Name=gpu Type=a100 File=/dev/nvidia[2-3] Cores=8-15
NodeName=v[1-3] Name=gpu Type=a100 File=/dev/nvidia0 Cores=0-7
NodeName=v[1-3] Name=gpu Type=a100 File=/dev/nvidia[1-3] Cores=8-15
NodeName=w[1-3] Name=gpu Type=a100 File=/dev/nvidia[0-3] Cores=0-3
NodeName=x[1-3] Name=gpu Type=a100 File=/dev/nvidia[0-1] Cores=0-3
NodeName=x[1-3] Name=gpu Type=a100 File=/dev/nvidia[2-3] Cores=4-7
NodeName=x[1-3] Name=gpu Type=a100 File=/dev/nvidia[4-5] Cores=8-11
"""
THREADS = {"n": 2}  # of a core; all others have one


def answer(one, question):
    """`n1 0-7 0,2; n2 0 -`: cores and GPUs of each node; or refused, or waits."""
    partition, _, words = question.partition(" ")
    text = shown(one, f"-p {partition} {words}")
    if not text.startswith("JobId="):
        return "refused"
    given = []
    for names, cpus, gres in re.findall(r" Nodes=(\S+) CPU_IDs=(\S+) Mem=\d+ GRES=(\S*)", text):
        gpus = ranges(each for found in re.findall(r"\(IDX:([\d,-]+)\)", gres) for each in numbers(found))
        for letter, nodes in re.findall(r"([a-z])(\[[\d,-]+\]|\d+)", names):
            cores = ranges(cpu // THREADS.get(letter, 1) for cpu in numbers(cpus))
            given += [f"{letter}{node} {cores} {gpus or '-'}" for node in numbers(nodes.strip("[]"))]
    return "; ".join(sorted(given, key=lambda each: (each[0], int(re.match(r"\D+(\d+)", each)[1])))) or "waits"


def hold_in_turn(one, jobs):
    """The ids of the jobs that hold, of `end N` the N-th (0 the first) ended again before those behind it came."""
    held = []
    for job in jobs:
        if job.startswith("end "):
            release(one, [held[int(job[4:])]])
        else:
            held += hold(one, ["-p " + job])
    return held


def ask_lines(one, lines, words, written):
    """Asks those with `words`, and appends each with its answer to `written`. Returns how many, and how many are answered otherwise than told."""
    asked = wrong = 0
    held = []
    for line in lines:
        if line.startswith("held:"):
            release(one, held)
            jobs = [job for job in line[len("held: ") :].split("; ") if job]
            held = hold_in_turn(one, jobs) if "; end " in line else hold(one, ["-p " + job for job in jobs])
            written.append(line)
            continue
        question, _, told = line.removeprefix("? ").partition(" | ")
        if words not in question:
            continue
        got = answer(one, question)
        asked += 1
        written.append(f"{question} | {got}")
        if told and got != told:
            wrong += 1
            print(f"{question}\n  told: {told}\n  now:  {got}", flush=True)
    return asked, wrong


def ask_file(about, conf, gres, questions, topology=""):
    """Asks what stands in the file (or in another that the command line names). `conf`: what a slurm.conf is for a `conf: PARAMETERS` line of the file,
    "" where there is none. Returns the exit code."""
    parser = argparse.ArgumentParser(description=about, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("file", nargs="?", type=pathlib.Path, default=questions)
    parser.add_argument("--grep", default="", help="only questions with these words")
    parser.add_argument("--write", type=pathlib.Path, help="the answers, as such a file")
    given = parser.parse_args()
    lines = given.file.read_text().splitlines()
    wrong = asked = 0
    written = []
    while lines:
        parameters = lines.pop(0).removeprefix("conf: ") if lines[0].startswith("conf: ") else ""
        if parameters:
            written.append(f"conf: {parameters}")
        end = next((i for i, line in enumerate(lines) if line.startswith("conf: ")), len(lines))
        with lab(conf(parameters), gres=gres, topology=topology) as one:
            counts = ask_lines(one, lines[:end], given.grep, written)
        asked, wrong = asked + counts[0], wrong + counts[1]
        del lines[:end]
    if given.write:
        given.write.write_text("\n".join(written) + "\n")
    print(f"{asked} asked, {wrong} answered otherwise")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(ask_file(__doc__, lambda _: CONF, GRES, QUESTIONS))
