# tests/journeys/tune.py — a front from its study to its patches: found, held out, killed, continued, pasted, refused.
import json
import random
import shutil
import signal
import subprocess
import time

from compare import ACCOUNTS, COLUMNS, USERS, make_crowd, stamp
from journey import BINARY, ROOT, main, rehearse
from sweep import complete, dump, rows

STUDY = """site: a
design: tune
samples: 24
parameters:
  - {name: size, change: PriorityWeightJobSize, least: 1, most: 1000000, scale: log}
  - {name: small, change: PriorityFavorSmall, values: ["YES", "NO"]}
  - {name: decay, change: PriorityDecayHalfLife, form: "{}:00:00", least: 1, most: 200}
  - {name: reserve, change: SchedulerParameters+, form: "bf_job_part_count_reserve={}", least: 0, most: 20}
  - {name: share, change: "Account=bio:Fairshare", least: 1, most: 100}
objectives:
  - least: wait_mean
  - most: slowdown_fairness
tune: {days: 1, population: 8, front: 4}
"""


def make_study(folder, text=STUDY, days=8, a_day=45):
    """Days of the crowded site, each with its jobs in the first eight hours."""
    site, draw = make_crowd(folder, "a", jobs=1), random.Random(3)
    lines = [COLUMNS]
    for i in range(days * a_day):
        account = ACCOUNTS[i % 3]
        gpus, length = draw.choice((1, 1, 2, 4, 8)), draw.randrange(600, 14400)
        at, tres = i // a_day * 86400 + i % a_day * 28800 // a_day, f"billing=2,cpu=2,gres/gpu={gpus},node=1"
        lines.append(f"{i + 1}|{i + 1}|{account}{draw.randrange(USERS)}|{account}|batch|normal|{stamp(at)}|{stamp(at)}|{stamp(at + length)}|"
                     f"{length}|{length // 60 + 30}|COMPLETED|0:0|1|2|{tres}|{tres}")
    (site / "sacct.txt").write_text("\n".join(lines) + "\n")
    study = folder / "study.yaml"
    study.write_text(text)
    return study


def tuned(study, registry, *more, check=0):
    return json.loads(rehearse("tune", study, "-o", registry, "--json", *more, check=check).stdout)


def test_the_front_is_what_nobody_beats_and_is_measured_again(folder):
    answer = tuned(make_study(folder), folder / "r.sqlite")
    assert len(answer["tried"]) == 25 and answer["tried"][0]["values"] is None
    assert [week["is_held_out"] for week in answer["weeks"]] == [False, True] * 4 and answer["intervals_over"] == "weeks"
    kept = [one["training"] for one in answer["tried"] if one["keeps_constraint"]]
    for one in answer["front"]:
        wait, fairness = answer["tried"][one["setting"]]["training"]
        assert not any(other[0] <= wait and other[1] >= fairness and other != [wait, fairness] for other in kept), one
        assert one["survives"] == (one["fate"] in ("dominates", "trades"))
        assert [figure["training"] for figure in one["figures"]] == [wait, fairness]
    assert 1 <= len(answer["front"]) <= 4 and answer["hypervolume"] >= 1
    # A mean over weeks is what the registry says.
    values = answer["front"][0]["values"]
    spans = [f"{week['from']}/{week['to']}" for week in answer["weeks"] if week["is_held_out"]]
    where = " AND ".join(f'CAST("{name}" AS TEXT) = \'{value}\'' for name, value in values.items())
    found = rows(folder / "r.sqlite", f"SELECT week, wait_mean FROM results WHERE {where}")
    assert "note: a row is a setting on one week" in rehearse("query", folder / "r.sqlite", check=0).stderr
    held_out = [wait for week, wait in found if week in spans]
    assert len(held_out) == 4 and abs(sum(held_out) / 4 - answer["front"][0]["figures"][0]["held_out"]) < 1e-6


