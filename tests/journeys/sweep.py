# tests/journeys/sweep.py — a study from its file to its registry: run, asked, killed, continued, extended, refused.
import contextlib
import json
import os
import pathlib
import signal
import sqlite3
import statistics
import subprocess
import sys
import time

from journey import BINARY, ROOT, main, rehearse

sys.path.insert(0, str(ROOT / "tests" / "faults"))
from small_site import make_site  # noqa: E402

STUDY = """site: mine
parameters:
  - name: size
    change: PriorityWeightJobSize
    values: [0, 1000, 100000]
  - name: nodes
    change: Nodes=n[1-2]:Count
    values: [1, 2, 3]
objectives:
  - least: wait_mean
  - most: partition/batch/gpu_hours_busy
"""


def make_study(folder, text=STUDY, jobs=60):
    make_site(folder, jobs)
    study = folder / "study.yaml"
    study.write_text(text)
    return study


def dump(registry):
    with contextlib.closing(sqlite3.connect(registry)) as opened:  # who has it open keeps it in WAL mode
        return "\n".join(opened.iterdump())


def rows(registry, sql):
    opened = sqlite3.connect(registry, timeout=10)
    try:
        return opened.execute(sql).fetchall()
    finally:
        opened.close()


def complete(registry):
    """How many points have run; 0 while there is no registry."""
    try:
        return rows(registry, "SELECT count(*) FROM points WHERE status = 'complete'")[0][0] if registry.exists() else 0
    except sqlite3.OperationalError:
        return 0


def started(study, registry, *words):
    return subprocess.Popen([BINARY, "sweep", str(study), "-o", str(registry), *words], cwd=ROOT, text=True,
                            stdout=subprocess.PIPE, stderr=subprocess.PIPE, stdin=subprocess.PIPE)


def wait_for(condition, what):
    end = time.monotonic() + 120
    while not condition():
        assert time.monotonic() < end, what
        time.sleep(0.005)


def test_every_point_is_the_run_that_its_command_makes(folder):
    study, registry = make_study(folder), folder / "r.sqlite"
    done = rehearse("sweep", study, "-o", registry, check=0)
    assert "9 points complete, 0 failed" in done.stderr and "\r" not in done.stderr, done.stderr
    found = rows(registry, "SELECT command, schedule_fingerprint, point FROM points")
    assert len(found) == 9 and len({fingerprint for _, fingerprint, _ in found}) > 4
    for command, fingerprint, point in found[::4]:
        words = [word.strip("'") for word in command.split()[1:]]
        one = json.loads(rehearse(*words, "--json", check=0).stdout)
        assert one["schedule_fingerprint"] == fingerprint, command
        wait = rows(registry, f"SELECT value FROM kpis WHERE point = {point} AND name = 'wait_mean'")[0][0]
        assert wait == one["kpis"]["wait_mean"]["value"]
        held = rows(registry, f'SELECT "partition/batch/gpu_hours_busy" FROM results WHERE point = {point}')[0][0]
        assert held == one["groups"]["partition"]["batch"]["gpu_hours_busy"]


def test_the_best_are_told_first(folder):
    study, registry = make_study(folder), folder / "r.sqlite"
    rehearse("sweep", study, "-o", registry, check=0)
    told = rehearse("query", registry, "-P", check=0).stdout.splitlines()
    assert told[0] == "design|size|nodes|runs|wait_mean|partition/batch/gpu_hours_busy|not_run|remark", told[0]
    waits = [float(line.split("|")[4]) for line in told[1:]]
    assert len(waits) == 9 and waits == sorted(waits)
    most = json.loads(rehearse("query", registry, "--best", "wait_mean", "--most", "--top", "1", "--json", check=0).stdout)
    assert most["rows"][0]["wait_mean"] == waits[-1] and most["rows"][0]["nodes"] == 1
    count = rehearse("query", registry, "-n", "-P", "--sql", "SELECT count(*) FROM results WHERE nodes >= 2", check=0).stdout
    assert count == "6\n"
    assert "is more than one question" in rehearse("query", registry, "--sql", "SELECT 1; SELECT 2", check=3).stderr
    assert rehearse("query", registry, "-n", "-P", "--sql", "SELECT 1;\n", check=0).stdout == "1\n"
    assert "is no question" in rehearse("query", registry, "--sql", "DELETE FROM points", check=3).stderr
    assert "did you mean 'wait_mean'" in rehearse("query", registry, "--best", "wait_meen", check=3).stderr


