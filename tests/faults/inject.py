#!/usr/bin/env python3
# tests/faults/inject.py — faults of inputs, disks, pipes and signals: what the user sees, and what is left.
"""usage: inject.py            every fault; exit 1 where one was met in another way than it should be
       inject.py --list     the same as a table of what was seen (results/faults)
"""
import contextlib
import gzip
import lzma
import os
import pathlib
import resource
import shutil
import signal
import subprocess
import sys
import tempfile
import time

from small_site import BINARY, ROOT, dump, make_site, make_study, start

NOBODY = 65534
FAULTS = []


def fault(what, exit_code, says):
    """A fault: what was done, the exit code that must follow, and words that the user must see."""
    def keep(function):
        FAULTS.append((what, exit_code, says, function))
        return function
    return keep


class Seen:
    def __init__(self, command, code, said):
        self.command, self.code, self.said = command, code, said


def call(folder, *arguments, shell="", before=None, stdin=None):
    """Runs the binary in `folder`; `shell` is put behind it (`| head -1`)."""
    command = [BINARY, *map(str, arguments)]
    if shell:
        command = ["bash", "-c", f'set -o pipefail; "$0" "$@" {shell}', *command]
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True, errors="replace", check=False,
                          preexec_fn=before, stdin=stdin, timeout=300)
    text = " ".join(["rehearse", *map(str, arguments), shell]).strip()
    return Seen(text, done.returncode, done.stderr + ("" if shell else done.stdout))


def changed(folder, name, data):
    site = make_site(folder)
    (site / name).write_bytes(data if isinstance(data, bytes) else data(site))
    return site


def read(site, name):
    return (site / name).read_bytes()


def as_nobody():
    os.setgroups([])
    os.setgid(NOBODY)
    os.setuid(NOBODY)


def can_be_nobody(folder):
    """Root reads and writes everything: such faults need another user, who must reach the binary."""
    if os.getuid() != 0:
        return None
    for part in (folder, *folder.parents):
        if part.stat().st_mode & 0o001 == 0 and part != folder:
            return False
    folder.chmod(0o777)
    return subprocess.run([BINARY, "--version"], preexec_fn=as_nobody, capture_output=True, check=False).returncode == 0


@contextlib.contextmanager
def small_disk(folder, kib):
    """A file system of so many KiB in `folder`; none where it may not be mounted."""
    disk = folder / "disk"
    disk.mkdir()
    mounted = subprocess.run(["mount", "-t", "tmpfs", "-o", f"size={kib}k", "tmpfs", str(disk)], capture_output=True,
                             check=False).returncode == 0
    try:
        yield disk if mounted else None
    finally:
        if mounted:
            subprocess.run(["umount", str(disk)], check=True)


# Inputs.

def unreadable(folder, name, verb):
    """`verb` on a site whose file `name` nobody may read."""
    if can_be_nobody(folder) is False:
        return None
    (make_site(folder) / name).chmod(0)
    return call(folder, verb, "mine", before=as_nobody if os.getuid() == 0 else None)


@fault("an empty slurm.conf", 3, "no NodeName")
def _(folder):
    changed(folder, "slurm.conf", b"")
    return call(folder, "check", "mine")


@fault("slurm.conf cut in the middle of a line", 3, "slurm.conf")
def _(folder):
    changed(folder, "slurm.conf", lambda site: read(site, "slurm.conf")[:-50])
    return call(folder, "check", "mine")


@fault("slurm.conf that may not be read", 3, "cannot read the file")
def _(folder):
    return unreadable(folder, "slurm.conf", "check")


@fault("an empty sacct.txt", 3, "sacct.txt")
def _(folder):
    changed(folder, "sacct.txt", b"")
    return call(folder, "run", "mine")


@fault("sacct.txt cut in the middle of a row", 3, "was the file cut")
def _(folder):
    changed(folder, "sacct.txt", lambda site: read(site, "sacct.txt")[:-60])
    return call(folder, "run", "mine")


@fault("sacct.txt that may not be read", 3, "Permission denied")
def _(folder):
    return unreadable(folder, "sacct.txt", "run")


