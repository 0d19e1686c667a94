# tests/journeys/hardware_errors.py — the case study of two broken GPUs: what its README says.
import re
import shutil
import subprocess
import sys

from journey import ROOT, main, rehearse

SITE = ROOT / "configs" / "scenarios" / "hardware-errors"


def runs_of(site):
    """Rows of sacct by job name, in order of their starts."""
    table = rehearse("run", site, "--sacct", "-", check=0).stdout.splitlines()
    head = table[0].split("|")
    jobs = {}
    for line in table[1:]:
        row = dict(zip(head, line.split("|")))
        jobs.setdefault(row["JobName"], []).append(row)
    return jobs


def seconds(text):
    days, _, clock = text.rpartition("-")
    hours, minutes, rest = map(int, clock.split(":"))
    return int(days or 0) * 86400 + hours * 3600 + minutes * 60 + rest


def without_outages(folder):
    site = folder / "without"
    shutil.copytree(SITE, site)
    (site / "node_events.txt").unlink()
    return site


def gpus(row):
    return int(re.search(r"gres/gpu=(\d+)", row["AllocTRES"])[1])


def test_the_jobs_file_is_what_its_script_writes(folder):
    shutil.copy(SITE / "make_jobs.py", folder)
    subprocess.run([sys.executable, folder / "make_jobs.py"], check=True)
    assert (folder / "sacct.txt").read_bytes() == (SITE / "sacct.txt").read_bytes()


def test_both_jobs_are_restarted_and_no_other_tenant_is_touched(_):
    jobs = runs_of(SITE)
    for name, rows in jobs.items():
        states = [row["State"].split()[0] for row in rows]
        expected = ["NODE_FAIL", "COMPLETED"] if name.startswith("train") else ["COMPLETED"]
        assert states == expected, (name, states)
    assert len(jobs) == 101, len(jobs)


def test_without_the_outages_nothing_is_restarted(folder):
    jobs = runs_of(without_outages(folder))
    assert all(len(rows) == 1 and rows[0]["State"] == "COMPLETED" for rows in jobs.values())


def test_the_readme_states_what_it_cost(_):
    text = (SITE / "README.md").read_text()
    jobs = runs_of(SITE)
    lost = sum(seconds(rows[0]["Elapsed"]) * gpus(rows[0]) / 3600 for rows in jobs.values() if len(rows) > 1)
    assert f"{lost:.0f} GPU-hours" in text, lost


if __name__ == "__main__":
    main(globals())
