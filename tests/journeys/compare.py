# tests/journeys/compare.py — two runs held against each other: planted effects are found, nothing is found where nothing is.
import csv
import datetime
import json
import random
import re

from first_run import make_site as make_tiny_site
from journey import ROOT, main, rehearse

CONF = """ClusterName=crowded
SlurmctldHost=ctl
AccountingStorageType=accounting_storage/slurmdbd
AccountingStorageTRES=gres/gpu
SelectType=select/cons_tres
SelectTypeParameters=CR_Core
GresTypes=gpu
PriorityType=priority/multifactor
PriorityWeightFairshare=100000
PriorityDecayHalfLife=1-0
PriorityCalcPeriod=1
SchedulerParameters=bf_interval=30,bf_window=2880
NodeName=n[1-4] CPUs=16 RealMemory=64000 Gres=gpu:a100:8
PartitionName=batch Nodes=ALL Default=YES MaxTime=1-0
"""
COLUMNS = "JobIDRaw|JobID|User|Account|Partition|QOS|Submit|Start|End|ElapsedRaw|TimelimitRaw|State|ExitCode|NNodes|NCPUS|ReqTRES|AllocTRES"
ACCOUNTS = ("astro", "bio", "chem")
USERS = 12


def stamp(second):
    return f"2025-01-{1 + second // 86400:02}T{second // 3600 % 24:02}:{second // 60 % 60:02}:{second % 60:02}"


def make_crowd(folder, name, conf=CONF, shares=None, users=USERS, jobs=600):
    """Two days of three accounts with 12 users each, who ask for a quarter more than four nodes of 8 GPUs can give."""
    site = folder / name
    site.mkdir()
    (site / "slurm.conf").write_text(conf)
    dump = ["# the accounts of crowded", "Cluster - 'crowded':Fairshare=1", "Parent - 'root'"]
    dump += [f"Account - '{account}':Description='{account}':Organization='x':Fairshare={(shares or {}).get(account, 10)}" for account in ACCOUNTS]
    for account in ACCOUNTS:
        dump.append(f"Parent - '{account}'")
        dump += [f"User - '{account}{i}':DefaultAccount='{account}':Fairshare=1" for i in range(users)]
    (site / "assoc.dump").write_text("\n".join(dump) + "\n")
    draw = random.Random(7)
    rows = []
    for i in range(jobs):
        account = ACCOUNTS[i % 3]
        user = f"{account}{draw.randrange(users)}"
        gpus, length, at = draw.choice((1, 1, 2, 4, 8)), draw.randrange(600, 14400), i * 172800 // jobs
        tres = f"billing=2,cpu=2,gres/gpu={gpus},node=1"
        rows.append(f"{i + 1}|{i + 1}|{user}|{account}|batch|normal|{stamp(at)}|{stamp(at)}|{stamp(at + length)}|{length}|"
                    f"{length // 60 + 30}|COMPLETED|0:0|1|2|{tres}|{tres}")
    (site / "sacct.txt").write_text("\n".join([COLUMNS] + rows) + "\n")
    return site


def compared(*arguments, check=0):
    return json.loads(rehearse("compare", *arguments, "--json", check=check).stdout)


def test_a_result_against_itself_has_no_difference(folder):
    rehearse("run", make_crowd(folder, "a"), "-o", folder / "a.h5", check=0)
    answer = compared(folder / "a.h5", folder / "a.h5")
    assert answer["verdict"] == "same" and answer["pairs"]["moved"] == 0, answer["sentence"]
    rows = list(answer["figures"].values()) + [row["wait_mean"] for scope in answer["groups"].values() for row in scope]
    assert len(rows) > 50 and all(row["difference"] in (0, None) and not row["significant"] for row in rows)
    assert answer["figures"]["wait_mean"]["interval"] == [0, 0]
    text = rehearse("compare", folder / "a.h5", folder / "a.h5", check=0).stdout
    assert text.startswith("No difference: all 600 jobs start at the same second on both sides."), text


