#!/usr/bin/env python3
# scripts/golden.py — runs golden cases: a cluster and its jobs as text, and the trace that must come out.
"""usage: golden.py --binary REHEARSE [--keep FOLDER] [--accept TOPIC/CLAIM]… [TOPIC/CLAIM…]

Without --accept: prints how each case differs, exit 1 where one does. With it: rewrites `expect:` and
`fingerprint:` of those cases. A case is tests/golden/<topic>/<claim>.case:

  # path, then the claim in a sentence
  slurm.conf:                      real slurm.conf; where they are missing the runner adds ClusterName,
    NodeName=…                     SlurmctldHost, SelectType=select/cons_tres with CR_Core, and GresTypes
  gres.conf: | topology.conf: | assoc.dump: | qos.txt: | usage.txt: | site.yaml:
    …                              other files of the site, as they are
  events:                          what an admin types:  TIME  COMMAND
    4min  scontrol update NodeName=n1 State=DRAIN Reason=test
  jobs:                            TIME  NAME  runs SPAN [exit N]  SBATCH ARGUMENTS
    0s    a   runs 8min   -N1 --gres=gpu:4 -t 10
    1s    b   runs forever --array=0-3 -t 10        (until it is killed; an array runs the same span)
  expect:                          what `rehearse run --trace` prints but for submissions; times from the
    0s       start  a  n0  main    start of the case, jobs by name; last: which loop started it
  fingerprint: 5b1c77e02f9a4d36    of the schedule

Times and spans: 90s, 8min, 1min30s, 2h, 1d. The case starts at 2027-01-15T08:00:00 UTC. Every case
runs twice; the second, --paranoid, must print the same bytes.
"""
import argparse
import datetime
import difflib
import pathlib
import re
import shlex
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parent.parent
CASES = ROOT / "tests" / "golden"
START = datetime.datetime(2027, 1, 15, 8, 0, 0)
FILES = ("slurm.conf", "gres.conf", "topology.conf", "assoc.dump", "qos.txt", "usage.txt", "site.yaml")
SECTIONS = FILES + ("events", "jobs", "expect", "fingerprint")
UNITS = {"d": 86400, "h": 3600, "min": 60, "s": 1}
FOREVER = 10 * 365 * 86400  # [s] longer than any limit that a case sets
COLUMNS = ("JobIDRaw JobID JobName User Account Partition QOS Submit Eligible Start End ElapsedRaw "
           "TimelimitRaw State ExitCode NNodes NCPUS ReqMem ReqTRES AllocTRES NodeList SubmitLine").split()


class CaseError(Exception):
    """The case itself is wrong."""


def seconds(text):
    """`1min30s` as 90."""
    parts = re.fullmatch(r"((?:\d+(?:d|h|min|s))+)", text)
    if not parts:
        raise CaseError(f"'{text}' is not a time: write 90s, 8min, 1min30s, 2h")
    return sum(int(n) * UNITS[unit] for n, unit in re.findall(r"(\d+)(d|h|min|s)", text))


def span(total):
    """90 as `1min30s`."""
    text = ""
    for unit, size in UNITS.items():
        if total >= size:
            text += f"{total // size}{unit}"
            total %= size
    return text or "0s"


def parse_case(path):
    """{section: [lines]}; `head` has the comment."""
    sections, current = {"head": []}, "head"
    for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1):
        found = re.match(r"([a-z.]+):\s*(.*)$", line)
        if found and found.group(1) in SECTIONS:
            current = found.group(1)
            sections[current] = [found.group(2)] if found.group(2) else []
        elif current == "head":
            sections["head"].append(line)
        elif line.strip():
            if not line.startswith("  "):
                raise CaseError(f"{path}:{number}: '{line}' is no section; sections are {', '.join(SECTIONS)}")
            sections[current].append(line[2:])
    for need in ("slurm.conf", "jobs", "expect"):
        if need not in sections:
            raise CaseError(f"{path}: there is no '{need}:' section")
    return sections


