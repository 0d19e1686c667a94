# scripts/reference/lost_rows.py — runs that slurmctld logged and slurmdbd has no row of.
"""slurmdbd now and then lacks the row of a run, mostly of an array's task. Where another task has one that is alike the log tells the rest."""
import csv
import re
from datetime import datetime

RAN = re.compile(r"(?:sched: Allocate|_start_job: Started) JobId=(\d+)(?:_\d+\((\d+)\))? ")
STARTED = re.compile(r"^\[(\S{19})\S*\] (?:sched: Allocate JobId=(?P<main>\d+_\d+)\((?P<id>\d+)\) NodeList=(?P<nodes>\S+) #CPUs=(?P<cpus>\d+) Partition=(?P<part>\S+)"
                     r"|sched/backfill: _start_job: Started JobId=(?P<bf>\d+_\d+)\((?P<bf_id>\d+)\) in (?P<bf_part>\S+) on (?P<bf_nodes>\S+))", re.MULTILINE)
ENDED = r"^\[(\S{{19}})\S*\] _job_complete: JobId={}\({}\) WEXITSTATUS (\d+)"


MADE = re.compile(r"(?:_slurm_rpc_submit_batch_job: JobId=|_slurm_rpc_submit_batch_het_job: JobId=|build_job_queue: Split out JobId=\d+_\d+\()(\d+)")


def unseen_ids(log, sacct):
    """JobIDRaw of what was submitted, split off or ran, and has no row: `sacct -S` passes over what was never eligible."""
    rows = {line.partition("|")[0] for line in sacct.splitlines()[1:]}
    return sorted({*MADE.findall(log), *lost_ids(log, sacct)} - rows, key=int)


def lost_ids(log, sacct):
    """JobIDRaw of what ran and has no row."""
    rows = {line.partition("|")[0] for line in sacct.splitlines()[1:]}
    ran = {own or job for job, own in RAN.findall(log)}
    return sorted(ran - rows, key=int)


def restored(log, sacct, lost):
    """`sacct` with a row for each of `lost` that can be told: a task that ended by itself, beside another one on as many nodes of its partition."""
    head, *rows = sacct.splitlines()
    columns = head.split("|")
    tasks = list(csv.DictReader(sacct.splitlines(), delimiter="|", quoting=csv.QUOTE_NONE))
    told = []
    for start in STARTED.finditer(log):
        name, number = start["main"] or start["bf"], start["id"] or start["bf_id"]
        nodes, partition = start["nodes"] or start["bf_nodes"], start["part"] or start["bf_part"]
        end = re.search(ENDED.format(re.escape(name), number), log[start.end():], re.MULTILINE)
        if number not in lost or not end:
            continue
        alike = [row for row in tasks if row["JobID"].startswith(name.partition("_")[0] + "_") and row["Partition"] == partition
                 and ("," in row["NodeList"] or "[" in row["NodeList"]) == ("," in nodes or "[" in nodes) and row["State"] == "COMPLETED"]
        if not alike:
            continue
        ran = datetime.fromisoformat(end[1]) - datetime.fromisoformat(start[1])
        row = dict(alike[0], Elapsed=str(ran).zfill(8), JobIDRaw=number, JobID=name, Start=start[1], End=end[1], NodeList=nodes, ExitCode=f"{end[2]}:0",
                   State="COMPLETED" if end[2] == "0" else "FAILED", Eligible=alike[0]["Submit"])
        row["Flags"] = row["Flags"].replace("SchedBackfill", "SchedMain") if start["main"] else row["Flags"].replace("SchedMain", "SchedBackfill")
        told.append("|".join(row[column] for column in columns))
    return "\n".join([head, *rows, *told]) + "\n", [line.partition("|")[0] for line in told]
