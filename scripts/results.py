#!/usr/bin/env python3
# scripts/results.py — makes the reference results again, each by its own `command`, or tells which are out of date.
"""  scripts/results.py [FOLDER …]           makes results/FOLDER again (default: all that are not a measure of a machine)
  scripts/results.py --check [FOLDER …]   makes them elsewhere, and tells which differ: exit 1

REHEARSE_BINARY names the binary; default: build/release/rehearse. What a command leaves under build/ goes with it.
"""
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile
import time

ROOT = pathlib.Path(__file__).resolve().parent.parent
RESULTS = ROOT / "results"
# Times of a machine: made again with its state told, never compared. `fidelity` has a task of its own.
MEASURED = {"bench", "faults", "fidelity", "journeys", "report", "sweep"}
IS_TEXT = {".txt", ".svg"}


def scratch_tree(folder, binary):
    """The project as its commands see it: its files, but results and build of its own."""
    for entry in ROOT.iterdir():
        if entry.name not in ("results", "build", ".git"):
            (folder / entry.name).symlink_to(entry)
    shutil.copytree(RESULTS, folder / "results")
    (folder / "build" / "release").mkdir(parents=True)
    (folder / "build" / "demo").mkdir()
    (folder / "build" / "release" / "rehearse").symlink_to(binary)


def make(name, tree):
    """Runs the folder's commands; returns its files that came out otherwise."""
    begin = time.monotonic()
    for line in (RESULTS / name / "command").read_text().splitlines():
        # Debian's own python has h5py.
        path = f"/usr/bin:{os.environ['PATH']}"
        done = subprocess.run(["bash", "-euo", "pipefail", "-c", line], cwd=tree, env=os.environ | {"PATH": path},
                              capture_output=True, text=True)
        if done.returncode != 0:
            raise SystemExit(f"results/{name}: {line}\n{done.stdout}{done.stderr}")
    made = tree / "results" / name
    kept = {path.name: path.read_bytes() for path in (RESULTS / name).iterdir()}
    differ = [path.name for path in sorted(made.iterdir())
              if path.suffix in IS_TEXT and path.read_bytes() != kept.get(path.name)]
    print(f"results/{name}: {time.monotonic() - begin:.0f} s, "
          + ("as it was" if not differ else "differs: " + " ".join(differ)), flush=True)
    return [made / each for each in differ]


def main():
    names = sys.argv[1:]
    checks = "--check" in names
    names = [name for name in names if name != "--check"] or sorted(
        each.parent.name for each in RESULTS.glob("*/command") if each.parent.name not in MEASURED)
    binary = pathlib.Path(os.environ.get("REHEARSE_BINARY", ROOT / "build" / "release" / "rehearse")).resolve()
    any_differ = False
    with tempfile.TemporaryDirectory() as folder:
        tree = pathlib.Path(folder)
        scratch_tree(tree, binary)
        for name in names:
            for path in make(name, tree):
                any_differ = True
                if not checks:
                    shutil.copy(path, RESULTS / name / path.name)
    if checks and any_differ:
        raise SystemExit("out of date: scripts/results.py makes them again; README.md quotes them")


if __name__ == "__main__":
    main()
