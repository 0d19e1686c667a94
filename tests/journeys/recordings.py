# tests/journeys/recordings.py — what a real slurmctld recorded is read without an error.
import json

from journey import ROOT, main, rehearse

RECORDINGS = sorted(path.parent for path in (ROOT / "tests" / "data" / "recordings").glob("*/slurm.conf"))


def refused_here():
    """(recording, job): of the divergences that are open, those that are told as jobs refused here."""
    rows = [line.split("|") for line in (ROOT / "tests" / "fidelity" / "divergences.csv").read_text().splitlines()]
    return {(row[0], row[1]) for row in rows if len(row) == 4 and "is refused here" in row[3]}


def test_there_are_recordings(_):
    assert len(RECORDINGS) >= 10, RECORDINGS


def test_each_is_read_and_every_row_is_accounted_for(_):
    for site in RECORDINGS:
        told = json.loads(rehearse("check", site.relative_to(ROOT), "--json", check=0).stdout)
        rows = len((site / "sacct.txt").read_text().splitlines()) - 1
        assert told["rows_read"] == rows and told["jobs"] > 0, (site, told["rows_read"], rows)


def test_no_job_that_ran_on_the_real_cluster_is_called_impossible_but_those_told_as_open(_):
    found = set()
    for site in RECORDINGS:
        told = json.loads(rehearse("check", site.relative_to(ROOT), "--json", check=0).stdout)
        header, *rows = [line.split("|") for line in (site / "sacct.txt").read_text().splitlines()]
        ran = {row[header.index("JobIDRaw")] for row in rows if row[header.index("NodeList")] not in ("", "None assigned")}
        found |= {(site.name, str(group["first_job"])) for group in told["impossible_jobs"] if str(group["first_job"]) in ran}
    assert found == refused_here(), found ^ refused_here()  # one that was mended is not told any more


if __name__ == "__main__":
    main(globals())
