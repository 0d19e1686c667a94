#!/usr/bin/env python3
# tests/faults/damage.py — damaged result files: every verb that opens one tells it, with exit code 3, and none crashes.
"""usage: damage.py [--count N] [--seed N] [--unsealed]    N damages (60); exit 1 where a verb crashed, or took a damaged file

Bytes are changed one at a time or in blocks, zeroed, exchanged, left out, put in, and the file is cut, anywhere in it. With --unsealed the
files have no seal, as those that other programs wrote: damaged figures cannot be told then, but no verb may crash, or hang."""
import argparse
import collections
import pathlib
import random
import sys
import tempfile

from inject import call, make_site

VERBS = (("info",), ("show", "squeue"), ("show", "sacct"), ("show", "job", "7"), ("explain", "7"), ("export", "--format", "sacct"), ("report", "-o", "page.html"),
         ("compare",))


def one_byte(data, chance):
    at = chance.randrange(len(data))
    return data[:at] + bytes([data[at] ^ chance.randrange(1, 256)]) + data[at + 1:]


def block(data, chance):
    at, size = chance.randrange(len(data)), chance.choice((2, 16, 512, 4096))
    return data[:at] + chance.randbytes(len(data[at:at + size])) + data[at + size:]


def zeros(data, chance):
    at, size = chance.randrange(len(data)), chance.choice((64, 512, 4096))
    return data[:at] + bytes(len(data[at:at + size])) + data[at + size:]


def exchanged(data, chance):
    a, b = sorted(chance.sample(range(len(data) // 512), 2))
    return data[:a * 512] + data[b * 512:(b + 1) * 512] + data[(a + 1) * 512:b * 512] + data[a * 512:(a + 1) * 512] + data[(b + 1) * 512:]


def left_out(data, chance):
    at = chance.randrange(len(data))
    return data[:at] + data[at + chance.randrange(1, 600):]


def put_in(data, chance):
    at = chance.randrange(len(data) + 1)
    return data[:at] + chance.randbytes(chance.randrange(1, 600)) + data[at:]


def cut(data, chance):
    return data[:chance.randrange(len(data))]


DAMAGES = (one_byte, one_byte, block, zeros, exchanged, left_out, put_in, cut)


def arguments_of(verb):
    name, *rest = verb
    return (name, "broken.h5", "whole.h5") if name == "compare" else (name, "broken.h5", *rest)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--count", type=int, default=60)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--unsealed", action="store_true")
    asked = parser.parse_args()
    chance, tally, wrong = random.Random(asked.seed), collections.Counter(), 0
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        make_site(folder)
        call(folder, "run", "mine", "-o", "whole.h5")
        whole = (folder / "whole.h5").read_bytes()[:-34 if asked.unsealed else None]
        for number in range(asked.count):
            damage = DAMAGES[number % len(DAMAGES)]
            data = damage(whole, chance)
            if data == whole or (not asked.unsealed and data == whole[:-34]):  # nothing but the seal is gone: as older programs wrote it
                continue
            (folder / "broken.h5").write_bytes(data)
            verb = VERBS[number % len(VERBS)] if number % 3 else VERBS[chance.randrange(len(VERBS))]
            seen = call(folder, *arguments_of(verb))
            tally[damage.__name__] += 1
            told = seen.code == 3 and "broken.h5" in seen.said
            if not told and not (asked.unsealed and seen.code == 0):
                wrong += 1
                print(f"{damage.__name__} {number}: {seen.command}: exit {seen.code}\n{seen.said[-500:]}")
        for verb in VERBS:  # and the whole one is taken by all
            (folder / "broken.h5").write_bytes(whole)
            seen = call(folder, *arguments_of(verb))
            if seen.code != 0:
                wrong += 1
                print(f"{seen.command}: exit {seen.code} of a whole file\n{seen.said[-500:]}")
    print(f"{sum(tally.values())} damaged files, {wrong} not told as they should be: " + ", ".join(f"{n} {what}" for what, n in sorted(tally.items())))
    sys.exit(1 if wrong else 0)


if __name__ == "__main__":
    main()
