#!/usr/bin/env python3
# scripts/reference/keep.py — a finished recording as the tests keep it: what a replay and a comparison need.
"""usage: keep.py RECORDING FOLDER      FOLDER is made: tests/data/recordings/NAME

Left out is what the recording was made from, and samples but those of sprio and sshare; of the log stay the lines that
tell instants which sacct cuts to seconds.
"""
import lzma
import pathlib
import re
import shutil
import sys

KEPT = ("slurm.conf", "gres.conf", "topology.conf", "assoc.dump", "qos.txt", "sacct.txt", "runtimes.csv",
        "events.csv", "meta.json")
TELLING = re.compile(
    r"^\[\S+\] (_slurm_rpc_submit_batch_job: JobId=|_job_complete: JobId=\S+ (?!done)|"
    r"Time limit exhausted for JobId=|preempted JobId=|Requeuing JobId=|debug:  sched: Running job scheduler for |"
    r"sched/backfill: _attempt_backfill: completed testing |.*Priority \S+ plugin loaded|slurmctld version )")


def keep(recording, folder):
    folder.mkdir(parents=True)
    for name in KEPT:
        if (recording / name).is_file():
            shutil.copyfile(recording / name, folder / name)
    log = lzma.open(recording / "slurmctld.log.xz", "rt", encoding="utf-8", errors="replace").read()
    telling = "".join(line + "\n" for line in log.splitlines() if TELLING.match(line))
    write_xz(folder / "slurmctld.log.xz", telling)
    for table in ("sprio", "sshare"):
        samples = sorted((recording / "samples").glob(f"*.{table}.txt"))
        if samples:
            (folder / "samples").mkdir(exist_ok=True)
            text = "".join(sample.read_text() for sample in samples)
            write_xz(folder / "samples" / f"{table}.txt.xz", text)


def write_xz(path, text):
    path.write_bytes(lzma.compress(text.encode(), preset=9 | lzma.PRESET_EXTREME))


if __name__ == "__main__":
    if len(sys.argv) != 3:
        sys.exit(__doc__)
    keep(pathlib.Path(sys.argv[1]), pathlib.Path(sys.argv[2]))