def test_doubled_shares_of_one_account_are_found_with_their_sign(folder):
    answer = compared(make_crowd(folder, "a"), make_crowd(folder, "b", shares={"bio": 20}))
    rows = {row["name"]: row["wait_mean"] for row in answer["groups"]["account"]}
    assert rows["bio"]["judgement"] == "better" and rows["bio"]["difference"] < -600, rows["bio"]
    assert all(rows[name]["difference"] > 0 for name in ("astro", "chem")), rows
    assert answer["groups"]["account"][-1]["name"] == "bio", "the least hurt stands last"
    changed = answer["configuration"]["inputs"]
    assert [one["file"] for one in changed] == ["assoc.dump"] and "Fairshare=20" in changed[0]["only_b"][0], changed
    text = rehearse("compare", folder / "a", folder / "b", check=0).stdout
    assert "Account bio gains most" in text and max(map(len, text.splitlines())) <= 100, text


def test_a_node_less_makes_every_wait_longer(folder):
    site = make_crowd(folder, "a")
    less = make_crowd(folder, "b", conf=CONF.replace("n[1-4]", "n[1-3]"))
    answer = compared(site, less)
    assert answer["verdict"] == "worse", answer["sentence"]
    for name in ("wait_mean", "wait_p50", "wait_p95"):
        assert answer["figures"][name]["judgement"] == "worse", (name, answer["figures"][name])
    low, high = answer["figures"]["wait_mean"]["interval"]
    assert 0 < low < answer["figures"]["wait_mean"]["difference"] < high
    assert all(row["wait_mean"]["difference"] > 0 for row in answer["groups"]["account"])
    assert answer["configuration"]["nodes"] == ["n4: only in A"], answer["configuration"]["nodes"]
    for side in ("a", "b"):
        existing = sum(cause[side] for cause in answer["gpu_hours"].values())
        hours = (answer[side]["simulated_end"] - answer[side]["simulated_begin"]) / 3600 * (32 if side == "a" else 24)
        assert abs(existing - hours) < 1e-6 * hours, (existing, hours)


def test_the_json_is_what_its_schema_says(folder):
    import jsonschema  # Debian's python3-jsonschema
    schema = json.loads((ROOT / "sim" / "app" / "schema" / "compare.schema.json").read_text())
    jsonschema.Draft7Validator.check_schema(schema)
    site = make_crowd(folder, "a", jobs=120)
    for arguments in ((site, "--set-b", "PriorityWeightFairshare=0"), (site, "--set-b", "EpilogMsgTime=1"),
                      (site, "--set-b", "PriorityWeightFairshare=0", "--jobs", "3", "--populations", "2"),
                      (make_tiny_site(folder), "--set-b", "PartitionName=batch:MaxTime=2-0")):
        jsonschema.validate(compared(*arguments), schema)
    broken = compared(site, "--set-b", "PriorityWeightFairshare=0")
    broken["figures"]["wait_mean"]["interval"] = "wide"
    try:
        jsonschema.validate(broken, schema)
    except jsonschema.ValidationError:
        return
    raise AssertionError("the schema accepts anything")


def test_a_side_that_refuses_jobs_is_told_first_and_is_not_the_better(folder):
    site = make_crowd(folder, "a", conf=CONF + "EnforcePartLimits=ALL\n")
    asked = (site, "--set-b", "PartitionName=batch:MaxTime=1:00:00")
    answer = compared(*asked)
    out = answer["left_out"]["b"]
    assert answer["verdict"] == "leaves_out" and out["much"] and out["refused"] == answer["pairs"]["only_a"] > 300, answer["sentence"]
    assert answer["sentence"].startswith(f"B refuses {out['refused']} jobs that A runs ({100 * out['job_share']:.1f} % of its jobs, "), answer["sentence"]
    assert "gains" not in answer["sentence"] and answer["left_out"]["a"]["refused"] == 0
    page = folder / "c.html"
    done = rehearse("compare", *asked, "--html", page, "--fail-if", "not better(mean_wait)")
    assert f"note: B refuses {out['refused']} jobs that A runs" in done.stderr, done.stderr
    assert f"B refuses {out['refused']} jobs that A runs" in page.read_text() and "What is not run at all?" in page.read_text()
    # Utilization is that of each whole side: what a run of the side alone has while jobs arrive.
    assert answer["figures"]["gpu_utilization"]["a"] > 2.5 * answer["figures"]["gpu_utilization"]["b"], answer["figures"]["gpu_utilization"]
    rehearse("compare", *asked, "--fail-if", "gpu_utilization < 0.9*a", check=4)