def test_a_setting_that_refuses_jobs_or_never_starts_them_is_marked(folder):
    for strict in ("YES", "NO"):
        text = ("site: mine\nset: [EnforcePartLimits=ALL]\n" if strict == "YES" else "site: mine\n") + \
            "parameters:\n  - name: limit\n    change: PartitionName=batch:MaxTime\n    values: ['30:00', 1-0]\nobjectives:\n  - least: wait_mean\n"
        here = folder / strict
        here.mkdir()
        study, registry = make_study(here, text), here / "r.sqlite"
        site = here / "mine" / "sacct.txt"  # each second job asks for twenty minutes, the others for an hour
        header, *lines = site.read_text().splitlines()
        site.write_text("\n".join([header] + [line.replace("|60|COMPLETED", "|20|COMPLETED") if i % 2 else line for i, line in enumerate(lines)]) + "\n")
        done = rehearse("sweep", study, "-o", registry, check=0)
        assert "leaves jobs out" in done.stdout.splitlines()[1] and "leaves jobs out" not in done.stdout.splitlines()[2], done.stdout
        assert "note: 1 of these settings refuse, never start or kill over 1 %" in done.stderr, done.stderr
        best = json.loads(rehearse("query", registry, "--best", "wait_mean", "--json", check=0).stdout)["rows"]
        assert best[0]["limit"] == "30:00" and best[0]["not_run"] == 0.5 and best[0]["remark"] == "leaves jobs out", best
        assert best[1]["not_run"] == 0 and best[1]["remark"] == "", best
        top = rehearse("query", registry, "--best", "wait_mean", "--top", "1", check=0)  # held against designs that are not shown
        assert "leaves jobs out" in top.stdout and "figures of waits are of the rest" in top.stderr, top.stdout


def test_a_parameter_that_a_recording_leaves_no_effect_is_told(folder):
    change = "parameters:\n  - name: pause\n    change: SchedulerParameters+\n    form: bf_interval={}\n    values: [30, 600]\nobjectives:\n  - least: wait_mean\n"
    study = make_study(folder, "site: mine\n" + change)
    assert "cannot act" not in rehearse("sweep", study, "-o", folder / "a.sqlite", check=0).stderr
    (folder / "mine" / "meta.json").write_text('{"backfill_began": ["2025-01-01T00:00:30", "2025-01-01T00:05:00"]}')
    told = rehearse("sweep", study, "-o", folder / "b.sqlite", check=0).stderr
    assert "pause: bf_interval cannot act: the loops of a recording are replayed" in told, told


def test_any_number_of_threads_gives_the_same_registry(folder):
    study = make_study(folder)
    for threads in (1, 2, 5):
        rehearse("sweep", study, "-o", folder / f"{threads}.sqlite", "-j", threads, check=0)
    one, two, five = (folder / f"{threads}.sqlite" for threads in (1, 2, 5))
    assert dump(one) == dump(two) == dump(five)
    assert one.read_bytes() == two.read_bytes() == five.read_bytes()


def test_killed_and_continued_it_is_as_if_nothing_had_happened(folder):
    study, registry = make_study(folder, jobs=300), folder / "r.sqlite"
    rehearse("sweep", study, "-o", folder / "whole.sqlite", check=0)
    for least in (1, 4):
        running = started(study, registry, "-j", "2")
        wait_for(lambda: complete(registry) >= least or running.poll() is not None, "no point has run")  # pylint: disable=cell-var-from-loop
        running.kill()
        running.communicate()
        assert running.returncode == -signal.SIGKILL and least <= complete(registry) < 9
    before = complete(registry)
    assert dump(registry) != dump(folder / "whole.sqlite")
    done = rehearse("sweep", study, "-o", registry, check=0)
    assert f"continuing: {before} of 9 points have run before" in done.stderr, done.stderr
    assert dump(registry) == dump(folder / "whole.sqlite")
    assert registry.read_bytes() == (folder / "whole.sqlite").read_bytes()
    assert not registry.with_name("r.sqlite.part").exists()


def test_ctrl_c_is_130_and_keeps_what_has_run(folder):
    study, registry = make_study(folder, jobs=300), folder / "r.sqlite"
    running = started(study, registry, "-j", "1")
    wait_for(lambda: complete(registry) >= 2 or running.poll() is not None, "no point has run")
    running.send_signal(signal.SIGINT)
    _, told = running.communicate()
    assert running.returncode == 130 and "the same command continues" in told, told
    assert 2 <= complete(registry) < 9
    rehearse("sweep", study, "-o", registry, check=0)
    assert complete(registry) == 9


