# tests/journeys/first_run.py — a site of one's own: check it, run it, change one key, run it again.
import re
import subprocess

from journey import BINARY, ROOT, main, rehearse

CONF = """ClusterName=mine
SlurmctldHost=ctl
SelectType=select/cons_tres
SelectTypeParameters=CR_Core
GresTypes=gpu
NodeName=n1 CPUs=8 RealMemory=32000 Gres=gpu:a100:2
PartitionName=batch Nodes=n1 Default=YES MaxTime=1-0
"""
COLUMNS = "JobIDRaw|JobID|User|Account|Partition|QOS|Submit|Start|End|ElapsedRaw|TimelimitRaw|State|ExitCode|NNodes|NCPUS|ReqTRES|AllocTRES"
TRES = "billing=1,cpu=1,gres/gpu=2,node=1"


def make_site(folder, rows=3):
    """Three jobs of both GPUs, a minute apart, ten minutes each: they run one after the other."""
    site = folder / "mine"
    site.mkdir()
    (site / "slurm.conf").write_text(CONF)
    lines = [COLUMNS]
    for i in range(1, rows + 1):
        lines.append(f"{i}|{i}|ann|ml|batch|normal|2025-01-01T00:0{i}:00|2025-01-01T00:0{i}:00|2025-01-01T00:1{i}:00|600|20|"
                     f"COMPLETED|0:0|1|1|{TRES}|{TRES}")
    (site / "sacct.txt").write_text("\n".join(lines) + "\n")
    return site


def starts(trace):
    """{job: seconds after midnight} of the first start."""
    found = re.findall(r"T(\d\d):(\d\d):(\d\d)\s+start\s+(\S+)", trace)
    return {job: int(h) * 3600 + int(m) * 60 + int(s) for h, m, s, job in found}


def test_check_says_what_the_site_is(folder):
    text = rehearse("check", make_site(folder), check=0).stdout
    assert "cluster mine, 1 nodes, 1 partitions" in text, text
    assert re.search(r"\b3  rows read", text) and "jobs that can never run: 0" in text, text


def test_check_tells_a_job_larger_than_the_cluster(folder):
    site = make_site(folder)
    with open(site / "sacct.txt", "a", encoding="utf-8") as file:
        file.write("9|9|ann|ml|batch|normal|2025-01-01T01:00:00|2025-01-01T01:00:00|2025-01-01T01:01:00|60|20|COMPLETED|0:0|1|1|"
                   "billing=1,cpu=1,gres/gpu=4,node=1|billing=1,cpu=1,gres/gpu=4,node=1\n")
    text = rehearse("check", site, check=0).stdout
    assert "jobs that can never run: 1" in text and "first: job 9" in text, text


def test_jobs_that_need_all_gpus_run_one_after_the_other(folder):
    began = starts(rehearse("run", make_site(folder), "--trace", check=0).stdout)
    assert sorted(began) == ["1", "2", "3"]
    assert 60 <= began["1"] <= 65
    assert began["2"] >= began["1"] + 600 and began["3"] >= began["2"] + 600


def test_a_second_run_prints_the_same_bytes(folder):
    site = make_site(folder)
    assert rehearse("run", site, "--trace", check=0).stdout == rehearse("run", site, "--trace", check=0).stdout


def test_a_changed_key_changes_the_schedule(folder):
    site = make_site(folder)
    more = starts(rehearse("run", site, "--trace", "--set", "NodeName=n1:Gres=gpu:a100:6", check=0).stdout)
    assert all(60 * int(job) <= at <= 60 * int(job) + 5 for job, at in more.items()), more


def test_from_and_to_choose_jobs(folder):
    site = make_site(folder)
    began = starts(rehearse("run", site, "--trace", "--from", "2025-01-01T00:02:00", "--to", "2025-01-01T00:03:00",
                            check=0).stdout)
    assert list(began) == ["2"], began


def test_a_window_without_jobs_is_told(folder):
    site = make_site(folder)
    said = rehearse("run", site, "--from", "2031-01-01", check=3).stderr
    assert "no job was submitted from --from on" in said, said
    said = rehearse("run", site, "--from", "2025-01-02", "--to", "2025-01-01", check=3).stderr
    assert "--to: error: '2025-01-01' is not after --from" in said, said


def test_jobs_that_are_no_sacct_text_are_told_as_such(folder):
    site = make_site(folder)
    (folder / "other.conf").write_text("# not a trace\n")
    said = rehearse("run", site, "--jobs", folder / "other.conf", check=3).stderr
    assert "other.conf:1:1: error: is not what sacct prints" in said, said


def test_commands_for_jobs_that_are_not_there_are_told(folder):
    site = make_site(folder)
    (site / "events.csv").write_text("time,command\n2025-01-01T00:00:30,scontrol hold 4\n2025-01-01T00:00:40,scontrol hold 2\n")
    said = rehearse("check", site, check=0).stderr
    assert "events.csv:2:21: warning: 1 jobs that the file names are not among the jobs, job 4 first" in said, said


