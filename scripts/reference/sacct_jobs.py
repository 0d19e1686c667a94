# scripts/reference/sacct_jobs.py — the jobs of sacct.txt (with SubmitLine) as submissions: the same day again.
"""Run times are those of runtimes.csv, else what the last run took if it ended by itself; what a time limit
ended runs past it again; what was cancelled is cancelled again, at the same time after the start."""
import csv
import gzip
import lzma
import re
from dataclasses import dataclass, field

from failure import InputFailure
from sbatch_words import Words, components
from submissions import AdminCommand, Submission
from times import epoch, seconds

NEEDED = ("JobID", "User", "Submit", "Elapsed", "State", "SubmitLine")
BY_ITSELF = ("COMPLETED", "FAILED", "OUT_OF_MEMORY", "BOOT_FAIL")
RESOURCES = {"nodes", "ntasks", "cpus-per-task", "gres", "gpus", "gpus-per-node", "gpus-per-task", "mem", "mem-per-cpu",
             "mem-per-gpu", "ntasks-per-node", "exclusive", "cpus-per-gpu", "gpus-per-socket", "ntasks-per-gpu"}
FOREVER = 10**7  # seconds: a script that only a limit or a person ends


@dataclass
class Recorded:
    """`start` is the epoch second of the first submit, which counts as 0; `cancels` are admin commands."""

    start: float = 0
    submissions: list = field(default_factory=list)
    cancels: list = field(default_factory=list)
    notes: list = field(default_factory=list)


def open_sacct(root):
    for name, opener in (("sacct.txt", open), ("sacct.txt.gz", gzip.open), ("sacct.txt.xz", lzma.open)):
        if (root / name).is_file():
            return root / name, opener(root / name, "rt", encoding="utf-8", errors="replace", newline="")
    raise InputFailure(root, "has neither jobs.csv nor sacct.txt",
                       "jobs.csv: submit_s,user,runtime_s,args; or sacct -a -X -D -P --format=ALL > sacct.txt")


def read(root):
    """Every job of sacct.txt; what cannot be submitted again is counted in `notes`."""
    path, stream = open_sacct(root)
    recorded, groups = Recorded(), {}
    with stream:
        table = csv.DictReader(stream, delimiter="|", quoting=csv.QUOTE_NONE)
        for column in NEEDED:
            if column not in (table.fieldnames or []):
                raise InputFailure(f"{path}:1", f"there is no column {column}",
                                   "sacct -a -X -D -P --format=ALL has it from Slurm 21.08 on")
        for row in table:
            row["where"] = f"{path}:{table.line_num}"
            groups.setdefault(re.match(r"\d*", row["JobID"])[0], []).append(row)
    usable = {base: rows for base, rows in groups.items() if base and rows[0]["SubmitLine"]}
    leave_out(recorded, groups, usable)
    if not usable:
        raise InputFailure(path, "no job has a SubmitLine", "write the jobs into a jobs.csv")
    recorded.start = min(epoch(row["Submit"], row["where"]) for rows in usable.values() for row in rows)
    truths = read_runtimes(root / "runtimes.csv")
    events = root / "events.csv"
    told = events.is_file() and "scancel" in events.read_text(encoding="utf-8", errors="replace")
    for base, rows in usable.items():
        add_job(recorded, base, rows, truths, cancels=not told)
    recorded.submissions.sort(key=lambda submission: submission.at)
    return recorded


def leave_out(recorded, groups, usable):
    for base in list(usable):
        if any("+" in row["JobID"] for row in usable[base]) and len(components(usable[base][0]["SubmitLine"])) == 1:
            del usable[base]  # its components are in the script
    if len(usable) < len(groups):
        recorded.notes.append(f"{len(groups) - len(usable)} jobs without SubmitLine, or heterogeneous by their script, "
                              "are left out")