@fault("a cut sacct.txt.xz", 3, "cannot be read")
def _(folder):
    site = changed(folder, "sacct.txt.xz", lambda site: lzma.compress(read(site, "sacct.txt"))[:-40])
    (site / "sacct.txt").unlink()
    return call(folder, "run", "mine")


@fault("site.yaml is a folder", 3, "is a folder, not a file")
def _(folder):
    (make_site(folder) / "site.yaml").mkdir()
    return call(folder, "check", "mine")


@fault("--jobs /dev/zero", 3, "is a device")
def _(folder):
    make_site(folder)
    return call(folder, "run", "mine", "--jobs", "/dev/zero")


# Bombs.

@fault("files that include each other", 3, "includes itself")
def _(folder):
    site = changed(folder, "slurm.conf", lambda site: read(site, "slurm.conf") + b"Include a.conf\n")
    (site / "a.conf").write_text("Include b.conf\n")
    (site / "b.conf").write_text("Include a.conf\n")
    return call(folder, "check", "mine")


@fault("20 files, each of which includes the next one", 3, "nested more than")
def _(folder):
    site = changed(folder, "slurm.conf", lambda site: read(site, "slurm.conf") + b"Include 0.conf\n")
    for i in range(20):
        (site / f"{i}.conf").write_text(f"Include {i + 1}.conf\n")
    return call(folder, "check", "mine")


@fault("Include /dev/zero", 3, "it must be a file of at most")
def _(folder):
    changed(folder, "slurm.conf", lambda site: read(site, "slurm.conf") + b"Include /dev/zero\n")
    return call(folder, "check", "mine")


@fault("NodeName=n[1-1000000000000]", 3, "1000000000000 hosts")
def _(folder):
    changed(folder, "slurm.conf", lambda site: read(site, "slurm.conf") + b"NodeName=x[1-1000000000000]\n")
    return call(folder, "check", "mine")


@fault("NodeName=n[1-60000][1-60000]", 3, "more than 4194304 hosts")
def _(folder):
    changed(folder, "slurm.conf", lambda site: read(site, "slurm.conf") + b"NodeName=x[1-60000][1-60000]\n")
    return call(folder, "check", "mine")


@fault("YAML aliases that stand for 10^9 values", 3, "do aliases repeat each other")
def _(folder):
    lines = ["a: &a [x, x, x, x, x, x, x, x, x, x]"]
    lines += [f"{b}: &{b} [{', '.join(['*' + a] * 10)}]" for a, b in zip("abcdefgh", "bcdefghi")]
    changed(folder, "site.yaml", "\n".join(lines).encode())
    return call(folder, "check", "mine")


@fault("100,000 brackets in site.yaml", 3, "levels")
def _(folder):
    changed(folder, "site.yaml", b"a: " + b"[" * 100000)
    return call(folder, "check", "mine")


@fault("1,000,000 levels in sacct.json", 3, "sacct.json")
def _(folder):
    site = changed(folder, "sacct.json", b'{"jobs":[{"job_id":1,"x":' + b"[" * 1000000 + b"]" * 1000000 + b"}]}")
    (site / "sacct.txt").unlink()
    return call(folder, "check", "mine")


@fault("4 MiB of gzip that stand for 4 GiB", 3, "grow to more than")
def _(folder):
    site = make_site(folder)
    (site / "sacct.txt").unlink()
    zeros = gzip.compress(bytes(1 << 26), 9)
    (site / "sacct.txt.gz").write_bytes(zeros * 64)
    return call(folder, "check", "mine")


@fault("a line of 100 MB in sacct.txt", 3, "has 1 fields")
def _(folder):
    changed(folder, "sacct.txt", lambda site: read(site, "sacct.txt") + b"x" * 100000000 + b"\n")
    return call(folder, "check", "mine")


@fault("numbers of 2^63 and more in sacct.txt", 3, "9223372036854775808")
def _(folder):
    changed(folder, "sacct.txt", lambda site: read(site, "sacct.txt").replace(b"|60|COMPLETED", b"|9223372036854775808|COMPLETED"))
    return call(folder, "check", "mine")