def test_changes_beyond_slurm_conf_are_told(folder):
    site = make_crowd(folder, "a", jobs=60)
    changes = {"QOS=normal:MaxTRESPU=gres/gpu=16": ("QOS=normal", "MaxTRESPU", "gres/gpu=16"), "Account=bio:GrpTRES=gres/gpu=8": ("Account=bio", "GrpTRES", "gres/gpu=8"),
               "site.yaml:controller.epilog=5s": ("site.yaml", "controller.epilog", "5s")}
    rehearse("run", site, "-o", folder / "a.h5", check=0)
    for i, (change, (where, key, value)) in enumerate(changes.items()):
        told = [(one["where"], one["key"], one["a"], one["b"]) for one in compared(site, "--set-b", change)["configuration"]["keys"]]
        assert told == [(where, key, "(as in its files)", value)], told
        rehearse("run", site, "--set", change, "-o", folder / f"{i}.h5", check=0)
        text = rehearse("compare", folder / "a.h5", folder / f"{i}.h5", check=0).stdout
        assert f"{where} {key}: (as in its files) -> {value}" in text and "the inputs are the same" not in text, text
    other = make_crowd(folder, "b", jobs=60)
    (other / "site.yaml").write_text("controller:\n  epilog: 5s\n")
    assert "site.yaml" in [one["file"] for one in compared(site, other)["configuration"]["inputs"]]


def test_a_run_from_the_middle_says_that_it_begins_empty(folder):
    site = make_crowd(folder, "a")
    begin = "2025-01-02T00:00:00"
    told = rehearse("run", site, "--from", begin, "-o", folder / "a.h5", check=0).stderr
    rows = [line.split("|") for line in (site / "sacct.txt").read_text().splitlines()[1:]]
    there = sum(row[6] < begin < row[8] for row in rows)
    assert there > 5 and f"note: a run from {begin} on begins with an empty cluster: {there} jobs of the trace run then, and 0 pend" in told, told
    assert f"--start-from {begin} begins with them" in told, told
    rehearse("run", site, "--from", begin, "--set", "PriorityWeightFairshare=0", "-o", folder / "b.h5", check=0)
    doubt = f"both sides begin with an empty cluster: {there} jobs of the trace run at --from, and 0 pend"
    for asked in ((site, "--from", begin, "--set-b", "PriorityWeightFairshare=0"), (folder / "a.h5", folder / "b.h5")):
        doubts = compared(*asked)["doubts"]
        assert any(one.startswith(doubt) for one in doubts), doubts
    with_them = rehearse("run", site, "--from", begin, "--start-from", begin, "-o", folder / "c.h5", check=0).stderr
    assert f"{there} jobs run and 0 pend then" in with_them and "empty cluster" not in with_them, with_them
    without = rehearse("run", site, "--start-from", begin, "-o", folder / "d.h5", check=0)
    assert compared(folder / "c.h5", folder / "d.h5")["verdict"] == "same", without.stderr
    # Jobs that come between the two are left out, what is there stays.
    later = json.loads(rehearse("run", site, "--from", "2025-01-02T06:00:00", "--start-from", begin, "--json", check=0).stdout)
    after = sum(row[6] >= "2025-01-02T06:00:00" for row in rows)
    assert later["kpis"]["jobs"]["value"] == there + after, (later["kpis"]["jobs"], there, after)