def test_scancel_of_what_is_not_there_is_told(folder):
    site = make_site(folder)
    (site / "events.csv").write_text("time,command\n2025-01-01T00:00:30,scancel 77\n2025-01-01T00:00:31,scancel -u bob\n"
                                     "2025-01-01T00:00:32,scancel -p nopart\n2025-01-01T00:00:33,scancel -q noqos 2\n")
    for verb in ("check", "run"):
        said = rehearse(verb, site, check=0).stderr
        assert "events.csv:2:21: warning: 1 jobs that the file names are not among the jobs, job 77 first" in said, said
        for line, what in ((3, "user 'bob'"), (4, "partition 'nopart'"), (5, "QOS 'noqos'")):
            assert f"events.csv:{line}:21: warning: scancel: no job has the {what}: nothing is cancelled" in said, said


def test_a_topology_without_a_switch_is_told_and_nodes_are_chosen_without_it(folder):
    site = make_site(folder)
    plain = rehearse("run", site, "--json", check=0).stdout
    (site / "slurm.conf").write_text(CONF + "TopologyPlugin=topology/tree\n")
    (site / "topology.conf").write_text("# to be written\n")
    done = rehearse("run", site, "--json", check=0)
    assert "topology.conf: warning: no switch is named" in done.stderr and done.stdout == plain, done.stderr


def test_what_check_finds_comes_after_what_it_prints(folder):
    site = make_site(folder)
    (site / "events.csv").write_text("time,command\n2025-01-01T00:00:30,scancel 77\n")
    both = subprocess.run([BINARY, "check", str(site)], cwd=ROOT, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=True).stdout
    assert both.index("jobs that can never run: 0\n") < both.index("warning: 1 jobs that the file names"), both


def test_a_meta_json_that_is_none_is_bad_input(folder):
    site = make_site(folder)
    (site / "meta.json").write_text("no JSON")
    assert "meta.json: error: is no JSON object" in rehearse("check", site, check=3).stderr
    (site / "meta.json").unlink()
    (site / "meta.json").mkdir()
    assert "meta.json: error: is a folder, not a file" in rehearse("check", site, check=3).stderr


def test_jobs_come_from_stdin(folder):
    site = make_site(folder)
    text = (site / "sacct.txt").read_text()
    (site / "sacct.txt").unlink()
    assert "there are no jobs to run" in rehearse("run", site, check=3).stderr
    done = rehearse("run", site, "--trace", "--jobs", "-", stdin=text, check=0)
    assert len(starts(done.stdout)) == 3


def test_nothing_but_tables_is_on_stdout_and_no_progress_on_a_pipe(folder):
    done = rehearse("run", make_site(folder), "--trace", check=0)
    assert "\r" not in done.stderr and "jobs/s" not in done.stderr
    assert re.search(r"^schedule fingerprint  [0-9a-f]{16}$", done.stdout, re.M)


def test_a_number_that_is_none_is_refused_by_every_range(folder):
    site = make_site(folder)
    for words, option in ((("run", site, "--growth", "nan"), "--growth"), (("run", site, "--growth=-NaN"), "--growth"),
                          (("size", site, "--node-type", "n1", "--target", "p50_wait < 1h", "--confidence", "nan"), "--confidence")):
        done = rehearse(*words, check=2)
        assert f"error: {option}: nan is not a number" in done.stderr, done.stderr


def test_a_site_that_is_not_there_is_bad_input(_):
    assert "no-such-site" in rehearse("run", "no-such-site", check=3).stderr


def test_rows_that_cannot_be_used_stop_the_run_or_are_left_out(folder):
    site = make_site(folder)
    text = (site / "sacct.txt").read_text().splitlines()
    (site / "sacct.txt").write_text("\n".join(text + [text[2].replace("2025-01-01T00:02:00", "yesterday", 1).replace("2|2|", "9|9|", 1), text[3][:40]]) + "\n")
    stopped = rehearse("run", site, check=3).stderr
    assert "sacct.txt:5:" in stopped and "sacct.txt:6:" in stopped and "leave_out_unusable_rows: true" in stopped, stopped
    (site / "site.yaml").write_text("leave_out_unusable_rows: true\n")
    done = rehearse("run", site, check=0)
    assert "jobs 3, started 3" in done.stdout and "sacct.txt:5:" in done.stderr and "sacct.txt:6:" in done.stderr, done.stderr
    assert re.search(r"\n +2  [^\n]*unusable|\n +2  [^\n]*cannot be used", rehearse("check", site, check=0).stdout), rehearse("check", site, check=0).stdout


if __name__ == "__main__":
    main(globals())
