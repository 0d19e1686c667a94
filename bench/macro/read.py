#!/usr/bin/env python3
# bench/macro/read.py — megabytes of sacct text a second and core: a recording's rows over and over, under new ids.
"""usage: read.py BINARY [--mib 500] [SITE …]     default: philly, and a recording, whose rows are long

Each line is one `check` of the site with its table made so long (--jobs FILE), less one of the table as it is: the CPU time
of reading alone, from the file to the jobs, in the cache of the system. `rows/s` are lines of the table.
"""
import argparse
import lzma
import os
import pathlib
import subprocess
import tempfile

ROOT = pathlib.Path(__file__).resolve().parents[2]
SITES = ["configs/sites/philly", "tests/data/recordings/qos_again"]


def table_of(site):
    for name in ("sacct.txt", "sacct.txt.xz"):
        if (site / name).exists():
            opened = lzma.open if name.endswith(".xz") else open
            with opened(site / name, "rt", encoding="utf-8") as file:
                return file.read().splitlines()
    raise SystemExit(f"{site}: no sacct.txt")


def lengthen(lines, target, size):
    """Rows to `size` bytes: each time round the ids are higher by the largest one. Returns the number of rows."""
    names = lines[0].split("|")
    places = [i for i, name in enumerate(names) if name in ("JobID", "JobIDRaw")]
    rows = [line.split("|") for line in lines[1:]]

    def number(text):
        end = next((i for i, c in enumerate(text) if not c.isdigit()), len(text))
        return int(text[:end]), text[end:]

    most = max(number(row[i])[0] for row in rows for i in places)
    written, count, turn = len(lines[0]) + 1, 0, 0
    with open(target, "w", encoding="utf-8") as out:
        out.write(lines[0] + "\n")
        while written < size:
            for row in rows:
                for i in places:
                    own, rest = number(row[i])
                    row = row[:i] + [f"{own + turn * most}{rest}"] + row[i + 1:]
                written += out.write("|".join(row) + "\n")
                count += 1
            turn += 1
    return count


def cpu_seconds(words):
    with subprocess.Popen(words, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE) as child:
        told = child.stderr.read().decode()
        _, status, used = os.wait4(child.pid, 0)
        child.returncode = os.waitstatus_to_exitcode(status)
    if child.returncode:
        raise SystemExit(f"{' '.join(map(str, words))}: exit code {child.returncode}\n{told[:2000]}")
    return used.ru_utime + used.ru_stime, used.ru_utime, used.ru_maxrss / 1024


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("binary", type=pathlib.Path)
    parser.add_argument("site", nargs="*", default=SITES)
    parser.add_argument("--mib", type=int, default=500)
    asked = parser.parse_args()
    print(f"{'site':24}{'MiB':>6}{'rows':>10}{'bytes/row':>11}{'CPU s':>8}{'user s':>8}{'MB/s':>8}{'rows/s':>11}{'peak MiB':>10}")
    for name in asked.site:
        site = ROOT / name
        with tempfile.TemporaryDirectory(dir="/var/tmp") as folder:
            table = pathlib.Path(folder) / "sacct.txt"
            count = lengthen(table_of(site), table, asked.mib << 20)
            check = [asked.binary.resolve(), "check", site, "--jobs", table]
            cpu, user, peak = cpu_seconds(check)
            alone, alone_user, _ = cpu_seconds([asked.binary.resolve(), "check", site])
            size = table.stat().st_size
        cpu, user = cpu - alone, user - alone_user
        print(f"{site.name:24}{size >> 20:>6}{count:>10}{size / count:>11.0f}{cpu:>8.2f}{user:>8.2f}{size / cpu / 1e6:>8.0f}"
              f"{count / cpu:>11.0f}{peak:>10.0f}", flush=True)


if __name__ == "__main__":
    main()