def test_a_folder_for_diffs_that_can_be_none_is_told_before_any_run(folder):
    (folder / "file").write_text("")
    done = rehearse("tune", make_study(folder), "-o", folder / "x.sqlite", "-d", folder / "file" / "x", check=1)
    assert "Not a directory" in done.stderr.splitlines()[-1] and not (folder / "x.sqlite").exists(), done.stderr


def test_any_number_of_threads_gives_the_same_bytes(folder):
    study = make_study(folder)
    told = [rehearse("tune", study, "-o", folder / f"{n}.sqlite", "-d", folder / "d", "-j", n, check=0).stdout for n in (1, 3)]
    assert told[0] == told[1] and "hypervolume of the front" in told[0]
    assert dump(folder / "1.sqlite") == dump(folder / "3.sqlite")
    again = rehearse("tune", study, "-o", folder / "1.sqlite", "-d", folder / "d", check=0)
    assert again.stdout == told[0] and " 0 of them now" in again.stderr, again.stderr
    other = rehearse("tune", study, "-o", folder / "s.sqlite", "-d", folder / "d", "--seed", "2", check=0)
    assert other.stdout != told[0]


def test_killed_and_continued_it_is_as_if_nothing_had_happened(folder):
    study, registry = make_study(folder), folder / "r.sqlite"
    whole = rehearse("tune", study, "-o", folder / "whole.sqlite", "-d", folder / "d", check=0).stdout
    with subprocess.Popen([BINARY, "tune", str(study), "-o", str(registry), "-j", "2"], cwd=ROOT, stdout=subprocess.PIPE,
                          stderr=subprocess.PIPE) as running:
        end = time.monotonic() + 120
        while complete(registry) < 20 and running.poll() is None:
            assert time.monotonic() < end, "no point has run"
            time.sleep(0.005)
        running.kill()
        running.communicate()
        assert running.returncode == -signal.SIGKILL
    assert dump(registry) != dump(folder / "whole.sqlite")
    done = rehearse("tune", study, "-o", registry, "-d", folder / "d", check=0)
    assert "continuing: " in done.stderr and done.stdout == whole
    assert dump(registry) == dump(folder / "whole.sqlite")


def test_what_is_pasted_is_what_was_simulated(folder):
    study, registry = make_study(folder), folder / "r.sqlite"
    answer = tuned(study, registry, "-d", folder / "front")
    files = sorted(path.name for path in (folder / "front").iterdir())
    assert files == sorted(f"setting-{one['setting']:04}{end}" for one in answer["front"] for end in (".diff", ".sh")), files
    one = answer["front"][0]
    site = folder / "pasted"
    shutil.copytree(folder / "a", site)
    subprocess.run(["patch", "-s", "-d", site, "-p0", "-i", folder / "front" / f"setting-{one['setting']:04}.diff"], check=True)
    share = one["values"]["share"]
    assert one["commands"] == [f"sacctmgr -i modify account where name=bio cluster=crowded set Fairshare={share}"], one["commands"]
    dump_file = site / "assoc.dump"
    dump_file.write_text("".join(line.replace("Fairshare=10", f"Fairshare={share}") if line.startswith("Account - 'bio'") else line
                                 for line in dump_file.read_text().splitlines(keepends=True)))
    week = answer["weeks"][0]
    done = json.loads(rehearse("run", site, "--from", week["from"], "--to", week["to"], "--json", check=0).stdout)
    where = " AND ".join(f"EXISTS (SELECT 1 FROM parameters q WHERE q.point = p.point AND q.name = '{name}' AND CAST(q.value AS TEXT) = '{value}')"
                         for name, value in {**one["values"], "week": f"{week['from']}/{week['to']}"}.items())
    assert rows(registry, f"SELECT schedule_fingerprint FROM points p WHERE {where}") == [(done["schedule_fingerprint"],)]


