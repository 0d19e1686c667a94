#!/usr/bin/env python3
# scripts/reference/keep.py — a finished recording as the tests keep it: what a replay and a comparison need.
"""usage: keep.py RECORDING FOLDER            FOLDER is made: tests/data/recordings/NAME
       keep.py RECORDING NAME.sacct.txt.xz   only which runs there were: tests/fidelity/twice

Left out is what the recording was made from, and samples but those of sprio, sshare and squeue; of the log stay the lines that
tell instants which sacct cuts to seconds, and what else became of runs: preempted, suspended, lost with a node.
"""
import csv
import lzma
import pathlib
import re
import shutil
import sys

KEPT = ("site.yaml", "slurm.conf", "gres.conf", "topology.conf", "assoc.dump", "assoc.txt", "qos.txt", "sacct.txt",
        "runtimes.csv", "events.csv", "meta.json")
TELLING = re.compile(
    r"^\[\S+\] (_slurm_rpc_submit_batch_job: JobId=|_slurm_rpc_submit_batch_het_job: |_job_complete: JobId=\S+ (?!done)|"
    r"Time limit exhausted for JobId=|JobId=\S+ timed out, the job is at or exceeds |debug:  sched: Running job scheduler for |"
    r".*large processing time from _slurmctld_background: |"
    r"sched/backfill: _attempt_backfill: (?:beginning|yielding locks |completed testing |BACKFILL: test for JobId=)|"
    r".*Priority \S+ plugin loaded|slurmctld version |"
    r"preempted JobId=|debug:  setting \d+ sec preemption grace time|requeue job JobId=|.*Requeuing JobId=|_slurm_rpc_suspend\(|(debug:  )?gang: (suspending|resuming) JobId=|"
    r"error: Nodes .* not responding|Node \S+ now responding|validate_node_specs: Node \S+ unexpectedly|"
    r"(?:node_did_resp: )?node \S+ returned to service|update_node: node \S+ state set to |Batch JobId=\S+ missing|sched: Created reservation=|"
    r"GANG: gang: (?:entering gs_job_fini|_timeslicer_thread: scanning)|"
    r"Processing Reconfiguration Request|update_part: setting |_slurm_rpc_kill_job: REQUEST_KILL_JOB JobId=|_slurm_rpc_update_job: complete JobId=|job_signal: 9 of running JobId=|"
    r"TRACE_JOBS: cleanup_completing: |"  # when a run's nodes are clean again
    r"ROUTE: _slurm_rpc_epilog_complete: )")  # when one of them is
# … and where a node fell silent: whose messages came in one bunch, without a name.
BESIDE_SILENT = re.compile(
    r"^\[\S+\] (sched: Allocate JobId=|sched/backfill: _start_job: Started JobId=|TRACE_JOBS: job_epilog_complete: enter )")
DAY = ("JobIDRaw", "Submit", "Start", "End", "State", "NodeList")


def later_files(recording):
    """Those that rows of events.csv put in the place of slurm.conf."""
    events = recording / "events.csv"
    found = re.findall(r"(?m)^[^,\n]*,slurm\.conf ([^\s=]+)\s*$", events.read_text(encoding="utf-8")) if events.is_file() else []
    return sorted(set(found))


def keep(recording, folder):
    folder.mkdir(parents=True)
    for name in KEPT:
        if (recording / name).is_file():
            shutil.copyfile(recording / name, folder / name)
    for name in later_files(recording):
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(recording / name, folder / name)
    log = lzma.open(recording / "slurmctld.log.xz", "rt", encoding="utf-8", errors="replace").read()
    has_silent = ", setting DOWN\n" in log
    telling = "".join(line + "\n" for line in log.splitlines() if TELLING.match(line) or has_silent and BESIDE_SILENT.match(line))
    write_xz(folder / "slurmctld.log.xz", telling)
    for table in ("sprio", "sshare", "squeue"):
        samples = sorted((recording / "samples").glob(f"*.{table}.txt"))
        if samples:
            (folder / "samples").mkdir(exist_ok=True)
            text = "".join(sample.read_text() for sample in samples)
            write_xz(folder / "samples" / f"{table}.txt.xz", text)


def write_xz(path, text):
    path.write_bytes(lzma.compress(text.encode(), preset=9 | lzma.PRESET_EXTREME))


def keep_day(recording, file):
    with open(recording / "sacct.txt", newline="", encoding="utf-8") as stream:
        rows = [DAY, *([row[column] for column in DAY]
                       for row in csv.DictReader(stream, delimiter="|", quoting=csv.QUOTE_NONE))]
    text = "".join("|".join(row) + "\n" for row in rows)
    write_xz(file, text)


if __name__ == "__main__":
    if len(sys.argv) != 3:
        sys.exit(__doc__)
    into = pathlib.Path(sys.argv[2])
    (keep_day if into.suffix == ".xz" else keep)(pathlib.Path(sys.argv[1]), into)
