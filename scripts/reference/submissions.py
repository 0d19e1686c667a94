# scripts/reference/submissions.py — what is submitted, when, by whom, and what an admin does: jobs.csv and events.csv.
import csv
import re
import shlex
from dataclasses import dataclass, field

import outages
from failure import InputFailure
from times import epoch

PROGRAMS = ("scontrol", "scancel", "sacctmgr")  # what an admin types


@dataclass
class Submission:
    """One sbatch. `at` is seconds after the start; `args` may name earlier jobs as {name}."""

    at: float
    user: str
    args: list
    runtime: float  # seconds that the script takes if left alone
    exit_code: int = 0
    name: str = ""
    tasks: dict = field(default_factory=dict)  # array index: (seconds, exit code), where they differ
    where: str = ""

    def truth(self, task):
        """(seconds, exit code) of one task of an array, or of the job."""
        return self.tasks.get(task, (self.runtime, self.exit_code))

    def script(self, program):
        """The shell line that does it."""
        if not self.tasks:
            return f"{program} {self.runtime:.12g}; exit {self.exit_code}"
        cases = "".join(f" {task}) s={s:g} e={e};;" for task, (s, e) in sorted(self.tasks.items()))
        return (f"s={self.runtime:g} e={self.exit_code}; case $SLURM_ARRAY_TASK_ID in{cases} esac; "
                f"{program} $s; exit $e")


@dataclass
class AdminCommand:
    """A client command, or what befalls nodes (outages.py), at an instant; may name jobs as {name}."""

    at: float
    command: str
    where: str = ""


def rows(path, needed):
    with open(path, newline="", encoding="utf-8") as stream:
        table = csv.DictReader(stream)
        missing = [column for column in needed if column not in (table.fieldnames or [])]
        if missing:
            raise InputFailure(f"{path}:1", f"there is no column {missing[0]}", f"the columns are {','.join(needed)}")
        for row in table:
            yield f"{path}:{table.line_num}", row


def number(where, row, column, kind=float):
    try:
        return kind(row[column])
    except (TypeError, ValueError) as error:
        raise InputFailure(where, f"{column} '{row[column]}' is not a number") from error


def read_jobs_csv(path):
    """submit_s,user,runtime_s,args[,exit_code][,name]: submit_s counts from the start, args are sbatch's."""
    found = []
    for where, row in rows(path, ("submit_s", "user", "runtime_s", "args")):
        try:
            args = shlex.split(row["args"] or "")
        except ValueError as error:
            raise InputFailure(where, f"args: {str(error).lower()}") from error
        code = number(where, row, "exit_code", int) if row.get("exit_code") else 0
        if number(where, row, "submit_s") < 0:
            raise InputFailure(where, f"submit_s '{row['submit_s']}' is before the start")
        found.append(Submission(number(where, row, "submit_s"), row["user"], args, number(where, row, "runtime_s"),
                                code, row.get("name") or "", {}, where))
    check_names(found)
    return sorted(found, key=lambda submission: submission.at)


def check_names(submissions):
    """A name is used once, and before it is named; the names."""
    known = {}
    for submission in sorted(submissions, key=lambda s: s.at):
        for name in re.findall(r"\{(\w+)\}", " ".join(submission.args)):
            if name not in known:
                raise InputFailure(submission.where, f"no earlier job has the name '{name}'")
        if submission.name in known:
            raise InputFailure(submission.where, f"the name '{submission.name}' is taken by {known[submission.name]}")
        if submission.name:
            known[submission.name] = submission.where
    return known


def read_scenario_events(path, submissions):
    """at_s,command: seconds after the start, and what an admin types; {name} is the id of an earlier job."""
    return [checked(AdminCommand(number(where, row, "at_s"), row["command"], where), submissions)
            for where, row in rows(path, ("at_s", "command"))]


def checked(event, submissions):
    """What cannot be carried out at its time is told before the day begins."""
    try:
        words = shlex.split(event.command)
    except ValueError as error:
        raise InputFailure(event.where, f"command: {str(error).lower()}") from error
    if not words or words[0] not in (*PROGRAMS, *outages.KINDS, "slurm.conf"):
        raise InputFailure(event.where, f"command: '{words[0] if words else ''}' is not carried out here",
                           f"{', '.join(PROGRAMS)} as an admin types them; node or slurmd for what befalls nodes; slurm.conf for an editor")
    earlier = {job.name for job in submissions if job.at <= event.at}
    for name in re.findall(r"\{(\w+)\}", event.command):
        if name not in earlier:
            raise InputFailure(event.where, f"no job submitted by then has the name '{name}'")
    return event


def read_site_events(path, start):
    """time,command: an instant as in sacct.txt; `start` is the epoch second that counts as 0. Jobs are named by
    the recorded ids."""
    return [AdminCommand(epoch(row["time"], where) - start, with_placeholders(row["command"]), where)
            for where, row in rows(path, ("time", "command"))]


def with_placeholders(command):
    """The recorded ids of jobs as {j7}, in the commands that take any."""
    if re.match(r"(scancel|scontrol\s+(hold|uhold|release|requeue|requeuehold|suspend|resume|top))\s", command):
        return re.sub(r"(?<=[\s,])(\d+)(?=[_,\s]|$)", r"{j\1}", command)
    return re.sub(r"(?i)\b(JobId=)(\d+)", r"\1{j\2}", command)


def with_names(text, ids):
    """{name} as the id of that job; a name without a job (it was refused) stays as it is."""
    return re.sub(r"\{(\w+)\}", lambda match: ids.get(match[1], match[0]), text)