@fault("gres/gpu=18446744073709551615 in sacct.txt", 0, "can never run")
def _(folder):
    changed(folder, "sacct.txt", lambda site: read(site, "sacct.txt").replace(b"gres/gpu=2,", b"gres/gpu=18446744073709551615,"))
    return call(folder, "check", "mine")


@fault("a job submitted in the year 9999", 3, "sacct.txt:2")
def _(folder):
    changed(folder, "sacct.txt", lambda site: read(site, "sacct.txt").replace(b"2025-01-01T00:00:40", b"9999-12-31T23:59:59"))
    return call(folder, "run", "mine")


# Names that are no files.

@fault("a pipe in the place of a result: nobody waits for what may never come", 3, "is no regular file")
def _(folder):
    make_site(folder)
    call(folder, "run", "mine", "-o", "out.h5")
    os.mkfifo(folder / "pipe.h5")
    for words in (("info", "pipe.h5"), ("show", "pipe.h5", "squeue"), ("explain", "pipe.h5", "7"), ("export", "pipe.h5", "--format", "csv"),
                  ("report", "pipe.h5", "-o", "page.html")):
        seen = call(folder, *words)
        if seen.code != 3:
            break
    return seen


@fault("compare of a result with a pipe", 3, "no regular file, not a site")
def _(folder):
    make_site(folder)
    call(folder, "run", "mine", "-o", "out.h5")
    os.mkfifo(folder / "pipe.h5")
    return call(folder, "compare", "out.h5", "pipe.h5")


@fault("a pipe in the place of a registry", 3, "is not a registry")
def _(folder):
    os.mkfifo(folder / "pipe.sqlite")
    return call(folder, "query", "pipe.sqlite")


@fault("fit onto a link that leads to itself", 3, "is there already")
def _(folder):
    make_site(folder)
    (folder / "spec.yaml").symlink_to("spec.yaml")
    return call(folder, "fit", "mine", "-o", "spec.yaml", "--draws", "1")


# Results that are read.

def broken_result(folder, data):
    make_site(folder)
    call(folder, "run", "mine", "-o", "out.h5")
    (folder / "out.h5").write_bytes(data((folder / "out.h5").read_bytes()))
    return call(folder, "info", "out.h5")


@fault("info of a cut result", 3, "the file is cut")
def _(folder):
    return broken_result(folder, lambda data: data[:3000])


@fault("info of a result of which one byte is another", 3, "its bytes are not those that were written")
def _(folder):
    return broken_result(folder, lambda data: data[:9000] + bytes([data[9000] ^ 1]) + data[9001:])


@fault("info of an empty result", 3, "out.h5")
def _(folder):
    return broken_result(folder, lambda data: b"")


@fault("info of a result whose first MiB is text", 3, "out.h5")
def _(folder):
    return broken_result(folder, lambda data: b"x" * (1 << 20))


@fault("a registry that is cut", 3, "study.sqlite")
def _(folder):
    make_study(folder)
    call(folder, "sweep", "study.yaml")
    registry = folder / "study.sqlite"
    registry.write_bytes(registry.read_bytes()[:5000])
    return call(folder, "query", "study.sqlite")


@fault("a registry that is text", 3, "study.sqlite")
def _(folder):
    make_study(folder)
    (folder / "study.sqlite").write_text("no database\n" * 1000)
    return call(folder, "sweep", "study.yaml")


# Disks.

@fault("-o into a folder that is not there", 1, "No such file or directory")
def _(folder):
    make_site(folder)
    return call(folder, "run", "mine", "-o", "no/out.h5")


@fault("-o into a read-only folder", 1, "Permission denied")
def _(folder):
    if can_be_nobody(folder) is False:
        return None
    make_site(folder)
    (folder / "closed").mkdir(mode=0o555)
    return call(folder, "run", "mine", "-o", "closed/out.h5", before=as_nobody if os.getuid() == 0 else None)


