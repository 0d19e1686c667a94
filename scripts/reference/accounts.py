# scripts/reference/accounts.py — accounts, users, QOS and limits of the site, as sacctmgr takes them.
import csv
import pathlib
import re
import shlex
from dataclasses import dataclass, field

from failure import InputFailure

# A column of `sacctmgr -P show qos`, and the option that sets it.
QOS_OPTIONS = {
    "Priority": "Priority", "GraceTime": "GraceTime", "Preempt": "Preempt",
    "PreemptExemptTime": "PreemptExemptTime", "PreemptMode": "PreemptMode", "Flags": "Flags",
    "UsageThres": "UsageThreshold", "UsageFactor": "UsageFactor", "LimitFactor": "LimitFactor",
    "GrpTRES": "GrpTRES", "GrpTRESMins": "GrpTRESMins", "GrpTRESRunMins": "GrpTRESRunMins",
    "GrpJobs": "GrpJobs", "GrpSubmit": "GrpSubmitJobs", "GrpJobsAccrue": "GrpJobsAccrue", "GrpWall": "GrpWall",
    "MaxTRES": "MaxTRESPerJob", "MaxTRESPerNode": "MaxTRESPerNode", "MaxTRESMins": "MaxTRESMinsPerJob",
    "MaxWall": "MaxWall", "MaxTRESPU": "MaxTRESPerUser", "MaxJobsPU": "MaxJobsPerUser",
    "MaxSubmitPU": "MaxSubmitJobsPerUser", "MaxTRESPA": "MaxTRESPerAccount", "MaxJobsPA": "MaxJobsPerAccount",
    "MaxSubmitPA": "MaxSubmitJobsPerAccount", "MinTRES": "MinTRESPerJob", "MinPrioThres": "MinPrioThreshold",
    "MaxJobsAccruePU": "MaxJobsAccruePerUser", "MaxJobsAccruePA": "MaxJobsAccruePerAccount",
    "MaxTRESRunMinsPU": "MaxTRESRunMinsPU", "MaxTRESRunMinsPA": "MaxTRESRunMinsPA",
}  # fmt: skip
SAYS_NOTHING = {"Name", "Descr", "Description", "ID"}
UNSET = {"PreemptMode": "cluster", "GraceTime": "00:00:00", "Priority": "0"}  # what Slurm prints for nothing


@dataclass
class Accounts:
    """`commands` are sacctmgr's arguments, in order; `dump` is loaded after them; `users` are all named."""

    commands: list = field(default_factory=list)
    dump: str = ""
    users: set = field(default_factory=set)


def read(site):
    """From sacctmgr.txt, else from assoc.dump and qos.txt; a site with neither has no accounts."""
    if (site / "sacctmgr.txt").exists():
        return read_commands(site / "sacctmgr.txt")
    accounts = Accounts()
    if (site / "qos.txt").exists():
        accounts.commands = qos_commands(site / "qos.txt")
    if (site / "assoc.dump").exists():
        accounts.dump = (site / "assoc.dump").read_text(encoding="utf-8")
        accounts.users = set(re.findall(r"^User - '?([^':]+)'?", accounts.dump, re.M)) - {"root"}
    return accounts


def read_commands(path):
    """sacctmgr.txt: one `sacctmgr -i` argument line a line."""
    accounts = Accounts()
    for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1):
        try:
            words = shlex.split(line, comments=True)
        except ValueError as error:
            raise InputFailure(f"{path}:{number}", str(error).lower()) from error
        if not words:
            continue
        accounts.commands.append(words)
        if words[:2] in (["add", "user"], ["create", "user"]) and len(words) > 2:
            accounts.users |= set(words[2].partition("=")[2].split(",") if "=" in words[2] else words[2].split(","))
    return accounts


def qos_commands(path):
    """Each QOS of `sacctmgr -P show qos` as the command that makes it; `Preempt` last, as it names others."""
    made, later = [], []
    with open(path, newline="", encoding="utf-8") as stream:
        for row in csv.DictReader(stream, delimiter="|", quoting=csv.QUOTE_NONE):
            name = row.get("Name")
            if not name:
                raise InputFailure(path, "there is no column Name", "make it with: sacctmgr -P show qos")
            unknown = [column for column in row if column and row[column] and column not in SAYS_NOTHING | QOS_OPTIONS.keys()]
            if unknown:
                raise InputFailure(path, f"the recorder knows no option of sacctmgr for the column {unknown[0]}",
                                   "leave the column out, and the day is played without it")
            words = [f"{option}={row[column]}" for column, option in QOS_OPTIONS.items()
                     if row.get(column) and row[column] != UNSET.get(column)]
            if name != "normal":  # slurmdbd makes it
                made.append(["add", "qos", name])
            named = [word for word in words if word.startswith("Preempt=")]
            rest = [word for word in words if word not in named]
            if rest:
                later.append(["modify", "qos", name, "set", *rest])
            later += [["modify", "qos", name, "set", word] for word in named]
    return made + later


def for_cluster(dump, cluster):
    """The dump under the name of the recording's cluster."""
    return re.sub(r"^Cluster - '?[^':\n]*'?", f"Cluster - '{cluster}'", dump, count=1, flags=re.M)


def write_dump(accounts, cluster, folder):
    path = pathlib.Path(folder) / "assoc.load"
    path.write_text(for_cluster(accounts.dump, cluster), encoding="utf-8")
    return path
