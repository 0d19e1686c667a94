# scripts/reference/conf_edits.py — what an editor does to slurm.conf while the cluster runs: `slurm.conf KEY=VALUE …`.
"""Changes have the form that --set of the simulator takes: KEY=VALUE, KEY+=WORD and KEY-=WORD of comma lists, and
PartitionName=NAME:KEY=VALUE, NodeName=LIST:KEY=VALUE of records."""
import re
import shlex

import hostlist
from failure import InputFailure

CHANGE = re.compile(r"(\w+)([+-]?)=(.*)", re.S)
RECORDS = ("partitionname", "nodename")


def is_file(words):
    """True of `slurm.conf FILE`: the words behind the first."""
    return len(words) == 1 and "=" not in words[0]


def of(event):
    """The words of an event behind `slurm.conf`; None of another event."""
    words = shlex.split(event.command)
    return words[1:] if words[:1] == ["slurm.conf"] else None


def files(events):
    """The files that take the place of slurm.conf, by their names in the site's folder."""
    return sorted({words[0] for event in events if (words := of(event)) and is_file(words)})


def check(events, root):
    """An edit that cannot be made, as a Failure, before anything begins."""
    for event in events:
        words = of(event)
        if words is None:
            continue
        if is_file(words) and not (root / words[0]).is_file():
            raise InputFailure(event.where, f"there is no file '{words[0]}' beside slurm.conf", "slurm.conf FILE, or slurm.conf KEY=VALUE …")
        for word in [] if is_file(words) else words:
            split(word, event.where)


def split(word, where):
    """(key, operator, value) of a change."""
    found = CHANGE.fullmatch(word)
    if not found:
        raise InputFailure(where, f"'{word}' is not KEY=VALUE", "slurm.conf KEY=VALUE …, or slurm.conf FILE")
    return found.groups()


def combined(old, operator, value):
    """What stands there afterwards. A word replaces one of its own name: bf_window=60 does bf_window=30."""
    if not operator:
        return value
    name = value.partition("=")[0].lower()
    rest = [word for word in (old or "").split(",") if word and word.partition("=")[0].lower() != name]
    return ",".join([*rest, value] if operator == "+" else rest)


def in_line(line, key, operator, value):
    """A line of a record with the key as it is afterwards."""
    pair = re.compile(rf"(?i)(?<=\s)({re.escape(key)})=(\S*)")
    if found := pair.search(line):
        return f"{line[:found.start()]}{found[1]}={combined(found[2], operator, value)}{line[found.end():]}"
    return f"{line.rstrip()} {key}={combined('', operator, value)}"


def edited(text, word, where="slurm.conf"):
    """The text of slurm.conf, a line a record or key, after one change."""
    key, operator, value = split(word, where)
    lines = text.splitlines()
    if key.lower() in RECORDS and ":" in value:
        names, _, change = value.partition(":")
        of_record = split(change, where)
        wanted, touched = set(hostlist.expand(names)), set()
        for number, line in enumerate(lines):
            head = re.match(rf"(?i)\s*{key}=(\S+)", line)
            if head and set(hostlist.expand(head[1])) <= wanted:
                lines[number] = in_line(line, *of_record)
                touched |= set(hostlist.expand(head[1]))
        if wanted - touched:
            raise InputFailure(where, f"no {key} line of slurm.conf is of {', '.join(sorted(wanted - touched))} alone",
                               "a change is of whole lines: give it a line of its own")
        return "\n".join(lines) + "\n"
    own = [number for number, line in enumerate(lines) if re.match(rf"(?i)\s*{key}\s*=", line)]
    old = lines[own[-1]].partition("=")[2].strip() if own else ""
    kept = [line for number, line in enumerate(lines) if number not in own]
    return "\n".join([*kept, f"{key}={combined(old, operator, value)}"]) + "\n"