def test_what_starts_fewer_jobs_is_not_on_the_front(folder):
    text = STUDY.replace("  - {name: share", "  - {name: longest, change: \"PartitionName=batch:MaxTime\", values: [\"60\", \"10000\"]}\n  - {name: share")
    answer = tuned(make_study(folder, text), folder / "r.sqlite")
    broken = [one for one in answer["tried"] if not one["keeps_constraint"]]
    assert broken and all(one["values"]["longest"] == "60" and one["unstarted"] > 0 for one in broken)
    assert all(one["values"]["longest"] == "10000" for one in answer["front"])
    assert any("more jobs without a start" in doubt for doubt in answer["doubts"])


def test_few_weeks_are_told_and_replications_may_stand_in(folder):
    study = make_study(folder, STUDY.replace("days: 1", "days: 4").replace("samples: 24", "samples: 8"))
    answer = tuned(study, folder / "r.sqlite")
    assert answer["intervals_over"] is None and not any(one["survives"] for one in answer["front"])
    assert any("no interval can be given" in doubt for doubt in answer["doubts"])
    study.write_text(study.read_text() + "replications: 3\nresample_users: true\n")
    answer = tuned(study, folder / "drawn.sqlite")
    assert answer["intervals_over"] == "replications" and all(figure["interval"] for one in answer["front"] for figure in one["figures"])


def test_the_json_is_what_its_schema_says(folder):
    import jsonschema  # Debian's python3-jsonschema
    schema = json.loads((ROOT / "sim" / "app" / "schema" / "tune.schema.json").read_text())
    jsonschema.Draft7Validator.check_schema(schema)
    study = make_study(folder)
    for more in (("--method", "random"), ("--samples", "4")):
        answer = tuned(study, folder / f"{more[1]}.sqlite", *more)
        jsonschema.validate(answer, schema)
    answer["front"].append({"setting": 1})
    try:
        jsonschema.validate(answer, schema)
    except jsonschema.ValidationError:
        pass
    else:
        raise AssertionError("the schema accepts anything")
    printed = rehearse("tune", study, "-o", folder / "4.sqlite", "--samples", "4", "-P", check=0).stdout.splitlines()
    assert printed[0].startswith("SETTING|FATE|OBJECTIVE|BETTER|TRAINING|") and len({row.count("|") for row in printed}) == 1


def test_a_site_is_tuned_by_its_name(folder):
    make_study(folder)
    site = folder / "a"
    asked = ("tune", site, "--objective", "p95_wait", "--objective", "slowdown_fairness", "--days", "1", "--samples", "8")
    plan = rehearse(*asked, "--dry-run", check=0, cwd=folder).stdout
    # Up to ten times the largest weight of today, 100000; all that acts there is varied, and nothing else.
    assert "PriorityWeightJobSize  100 .. 1000000, in equal ratios\nPriorityFavorSmall  YES or NO\n" in plan, plan
    assert "PriorityDecayHalfLife  1-0 .. 28-0" in plan and "bf_max_job_test  50 .. 5000" in plan, plan
    assert "PriorityWeightQOS" not in plan and "PriorityWeightPartition" not in plan, plan
    assert plan.count("training") == 4 and plan.count("held out") == 4
    answer = json.loads(rehearse(*asked, "--json", check=0, cwd=folder).stdout)
    assert len(answer["tried"]) == 9 and len(answer["front"]) >= 1
    assert [figure["objective"] for figure in answer["front"][0]["figures"]] == ["wait_p95", "slowdown_fairness"]
    assert (folder / "a.sqlite").exists() and list((folder / "a.front").glob("setting-*.diff"))
    again = rehearse(*asked, check=0, cwd=folder)
    values = {line.split()[0]: line.split()[1] for line in again.stdout.splitlines() if line.startswith(("Priority", "bf_"))}
    assert values["PriorityWeightFairshare"] == "100000" and values["PriorityDecayHalfLife"] == "1-0", again.stdout  # today's, from slurm.conf
    assert values["PriorityWeightAge"] == "(as", again.stdout  # where it says nothing
    assert " 0 of them now" in again.stderr, again.stderr
    # The same said by a study gives the same settings and figures.
    (folder / "same.yaml").write_text("site: a\ndesign: tune\nsamples: 8\nparameters: [{change: PriorityWeightAge, least: 1, most: 500, scale: log}]\n"
                                      "objectives: [{least: wait_mean}]\ntune: {days: 1, unstarted: 0.002}\n")
    by_study = json.loads(rehearse("tune", "same.yaml", "--json", check=0, cwd=folder).stdout)
    by_name = json.loads(rehearse("tune", "a", "--objective", "wait_mean", "--keys", "PriorityWeightAge=1..500", "--days", "1", "--samples", "8",
                                  "-o", "n.sqlite", "--json", check=0, cwd=folder).stdout)
    assert by_name["tried"] == by_study["tried"] and by_name["front"] == by_study["front"]


