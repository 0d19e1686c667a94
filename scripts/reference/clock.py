# scripts/reference/clock.py — the accelerated clock: what it shows, and the shim that makes programs see it.
import os
import pathlib
import subprocess
import time

from failure import Failure

HERE = pathlib.Path(__file__).resolve().parent
FAKE_START = 1_800_000_000  # epoch seconds: 2027-01-15T08:00:00Z, far from any daylight saving


def text(at):
    """Epoch seconds as Slurm prints them, in UTC."""
    return time.strftime("%Y-%m-%dT%H:%M:%S", time.gmtime(at))


def build(source, target, *flags):
    """A file of this folder, compiled by gcc."""
    built = subprocess.run(["gcc", "-O2", "-o", target, HERE / source, *flags], capture_output=True, text=True, check=False)
    if built.returncode:
        raise Failure(f"{source} does not compile: {built.stderr.strip().splitlines()[-1]}")


class Clock:
    """Runs `rate` times as fast as the machine's, from FAKE_START at its creation."""

    def __init__(self, rate, folder):
        self.rate = rate
        self.shim = folder / "fastclock.so"
        build("fastclock.c", self.shim, "-shared", "-fPIC", "-ldl")
        self.real_start, self.monotonic_start = time.time_ns(), time.monotonic_ns()

    def now(self):
        """Epoch seconds on the accelerated clock."""
        return FAKE_START + (time.time_ns() - self.real_start) * 1e-9 * self.rate

    def environment(self):
        """What a process needs to live on this clock."""
        origin = f"{FAKE_START * 10**9} {self.real_start} {self.monotonic_start} {self.rate!r}"
        return {**os.environ, "REHEARSE_CLOCK": origin, "LD_PRELOAD": str(self.shim), "TZ": "UTC",
                "SLURM_TIME_FORMAT": "standard", "LC_ALL": "C"}