@fault("-o onto a disk that is full", 1, "No space left on device")
def _(folder):
    make_site(folder)
    with small_disk(folder, 64) as disk:
        if disk is None:
            return None
        seen = call(folder, "run", "mine", "-o", "disk/out.h5")
        left = [file.name for file in disk.iterdir()]
    return seen if not left else Seen(seen.command, seen.code, f"left behind: {left}")


@fault("--sacct onto a disk that is full", 1, "No space left on device")
def _(folder):
    make_site(folder, jobs=600)
    with small_disk(folder, 64) as disk:
        return disk and call(folder, "run", "mine", "--sacct", "disk/out.txt")


@fault("a sweep whose disk fills up; then, with room, the same command again", 0, "")
def _(folder):
    make_study(folder)
    call(folder, "sweep", "study.yaml", "-o", "whole.sqlite")
    with small_disk(folder, 500) as disk:
        if disk is None:
            return None
        for name in ("mine", "study.yaml"):
            shutil.copytree(folder / name, disk / name) if name == "mine" else shutil.copy(folder / name, disk / name)
        full = call(disk, "sweep", "study.yaml")
        if full.code != 1 or "No space left" not in full.said and "full" not in full.said:
            return full
        subprocess.run(["mount", "-o", "remount,size=64m", str(disk)], check=True)
        again = call(disk, "sweep", "study.yaml")
        same = dump(disk / "study.sqlite") == dump(folder / "whole.sqlite")
    return again if same else Seen(again.command, again.code, "the registry is not the undisturbed one")


@fault("a result larger than `ulimit -f` allows", 1, "File too large")
def _(folder):
    make_site(folder)
    def limit():
        resource.setrlimit(resource.RLIMIT_FSIZE, (8192, 8192))
    seen = call(folder, "run", "mine", "-o", "out.h5", before=limit)
    left = [file.name for file in folder.glob("out*")]
    return seen if not left else Seen(seen.command, seen.code, f"left behind: {left}")


@fault("four runs that write one file at once: each ends well, and one of the results stays", 0, "")
def _(folder):
    make_site(folder)
    for name in ("out.h5", "out.txt"):
        option = "-o" if name == "out.h5" else "--sacct"
        whole = {}
        for weight in range(4):
            call(folder, "run", "mine", option, name, "--set", f"PriorityWeightAge={weight}")
            whole[(folder / name).read_bytes()] = weight
        for _again in range(5):
            runs = [start("run", "mine", option, name, "--set", f"PriorityWeightAge={weight}", cwd=folder) for weight in range(4)]
            said = [run.communicate()[1] for run in runs]
            codes = [run.returncode for run in runs]
            left = [file.name for file in folder.glob(f"{name}.*")]
            if any(codes) or left or (folder / name).read_bytes() not in whole:
                return Seen(f"rehearse run mine {option} {name}, four times at once", max(codes) or -2, f"{said} {left}")
    return Seen("rehearse run mine -o out.h5, four times at once", 0, "wrote out.h5")


@fault("standard output onto a full disk", 1, "could not be written")
def _(folder):
    make_site(folder)
    call(folder, "run", "mine", "-o", "out.h5")
    return call(folder, "show", "out.h5", "sacct", shell="> /dev/full")


@fault("standard error closed: the result is there, and no message in it", -1, "")
def _(folder):
    make_site(folder)
    seen = call(folder, "run", "mine", "-o", "out.h5", shell="> /dev/null 2>&-")
    whole = seen.code == 0 and call(folder, "info", "out.h5").code == 0 and b"wrote out.h5" not in (folder / "out.h5").read_bytes()
    return Seen(seen.command, -1 if whole else seen.code, seen.said)


@fault("standard error onto a full disk: no crash", 1, "")
def _(folder):
    make_site(folder)
    return call(folder, "run", "mine", "-o", "out.h5", shell="2> /dev/full")


@fault("-o with an empty name", 2, "--output is given an empty text")
def _(folder):
    make_site(folder)
    return call(folder, "run", "mine", "-o", "")


# Pipes and signals.

