# tests/journeys/show_tables.py — a result file answers as Slurm's own commands would have.
import re

from first_run import make_site
from journey import main, rehearse


def make_result(folder):
    """Three jobs of both GPUs, one minute apart: at 00:05 one runs and two pend."""
    out = folder / "out.h5"
    rehearse("run", make_site(folder), "-o", out, check=0)
    return out


def test_squeue_shows_who_runs_and_who_pends(folder):
    done = rehearse("show", make_result(folder), "squeue", "--at", "2025-01-01T00:05:00", "-n", "-P", check=0)
    states = {row.split("|")[0]: row.split("|")[4] for row in done.stdout.splitlines()}
    assert states == {"1": "R", "2": "PD", "3": "PD"}, done.stdout


def test_squeue_start_shows_what_backfill_planned(folder):
    out = folder / "plans.h5"
    rehearse("run", make_site(folder), "-o", out, "--plans", check=0)
    done = rehearse("show", out, "squeue", "--start", "--at", "2025-01-01T00:05:00", "-n", "-P", check=0)
    rows = [row.split("|") for row in done.stdout.splitlines()]
    assert [row[0] for row in rows] == ["2", "3"], done.stdout
    assert rows[0][5] > "2025-01-01T00:05:00" and rows[0][7] == "n1", done.stdout
    assert rows[0][5] < rows[1][5], done.stdout


def test_squeue_start_of_a_run_without_plans_says_how_to_make_them(folder):
    done = rehearse("show", make_result(folder), "squeue", "--start", check=3)
    assert "did not keep its plans" in done.stderr and "--plans" in done.stderr, done.stderr


def test_sinfo_shows_the_node_in_use(folder):
    done = rehearse("show", make_result(folder), "sinfo", "--at", "2025-01-01T00:05:00", "-P", check=0)
    assert done.stdout == "PARTITION|AVAIL|TIMELIMIT|NODES|STATE|NODELIST\nbatch*|up|1-00:00:00|1|mix|n1\n", done.stdout


def test_sacct_shows_every_job(folder):
    done = rehearse("show", make_result(folder), "sacct", "-n", check=0)
    assert [row.split()[0] for row in done.stdout.splitlines()] == ["1", "2", "3"], done.stdout


def test_sprio_without_multifactor_says_so_on_stderr(folder):
    done = rehearse("show", make_result(folder), "sprio", check=0)
    assert done.stdout == "" and "priority/basic" in done.stderr, done


def test_at_the_end_nothing_pends_and_a_better_instant_is_told(folder):
    out = make_result(folder)
    done = rehearse("show", out, "squeue", check=0)
    told = re.search(r"nothing pends at the end of the run; the queue was longest at --at (\S+)", done.stderr)
    assert told, done.stderr
    rows = rehearse("show", out, "squeue", "-n", "--at", told.group(1), check=0).stdout
    assert len(re.findall(r" PD ", rows)) == 2, rows


def test_an_unknown_table_is_a_usage_error_that_names_the_near_one(folder):
    done = rehearse("show", folder / "none.h5", "squeu", check=2)
    assert "there is no table 'squeu'" in done.stderr and "did you mean 'squeue'?" in done.stderr, done.stderr


def test_a_time_that_is_none_or_outside_of_the_run_is_a_usage_error(folder):
    out = make_result(folder)
    assert "is not a time" in rehearse("show", out, "squeue", "--at", "yesterday", check=2).stderr
    done = rehearse("show", out, "squeue", "--at", "2031-01-01T00:00:00", check=2)
    assert "outside of the run" in done.stderr and "2025-01-01T00:0" in done.stderr, done.stderr


def test_a_file_that_is_no_result_is_bad_input(folder):
    (folder / "x.h5").write_text("no result")
    assert "x.h5" in rehearse("show", folder / "x.h5", "squeue", check=3).stderr


def test_the_summary_of_a_run_fits_a_hundred_columns(folder):
    text = rehearse("run", make_site(folder), check=0).stdout
    assert max(map(len, text.splitlines())) <= 100, text
    for claim in ("of existing", "of available", "P50", "P90", "P95", "P99", "WAIT BY PARTITION", "WAIT BY ACCOUNT",
                  "throughput", "backfill", "WHY JOBS WAITED", "schedule fingerprint", "event fingerprint"):
        assert claim in text, (claim, text)


if __name__ == "__main__":
    main(globals())
