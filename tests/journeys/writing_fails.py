#!/usr/bin/env python3
# tests/journeys/writing_fails.py — a result that cannot be written: said in a line, exit 1, nothing left.
import os

from journey import main, rehearse

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


def test_a_result_is_no_stream(folder):
    del folder
    done = rehearse("run", SITE, "-o", "-", check=2)
    assert "-o out.h5" in done.stderr, done.stderr


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