@fault("show … | head -1", -1, "")
def _(folder):
    make_site(folder, jobs=600)
    call(folder, "run", "mine", "-o", "out.h5")
    seen = call(folder, "show", "out.h5", "sacct", shell="| head -1")
    # Silently, as every tool of Unix: 141 is SIGPIPE's, 0 where head was the slower one.
    return Seen(seen.command, -1 if seen.code in (0, 141) and "error" not in seen.said else seen.code, seen.said)


@fault("run -o … with its output into a closed pipe: the result is there", -1, "")
def _(folder):
    make_site(folder)
    seen = call(folder, "run", "mine", "-o", "out.h5", shell="| true")
    whole = call(folder, "info", "out.h5").code == 0 and not (folder / "out.h5.part").exists()
    return Seen(seen.command, -1 if whole else seen.code, seen.said if whole else "no result")


def signalled(folder, number, after, *arguments):
    run = start(*arguments, cwd=folder)
    time.sleep(after)
    run.send_signal(number)
    said = run.communicate()[1]
    return Seen(" ".join(["rehearse", *map(str, arguments)]), run.returncode, said)


@fault("Ctrl-C while a run goes on: what there is, marked partial", 130, "")
def _(folder):
    make_site(folder, jobs=60000)
    seen = signalled(folder, signal.SIGINT, 1.0, "run", "mine", "-o", "out.h5")
    told = call(folder, "info", "out.h5")
    return seen if "partial" in told.said else Seen(seen.command, seen.code if seen.code != 130 else -2, told.said)


@fault("the terminal goes away while a run goes on (SIGHUP): what there is, marked partial", 130, "")
def _(folder):
    make_site(folder, jobs=60000)
    seen = signalled(folder, signal.SIGHUP, 1.0, "run", "mine", "-o", "out.h5")
    told = call(folder, "info", "out.h5")
    return seen if "partial" in told.said else Seen(seen.command, seen.code if seen.code != 130 else -2, told.said)


@fault("Ctrl-C while a sweep goes on; then the same command again", 0, "")
def _(folder):
    make_study(folder)
    call(folder, "sweep", "study.yaml", "-o", "whole.sqlite")
    signalled(folder, signal.SIGINT, 0.15, "sweep", "study.yaml")
    again = call(folder, "sweep", "study.yaml")
    same = dump(folder / "study.sqlite") == dump(folder / "whole.sqlite")
    return again if same else Seen(again.command, again.code, "the registry is not the undisturbed one")


@fault("not enough memory (ulimit -v 400 MiB, 200 MB of jobs)", 1, "not enough memory")
def _(folder):
    site = make_site(folder)
    row = read(site, "sacct.txt").splitlines()[1] + b"\n"
    with open(site / "sacct.txt", "ab") as file:
        file.write(row * (200000000 // len(row)))
    return call(folder, "check", "mine", before=lambda: resource.setrlimit(resource.RLIMIT_AS, (400 << 20, 400 << 20)))


def told(text, folder):
    """The line that a person looks for: the first error, or the last line."""
    lines = [line for line in text.strip().splitlines() if line.strip()]
    chosen = next((line for line in lines if "error:" in line), lines[-1] if lines else "(nothing)")
    return chosen.replace(str(folder), ".").replace(str(ROOT), "")[:150]


def main():
    listing = "--list" in sys.argv[1:]
    wrong = 0
    for what, exit_code, says, function in FAULTS:
        with tempfile.TemporaryDirectory() as name:
            seen = function(pathlib.Path(name))
            if seen is None:
                print(f"{what}\n  not tried: it needs root, or a mount" if listing else f"skipped: {what}")
                continue
            met = seen.code == exit_code and says in seen.said
            wrong += not met
            if listing:
                code = "as it should" if seen.code < 0 and met else f"exit {seen.code}"
                print(f"{what}\n  $ {seen.command}\n  {told(seen.said, name)}\n  {code}{'' if met else '  NOT AS IT SHOULD'}")
            elif not met:
                print(f"FAILED {what}\n  {seen.command}: exit {seen.code}, not {exit_code}, or without {says!r}\n{seen.said[-2000:]}")
    print(f"{len(FAULTS)} faults, {wrong} not met as they should be")
    sys.exit(1 if wrong else 0)


if __name__ == "__main__":
    main()
