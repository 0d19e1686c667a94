# tests/journeys/shipped_sites.py — every shipped site is read without an error, and all its jobs fit.
import json
import pathlib
import re

from journey import ROOT, main, rehearse

SITES = sorted(path.parent for path in (ROOT / "configs" / "sites").glob("*/slurm.conf"))

IMPOSSIBLE = {"eagle": 3}  # 40, 72 and 144 CPUs of one node of 36: as logged


def test_there_are_shipped_sites(_):
    assert {"philly", "fox", "eagle", "phillips"} <= {site.name for site in SITES}


def test_each_is_read_without_errors_and_every_row_is_accounted_for(_):
    for site in SITES:
        told = json.loads(rehearse("check", site.relative_to(ROOT), "--json", check=0).stdout)
        assert told["schema"] == "rehearse-check/1"
        assert told["rows_read"] > 0 and told["jobs"] > 0, site
        assert not [f for f in told["findings"] if f["severity"] == "error"], (site, told["findings"])


def test_no_job_of_a_shipped_site_is_impossible_but_those_its_readme_tells(_):
    for site in SITES:
        told = json.loads(rehearse("check", site.relative_to(ROOT), "--json", check=0).stdout)
        found = sum(group["jobs"] for group in told["impossible_jobs"])
        assert found == IMPOSSIBLE.get(site.name, 0), (site, told["impossible_jobs"])


def test_every_key_of_a_shipped_slurm_conf_is_simulated_or_harmless(_):
    for site in SITES:
        told = json.loads(rehearse("check", site.relative_to(ROOT), "--json", check=0).stdout)
        ignored = [key["key"] for key in told["keys"] if key["effect"].startswith("ignored")]
        assert not ignored, (site, ignored)


def test_the_demo_has_as_many_jobs_as_its_trace(_):
    told = json.loads(rehearse("check", "configs/sites/philly", "--json", check=0).stdout)
    assert told["rows_read"] == 82_247 and told["jobs"] == 82_247


def test_each_readme_names_origin_and_licence(_):
    for site in SITES:
        text = (site / "README.md").read_text(encoding="utf-8")
        assert "Real" in text and "Invented" in text and "commit" in text, site
        assert list(pathlib.Path(site).glob("LICENSE*")), site
        for name in re.findall(r"`(LICENSE[.\w-]*)`", text):
            assert (site / name).is_file(), (site, name)


if __name__ == "__main__":
    main(globals())
