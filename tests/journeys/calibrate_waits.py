# tests/journeys/calibrate_waits.py — the baseline held against the recorded starts of its own jobs.
import json

from compare import CONF, make_crowd
from first_run import make_site
from journey import ROOT, main, rehearse


def answer_of(site, *arguments):
    return json.loads(rehearse("calibrate", site, "--json", *arguments, check=0).stdout)


def replayed_as_recorded(folder, jobs=300):
    """A crowd whose sacct.txt is what the simulator itself made of it: the baseline must be exact."""
    site = make_crowd(folder, "a", jobs=jobs)
    rehearse("run", site, "--sacct", folder / "made.txt", check=0)
    (site / "sacct.txt").write_text((folder / "made.txt").read_text())
    return site


def test_a_site_that_the_simulator_recorded_itself_is_reproduced(folder):
    answer = answer_of(replayed_as_recorded(folder))
    assert answer["verdict"] == "good" and answer["within_60_s"] > 0.95 and answer["rank_correlation"] > 0.95, answer["sentence"]
    scopes = {group["scope"] for group in answer["groups"]}
    assert scopes == {"all", "partition", "qos", "account", "size", "week"}, scopes
    for scope in scopes - {"all"}:
        assert sum(group["jobs"] for group in answer["groups"] if group["scope"] == scope) == answer["jobs"]


def test_another_cluster_than_the_recorded_one_is_not(folder):
    site = replayed_as_recorded(folder)
    (site / "slurm.conf").write_text(CONF.replace("n[1-4]", "n[1-3]"))
    answer = answer_of(site)
    assert answer["verdict"] == "poor" and "Do not act on" in answer["sentence"], answer["sentence"]
    assert 1 <= len(answer["worst"]) <= 10 and answer["worst"][0]["wrong_hours"] > 0, answer["worst"]
    hours = [abs(one["wrong_hours"]) for one in answer["worst"]]
    assert hours == sorted(hours, reverse=True)
    text = rehearse("calibrate", site, check=0).stdout
    for claim in ("good: at most 10 %", "THE WORST GROUPS", "BY week", "2024-12-30", "WHAT THE INPUTS LACK", "usage.txt"):
        assert claim in text, (claim, text)


def test_limits_that_did_not_hold_when_recorded_are_named(folder):
    site = replayed_as_recorded(folder, jobs=150)
    assert not any("limits as they were" in one["what"] for one in answer_of(site)["missing"])
    dump = (site / "assoc.dump").read_text()
    (site / "assoc.dump").write_text(dump.replace("Fairshare=10", "Fairshare=10:GrpTRES=gres/gpu=8", 1))
    (site / "slurm.conf").write_text(CONF + "AccountingStorageEnforce=limits\n")
    first = answer_of(site)["missing"][0]["what"]
    assert first.startswith("limits as they were") and "most of it AssocGrpGRES" in first, first


def test_a_rank_correlation_that_is_undefined_is_not_one(folder):
    site = make_site(folder)  # a handful of jobs on a cluster that has room for all of them
    lines = (site / "sacct.txt").read_text().splitlines()
    at = {name: i for i, name in enumerate(lines[0].split("|"))}
    rows = []
    for i, line in enumerate(lines[1:]):
        row = line.split("|")
        row[at["Submit"]] = f"2025-01-0{1 + i}T00:00:00"
        row[at["Start"]], row[at["End"]] = f"2025-01-0{1 + i}T0{i}:00:00", f"2025-01-0{1 + i}T0{i}:10:00"
        row[at["ElapsedRaw"]] = "600"
        rows.append("|".join(row))
    (site / "sacct.txt").write_text("\n".join([lines[0]] + rows) + "\n")
    answer = answer_of(site)
    assert answer["rank_correlation"] is None and answer["jobs"] > 1, answer
    assert "the rank correlation is undefined: every simulated wait is the same (good:" in answer["sentence"], answer["sentence"]


def test_a_start_before_the_submission_is_no_wait(folder):
    site = replayed_as_recorded(folder)
    before = answer_of(site)
    lines = (site / "sacct.txt").read_text().splitlines()
    at = {name: i for i, name in enumerate(lines[0].split("|"))}
    row = lines[140].split("|")
    row[at["Start"]] = "2024-12-01" + row[at["Start"]][10:]  # a requeue, and no sacct -D
    (site / "sacct.txt").write_text("\n".join(lines[:140] + ["|".join(row)] + lines[141:]) + "\n")
    answer = answer_of(site)
    assert answer["jobs"] == before["jobs"] - 1 and answer["verdict"] == "good", answer
    assert answer["started_only_simulated"] == before["started_only_simulated"] + 1, answer


def test_what_is_given_is_not_missed(folder):
    site = make_crowd(folder, "a", jobs=60)
    before = " ".join(one["what"] for one in answer_of(site)["missing"])
    assert "usage" in before and "outages" in before, before
    (site / "events.csv").write_text("time,command\n")
    after = " ".join(one["what"] for one in answer_of(site)["missing"])
    assert "usage" in after and "outages" not in after and "reservations" not in after, after


def test_a_site_without_jobs_is_bad_input(folder):
    site = make_site(folder)
    (site / "sacct.txt").unlink()
    assert "there are no jobs" in rehearse("calibrate", site, check=3).stderr


def test_a_recording_of_slurm_is_reproduced(folder):
    del folder
    answer = answer_of(ROOT / "tests" / "data" / "recordings" / "multifactor")
    assert answer["verdict"] == "good", answer["sentence"]


if __name__ == "__main__":
    main(globals())