def test_a_key_that_a_recording_leaves_no_effect_is_a_doubt(folder):
    site = make_crowd(folder, "a", jobs=60)
    asked = (site, "--set-b", "SchedulerParameters+=bf_interval=600")
    claim = "bf_interval differs, but cannot act: the loops of a recording are replayed"
    assert not any(one.startswith(claim) for one in compared(*asked)["doubts"])
    began = [stamp(second) for second in range(30, 172800, 30)]
    (site / "meta.json").write_text(json.dumps({"backfill_began": began}))
    answer = compared(*asked)
    assert answer["verdict"] == "same" and any(one.startswith(claim) for one in answer["doubts"]), answer["doubts"]
    text = rehearse("compare", *asked, "--html", folder / "c.html", check=0).stdout
    assert claim in " ".join(text.split()) and claim in (folder / "c.html").read_text(), text


def test_jobs_with_gpus_and_without_are_selected_by_a_word(folder):
    site = make_crowd(folder, "a", jobs=60)
    lines = (site / "sacct.txt").read_text().splitlines()
    (site / "sacct.txt").write_text("\n".join([lines[0]] + [re.sub(r"gres/gpu=\d,", "", line) if i % 3 else line for i, line in enumerate(lines[1:])]) + "\n")
    done = rehearse("compare", site, "--set-b", "NodeName=n4:State=DOWN", "--fail-if", "p95_wait(gpu) < 0s or p95_wait(size=0) < 0s or mean_wait(cpu) < 0s", check=0)
    figures = dict(line.split(": ", 1) for line in done.stderr.splitlines() if line.startswith("wait_"))
    assert {"wait_p95(gpu)", "wait_p95(size=0)", "wait_mean(cpu)"} <= set(figures), done.stderr
    by_gpus = [row for row in compared(site, "--set-b", "NodeName=n4:State=DOWN")["groups"]["size"] if row["name"] == "0"]
    assert abs(float(re.search(r"b ([0-9.e+]+)", figures["wait_mean(cpu)"])[1]) - by_gpus[0]["wait_mean"]["b"]) < 0.01, figures
    done = rehearse("size", site, "--node-type", "a100", "--target", "p95_wait(gpu)<1h", "--max", "5", check=0)
    assert "wait_p95(gpu)" in done.stdout, done.stdout


def test_keys_are_told_with_what_they_do_and_what_is_not_simulated(folder):
    site = make_crowd(folder, "a", jobs=60)
    text = rehearse("compare", site, "--set-b", "SchedulerParameters+=bf_window=60", "--set-b", "PartitionName=batch:MaxTime=2-0",
                    "--set-b", "JobSubmitPlugins=lua", check=0).stdout
    for claim in ("SchedulerParameters bf_window: 2880 -> 60", "PartitionName=batch MaxTime: 1-0 -> 2-0",
                  "JobSubmitPlugins: (not set) -> lua", "site code that changes or refuses jobs at submit",
                  "JobSubmitPlugins differs, but is not simulated"):
        assert claim in text, (claim, text)


def test_few_users_get_no_interval(folder):
    done = rehearse("compare", make_tiny_site(folder), "--set-b", "NodeName=n1:Gres=gpu:a100:4", "--fail-if", "worse(mean_wait)", check=0)
    assert done.stdout.startswith("Nothing sure can be said, as 1 user is too few for an interval"), done.stdout
    assert "does not hold" in done.stderr, done.stderr


def test_a_condition_decides_the_exit_code(folder):
    a, b = folder / "a.h5", folder / "b.h5"
    rehearse("run", make_crowd(folder, "a", jobs=300), "-o", a, check=0)
    rehearse("run", make_crowd(folder, "b", conf=CONF.replace("n[1-4]", "n[1-2]"), jobs=300), "-o", b, check=0)
    for condition in ("p95_wait(account=bio) > 1.1*a", "worse(mean_wait)", "mean_wait > 10min and not better(wait_p50)",
                      "b.makespan - a.makespan > 0", "wait_p50(account=bio, partition=batch) > a or 1 > 2"):
        done = rehearse("compare", a, b, "--fail-if", condition, check=4)
        assert "holds" in done.stderr, done.stderr
    for condition in ("p95_wait < 1.1*a", "better(mean_wait)", "wait_mean < 1s", "not worse(mean_wait)"):
        rehearse("compare", a, b, "--fail-if", condition, check=0)


