#!/usr/bin/env python3
# tests/journeys/writing_fails.py — a result that cannot be written: said in a line, exit 1, nothing left.
import json
import os
import shutil
import stat

from journey import ROOT, main, rehearse

SITE = "tests/data/recordings/backfill"


def last_line(done):
    return done.stderr.strip().splitlines()[-1]


def test_a_folder_that_is_not_there(folder):
    done = rehearse("run", SITE, "-o", folder / "no" / "out.h5", check=1)
    assert "No such file or directory" in last_line(done) and "out.h5" in last_line(done), done.stderr
    assert list(folder.iterdir()) == []


def test_what_can_be_no_file_is_told_before_the_run(folder):
    (folder / "there").mkdir()
    for path, reason in ((folder / "there", "Is a directory"), (f"{folder}/there/", "Is a directory"),
                         (folder / "no" / "out.h5", "No such file"), ("/proc/version/out.h5", "Not a directory")):
        for option in ("-o", "--sacct"):
            done = rehearse("run", SITE, option, path, check=1)
            assert reason in last_line(done) and "jobs in" not in done.stderr, done.stderr


def test_a_page_that_cannot_be_written_is_told_before_both_sides_run(folder):
    done = rehearse("compare", SITE, "--set-b", "PriorityWeightAge=0", "--html", folder / "no" / "x.html", check=1)
    assert "No such file" in last_line(done) and done.stdout == "" and "jobs in" not in done.stderr, done.stderr
    assert done.stderr.count("\n") == 1, done.stderr


def test_two_outputs_are_not_mixed_in_one_stream(folder):
    done = rehearse("run", SITE, "--sacct", "-", "--json", check=2)
    assert "both write to standard output" in done.stderr and done.stdout == "", done.stderr
    json.loads(rehearse("run", SITE, "--sacct", folder / "s.txt", "--json", check=0).stdout)


def test_a_result_is_no_stream(folder):
    del folder
    done = rehearse("run", SITE, "-o", "-", check=2)
    assert "-o out.h5" in done.stderr, done.stderr


def test_a_device_or_a_pipe_stays_one(folder):
    if os.getuid() == 0:
        os.mknod(folder / "null", 0o666 | stat.S_IFCHR, os.makedev(1, 3))
    os.mkfifo(folder / "pipe")
    for path in folder.iterdir():
        kind = stat.S_IFMT(path.stat().st_mode)
        done = rehearse("run", SITE, "-o", path, check=1)
        assert "is no file, and would be replaced by one" in last_line(done), done.stderr
        assert stat.S_IFMT(path.stat().st_mode) == kind, path


def test_a_link_stays_one(folder):
    (folder / "scratch").mkdir()
    os.symlink(folder / "scratch" / "out.h5", folder / "out.h5")  # which is not there yet
    for _ in range(2):
        rehearse("run", SITE, "-o", folder / "out.h5", check=0)
        assert (folder / "out.h5").is_symlink()
        assert [path.name for path in (folder / "scratch").iterdir()] == ["out.h5"]


