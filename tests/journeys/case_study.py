# tests/journeys/case_study.py — the tuned cluster of configs/scenarios/case-study: its files, and what its README says holds over 20 days.
import re
import subprocess
import sys

from journey import ROOT, main, rehearse

STUDY = ROOT / "configs" / "scenarios" / "case-study"
TABLE = ROOT / "results" / "case-study" / "table.txt"


def figures_of(table, load):
    """Figures by row, FIFO, backfill and MIG, at that load."""
    part = table.split(f"load {load}:")[1].split("\nload")[0]
    rows = re.findall(r"^  (\S.*?)\s{2,}([\d.]+) ±\S+\s+([\d.]+) ±\S+\s+([\d.]+) ±", part, re.M)
    return {name: tuple(map(float, figures)) for name, *figures in rows}


def test_the_jobs_files_are_what_the_script_writes(folder):
    for site in ("whole", "mig"):
        subprocess.run([sys.executable, STUDY / "make_jobs.py", "1", "1.0", site, folder / "sacct.txt"], check=True)
        assert (folder / "sacct.txt").read_bytes() == (STUDY / site / "sacct.txt").read_bytes(), site


def test_both_sites_check_and_the_layout_is_told(_):
    assert "2g.20gb:0,2g.20gb:2,2g.20gb:4,1g.10gb:6" in rehearse("check", STUDY / "mig", check=0).stdout
    rehearse("check", STUDY / "whole", check=0)


def test_every_job_runs_on_either(_):
    for site in ("whole", "mig"):
        text = rehearse("run", STUDY / site, check=0).stdout
        assert re.search(r"jobs 574, started 574, never started 0", text), text


def test_where_jobs_queue_backfill_trains_more_and_slices_answer_sooner_though_each_run_is_longer(_):
    table = subprocess.run([sys.executable, STUDY / "run.py", "20"], check=True, capture_output=True, text=True).stdout
    assert table == TABLE.read_text(), "results/case-study is out of date: results/case-study/command"
    figures = figures_of(table, "1.0")
    fifo, backfill, mig = figures["training [GPU-h of 24 h]"]
    assert backfill > fifo and mig > fifo
    fifo, backfill, mig = figures["inference: submit to end, mean [min]"]
    assert mig < backfill < fifo
    fifo, backfill, mig = figures["inference: run, mean [min]"]
    assert fifo == backfill < mig


if __name__ == "__main__":
    main(globals())