def read_runtimes(path):
    if not path.is_file():
        return {}
    with open(path, newline="", encoding="utf-8") as stream:
        return {row["JobIDRaw"]: (float(row["runtime_s"]), int(row["exit_code"] or 0))
                for row in csv.DictReader(stream)}


def truth(row, truths):
    """(seconds, exit code) of what the script does if left alone."""
    known = truths.get(row.get("JobIDRaw") or row["JobID"])
    if known:
        return known
    if row["State"].split()[0] in BY_ITSELF:
        # Elapsed is without the time suspended.
        return seconds(row["Elapsed"]) or 0, int((row.get("ExitCode") or "0").partition(":")[0] or 0)
    return FOREVER, 0


def add_job(recorded, base, rows, truths, cancels):
    """One submission: a job, or an array with all its tasks; of several runs the last tells the run time."""
    last = {row["JobID"].removesuffix("+0"): row for row in rows}  # of a heterogeneous job the leader speaks
    first = rows[0]
    tasks = {int(job.partition("_")[2]): truth(row, truths) for job, row in last.items()
             if re.fullmatch(r"\d+_\d+", job)}
    run, code = truth(last.get(base, first), truths)
    at = min(epoch(row["Submit"], row["where"]) for row in rows) - recorded.start
    recorded.submissions.append(
        Submission(at, first["User"], arguments(first), run, code, f"j{base}",
                   tasks if len(set(tasks.values())) > 1 else {}, first["where"]))
    if len(set(tasks.values())) == 1:
        recorded.submissions[-1].runtime, recorded.submissions[-1].exit_code = next(iter(tasks.values()))
    for job, row in last.items():
        if cancels and row["State"].startswith("CANCELLED") and re.fullmatch(r"\d+(_\d+)?", job):
            recorded.cancels.append(cancel(base, job, row, recorded.start))


def cancel(base, job, row, start):
    name = "{j" + base + "}" + job[len(base):]
    return AdminCommand(epoch(row["End"], row["where"]) - start, f"scancel {name}", row["where"])


def arguments(row):
    """sbatch's words; job numbers of dependencies become names. A script's #SBATCH lines are not in SubmitLine:
    what they said is taken from the columns."""
    kept, parts = [], [Words(line) for line in components(row["SubmitLine"])]
    for number, words in enumerate(parts):
        kept += [":"] if number else []
        for name, group in words.kept():
            kept += [re.sub(r"(?<=:)(\d+)", r"{j\1}", word) for word in group] if name == "dependency" else group
    return kept if len(parts) > 1 or parts[0].is_whole else kept + from_columns(row, parts[0].names())


def from_columns(row, given):
    added = []
    for option, column in (("partition", "Partition"), ("account", "Account"), ("qos", "QOS"), ("time", "Timelimit")):
        value = row.get(column) or ""
        if option not in given and value and value not in ("Partition_Limit", "UNLIMITED"):
            added.append(f"--{option}={value.partition(',')[0] if option != 'partition' else value}")
    asked = dict(item.split("=", 1) for item in (row.get("ReqTRES") or "").split(",") if "=" in item)
    if given & RESOURCES or not asked:
        return added
    nodes = int(asked.get("node", 1))
    added += [f"--nodes={nodes}", f"--ntasks={asked.get('cpu', 1)}"]
    memory = re.fullmatch(r"([\d.]+)([KMGT]?)", asked.get("mem", ""))
    if memory:
        scale = {"K": 1 / 1024, "": 1, "M": 1, "G": 1024, "T": 1024**2}[memory[2]]
        added.append(f"--mem={int(float(memory[1]) * scale / nodes)}")
    gres = {key[5:]: count for key, count in asked.items() if key.startswith("gres/")}
    typed = {key: count for key, count in gres.items() if ":" in key} or gres
    if typed:
        added.append("--gres=" + ",".join(f"{key}:{int(count) // nodes or 1}" for key, count in typed.items()))
    return added
