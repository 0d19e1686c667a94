#!/usr/bin/env python3
# tests/fidelity/ceiling.py — real Slurm against itself: the same submissions recorded again, held against each other.
"""usage: ceiling.py [OUT.json]

tests/data/recordings/NAME was recorded first; NAME_again and tests/fidelity/twice/NAME.sacct.txt.xz are the same jobs on
the same cluster, recorded twice more with `rehearse record` at rate 60. Printed for each pair is what agreement.py
prints for a replay: the simulator is not asked. What must hold: no job is in one day only. How far two days of real
Slurm are apart is measured, and bounds what a free run can promise.
"""
import json
import lzma
import pathlib
import sys
import tempfile
from itertools import combinations

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))
from agreement import RECORDINGS, compare, runs_by_job  # noqa: E402

TWICE = pathlib.Path(__file__).resolve().parent / "twice"


def recorded_days(name):
    """Each day as runs_by_job gives it, under its name."""
    yield "given", runs_by_job(RECORDINGS / name / "sacct.txt")
    yield "again", runs_by_job(RECORDINGS / f"{name}_again" / "sacct.txt")
    with tempfile.TemporaryDirectory() as folder:
        table = pathlib.Path(folder) / "sacct.txt"
        table.write_bytes(lzma.decompress((TWICE / f"{name}.sacct.txt.xz").read_bytes()))
        yield "third", runs_by_job(table)


def main():
    failed, table = 0, {}
    print(f"{'recording':14} {'days':13} jobs miss  state   <=5s  <=60s  nodes  mean waits [s]")
    for path in sorted(TWICE.glob("*.sacct.txt.xz")):
        name = path.name.partition(".")[0]
        for (one, first), (other, second) in combinations(recorded_days(name), 2):
            figures = compare(first, second)
            table.setdefault(name, {})[f"{one}, {other}"] = figures
            print("{:14} {:13} {jobs:4d} {missing:4d} {same_state:6.1%} {within_5s:6.1%} {within_60s:6.1%} "
                  "{same_nodes:6.1%}  {wait_real:7.0f} {wait_ours:7.0f}".format(name, f"{one}, {other}", **figures))
            if figures["missing"]:
                print(f"  {name}: {figures['missing']} jobs are in one day and not in the other")
                failed += 1
    if len(sys.argv) > 1:
        pathlib.Path(sys.argv[1]).write_text(json.dumps(table, indent=1, sort_keys=True) + "\n")
    return 1 if failed or not table else 0


if __name__ == "__main__":
    sys.exit(main())