def test_a_condition_that_does_not_read_is_told_with_its_column(folder):
    site = make_tiny_site(folder)
    for condition, column, hint in (("p95_wiat > 1h", 1, "did you mean 'p95_wait'?"), ("mean_wait >", 12, ""),
                                    ("mean_wait > 2parsecs", 14, "the units are"), ("mean_wait > 2 parsecs", 13, "right behind"), ("mean_wait < 600", 13, "30s, 10min, 2h"),
                                    ("gpu_utilization > 1h", 19, "without s, min"), ("mean_wait(week=1) > 1h", 11, "as in p95_wait(partition=x)"), ("mean_wait(gpus) > 1h", 11, "did you mean 'gpu'?"), ("mean_wait", 1, "compare it"),
                                    ("mean_wait(acount=x) > 1", 11, "did you mean 'account'?"), ("mean_wait + p50_wait > a", 24, "a.p95_wait"),
                                    ("makespan(account=x) > 1", 1, "leave out"), ("mean_wait == 3", 11, "luck"),
                                    ("(mean_wait > 1s", 16, ""), ("mean_wait(account=m1) > 1h", 1, "there are ml")):
        done = rehearse("compare", site, "--set-b", "PartitionName=batch:MaxTime=2-0", "--fail-if", condition, check=2)
        assert f"column {column}:" in done.stderr and hint in done.stderr, (condition, done.stderr)


def test_jobs_of_one_side_alone_are_counted_and_named(folder):
    rehearse("run", make_tiny_site(folder), "-o", folder / "a.h5", check=0)
    (folder / "more").mkdir()
    rehearse("run", make_tiny_site(folder / "more", rows=5), "-o", folder / "b.h5", check=0)
    text = rehearse("compare", folder / "a.h5", folder / "b.h5", check=0).stdout
    assert "2 jobs are in B alone, and left out of every comparison by job: 4, 5" in text, text
    assert "jobs: another file" in text, text


def test_what_cannot_be_compared_is_bad_input(folder):
    site = make_tiny_site(folder)
    rehearse("run", site, "-o", folder / "a.h5", check=0)
    (folder / "cut.h5").write_bytes((folder / "a.h5").read_bytes()[:20000])
    (folder / "none.h5").write_text("no result")
    for bad in ("cut.h5", "none.h5", "absent.h5"):
        assert bad in rehearse("compare", folder / "a.h5", folder / bad, check=3).stderr
    (site / "sacct.txt").write_text((site / "sacct.txt").read_text().splitlines()[0] + "\n")
    done = rehearse("compare", site, folder / "a.h5", check=3)
    assert "no job is on both sides: A has 0, B has 3" in done.stderr, done.stderr


def test_the_same_site_twice_without_a_change_is_a_usage_error(folder):
    assert "--set-b" in rehearse("compare", make_tiny_site(folder), check=2).stderr
    rehearse("run", folder / "mine", "-o", folder / "a.h5", check=0)
    done = rehearse("compare", folder / "a.h5", "--set-b", "PriorityWeightAge=1", check=2)
    assert "cannot be changed" in done.stderr, done.stderr
    assert "there is no second side" in rehearse("compare", folder / "a.h5", check=2).stderr


def test_rows_for_pipes_and_the_same_bytes_again(folder):
    site = make_crowd(folder, "a", jobs=200)
    arguments = ("compare", site, "--set-b", "PriorityWeightFairshare=0", "-P")
    first = rehearse(*arguments, check=0).stdout
    assert first == rehearse(*arguments, check=0).stdout
    lines = first.splitlines()
    assert lines[0].startswith("SCOPE|GROUP|FIGURE|") and len({line.count("|") for line in lines}) == 1
    assert rehearse(*arguments, "-n", check=0).stdout == "".join(line + "\n" for line in lines[1:])
    other = rehearse(*arguments, "--draw-seed", "2", check=0).stdout
    assert other != first and [line.split("|")[:7] for line in other.splitlines()] == [line.split("|")[:7] for line in lines]