def test_a_point_that_fails_is_kept_with_its_error_and_stops_nobody(folder):
    study, registry = make_study(folder, STUDY.replace("[1, 2, 3]", "[2, none, 1]")), folder / "r.sqlite"
    done = rehearse("sweep", study, "-o", registry, check=1)
    assert "6 points complete, 3 failed, 0 waiting" in done.stderr and "point 1 failed: " in done.stderr, done.stderr
    found = rows(registry, "SELECT point, error, schedule_fingerprint FROM points WHERE status = 'failed'")
    assert [row[0] for row in found] == [1, 4, 7] and all(row[2] is None for row in found)
    assert "Count: 'none' is not a number of nodes" in found[0][1], found
    before = dump(registry)
    assert "points in" not in rehearse("sweep", study, "-o", registry, check=1).stderr  # nothing is left to run
    assert "3 points in" in rehearse("sweep", study, "-o", registry, "--retry", check=1).stderr
    assert dump(registry) == before


def test_points_can_be_added_and_nothing_else_changed(folder):
    study, registry = make_study(folder), folder / "r.sqlite"
    rehearse("sweep", study, "-o", registry, check=0)
    study.write_text("# a word more\n" + STUDY.replace("[0, 1000, 100000]", "[0, 500, 1000, 100000]"))
    assert "9 of 12 points have run before" in rehearse("sweep", study, "-o", registry, check=0).stderr
    assert rows(registry, "SELECT size FROM results WHERE point >= 9") == [(500,)] * 3
    before = dump(registry)
    for changed, what in ((STUDY, "has 3 points that the study does not have any more"),
                          (STUDY.replace("wait_mean", "wait_p95"), "objectives: the study says"),
                          (STUDY + "set: [PriorityWeightJobSize=7]\n", "set: the study says")):
        study.write_text(changed)
        told = rehearse("sweep", study, "-o", registry, check=3).stderr
        assert what in told and "hint: " in told and "-o FILE" in told, told
    study.write_text(STUDY.replace("[0, 1000, 100000]", "[0, 500, 1000, 100000]"))
    with open(folder / "mine" / "slurm.conf", "a", encoding="utf-8") as conf:
        conf.write("KillWait=31\n")
    assert "slurm.conf (slurm.conf) has changed" in rehearse("sweep", study, "-o", registry, check=3).stderr
    assert dump(registry) == before


def test_everything_wrong_with_a_study_is_told_at_once_with_its_place(folder):
    study = make_study(folder, STUDY.replace("values: [0", "valeus: [0").replace("least: wait_mean", "least: wait_maen")
                       + "design: gird\nreplications: 0\n")
    told = rehearse("sweep", study, "-o", folder / "r.sqlite", check=3).stderr
    for line, what in ((5, "parameters[0].valeus: unknown key\n  hint: did you mean 'values'?"),
                       (10, "objectives[0].least: 'wait_maen' is no figure of merit\n  hint: did you mean 'wait_mean'?"),
                       (12, "design: 'gird' is no design\n  hint: did you mean 'grid'?"), (13, "replications: 0 is out of range")):
        assert f"study.yaml:{line}:" in told and what in told, told
    study.write_text(STUDY.replace("PriorityWeightJobSize", "PriorityWeightJobSiez"))
    told = rehearse("sweep", study, "-o", folder / "r.sqlite", check=3).stderr
    assert "study.yaml:4:13: error: size: " in told and "did you mean 'PriorityWeightJobSize'?" in told, told
    assert not (folder / "r.sqlite").exists()


def test_a_site_is_no_study(folder):
    assert "a study is a .yaml that names its site" in rehearse("sweep", folder, check=3).stderr


def test_designs_choose_within_their_ranges(folder):
    text = """site: mine
design: DESIGN
samples: 8
seed: 5
parameters:
  - change: PriorityWeightAge
    least: 10
    most: 100000
    scale: log
  - change: site.yaml:controller.epilog
    form: "{}s"
    least: 0
    most: 7
objectives: [{least: wait_mean}]
"""
    study = make_study(folder, text)
    for design in ("random", "sobol"):
        study.write_text(text.replace("DESIGN", design))
        rehearse("sweep", study, "-o", folder / f"{design}.sqlite", check=0)
        found = rows(folder / f"{design}.sqlite", 'SELECT PriorityWeightAge, "site.yaml:controller.epilog" FROM results')
        assert len(found) == 8 and all(10 <= age <= 100000 and 0 <= epilog <= 7 for age, epilog in found), found
    assert len({epilog for _, epilog in found}) == 8, "eight points of Sobol's sequence take each of eight values once"


