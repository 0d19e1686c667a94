#!/usr/bin/env python3
# scripts/reference/experiments/conf_files.py — at which lines of its other files, and at which nodes, slurmctld stops (formats.md §6.8).
"""Each line of tests/data/conf_files.txt is a file and what it holds more (`;` ends a line of it), and `stops` or `runs`; of a NodeName line also the CPUs
that scontrol shows. Starts a slurmctld for each, without munge and alone, and prints the answers; those with a question mark are keys of later releases."""
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import time

from conf_words import CONF
from lab import Tally

CASES = pathlib.Path(__file__).resolve().parents[3] / "tests/data/conf_files.txt"
NODES = "NodeName=n[1-2] NodeAddr=127.0.0.1 CPUs=4\n"
PARTITION = "PartitionName=all Nodes=ALL Default=YES\n"
SECONDS = 3  # one that is still there by then has read all of it


def texts_of(file, lines, folder):
    """The files of a case, by name."""
    head = CONF.format(folder=folder)
    if file == "nodes":
        return {"slurm.conf": head + lines + PARTITION}
    if file == "partition":
        return {"slurm.conf": head + NODES + PARTITION.replace("\n", " " + lines)}
    if file == "linear":
        return {"slurm.conf": re.sub("(?m)^Select.*\n", "", head) + "SelectType=select/linear\n" + lines + PARTITION}
    tree = "TopologyPlugin=topology/tree\n" if file == "topology.conf" else ""
    return {"slurm.conf": head + tree + NODES + PARTITION, file: lines}


def shown(file, conf):
    """` CPUs=TOTAL` of the first node, else nothing."""
    if file not in ("nodes", "linear"):
        return ""
    asked = subprocess.run(["scontrol", "-o", "show", "node"], capture_output=True, text=True, check=False, env={**os.environ, "SLURM_CONF": str(conf)})
    return " CPUs=" + re.search(r" CPUTot=(\d+)", asked.stdout)[1]


def answer(file, lines):
    """`stops`, or `runs` with what is shown."""
    with tempfile.TemporaryDirectory(prefix="rehearse-conf-") as folder:
        root = pathlib.Path(folder)
        for name, text in texts_of(file, lines, folder).items():
            (root / name).write_text(text)
        command = [shutil.which("slurmctld"), "-D", "-i", "-f", str(root / "slurm.conf")]
        daemon = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        try:
            end = time.monotonic() + SECONDS
            while daemon.poll() is None and time.monotonic() < end:
                time.sleep(0.05)
            return "stops" if daemon.returncode is not None else "runs" + shown(file, root / "slurm.conf")
        finally:
            daemon.kill()
            daemon.wait()


def main():
    tally = Tally()
    for row in CASES.read_text().splitlines():
        case, told = row.removeprefix("? ").split(" | ")
        file, lines = case.split(" ", 1)
        tally.note(f"{case:60}", answer(file, lines.replace(";", "\n") + "\n"), told)
    return tally.close()


if __name__ == "__main__":
    sys.exit(main())