def test_names_the_jobs_whose_waits_differ_most(folder):
    site = make_crowd(folder, "a", jobs=300)
    waits = []
    for side, changes in (("a", ()), ("b", ("--set", "PriorityWeightFairshare=0", "--set", "NodeName=n4:State=DOWN"))):
        rehearse("run", site, *changes, "-o", folder / f"{side}.h5", "--sacct", folder / f"{side}.txt", check=0)
        with open(folder / f"{side}.txt") as lines:
            rows = list(csv.DictReader(lines, delimiter="|"))
        at = lambda text: datetime.datetime.fromisoformat(text).timestamp()  # noqa: E731
        waits.append({row["JobID"]: at(row["Start"]) - at(row["Submit"]) for row in rows if row["Start"][0] == "2"})
    asked = (folder / "a.h5", folder / "b.h5", "--jobs", 7)
    jobs = compared(*asked)["jobs"]
    added = {job: waits[1][job] - wait for job, wait in waits[0].items() if job in waits[1]}
    lost = [job for job in waits[0] if job not in waits[1]]
    longer = sorted((-more, int(job)) for job, more in added.items() if more > 0)
    assert jobs["longer_count"] == len(longer) + len(lost) and len(jobs["longer"]) == 7
    assert jobs["shorter_count"] == sum(more < 0 for more in added.values())
    assert [row["job"] for row in jobs["longer"]] == (sorted(lost) + [str(job) for _, job in longer])[:7]
    for row in jobs["longer"] + jobs["shorter"]:
        assert (row["wait_a"], row["wait_b"]) == (waits[0].get(row["job"]), waits[1].get(row["job"])), row
    worst = jobs["longer"][0]
    text = rehearse("compare", *asked, check=0).stdout
    table = text[text.index("JOBS THAT WAIT LONGER UNDER B"):].splitlines()[2:9]
    assert table[0].split()[0] == worst["job"] and worst["reason_b"][:22] in table[0], table
    told = rehearse("explain", folder / "b.h5", worst["job"], check=0).stdout
    assert worst["reason_b"] in told, told
    rows = [line for line in rehearse("compare", *asked, "-P", check=0).stdout.splitlines() if line.startswith("job|")]
    assert len(rows) == 7 + len(jobs["shorter"]) and rows[0].split("|")[1] == worst["job"]


def test_other_populations_of_users_are_simulated_on_both_sides(folder):
    site = make_crowd(folder, "a", jobs=240)
    change = "PriorityWeightFairshare=0"
    asked = (site, "--set-b", change, "--populations", 3, "--draw-seed", 5)
    answer = compared(*asked, "-j", 1)
    assert answer == compared(*asked, "-j", 2), "threads are no part of the answer"
    of = answer["populations"]
    assert of["count"] == 3 and of["first_seed"] == 5
    wait = of["figures"]["wait_mean"]
    # A second way to each of them: runs of the same draw, held against each other.
    for i, seed in enumerate((5, 6, 7)):
        drawn = (site, "--resample-users", "--seed", seed)
        rehearse("run", *drawn, "-o", folder / "a.h5", check=0)
        rehearse("run", *drawn, "--set", change, "-o", folder / "b.h5", check=0)
        figures = compared(folder / "a.h5", folder / "b.h5")["figures"]
        for name in ("wait_mean", "wait_p95", "gpu_utilization"):
            both = of["figures"][name]
            assert (both["a"][i], both["b"][i]) == (figures[name]["a"], figures[name]["b"]), (name, seed)
    assert len(set(wait["a"])) == 3, wait
    differences = sorted(b - a for a, b in zip(wait["a"], wait["b"]))
    assert wait["range"] == [differences[0], differences[2]] and wait["covers"] == 0.5 and wait["b_more"] == sum(d > 0 for d in differences)
    page = folder / "c.html"
    text = rehearse("compare", *asked, "--html", page, check=0).stdout
    said = f"the mean wait is longer under B in {wait['b_more']} and shorter in {wait['b_less']}."
    assert said in " ".join(text.split()) and said in page.read_text() and "OTHER USERS: 3 POPULATIONS" in text, text
    assert max(map(len, text.splitlines())) <= 100
    rows = rehearse("compare", *asked, "-P", check=0).stdout.splitlines()
    assert len({row.count("|") for row in rows}) == 1 and sum(row.startswith("population|") for row in rows) == 12
    told = rehearse("compare", make_tiny_site(folder), "--set-b", "NodeName=n1:Gres=gpu:a100:4", "--populations", 3, check=0)
    assert "no populations are drawn: the jobs are of 1 user (" in told.stderr and "OTHER USERS" not in told.stdout
    done = rehearse("compare", folder / "a.h5", site, "--populations", 3, check=2)
    assert "is a result: other users cannot run on it" in done.stderr, done.stderr


