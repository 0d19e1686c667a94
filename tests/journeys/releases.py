# tests/journeys/releases.py — another release of Slurm: every report names it and what it does otherwise.
import json

from first_run import make_site
from journey import main, rehearse

ROUNDED = "the end of a plan is rounded up to bf_resolution, not down"
NOT_YET = "several QOS a job"


def site_of(folder, version):
    site = make_site(folder)
    (site / "site.yaml").write_text(f'slurm_version: "{version}"\n')
    return site


def test_check_names_the_differences_in_force(folder):
    text = rehearse("check", site_of(folder, "24.11"), check=0).stdout
    assert "Slurm 24.11" in text and f"simulated  since 24.11: {ROUNDED}" in text, text
    assert f"not yet  since 24.11: {NOT_YET}" in text and "since 25.05" not in text, text


def test_check_of_the_reference_has_none(folder):
    assert "since 2" not in rehearse("check", site_of(folder, "22.05"), check=0).stdout


def test_run_and_info_name_them_and_the_file_keeps_them(folder):
    out = folder / "out.h5"
    text = rehearse("run", site_of(folder, "24.11"), "-o", out, check=0).stdout
    assert "Slurm 24.11 against 22.05: " in text and "rehearse check SITE lists them" in text, text
    text = rehearse("info", out, check=0).stdout
    assert "Slurm 24.11" in text and ROUNDED in text and NOT_YET in text, text
    kept = json.loads(rehearse("info", out, "--json", check=0).stdout)["configuration"]["site"]
    assert kept["slurm_version"] == "24.11", kept
    assert {"since": "24.11", "what": ROUNDED, "section": "scheduling.md §13", "simulated": True} in kept["slurm_differences"]


def test_an_unknown_release_is_an_error_that_names_the_known_ones(folder):
    done = rehearse("check", site_of(folder, "26.05"), check=3)
    assert "'26.05' is not an emulated release" in done.stderr, done.stderr
    assert "one of 22.05, 23.02, 23.11, 24.05, 24.11, 25.05" in done.stderr, done.stderr


def test_a_release_decides_how_slurm_conf_is_read(folder):
    site = site_of(folder, "23.02")
    (site / "slurm.conf").write_text((site / "slurm.conf").read_text() + "SlurmctldPlugstack=x\n")
    assert "SlurmctldPlugstack was removed in 23.02" in rehearse("check", site, check=3).stderr
    (site / "site.yaml").write_text('slurm_version: "22.05"\n')
    rehearse("check", site, check=0)


if __name__ == "__main__":
    main(globals())