def test_jobs_and_gpu_types_are_parameters_too(folder):
    text = """site: mine
design: list
parameters:
  - {name: jobs, change: jobs}
  - {name: type, change: "Nodes=n[1-2]:GpuType"}
points:
  - {jobs: mine/sacct.txt, type: a100}
  - {jobs: few.txt, type: h100}
  - {jobs: none.txt, type: a100}
objectives: [{least: wait_mean}]
"""
    study, registry = make_study(folder, text), folder / "r.sqlite"
    (folder / "few.txt").write_text("\n".join((folder / "mine" / "sacct.txt").read_text().split("\n")[:11]) + "\n")
    rehearse("sweep", study, "-o", registry, check=1)
    found = rows(registry, "SELECT status, (SELECT value FROM kpis k WHERE k.point = p.point AND name = 'jobs_started'), error FROM points p")
    assert [row[:2] for row in found] == [("complete", 60), ("complete", 10), ("failed", None)] and "none.txt" in found[2][2], found


def test_drawn_users_are_the_same_whether_a_draw_is_kept_or_made_again(folder):
    text = STUDY.replace("[0, 1000, 100000]", "[0, 1000]").replace("[1, 2, 3]", "[2]") + "resample_users: true\nreplications: 10\n"
    study, registry = make_study(folder, text), folder / "r.sqlite"
    jobs = folder / "mine" / "sacct.txt"
    lines = jobs.read_text().splitlines()
    jobs.write_text("\n".join(lines[:1] + [line.replace("|ann|", f"|u{i % 7}|") for i, line in enumerate(lines[1:])]) + "\n")
    rehearse("sweep", study, "-o", registry, "-j", "2", check=0)
    found = rows(registry, "SELECT command, schedule_fingerprint FROM points WHERE status = 'complete'")
    assert len(found) == 20 and len({fingerprint for _, fingerprint in found}) > 9
    for command, fingerprint in found[::5] + found[-1:]:
        assert "--resample-users" in command
        words = [word.strip("'") for word in command.split()[1:]]
        assert json.loads(rehearse(*words, "--json", check=0).stdout)["schedule_fingerprint"] == fingerprint, command


def test_a_table_tells_units_and_how_far_replications_differ(folder):
    text = STUDY.replace("[0, 1000, 100000]", "[0, 1000]").replace("[1, 2, 3]", "[2]") + "resample_users: true\nreplications: 4\n"
    study, registry = make_study(folder, text), folder / "r.sqlite"
    jobs = folder / "mine" / "sacct.txt"
    lines = jobs.read_text().splitlines()
    jobs.write_text("\n".join(lines[:1] + [line.replace("|ann|", f"|u{i % 7}|") for i, line in enumerate(lines[1:])]) + "\n")
    done = rehearse("sweep", study, "-o", registry, check=0)
    assert "note: wait_mean in s, partition/batch/gpu_hours_busy in h\n" in done.stderr and "_sd their standard deviation" in done.stderr, done.stderr
    assert "one replication tells as much" not in done.stderr, done.stderr
    told = json.loads(rehearse("query", registry, "--json", check=0).stdout)["rows"]
    for row in told:
        waits = [value for value, in rows(registry, f"SELECT wait_mean FROM results WHERE design = {row['design']}")]
        assert len(waits) == 4 and abs(row["wait_mean_sd"] - statistics.stdev(waits)) < 1e-6 * statistics.stdev(waits), (row, waits)


def test_replications_of_what_no_chance_decides_are_told(folder):
    text = STUDY.replace("[0, 1000, 100000]", "[0, 1000]").replace("[1, 2, 3]", "[2]") + "replications: 2\n"
    done = rehearse("sweep", make_study(folder, text), "-o", folder / "r.sqlite", check=0)
    assert "note: no run differs from the others of its design" in done.stderr, done.stderr


def test_where_no_job_starts_the_table_says_so(folder):
    study, registry = make_study(folder, STUDY + "set: ['PartitionName=batch:State=DOWN']\n"), folder / "r.sqlite"
    done = rehearse("sweep", study, "-o", registry, check=0)
    assert len(done.stdout.splitlines()) == 1 and "no point has that figure: did any job start?" in done.stderr, done.stderr


def test_replications_differ_by_their_seed_alone(folder):
    text = STUDY + "replications: 2\nseed: 7\nresults: files\n"
    study, registry = make_study(folder, text), folder / "r.sqlite"
    with open(folder / "mine" / "site.yaml", "w", encoding="utf-8") as site:
        site.write("failures: [{mtbf: 3h, repair_median: 10min}]\n")
    rehearse("sweep", study, "-o", registry, check=0)
    found = rows(registry, "SELECT design, replication, seed, schedule_fingerprint FROM points")
    assert [row[:3] for row in found[:4]] == [(0, 0, 7), (0, 1, 8), (1, 0, 7), (1, 1, 8)]
    assert found[0][3] != found[1][3]
    assert rehearse("query", registry, "-P", "-n", "--top", "1", check=0).stdout.split("|")[3] == "2"
    name, = rows(registry, "SELECT file FROM points WHERE point = 3")[0]
    assert found[3][3] in rehearse("info", folder / name, check=0).stdout


