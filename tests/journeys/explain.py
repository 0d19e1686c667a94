# tests/journeys/explain.py — why a job waited, on a page: Reasons, priority, who went first.
import json

from compare import make_crowd
from first_run import make_site
from journey import ROOT, main, rehearse

RECORDINGS = ROOT / "tests" / "data" / "recordings"


def result_of(folder, site, *arguments):
    out = folder / "out.h5"
    rehearse("run", site, "-o", out, *arguments, check=0)
    return out


def test_the_wait_of_the_last_of_three_jobs_is_told(folder):
    text = rehearse("explain", result_of(folder, make_site(folder)), "3", check=0).stdout
    for claim in ("job 3 (", "user ann", "started 2025-01-01T00:2", "WHAT SQUEUE SAID", "Priority", "Resources",
                  "it is next, and the nodes that it needs are busy", "No job that was submitted later started before it"):
        assert claim in text, (claim, text)
    assert max(map(len, text.splitlines())) <= 100, text


def test_who_went_first_is_told_with_the_rule(folder):
    out = result_of(folder, make_crowd(folder, "a", jobs=300))
    waits = {}
    for row in rehearse("show", out, "sacct", "-n", "-P", check=0).stdout.splitlines():
        fields = row.split("|")
        answer = json.loads(rehearse("explain", out, fields[0], "--json", check=0).stdout)["runs"][0] if int(fields[0]) % 10 == 0 else None
        if answer:
            waits[fields[0]] = answer
    rules = {one["rule"] for answer in waits.values() for one in answer["went_first"]}
    assert {"higher priority", "backfill"} <= rules, rules
    for answer in waits.values():
        spans = answer["reasons"]
        assert all(a["end"] == b["begin"] for a, b in zip(spans, spans[1:])), spans
        assert not spans or (spans[0]["begin"], spans[-1]["end"]) == (answer["submit"], answer["start"]), answer
        for one in answer["went_first"]:
            assert one["start"] < answer["start"], one
            if one["rule"] == "higher priority":
                assert one["priority"] > one["own_priority"], one
    loser = max(waits.values(), key=lambda answer: len(answer["went_first"]))
    text = rehearse("explain", out, loser["job"], "--limit", "3", check=0).stdout
    for claim in ("WHO WENT FIRST, BY WHAT RULE", "later jobs started before it", "ITS PRIORITY", "FAIRSHARE"):
        assert claim in text, (claim, text)


def test_why_nodes_were_not_to_be_had_is_told(folder):
    site = make_site(folder)
    nodes = rehearse("show", result_of(folder, site), "sinfo", "-n", "-P", check=0).stdout.splitlines()[0].split("|")[-1]
    (site / "events.csv").write_text("time,command\n2024-12-31T23:59:30,scontrol update NodeName=ALL State=DRAIN Reason=\"broken fan\"\n"
                                     "2025-01-01T02:00:00,scontrol update NodeName=ALL State=RESUME\n")
    text = rehearse("explain", result_of(folder, site), "1", check=0).stdout
    assert "Resources: nodes that it needs are down, drained" in text and f"          {nodes}: drained (broken fan)\n" in text, text


def test_columns_stay_apart_whatever_their_numbers(folder):
    site = make_crowd(folder, "a", jobs=300)
    out = result_of(folder, site, "--set", "site.yaml:policy.order=shortest_first")  # priorities of ten digits
    waits = {row.split("|")[0] for row in rehearse("show", out, "sacct", "-n", "-P", check=0).stdout.splitlines()}
    seen = 0
    for job in sorted(waits, key=int)[::20]:
        table = rehearse("explain", out, job, check=0).stdout.partition("JOBID")[2].splitlines()
        for row in table[1:]:
            if row.startswith("  ..."):
                continue
            fields = row.split()
            assert len(fields) >= 8 and 8 < len(fields[5]) == len(fields[6]), row
            seen += 1
    assert seen > 0, "nobody went first"


def test_arrays_and_their_tasks_have_answers(folder):
    out = result_of(folder, RECORDINGS / "arrays_deps")
    rows = [row.split("|") for row in rehearse("show", out, "sacct", "-n", "-P", check=0).stdout.splitlines()]
    task = next(row[1] for row in rows if "_" in row[1])
    array = task.split("_")[0]
    table = rehearse("explain", out, array, check=0)
    assert task in table.stdout and "name one task for more" in table.stderr, table
    assert f"job {task} (" in rehearse("explain", out, task, check=0).stdout
    done = rehearse("explain", out, f"{array}_9999", check=3)
    assert "no such task" in done.stderr and f"{array}_" in done.stderr, done.stderr


