# scripts/reference/hostlist.py — n[1-3,07] as the names it stands for.
import re


def split_outside_brackets(text):
    """The parts of a list between commas, those inside [] left alone."""
    return [part for part in re.findall(r"(?:[^,\[]|\[[^\]]*\])+", text) if part]


def expand(text):
    """Every host (or file) of a hostlist expression, in its order; leading zeros are kept."""
    names = []
    for part in split_outside_brackets(text):
        bracket = re.match(r"([^\[]*)\[([^\]]*)\](.*)$", part)
        if not bracket:
            names.append(part)
            continue
        head, ranges, tail = bracket.groups()
        for piece in ranges.split(","):
            low, dash, high = piece.partition("-")
            if not dash:
                high = low
            middles = [str(n).zfill(len(low)) for n in range(int(low), int(high) + 1)]
            names += [head + middle + rest for middle in middles for rest in expand(tail) or [""]]
    return names