def test_an_outside_optimiser_asks_and_is_told(folder):
    text = STUDY.replace("site: mine", "site: mine\ndesign: outside").replace("values: [0, 1000, 100000]", "least: 0\n    most: 50000")
    study, registry = make_study(folder, text), folder / "r.sqlite"
    questions = [{"ask": i, "parameters": {"size": 100 * (i % 4), "nodes": "2"}} for i in range(6)]
    bad = ['{"ask": "x", "parameters": {"size": 60000, "nodes": 2}}', '{"ask": "y", "parameters": {"size": 1}}', '{"ask": 14}', "what?"]
    asked = "\n".join([*map(json.dumps, questions), *bad]) + "\n"
    done = rehearse("sweep", study, "-o", registry, stdin=asked, check=0)
    lines = [json.loads(line) for line in done.stdout.splitlines()]
    assert [each["name"] for each in lines[0]["parameters"]] == ["size", "nodes"] and lines[0]["parameters"][0]["most"] == 50000
    told = {line["tell"]: line for line in lines[1:]}
    assert set(told) == {0, 1, 2, 3, 4, 5, "x", "y", 14, None}
    assert "60000 is not in 0 .. 50000" in told["x"]["error"] and "no number or text for 'nodes'" in told["y"]["error"]
    assert told[0]["objectives"] == told[4]["objectives"] and told[0]["objectives"]["wait_mean"] > 0
    assert complete(registry) == 4
    again = rehearse("sweep", study, "-o", registry, stdin=json.dumps(questions[5]) + "\n", check=0)
    assert json.loads(again.stdout.splitlines()[1])["objectives"] == told[5]["objectives"] and complete(registry) == 4


def test_an_example_optimiser_talks_to_it(folder):
    text = STUDY.replace("site: mine", "site: mine\ndesign: outside").replace("values: [0, 1000, 100000]", "least: 0\n    most: 50000")
    study, registry = make_study(folder, text), folder / "r.sqlite"
    done = subprocess.run(["python3", str(ROOT / "scripts" / "optimise.py"), "--sampler", "random", "--questions", "6", "--at-once",
                           "2", BINARY, "sweep", str(study), "-o", str(registry)], cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.returncode == 0 and done.stdout.startswith("best: "), done
    assert 1 <= complete(registry) <= 6


def test_a_registry_has_one_sweep_at_a_time(folder):
    text = STUDY.replace("site: mine", "site: mine\ndesign: outside")
    study, registry = make_study(folder, text), folder / "r.sqlite"
    first = started(study, registry)
    assert first.stdout.readline().startswith('{"parameters"')
    assert "another sweep is filling this registry" in rehearse("sweep", study, "-o", registry, check=3).stderr
    first.communicate()
    assert first.returncode == 0 and sorted(path.name for path in folder.iterdir()) == ["mine", "r.sqlite", "study.yaml"]
    (folder / "notes.txt").write_text("no registry\n")
    assert "is not a registry" in rehearse("sweep", study, "-o", folder / "notes.txt", check=3).stderr
    assert "is an input of this command" in rehearse("sweep", study, "-o", folder / "mine" / "slurm.conf", check=2).stderr


def test_the_shipped_studies_are_sound(_):
    studies = sorted((ROOT / "configs" / "studies").glob("*.yaml"))
    assert studies
    for study in studies:
        verb = "tune" if "design: tune" in study.read_text() else "sweep"
        rehearse(verb, study, "-o", "/dev/null/none", "--dry-run", check=0)


def test_slurm_is_told_when_it_is_not_there(folder):
    study = make_study(folder)
    told = rehearse("sweep", study, "-o", folder / "r.sqlite", "--slurm", env={"PATH": str(folder)}, check=1).stderr
    assert "sbatch: exit code 127" in told, told
    study.write_text(STUDY.replace("site: mine", "site: mine\ndesign: outside"))
    assert "no job array" in rehearse("sweep", study, "-o", folder / "o.sqlite", "--slurm", check=2).stderr


if __name__ == "__main__":
    os.environ.pop("SLURM_CONF", None)
    assert pathlib.Path(BINARY).exists(), BINARY
    main(globals())
