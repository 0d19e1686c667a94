# scripts/reference/conf_lines.py — a Slurm configuration file as logical lines: includes, continuations, comments.
"""A value may be quoted; keys are found without regard to case, and written as they stood."""
import pathlib
import re
from dataclasses import dataclass

from failure import InputFailure

PAIR = re.compile(r"""(\S+?)\s*=\s*("[^"]*"|'[^']*'|\S*)""")


@dataclass
class Line:
    """One logical line: `pairs` are its KEY=VALUE in order, `where` is file:line."""

    text: str
    where: str
    pairs: list

    @property
    def key(self):
        """The key that the line begins with, in lower case."""
        return self.pairs[0][0].lower() if self.pairs else ""

    def value(self, key, otherwise=None):
        """The last value of `key`, without its quotes."""
        found = [value for name, value in self.pairs if name.lower() == key.lower()]
        return found[-1].strip("\"'") if found else otherwise


def included_path(including, target, root):
    """Of an absolute path the site folder's own copy, if there is one: by its last parts, the most that are there."""
    parts = pathlib.PurePath(target).parts
    if pathlib.PurePath(target).is_absolute():
        for first in range(1, len(parts)):
            if (root / pathlib.Path(*parts[first:])).is_file():
                return root / pathlib.Path(*parts[first:])
    return including.parent / target


def read(path, depth=0, root=None):
    """The lines of `path`, and of the files that it includes, where they are included."""
    path = pathlib.Path(path)
    root = root or path.parent
    if depth > 8:
        raise InputFailure(path, "files include each other")
    try:
        raw = path.read_text(encoding="utf-8", errors="replace").splitlines()
    except OSError as error:
        raise InputFailure(path, error.strerror.lower()) from error
    lines, pending, begun = [], "", 0
    for number, text in enumerate(raw, 1):
        text = re.sub(r"(?<!\\)#.*", "", text).rstrip()
        begun = begun if pending else number
        if text.endswith("\\"):
            pending += text[:-1] + " "
            continue
        whole, pending = (pending + text).strip(), ""
        included = re.match(r"include\s+(\S+)$", whole, re.I)
        if included:
            lines += read(included_path(path, included[1], root), depth + 1, root)
        elif whole:
            lines.append(Line(whole, f"{path}:{begun}", PAIR.findall(whole)))
    return lines
