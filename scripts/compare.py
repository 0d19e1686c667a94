#!/usr/bin/env python3
# scripts/compare.py — the first event in which two `rehearse run --trace` outputs differ.
"""usage: compare.py A B      A and B: files, .gz or .xz, or - for the standard input
Exit 0: the same; 1: they differ (the first difference is printed with what led to it); 2: usage.
"""
import collections
import gzip
import itertools
import lzma
import sys

CONTEXT = 3  # events before the difference that are shown


def lines_of(path):
    """The lines of one trace, whatever it is packed in."""
    if path == "-":
        return (line.rstrip("\n") for line in sys.stdin)
    with open(path, "rb") as probe:
        magic = probe.read(6)
    opener = gzip.open if magic[:2] == b"\x1f\x8b" else lzma.open if magic == b"\xfd7zXZ\0" else open
    return (line.rstrip("\n") for line in opener(path, "rt", encoding="utf-8"))


def first_difference(left, right):
    """(number, context, left line, right line) of the first difference, or none; None: no line."""
    before = collections.deque(maxlen=CONTEXT)
    for number, (a, b) in enumerate(itertools.zip_longest(left, right), 1):
        if a != b:
            return number, list(before), a, b
        before.append(a)
    return None


def main():
    if len(sys.argv) != 3:
        print(__doc__, file=sys.stderr)
        return 2
    try:
        found = first_difference(lines_of(sys.argv[1]), lines_of(sys.argv[2]))
    except OSError as error:
        print(f"compare.py: {error}", file=sys.stderr)
        return 2
    if found is None:
        print("the same")
        return 0
    number, before, a, b = found
    print(f"first difference in line {number}:")
    for line in before:
        print(f"    {line}")
    print(f"A:  {'(ends here)' if a is None else a}")
    print(f"B:  {'(ends here)' if b is None else b}")
    return 1


if __name__ == "__main__":
    sys.exit(main())