def slurm_conf(lines):
    """The case's lines, with what every slurm.conf must say and few cases want to."""
    text = "\n".join(lines)
    added = []
    for key, default in (("ClusterName", "case"), ("SlurmctldHost", "localhost"),
                         ("SelectType", "select/cons_tres")):
        if not re.search(rf"(?im)^\s*{key}\s*=", text):
            added.append(f"{key}={default}")
            if key == "SelectType" and not re.search(r"(?im)^\s*SelectTypeParameters\s*=", text):
                added.append("SelectTypeParameters=CR_Core")
    gres = sorted(set(re.findall(r"(?i)(?:gres=|,)(gpu|mps|shard)\b", text)))
    if gres and not re.search(r"(?im)^\s*GresTypes\s*=", text):
        added.append("GresTypes=" + ",".join(sorted(set(gres) | {"gpu"})))
    return "\n".join(added + [text]) + "\n"


def option(arguments, *names):
    """The value of one sbatch option in `arguments`, or nothing."""
    for index, word in enumerate(arguments):
        for name in names:
            if name.startswith("--"):
                if word == name and index + 1 < len(arguments):
                    return arguments[index + 1]
                if word.startswith(name + "="):
                    return word[len(name) + 1:]
            elif word == name and index + 1 < len(arguments):
                return arguments[index + 1]
            elif word.startswith(name) and len(word) > len(name) and not word.startswith("--"):
                return word[len(name):]
    return ""


def array_tasks(text):
    """Task indexes of `0-9:2,12%3`."""
    tasks = []
    for part in text.split("%")[0].split(",") if text else []:
        found = re.fullmatch(r"(\d+)(?:-(\d+)(?::(\d+))?)?", part)
        if not found:
            raise CaseError(f"'{text}' is not an array")
        low, high, step = int(found[1]), int(found[2] or found[1]), int(found[3] or 1)
        tasks += range(low, high + 1, step)
    return tasks


def parse_job(line):
    found = re.fullmatch(r"\s*(\S+)\s+(\S+)\s+runs\s+(\S+)(?:\s+exit\s+(\d+))?(?:\s+(.*))?", line)
    if not found:
        raise CaseError(f"'{line}' is not a job: TIME NAME runs SPAN [exit N] SBATCH ARGUMENTS")
    at, name, runs, code, arguments = found.groups()
    runtime = FOREVER if runs == "forever" else seconds(runs)
    return seconds(at), name, runtime, int(code or 0), arguments or ""


def sacct_rows(jobs):
    """(sacct lines, runtimes.csv lines, {id: name}): each job as its submission would be recorded."""
    rows, runtimes, names, number = [], [], {}, 0
    for at, name, runtime, code, arguments in jobs:
        words = shlex.split(arguments)
        tasks = array_tasks(option(words, "-a", "--array"))
        submit = START + datetime.timedelta(seconds=at)
        first = number + 1
        for task in tasks or [None]:
            number += 1
            label = str(first) if task is None else f"{first}_{task}"
            names[label] = name if task is None else f"{name}_{task}"
            end = submit + datetime.timedelta(seconds=runtime)
            user = option(words, "--uid") or "root"
            rows.append({
                "JobIDRaw": number, "JobID": label, "JobName": name, "User": user,
                "Account": option(words, "-A", "--account") or "root",
                "Partition": option(words, "-p", "--partition"), "QOS": option(words, "-q", "--qos") or "normal",
                "Submit": submit.isoformat(), "Eligible": submit.isoformat(), "Start": submit.isoformat(),
                "End": end.isoformat(), "ElapsedRaw": runtime, "TimelimitRaw": "",
                "State": "FAILED" if code else "COMPLETED", "ExitCode": f"{code}:0", "NNodes": 1, "NCPUS": 1,
                "ReqMem": "", "ReqTRES": "cpu=1,node=1", "AllocTRES": "cpu=1,node=1", "NodeList": "",
                "SubmitLine": f"sbatch -J {name} {arguments}".strip(),
            })
            runtimes.append(f"{number},{runtime},{code}")
    lines = ["|".join(COLUMNS)] + ["|".join(str(row[column]) for column in COLUMNS) for row in rows]
    return lines, ["JobIDRaw,runtime_s,exit_code", *runtimes], names


def write_site(folder, sections):
    """The case as a site folder; returns {job id: name}."""
    folder.mkdir(parents=True, exist_ok=True)
    for name in FILES:
        if name in sections:
            lines = sections[name]
            text = slurm_conf(lines) if name == "slurm.conf" else "\n".join(lines) + "\n"
            (folder / name).write_text(text, encoding="utf-8")
    jobs = [parse_job(line) for line in sections["jobs"]]
    rows, runtimes, names = sacct_rows(sorted(jobs, key=lambda job: job[0]))
    (folder / "sacct.txt").write_text("\n".join(rows) + "\n", encoding="utf-8")
    (folder / "runtimes.csv").write_text("\n".join(runtimes) + "\n", encoding="utf-8")
    if "events" in sections:
        events = ["time,command"]
        for line in sections["events"]:
            at, _, command = line.strip().partition(" ")
            when = (START + datetime.timedelta(seconds=seconds(at))).isoformat()
            events.append(f'{when},"{command.strip()}"')
        (folder / "events.csv").write_text("\n".join(events) + "\n", encoding="utf-8")
    return names


