#!/usr/bin/env python3
# tests/faults/kill.py — kill -9 at random instants of run and of sweep: the old result or the new one, never a third.
"""usage: kill.py [--count N] [--seed N]    N kills of each (20); exit 1 where a result was lost or broken

Every second kill is at any instant of the run; the others fall within 10 ms after the temporary file appeared (of a
sweep: after a line was added to its registry), where a result is written."""
import argparse
import contextlib
import pathlib
import random
import signal
import sys
import tempfile
import time

from small_site import BINARY, make_site, make_study, start


def seconds_of(*arguments, cwd):
    begin = time.monotonic()
    run = start(*arguments, cwd=cwd)
    said = run.communicate()[1]
    if run.returncode != 0:
        sys.exit(f"{BINARY} {arguments}: exit {run.returncode}\n{said}")
    return time.monotonic() - begin


def kill_after(run, delay):
    """Kills `run` in `delay` seconds unless it has ended. True: it was killed."""
    try:
        run.wait(max(delay, 0))
    except Exception:  # pylint: disable=broad-except
        run.kill()
    run.communicate()
    return run.returncode == -signal.SIGKILL


def wait_for(run, is_there):
    while run.poll() is None and not is_there():
        time.sleep(0.0005)


def kill_runs(folder, count, chance):
    """An old result, and runs that would replace it."""
    make_site(folder)
    out = folder / "out.h5"
    part = folder / "out.h5.part"
    arguments = ("run", "mine", "-o", "out.h5", "--set", "PriorityWeightAge=5")
    seconds_of("run", "mine", "-o", "out.h5", cwd=folder)
    old = out.read_bytes()
    length = seconds_of(*arguments, cwd=folder)
    new = out.read_bytes()
    tally = {"killed": 0, "in the midst of writing": 0, "ended before the kill": 0, "old result": 0, "new result": 0, "broken": 0}
    if old == new:
        sys.exit("both results are the same: nothing could be seen")
    while tally["killed"] < count:
        out.write_bytes(old)
        part.unlink(missing_ok=True)
        run = start(*arguments, cwd=folder)
        if tally["killed"] % 2:
            wait_for(run, part.exists)
            killed = kill_after(run, chance.uniform(0, 0.01))
        else:
            killed = kill_after(run, chance.uniform(0, length))
        tally["killed" if killed else "ended before the kill"] += 1
        tally["in the midst of writing"] += killed and part.exists()
        found = out.read_bytes()
        tally["old result" if found == old else "new result" if found == new else "broken"] += 1
    seconds_of(*arguments, cwd=folder)  # what was left behind is in nobody's way
    tally["broken"] += out.read_bytes() != new
    return tally


def kill_sweeps(folder, count, chance):
    """A sweep is killed, continued, killed … to its end; then the next one begins."""
    study = make_study(folder)
    registry = folder / "study.sqlite"
    points = folder / "points"
    arguments = ("sweep", study.name)
    length = seconds_of(*arguments, cwd=folder)
    undisturbed = registry.read_bytes()
    results = {file.name: file.read_bytes() for file in points.iterdir()}
    tally = {"killed": 0, "sweeps ended": 0, "equal to the undisturbed one": 0, "broken": 0}

    def clear():
        for file in [*folder.glob("study.sqlite*"), *points.glob("*")]:
            file.unlink()

    def size():
        total = 0
        for file in folder.glob("study.sqlite*"):
            with contextlib.suppress(FileNotFoundError):  # gone since, as a log is at the end
                total += file.stat().st_size
        return total

    clear()
    while True:
        before = size()
        run = start(*arguments, cwd=folder)
        enough = tally["killed"] >= count
        if enough:
            run.communicate()
            killed = False
        elif tally["killed"] % 2:
            wait_for(run, lambda: size() != before)  # pylint: disable=cell-var-from-loop
            killed = kill_after(run, chance.uniform(0, 0.01))
        else:
            killed = kill_after(run, chance.uniform(0, length / 2))
        if killed:
            tally["killed"] += 1
            continue
        tally["sweeps ended"] += 1
        same = (run.returncode == 0 and registry.read_bytes() == undisturbed and
                {file.name: file.read_bytes() for file in points.iterdir() if file.suffix == ".h5"} == results)
        tally["equal to the undisturbed one" if same else "broken"] += 1
        clear()
        if enough:
            return tally


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--count", type=int, default=20)
    parser.add_argument("--seed", type=int, default=1)
    asked = parser.parse_args()
    broken = 0
    for name, kill in (("run", kill_runs), ("sweep", kill_sweeps)):
        with tempfile.TemporaryDirectory() as folder:
            tally = kill(pathlib.Path(folder), asked.count, random.Random(asked.seed))
        print(f"{name}: " + ", ".join(f"{number} {what}" for what, number in tally.items()))
        broken += tally["broken"]
    sys.exit(1 if broken else 0)


if __name__ == "__main__":
    main()
