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


def test_squeue_names_what_is_left_of_an_array(folder):
    """The last task of one that has begun by itself, requeued ones with the rest and their Reasons (outputs.md §1)."""
    site = folder / "arrays"
    site.mkdir()
    (site / "slurm.conf").write_text("ClusterName=c\nSlurmctldHost=h\nSelectType=select/cons_tres\nSelectTypeParameters=CR_Core\nNodeName=n1 CPUs=1\n"
                                     "PartitionName=p Nodes=n1 Default=YES MaxTime=1-0\n")
    rows = ["JobIDRaw|JobID|User|Account|Partition|Submit|Start|End|ElapsedRaw|TimelimitRaw|State|NNodes|NCPUS|ReqTRES|SubmitLine"]
    number = iter(range(1, 100))
    for array, tasks, option in ((10, range(4), "0-3%2"), (20, (3,), "3")):
        for task in tasks:
            rows.append(f"{array + next(number)}|{array}_{task}|u|a|p|2025-01-01T00:0{array // 10}:00|2025-01-01T01:00:00|2025-01-01T02:00:00|3600|120|COMPLETED|1|1|"
                        f"cpu=1,node=1|sbatch -n1 -t 120 --array={option} --wrap=x")
    (site / "sacct.txt").write_text("\n".join(rows) + "\n")
    (site / "events.csv").write_text("time,command\n2025-01-01T00:30:00,scontrol requeue 10_0\n")
    out = folder / "arrays.h5"
    rehearse("run", site, "-o", out, check=0)

    def waiting(at):
        shown = rehearse("show", out, "squeue", "--at", f"2025-01-01T{at}", "-n", "-P", check=0).stdout
        return {row.split("|")[0]: row.split("|")[-1] for row in shown.splitlines() if row.split("|")[4] == "PD"}
    assert set(waiting("00:20:00")) == {"10_[1-3%2]", "20_[3]"}, waiting("00:20:00")
    requeued = waiting("00:31:00")
    assert set(requeued) == {"10_[0,2-3]", "20_[3]"} and requeued["10_[0,2-3]"].endswith(",BeginTime)"), requeued
    late = [set(waiting(f"{hour:02}:50:00")) for hour in range(1, 5)]
    assert any("10_3" in names for names in late) and not any("10_[3" in name for names in late for name in names), late


def test_squeue_names_the_partition_first_in_which_a_requeued_job_ran(folder):
    site = folder / "lists"
    site.mkdir()
    (site / "slurm.conf").write_text("ClusterName=c\nSlurmctldHost=h\nSelectType=select/cons_tres\nSelectTypeParameters=CR_Core\nNodeName=n[1-2] CPUs=1\n"
                                     "PartitionName=p Nodes=n1 Default=YES MaxTime=1-0\nPartitionName=q Nodes=n2 MaxTime=1-0\n")
    rows = ["JobIDRaw|JobID|User|Account|Partition|Submit|Start|End|ElapsedRaw|TimelimitRaw|State|NNodes|NCPUS|ReqTRES|SubmitLine"]
    for job, where in ((1, "p"), (2, "p,q"), (3, "p,q")):
        rows.append(f"{job}|{job}|u|a|p|2025-01-01T00:0{job}:00|2025-01-01T01:00:00|2025-01-01T02:00:00|3600|120|COMPLETED|1|1|cpu=1,node=1|"
                    f"sbatch -n1 -t 120 -p {where} --wrap=x")
    (site / "sacct.txt").write_text("\n".join(rows) + "\n")
    (site / "events.csv").write_text("time,command\n2025-01-01T00:30:00,scontrol requeue 2\n")
    out = folder / "lists.h5"
    rehearse("run", site, "-o", out, check=0)
    for at, shown in (("00:20:00", {"1": "p", "2": "q", "3": "p,q"}), ("00:31:00", {"1": "p", "3": "q", "2": "q,p"})):
        rows = rehearse("show", out, "squeue", "--at", f"2025-01-01T{at}", "-n", "-P", check=0).stdout.splitlines()
        assert {row.split("|")[0]: row.split("|")[1] for row in rows} == shown, rows


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


