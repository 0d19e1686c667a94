#!/usr/bin/env python3
# scripts/reference/experiments/conf_words.py — at which words of slurm.conf slurmctld stops (formats.md §6.7).
"""Each line of tests/data/conf_words.txt is one more line of a small slurm.conf, and `stops` or `runs`; of Licenses= and Gres= also what scontrol shows of
them. Starts a slurmctld for each, without munge and alone, and prints the answers; those with a question mark are words of later releases, and two plugins where one may be. About ten minutes."""
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import time

from lab import Tally

CASES = pathlib.Path(__file__).resolve().parents[3] / "tests/data/conf_words.txt"
CONF = """\
ClusterName=lab
SlurmctldHost=localhost
SlurmctldPort=27819
AuthType=auth/none
CredType=cred/none
SlurmUser=root
StateSaveLocation={folder}
SlurmctldPidFile={folder}/pid
SlurmdSpoolDir={folder}
MpiDefault=none
ProctrackType=proctrack/pgid
SelectType=select/cons_tres
SelectTypeParameters=CR_Core
AccountingStorageType=accounting_storage/none
GresTypes=gpu
"""
NODE = "NodeName=n1 NodeAddr=127.0.0.1 CPUs=4 {gres}\nPartitionName=all Nodes=n1 Default=YES\n"
SECONDS = 2  # one that is still there by then has read all of it


def text_of(line, folder):
    """The slurm.conf with the line, in place of what it says of the same key."""
    key = line.partition("=")[0]
    head = "".join(f"{each}\n" for each in CONF.format(folder=folder).splitlines() if each.partition("=")[0] != key)
    return head + (NODE.format(gres=line) if key == "Gres" else f"{line}\n" + NODE.format(gres=""))


def shown(line, conf):
    """` NAME=TOTAL …` of licences, ` GRES` of a node, else nothing."""
    key = line.partition("=")[0]
    if key not in ("Licenses", "Gres"):
        return ""
    what = "licenses" if key == "Licenses" else "node n1"
    text = subprocess.run(["scontrol", "-o", "show", *what.split()], capture_output=True, text=True, check=False, env={**os.environ, "SLURM_CONF": str(conf)}).stdout
    if key == "Gres":
        return " " + re.search(r" Gres=(\S+)", text)[1]
    return "".join(f" {name}={total}" for name, total in re.findall(r"LicenseName=(\S+) Total=(\d+)", text))


def answer(line):
    """`stops`, or `runs` with what is shown."""
    with tempfile.TemporaryDirectory(prefix="rehearse-conf-") as folder:
        conf = pathlib.Path(folder, "slurm.conf")
        conf.write_text(text_of(line, folder))
        pathlib.Path(folder, "gres.conf").write_text("NodeName=n1 Name=gpu File=/dev/null\n")
        daemon = subprocess.Popen([shutil.which("slurmctld"), "-D", "-i", "-f", str(conf)], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        try:
            end = time.monotonic() + SECONDS
            while daemon.poll() is None and time.monotonic() < end:
                time.sleep(0.05)
            return "stops" if daemon.returncode is not None else "runs" + shown(line, conf)
        finally:
            daemon.kill()
            daemon.wait()


def main():
    tally = Tally()
    if answer("MailProg=/bin/true") != "runs":
        raise SystemExit("a slurmctld stops at nothing; is another at its port?")
    for row in CASES.read_text().splitlines():
        line, told = row.removeprefix("? ").split(" | ")
        tally.note(f"{line:60}", answer(line), told)
    return tally.close()


if __name__ == "__main__":
    sys.exit(main())
