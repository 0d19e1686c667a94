#!/usr/bin/env python3
# scripts/reference/record.py — `rehearse record`: a real slurmctld decides over a site, on an accelerated clock.
"""usage: record.py SITE [-o OUT_DIR] [--rate N] [--sample S] [--debug-flags F] [--port-base P]

Runs Debian's slurmctld, slurmdbd and one slurmd for each node of SITE on this machine, N times as fast as the
clock, submits SITE's jobs at their times, and writes OUT_DIR: a site folder that `rehearse run` replays.
"""
import argparse
import os
import pathlib
import shutil
import signal
import sys
import tempfile

sys.dont_write_bytecode = True
sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))

import needs  # noqa: E402
import recording  # noqa: E402
import site_folder  # noqa: E402
from cluster import Cluster  # noqa: E402
from drive import Drive  # noqa: E402
from failure import FAILED, USAGE, Failure, Interrupted  # noqa: E402
from processes import ENDING, ignore_signals  # noqa: E402


def say(text):
    print(f"rehearse record: {text}", file=sys.stderr, flush=True)


def interrupt(*_):
    """The first signal ends the day; while things are put away no other does."""
    ignore_signals()
    raise Interrupted()


def parse(words):
    parser = argparse.ArgumentParser(prog="rehearse record", description=__doc__.partition("\n\n")[2],
                                     epilog="Needs root and Debian 12's slurmctld, slurmd, slurmdbd, slurm-client, "
                                            "slurm-wlm-mysql-plugin, munge, mariadb-server, gcc and libc6-dev.")
    parser.add_argument("site", metavar="SITE", help="a folder: slurm.conf, accounts, jobs.csv or sacct.txt")
    parser.add_argument("-o", "--output", metavar="OUT_DIR", help="default: SITE's name with .recorded")
    parser.add_argument("--rate", type=float, default=60, help="times as fast as the clock; 1 to 200, default 60")
    parser.add_argument("--sample", type=float, default=900,
                        help="seconds between samples of sprio, sshare, squeue, sinfo; 0: none; default 900")
    parser.add_argument("--debug-flags", default="", help="further DebugFlags for the log: Gang, Reservation, …")
    parser.add_argument("--port-base", type=int, help="the first of the ports; default: where enough are free")
    options = parser.parse_args(words)
    if not 1 <= options.rate <= 200:
        raise Failure(f"--rate {options.rate:g} is not between 1 and 200", "at 60 an hour takes a minute", USAGE)
    if options.sample < 0:
        raise Failure(f"--sample {options.sample:g} is negative", "0 takes none", USAGE)
    return options


def record(options):
    os.environ["PATH"] = os.pathsep.join([os.environ.get("PATH", ""), "/usr/sbin", "/sbin"])
    root = pathlib.Path(options.site).resolve()
    out = pathlib.Path(options.output or f"{root.name}.recorded").resolve()
    if out.exists():
        raise Failure(f"{out} is there already", "name another with -o, or remove it", USAGE)
    site = site_folder.read(root)
    if unmet := needs.unmet():
        raise unmet
    told = len(site.notes)
    for note in site.notes:
        say(f"note: {note}")
    out.parent.mkdir(parents=True, exist_ok=True)
    part = pathlib.Path(tempfile.mkdtemp(prefix=f"{out.name}.part-", dir=out.parent))
    (part / "samples").mkdir()
    try:
        with Cluster(site, options.rate, options.port_base, options.debug_flags) as cluster:
            cluster.start(say)
            recording.write_accounts(part, cluster)
            say(f"{len(site.submissions)} submits, the last after {site.submissions[-1].at / 3600:.1f} h: "
                f"{site.submissions[-1].at / 60 / options.rate:.0f} min and what then still runs")
            drive = Drive(cluster, options.sample, part / "samples")
            drive.run()
            allocations = recording.write(part, cluster, drive)
        part.chmod(0o755)
        part.rename(out)
    finally:
        shutil.rmtree(part, ignore_errors=True)
    for note in site.notes[told:]:
        say(f"note: {note}")
    refused = sum(command.startswith("sbatch") for _, command, code, _ in drive.log if code)
    say(f"{out}: {allocations} allocations" + (f", {refused} submits refused (see meta.json)" if refused else ""))


def main(words):
    for number in ENDING:
        signal.signal(number, interrupt)
    try:
        record(parse(words))
    except Failure as failure:
        mark = "" if ": error: " in failure.what else "rehearse record: error: "
        print(f"{mark}{failure.what}", file=sys.stderr)
        if failure.hint:
            print(f"  hint: {failure.hint}", file=sys.stderr)
        return failure.code
    except (OSError, UnicodeError) as error:  # a disk that is full, a file that cannot be read
        print(f"rehearse record: error: {error}", file=sys.stderr)
        return FAILED
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