def test_job_shows_records_as_scontrol_does(folder):
    out = make_result(folder)
    done = rehearse("show", out, "job", "--at", "2025-01-01T00:05:00", check=0)
    assert re.findall(r"^JobId=(\d+) ", done.stdout, re.M) == ["1", "2", "3"], done.stdout
    assert re.findall(r"^   JobState=(\S+) Reason=", done.stdout, re.M) == ["RUNNING", "PENDING", "PENDING"], done.stdout
    assert "   NodeList=n1\n   BatchHost=n1\n" in done.stdout and done.stdout.endswith("\n\n"), done.stdout
    one = rehearse("show", out, "job", "1", "-o", check=0).stdout
    assert one.startswith("JobId=1 JobName=") and one.count("\n") == 1 and " JobState=COMPLETED " in one, one
    bars = rehearse("show", out, "job", "1", "-P", check=0).stdout
    assert "|JobState=COMPLETED|Reason=None|" in bars and bars.count("\n") == 1, bars
    # Long after its end only who asks by id is told.
    assert rehearse("show", out, "job", check=0).stdout.count("JobId=") < 3


def test_job_that_is_none_or_not_yet_submitted_is_told_with_a_hint(folder):
    out = make_result(folder)
    done = rehearse("show", out, "job", "77", check=3)
    assert done.stdout == "" and "there is no job 77" in done.stderr and "hint:" in done.stderr, done.stderr
    done = rehearse("show", out, "job", "3", "--at", "2025-01-01T00:00:30", check=3)
    assert "job 3 is not submitted yet at 2025-01-01T00:00:30" in done.stderr and "hint: it comes at 2025" in done.stderr, done.stderr


def test_node_shows_what_is_held_and_refuses_a_node_that_is_none(folder):
    out = make_result(folder)
    done = rehearse("show", out, "node", "n1", "-d", "--at", "2025-01-01T00:05:00", check=0)
    assert done.stdout.startswith("NodeName=n1 CoresPerSocket="), done.stdout
    for claim in ("   State=MIXED ", "   GresUsed=gpu", "(IDX:0-1)", "   AllocTRES=cpu="):
        assert claim in done.stdout, (claim, done.stdout)
    assert "State=IDLE " in rehearse("show", out, "node", check=0).stdout
    done = rehearse("show", out, "node", "n11", check=3)
    assert "there is no node n11" in done.stderr and "did you mean 'n1'?" in done.stderr, done.stderr


def test_sdiag_counts_jobs_and_cycles(folder):
    done = rehearse("show", make_result(folder), "sdiag", check=0)
    assert "\nJobs submitted: 3\nJobs started:   3\nJobs completed: 3\nJobs canceled:  0\n" in done.stdout, done.stdout
    cycles = [int(number) for number in re.findall(r"^\tTotal cycles: (\d+)$", done.stdout, re.M)]
    assert len(cycles) == 2 and min(cycles) > 0, done.stdout


def test_options_of_scontrol_belong_to_its_records(folder):
    out = folder / "none.h5"
    for words, what in ((["squeue", "7"], "squeue has no '7'"), (["sacct", "-d"], "sacct has no -d"), (["sdiag", "-o"], "sdiag has no -o")):
        done = rehearse("show", out, *words, check=2)
        assert what in done.stderr and "show OUT job JOBID" in done.stderr, done.stderr


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
    assert "outside of the run" in rehearse("show", out, "squeue", "--at", "2031-01-01", check=2).stderr


def test_a_file_that_is_no_result_is_bad_input(folder):
    (folder / "x.h5").write_text("no result")
    said = rehearse("show", folder / "x.h5", "squeue", check=3).stderr
    assert "x.h5" in said and "results are what rehearse run" in said, said
    assert "a result is a file" in rehearse("info", folder, check=3).stderr


def test_the_summary_of_a_run_fits_a_hundred_columns(folder):
    text = rehearse("run", make_site(folder), check=0).stdout
    assert max(map(len, text.splitlines())) <= 100, text
    for claim in ("of existing", "of available", "P50", "P90", "P95", "P99", "WAIT BY PARTITION", "WAIT BY ACCOUNT",
                  "throughput", "backfill", "WHY JOBS WAITED", "schedule fingerprint", "event fingerprint"):
        assert claim in text, (claim, text)


if __name__ == "__main__":
    main(globals())
