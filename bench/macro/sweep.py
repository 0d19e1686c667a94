#!/usr/bin/env python3
# bench/macro/sweep.py — a sweep's points a second, its parallel efficiency, and its memory by the number of points.
"""usage: sweep.py [STUDY.yaml] [--threads 1,2] [--replications 1,4]     REHEARSE_BINARY is the program

Each row is one sweep of the study, with so many replications of each point. Efficiency is points a second of CPU time against
those of one thread: what threads cost each other, also where the machine is shared. Every row prints the fingerprint of
its registry: rows of equal points must agree.
"""
import argparse
import hashlib
import os
import pathlib
import re
import resource
import sqlite3
import subprocess
import sys
import tempfile
import time

ROOT = pathlib.Path(__file__).resolve().parents[2]
BINARY = os.environ.get("REHEARSE_BINARY", str(ROOT / "build" / "release" / "rehearse"))


def measured(words):
    """(wall seconds, CPU seconds, largest resident set in MiB) of a command that must succeed."""
    before, start = resource.getrusage(resource.RUSAGE_CHILDREN), time.perf_counter()
    with subprocess.Popen(words, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE) as child:
        told = child.stderr.read().decode()
        _, status, usage = os.wait4(child.pid, 0)
        child.returncode = os.waitstatus_to_exitcode(status)
    if child.returncode:
        sys.exit(f"{' '.join(words)}: exit code {child.returncode}\n{told}")
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    cpu = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    return time.perf_counter() - start, cpu, usage.ru_maxrss / 1024


def fingerprint(registry):
    with sqlite3.connect(registry) as opened:
        return hashlib.sha256("\n".join(opened.iterdump()).encode()).hexdigest()[:16]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("study", nargs="?", default=str(ROOT / "configs" / "studies" / "fair_or_first.yaml"))
    parser.add_argument("--threads", default=f"1,{os.cpu_count()}")
    parser.add_argument("--replications", default="1,4")
    options = parser.parse_args()
    text = pathlib.Path(options.study).read_text(encoding="utf-8")
    site = (pathlib.Path(options.study).parent / re.search(r"^site: *(\S+)", text, re.M)[1]).resolve()
    text = re.sub(r"^site:.*$", f"site: {site}", text, flags=re.M)
    print(f"{os.path.basename(options.study)}, {os.cpu_count()} CPUs, load {os.getloadavg()[0]:.1f} at the start")
    print("points  threads  wall s   CPU s  points/s  points/CPU s  efficiency  peak MiB  registry")
    for replications in map(int, options.replications.split(",")):
        alone = None
        for threads in map(int, options.threads.split(",")):
            with tempfile.TemporaryDirectory() as folder:
                study, registry = pathlib.Path(folder) / "study.yaml", pathlib.Path(folder) / "r.sqlite"
                study.write_text(f"{text}\nreplications: {replications}\n", encoding="utf-8")
                wall, cpu, peak = measured([BINARY, "sweep", str(study), "-o", str(registry), "-j", str(threads)])
                ran = sqlite3.connect(registry).execute("SELECT count(*) FROM points").fetchone()[0]
                alone = alone or ran / cpu
                print(f"{ran:6}  {threads:7}  {wall:6.1f}  {cpu:6.1f}  {ran / wall:8.2f}  {ran / cpu:12.2f}  "
                      f"{ran / cpu / alone:10.2f}  {peak:8.1f}  {fingerprint(registry)}", flush=True)


if __name__ == "__main__":
    main()