def test_components_of_heterogeneous_jobs_have_answers(folder):
    out = result_of(folder, RECORDINGS / "licences_het")
    leader = next(row.split("|")[1].split("+")[0] for row in (RECORDINGS / "licences_het" / "sacct.txt").read_text().splitlines()
                  if "+1|" in row)
    done = rehearse("explain", out, f"{leader}+1", check=0)
    assert f"is job {int(leader) + 1}" in done.stderr and f"job {leader}+1 (" in done.stdout, done


def test_preempted_runs_say_who_took_their_nodes(folder):
    out = result_of(folder, RECORDINGS / "preempt_qos")
    rows = [row.split("|") for row in rehearse("show", out, "sacct", "-n", "-P", check=0).stdout.splitlines()]
    victim = next(row[0] for row in rows if "PREEMPTED" in row)
    text = rehearse("explain", out, victim, check=0).stdout
    assert "IT WAS PREEMPTED" in text and "started on its nodes at" in text and "run 1 of" in text, text


def test_a_requeued_job_is_one_job_and_none_of_its_own_preemptors(folder):
    out = result_of(folder, RECORDINGS / "preempt_qos")
    jobs = {row.split("|")[0] for row in rehearse("show", out, "sacct", "-n", "-P", check=0).stdout.splitlines()}
    answers = {job: json.loads(rehearse("explain", out, job, "--json", check=0).stdout)["runs"] for job in jobs if "_" not in job}
    requeued = {job for job, runs in answers.items() if len(runs) > 1}
    assert requeued, "somebody is preempted on that day"
    seen_first = 0
    for job, runs in answers.items():
        for run in runs:
            assert job not in run["took_its_nodes"], run
            said = [(one["reason"], one["text"]) for one in run["reasons"]]
            assert all(a != b for a, b in zip(said, said[1:])), said
            ahead = [one["job"] for one in run["went_first"]]
            assert len(ahead) == len(set(ahead)), ahead
            seen_first += len(requeued & set(ahead))
        assert all(run["took_its_nodes"] for run in runs if run["state"] == "PREEMPTED"), runs
    assert seen_first > 0, "a requeued job went before somebody"


def test_a_wrong_id_is_told_with_the_nearest(folder):
    out = result_of(folder, make_site(folder))
    for wrong, hint in (("99", "the nearest are 3"), ("0", "write 123"), ("abc", "write 123"), ("2_1", "2 is no array"),
                        ("2.batch", "ask for its job, 2"), ("3.0", "ask for its job, 3")):
        assert hint in rehearse("explain", out, wrong, check=3).stderr, (wrong, hint)
    assert "no job is named" in rehearse("explain", out, check=2).stderr
    assert "--reasons is of all jobs" in rehearse("explain", out, "1", "--reasons", check=2).stderr


def test_pending_jobs_by_reason_over_time(folder):
    out = result_of(folder, make_crowd(folder, "a", jobs=300))
    by_hour = rehearse("explain", out, "--reasons", "--by", "hour", "-P", check=0).stdout.splitlines()
    head = by_hour[0].split("|")
    assert head[0] == "BEGIN" and "Priority" in head and len(by_hour) > 24, head
    by_day = json.loads(rehearse("explain", out, "--reasons", "--by", "day", "--json", check=0).stdout)
    assert by_day["period_s"] == 86400 and by_day["time"][0] % 86400 == 0
    hours = sum(sum(map(float, row.split("|")[1:])) for row in by_hour[1:-1])
    assert hours > 10, "many jobs wait in this crowd"
    assert rehearse("explain", out, "--reasons", "-n", check=0).stdout.count("\n") >= 2


def test_an_empty_run_and_a_cut_file_are_told(folder):
    site = make_site(folder)
    (site / "sacct.txt").write_text((site / "sacct.txt").read_text().splitlines()[0] + "\n")
    out = result_of(folder, site)
    assert "the run has no jobs" in rehearse("explain", out, "1", check=3).stderr
    rehearse("explain", out, "--reasons", check=0)
    (folder / "cut.h5").write_bytes(out.read_bytes()[:9000])
    assert "cut.h5" in rehearse("explain", folder / "cut.h5", "1", check=3).stderr


if __name__ == "__main__":
    main(globals())