def test_no_verb_writes_over_what_it_reads(folder):
    site = folder / "mine"
    shutil.copytree(ROOT / SITE, site)
    (site / "slurm.conf").write_text((site / "slurm.conf").read_text() + "Include more.conf\n")
    (site / "more.conf").write_text("# nothing more\n")
    (site / "later folder").mkdir()  # slurm.conf from a later row on
    (site / "later folder" / "next.conf").write_text((site / "slurm.conf").read_text().replace("more.conf", "after.conf"))
    (site / "later folder" / "after.conf").write_text("# nothing more\n")
    with open(site / "events.csv", "a", encoding="utf-8") as events:
        if events.tell() == 0:
            events.write("time,command\n")
        events.write("2030-01-01T00:00:00,slurm.conf 'later folder/next.conf'\n2030-01-01T00:00:00,scontrol reconfigure\n")
    (folder / "two.yaml").write_text("site: mine\n")
    rehearse("run", site, "-o", folder / "x.h5", check=0)
    os.symlink(folder / "x.h5", folder / "other.h5")
    os.link(site / "sacct.txt", folder / "jobs.txt")
    (folder / "study.yaml").write_text("site: mine\nparameters: []\n")
    before = {path: path.read_bytes() for path in folder.rglob("*") if path.is_file()}
    for arguments in (("run", site, "-o", site / "slurm.conf"), ("run", site, "-o", site / "sacct.txt"), ("run", site, "--sacct", folder / "jobs.txt"),
                      ("run", site, "-o", site / "more.conf"), ("run", site, "-o", site / "later folder" / "next.conf"),
                      ("run", site, "--sacct", site / "later folder" / "after.conf"), ("run", site, "--jobs", folder / "jobs.txt", "--sacct", folder / "jobs.txt"),
                      ("run", folder / "two.yaml", "-o", folder / "two.yaml"), ("run", folder / "two.yaml", "-o", site / "meta.json"),
                      ("report", folder / "x.h5", "-o", folder / "x.h5"), ("report", folder / "x.h5", "-o", folder / "other.h5"),
                      ("report", folder / "x.h5", "--site", site, "-o", site / "slurm.conf"),
                      ("export", folder / "x.h5", "--format", "csv", "-o", folder / "x.h5"), ("export", folder / "other.h5", "--format", "csv", "-o", folder / "x.h5"),
                      ("compare", site, "--set-b", "PriorityWeightAge=1", "--html", site / "slurm.conf"), ("compare", folder / "x.h5", folder / "x.h5", "--html", folder / "other.h5"),
                      ("fit", site, "-o", site / "sacct.txt", "--force"), ("gen", folder / "two.yaml", "-o", folder / "two.yaml", "--force"),
                      ("import", "sacct", folder / "jobs.txt", site / "sacct.txt", "-o", folder / "there", "--force"),
                      ("sweep", folder / "study.yaml", "-o", folder / "study.yaml"), ("tune", folder / "study.yaml", "-o", folder / "study.yaml")):
        if arguments[0] == "import":  # what it would write is one of the files
            (folder / "there").mkdir()
            os.link(site / "sacct.txt", folder / "there" / "sacct.txt.xz")
            before[folder / "there" / "sacct.txt.xz"] = before[site / "sacct.txt"]
        done = rehearse(*arguments, check=2)
        assert "is an input of this command, and would be written over" in done.stderr, (arguments, done.stderr)
    assert before == {path: path.read_bytes() for path in folder.rglob("*") if path.is_file()}
    rehearse("run", site, "-o", site / "out.h5", check=0)  # beside its inputs, and again
    rehearse("run", site, "-o", site / "out.h5", check=0)


def test_an_import_that_fails_leaves_nothing(folder):
    (folder / "new").mkdir()
    os.symlink("/dev/full", folder / "new" / "sacct.txt.xz.part")
    done = rehearse("import", "sacct", f"{SITE}/sacct.txt", "-o", folder / "new", check=1)
    assert "No space left on device" in last_line(done), done.stderr
    assert list((folder / "new").iterdir()) == []


def test_a_full_disk(folder):
    os.symlink("/dev/full", folder / "out.h5.part")
    done = rehearse("run", SITE, "-o", folder / "out.h5", check=1)
    assert "No space left on device" in last_line(done), done.stderr
    assert list(folder.iterdir()) == []


def test_a_full_disk_for_the_accounts(folder):
    os.symlink("/dev/full", folder / "out.txt.part")
    done = rehearse("run", SITE, "--sacct", folder / "out.txt", check=1)
    assert "No space left on device" in last_line(done), done.stderr
    assert list(folder.iterdir()) == []


def test_an_earlier_result_survives_a_failure(folder):
    rehearse("run", SITE, "-o", folder / "out.h5", check=0)
    before = (folder / "out.h5").read_bytes()
    os.symlink("/dev/full", folder / "out.h5.part")
    rehearse("run", SITE, "-o", folder / "out.h5", check=1)
    assert (folder / "out.h5").read_bytes() == before


main(globals())