def test_what_is_wrong_with_a_site_to_tune_is_told(folder):
    make_study(folder)
    site = folder / "a"

    def told(*more, check=2):
        return rehearse("tune", site, "--days", "1", *more, check=check, cwd=folder).stderr

    assert "it must be told what is to become better" in told()
    assert "did you mean 'wait_mean'?" in told("--objective", "wait_men")
    assert "--objective most:backfill_share, or least:backfill_share" in told("--objective", "backfill_share")
    assert "one value is nothing to choose from" in told("--objective", "wait_mean", "--keys", "PreemptExemptTime=01:00:00")
    assert "did you mean 'PriorityWeightAge'?" in told("--objective", "wait_mean", "--keys", "PriorityWeightAg")
    assert "not a range of whole numbers" in told("--objective", "wait_mean", "--keys", "PriorityWeightAge=5..1")
    assert "one value is nothing to choose from" in told("--objective", "wait_mean", "--keys", "PriorityFavorSmall=YES")
    assert "is named twice" in told("--objective", "wait_mean", "--keys", "PriorityWeightAge,priorityweightage=1..5")
    assert "it cannot be tuned" in told("--objective", "wait_mean", "--keys", "Nodes=n[1-4]:Count=1..4")
    assert "--keys Foo: error" in told("--objective", "wait_mean", "--keys", "Foo=1..4", check=3)
    assert "cannot act" in told("--objective", "wait_mean", "--set", "PriorityType=priority/basic", "--keys", "PriorityWeightAge")
    assert "shorter ones: --days 1" in rehearse("tune", site, "--objective", "wait_mean", "--days", "300", check=3, cwd=folder).stderr
    assert "a study says itself" in rehearse("tune", folder / "study.yaml", "--keys", "PriorityWeightAge", check=2).stderr
    assert "stdin is read once" in told("--objective", "wait_mean", "--jobs", "-")


def test_what_is_asked_wrongly_is_told_at_its_place(folder):
    study = make_study(folder)

    def told(old, new, check=3):
        study.write_text(STUDY.replace(old, new))
        return rehearse("tune", study, "-o", folder / "r.sqlite", check=check).stderr

    for change in ("jobs", "seed", "growth", "site.yaml:seed", '"Nodes=n[1-4]:Count"'):
        errors = told("change: PriorityWeightJobSize", f"change: {change}")
        assert f"{study}:5:" in errors and "cannot be tuned" in errors and "hint: " in errors, errors
    assert "did you mean 'slowdown_fairness'" in told("slowdown_fairness", "slowdown_fairnes")
    assert "has nothing to measure" in told("least: wait_mean", "least: account/nobody/wait_mean")
    assert "none can be held out" in told("days: 1", "days: 8")
    assert "samples" in told("samples: 24\n", "")
    study.write_text(STUDY)
    assert "rehearse tune" in rehearse("sweep", study, check=2).stderr
    grid = folder / "grid.yaml"
    grid.write_text("site: a\nparameters: [{change: PriorityWeightAge, values: [1, 2]}]\nobjectives: [{least: wait_mean}]\n")
    assert "design: tune" in rehearse("tune", grid, check=3).stderr


if __name__ == "__main__":
    main(globals())
