#!/usr/bin/env python3
# tests/faults/threads.py — a sweep at several threads: the same registry as on one, and no race told.
"""REHEARSE_BINARY is a build with ThreadSanitizer (`scripts/dev tsan`)."""
import os
import pathlib
import subprocess
import sys
import tempfile

from small_site import BINARY, dump, make_study


def sweep(folder, threads):
    registry = folder / f"{threads}.sqlite"
    options = "exitcode=66 halt_on_error=0"
    done = subprocess.run([BINARY, "sweep", "study.yaml", "-o", registry.name, "-j", str(threads)], cwd=folder, check=False,
                          capture_output=True, text=True, env={**os.environ, "TSAN_OPTIONS": options})
    if done.returncode != 0 or "ThreadSanitizer" in done.stderr:
        sys.exit(f"sweep -j {threads}: exit {done.returncode}\n{done.stderr}")
    return dump(registry)


def main():
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        make_study(folder)
        if sweep(folder, 1) != sweep(folder, 4):
            sys.exit("the registries of 1 and of 4 threads differ")
    print("1 and 4 threads: the same registry, no race")


if __name__ == "__main__":
    main()