def test_the_readme_shows_lines_that_were_printed(folder):
    del folder
    printed = set((ROOT / "results" / "philly" / "compare.txt").read_text().splitlines())
    readme = (ROOT / "README.md").read_text()
    section = readme[readme.index("prints (cut)"):readme.index("The verdict stands first")]
    shown = [line[4:] for line in section.splitlines()[2:] if line.strip() and line.strip() != "..."]
    assert len(shown) > 15 and all(line in printed for line in shown), [line for line in shown if line not in printed]


def test_hours_of_jobs_that_pend_to_the_end_stand_apart(folder):
    site = make_crowd(folder, "a", jobs=120)
    limit = ("AccountingStorageEnforce=limits", "QOS=normal:MaxTRESPU=gres/gpu=4")
    told = compared(site, "--set-b", limit[0], "--set-b", limit[1])
    run = folder / "b.h5"
    summary = rehearse("run", site, "--set", limit[0], "--set", limit[1], "-o", run, check=0).stdout
    rows = [line.split(",") for line in rehearse("export", run, "-f", "csv", "--utc", check=0).stdout.splitlines()]
    submit, start, state = (rows[0].index(name) for name in ("submit", "start", "state"))
    clock = lambda text: datetime.datetime.fromisoformat(text.rstrip("Z")).timestamp()  # noqa: E731
    last = clock(re.search(r"simulated \S+ to (\S+) ", summary)[1])
    never = [last - clock(row[submit]) for row in rows[1:] if not row[start]]
    assert never and all(row[state] == "PENDING" for row in rows[1:] if not row[start])
    left = told["pending_hours_left"]
    assert left["a"] == 0 and abs(left["b"] - sum(never) / 3600) < 1e-6, (left, sum(never) / 3600)
    assert told["gpu_hours"]["left"]["a"] == 0 < told["gpu_hours"]["left"]["b"]
    assert "(of jobs that pend to the end)" in rehearse("compare", site, "--set-b", limit[0], "--set-b", limit[1], check=0).stdout
    first = next(row[rows[0].index("job_id")] for row in rows[1:] if not row[start])
    assert "when nothing was left that might start it" in rehearse("explain", run, first, check=0).stdout
    assert f"they pended for {left['b']:.1f} job-hours" in summary
    assert "the run goes on for 24.0 h behind the last end" in summary, summary


def test_instances_that_count_as_gpus_are_a_doubt(folder):
    site = make_crowd(folder, "a", jobs=60)
    doubts = compared(site, "--set-b", "NodeName=n4:Gres=gpu:a100_1g.10gb:7")["doubts"]
    assert any(doubt.startswith("each MIG instance counts as a GPU") for doubt in doubts), doubts
    assert not any("MIG" in doubt for doubt in compared(site, "--set-b", "NodeName=n4:Weight=2")["doubts"])


if __name__ == "__main__":
    main(globals())