def run_once(binary, site, *options):
    done = subprocess.run([str(binary), "run", str(site), "--trace", *options], capture_output=True, text=True, check=False)
    if done.returncode != 0:
        raise CaseError(f"rehearse run --trace: exit {done.returncode}\n{done.stderr}")
    return done.stdout


def as_case(output, names):
    """(expect lines, fingerprint): times from START, ids as the case's names, columns lined up."""
    events, fingerprint = [], ""
    for line in output.splitlines():
        words = line.split()
        if line.startswith("schedule fingerprint"):
            fingerprint = words[-1]
        elif words and re.match(r"\d{4}-\d\d-\d\dT", words[0]):
            at = datetime.datetime.fromisoformat(words[0])
            rest = words[1:]
            if rest[0] == "submit":
                continue  # `jobs:` says it
            if len(rest) > 1:
                rest[1] = names.get(rest[1], rest[1])
            if rest[0] == "reject":
                rest[2:] = [" ".join(rest[2:])]
            events.append([span(int((at - START).total_seconds())), *rest])
    widths = [max((len(row[i]) for row in events if len(row) > i), default=0) for i in range(3)]
    lines = ["  ".join(word.ljust(widths[i]) if i < 3 else word for i, word in enumerate(row)).rstrip()
             for row in events]
    return lines, fingerprint


def play(binary, sections, folder):
    names = write_site(folder, sections)
    first, second = run_once(binary, folder), run_once(binary, folder, "--paranoid")
    if first != second:
        raise CaseError("two runs of the same case differ:\n" + difference(first.splitlines(), second.splitlines()))
    return as_case(first, names)


def difference(expected, actual):
    return "\n".join(difflib.unified_diff(expected, actual, "expected", "actual", lineterm="", n=2))


def normalized(lines):
    return [re.sub(r"\s+", " ", line).strip() for line in lines]


def accept(path, lines, fingerprint):
    """Rewrites `expect:` and `fingerprint:`; all above them stays byte for byte."""
    text = path.read_text(encoding="utf-8")
    head = text[:re.search(r"(?m)^expect:", text).start()]
    body = "".join(f"  {line}\n" for line in lines)
    path.write_text(f"{head}expect:\n{body}fingerprint: {fingerprint}\n", encoding="utf-8")


def run_case(options, path):
    """True if the case is as expected, or was accepted."""
    name = path.relative_to(CASES).with_suffix("").as_posix()
    with tempfile.TemporaryDirectory() as scratch:
        folder = pathlib.Path(options.keep or scratch) / name
        try:
            sections = parse_case(path)
            lines, fingerprint = play(options.binary, sections, folder)
        except CaseError as error:
            print(f"FAILED {name}: {error}")
            return False
    if name in options.accept:
        accept(path, lines, fingerprint)
        print(f"accepted {name}")
        return True
    expected = sections["expect"] + ["fingerprint: " + "".join(sections.get("fingerprint", []))]
    actual = lines + [f"fingerprint: {fingerprint}"]
    if normalized(expected) == normalized(actual):
        return True
    print(f"FAILED {name}\n{difference(normalized(expected), normalized(actual))}")
    return False


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--binary", required=True)
    parser.add_argument("--keep", help="leave the site folders here")
    parser.add_argument("--accept", action="append", default=[], metavar="TOPIC/CLAIM")
    parser.add_argument("cases", nargs="*", metavar="TOPIC/CLAIM")
    options = parser.parse_args()
    wanted = options.cases or options.accept
    paths = ([CASES / f"{name.removesuffix('.case')}.case" for name in wanted] if wanted
             else sorted(CASES.rglob("*.case")))
    missing = [str(path) for path in paths if not path.is_file()]
    if missing:
        print("golden.py: no such case: " + ", ".join(missing), file=sys.stderr)
        return 2
    failed = sum(not run_case(options, path) for path in paths)
    print(f"golden: {len(paths)} cases, {failed} differ")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
