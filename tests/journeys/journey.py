# tests/journeys/journey.py — what every journey needs: run the command, claim what must hold.
"""A journey is a script of this folder with functions `test_…`; each is a claim and takes a scratch
folder. ctest runs one script a test; the binary's path is in REHEARSE_BINARY."""
import os
import pathlib
import subprocess
import sys
import tempfile
import traceback

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
BINARY = os.environ.get("REHEARSE_BINARY", str(ROOT / "build" / "dev" / "rehearse"))


def rehearse(*arguments, stdin=None, env=None, check=None, cwd=ROOT):
    """Runs the binary, from the root of the project where nothing else is said. `check`: the exit code that it must have."""
    done = subprocess.run([BINARY, *map(str, arguments)], capture_output=True, text=True, input=stdin,
                          cwd=cwd, env={**os.environ, **(env or {})}, check=False)
    if check is not None and done.returncode != check:
        raise AssertionError(f"rehearse {' '.join(map(str, arguments))}: exit {done.returncode}, not {check}\n"
                             f"--- stdout\n{done.stdout}\n--- stderr\n{done.stderr}")
    return done


def main(namespace):
    """Runs every `test_…` of the script."""
    tests = [(name, item) for name, item in namespace.items() if name.startswith("test_")]
    failed = 0
    for name, test in tests:
        with tempfile.TemporaryDirectory() as folder:
            try:
                test(pathlib.Path(folder))
            except Exception:  # pylint: disable=broad-except
                failed += 1
                print(f"FAILED {name}\n{traceback.format_exc()}")
    print(f"{len(tests)} claims, {failed} failed")
    sys.exit(1 if failed else 0)
