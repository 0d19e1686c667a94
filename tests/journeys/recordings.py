# tests/journeys/recordings.py — what a real slurmctld recorded is read without an error.
import json

from journey import ROOT, main, rehearse

RECORDINGS = sorted(path.parent for path in (ROOT / "tests" / "data" / "recordings").glob("*/slurm.conf"))


def test_there_are_recordings(_):
    assert len(RECORDINGS) >= 10, RECORDINGS


def test_each_is_read_and_every_row_is_accounted_for(_):
    for site in RECORDINGS:
        told = json.loads(rehearse("check", site.relative_to(ROOT), "--json", check=0).stdout)
        rows = len((site / "sacct.txt").read_text().splitlines()) - 1
        assert told["rows_read"] == rows and told["jobs"] > 0, (site, told["rows_read"], rows)


def test_no_job_that_ran_on_the_real_cluster_is_called_impossible(_):
    for site in RECORDINGS:
        told = json.loads(rehearse("check", site.relative_to(ROOT), "--json", check=0).stdout)
        header, *rows = [line.split("|") for line in (site / "sacct.txt").read_text().splitlines()]
        ran = {row[header.index("JobIDRaw")] for row in rows if row[header.index("NodeList")] not in ("", "None assigned")}
        wrong = [group for group in told["impossible_jobs"] if str(group["first_job"]) in ran]
        assert not wrong, (site, wrong)


if __name__ == "__main__":
    main(globals())
