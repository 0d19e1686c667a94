# tests/journeys/forecast.py — a run from the middle, forecasts of what waits, and how well those of the past held.
import json
import random

from journey import ROOT, main, rehearse

CONF = ("ClusterName=c\nSlurmctldHost=h\nSelectType=select/cons_tres\nSelectTypeParameters=CR_Core\nPriorityType=priority/multifactor\n"
        "PriorityWeightAge=1000\nNodeName=n[1-2] CPUs=4 RealMemory=4000\nPartitionName=p Nodes=ALL Default=YES MaxTime=1-0\n")


def stamp(second):
    return f"2025-01-{1 + second // 86400:02}T{second // 3600 % 24:02}:{second // 60 % 60:02}:{second % 60:02}"


def make_site(folder, days=4):
    """A busy cluster whose record is its own simulation: a backtest has facts that the loops agree with."""
    site = folder / "site"
    site.mkdir()
    (site / "slurm.conf").write_text(CONF)
    rows = ["JobIDRaw|JobID|User|Account|Partition|QOS|Submit|Start|End|ElapsedRaw|TimelimitRaw|State|ExitCode|NNodes|NCPUS|ReqTRES|AllocTRES"]
    chance = random.Random(5)
    for i in range(1, days * 90 + 1):
        submit, user = i * 960 // 1, chance.randrange(6)
        length = chance.randrange(300, 3600) * (1 + user % 3)
        tres = f"billing=4,cpu={chance.choice((1, 2, 4))},node=1"
        rows.append(f"{i}|{i}|u{user}|a|p|normal|{stamp(submit)}|{stamp(submit)}|{stamp(submit + length)}|{length}|{length // 40 + 10}|COMPLETED|0:0|1|4|"
                    f"{tres}|{tres}")
    (site / "sacct.txt").write_text("\n".join(rows) + "\n")
    done = rehearse("run", site, "--sacct", folder / "rows.txt", check=0)
    assert "schedule fingerprint" in done.stdout
    (site / "sacct.txt").write_text((folder / "rows.txt").read_text())
    return site


def busy_instant(site):
    """An instant at which many wait."""
    rows = [row.split("|") for row in (site / "sacct.txt").read_text().splitlines()]
    submit, start = rows[0].index("Submit"), rows[0].index("Start")
    instants = sorted(row[submit] for row in rows[1:])[len(rows) // 2:]
    return max(instants, key=lambda at: sum(row[submit] < at < row[start] for row in rows[1:]))


def test_a_run_begins_in_the_middle(folder):
    site = make_site(folder)
    at = busy_instant(site)
    done = rehearse("run", site, "--start-from", at, "--sacct", folder / "half.txt", "-o", folder / "half.h5", check=0)
    assert f"begins at {at}" in done.stderr and "run and" in done.stderr, done.stderr
    rows = (folder / "half.txt").read_text().splitlines()
    starts = [row.split("|")[rows[0].split("|").index("Start")] for row in rows[1:]]
    assert any(start < at for start in starts) and any(start > at for start in starts)
    again = rehearse("info", folder / "half.h5", check=0).stdout
    assert f"--start-from {at}" in again.replace("'", ""), again
    assert "is not a time" in rehearse("run", site, "--start-from", "noon", check=3).stderr
    assert "has no snapshot" in rehearse("run", site, "--start-from", "snapshot", check=3).stderr


def test_runs_in_the_middle_stay_where_they_were(folder):
    """Of a run over two nodes no row tells how it shares its CPUs out: one CPU and four, as another has three of the first."""
    site = folder / "shares"
    site.mkdir()
    (site / "slurm.conf").write_text(CONF)
    rows = ["JobIDRaw|User|Account|Partition|Submit|Start|End|ElapsedRaw|TimelimitRaw|State|NNodes|NCPUS|ReqTRES|AllocTRES|NodeList"]
    for number, at, nodes, cpus, hosts in ((1, 0, 2, 5, "n[1-2]"), (2, 60, 1, 3, "n1")):
        tres = f"billing={cpus},cpu={cpus},node={nodes}"
        rows.append(f"{number}|ann|a|p|{stamp(at)}|{stamp(at)}|{stamp(at + 7200)}|7200|180|COMPLETED|{nodes}|{cpus}|{tres}|{tres}|{hosts}")
    (site / "sacct.txt").write_text("\n".join(rows) + "\n")
    done = rehearse("run", site, "--start-from", stamp(600), "--sacct", folder / "out.txt", check=0)
    assert "2 jobs run" in done.stderr and "do not fit" not in done.stderr, done.stderr
    lines = [row.split("|") for row in (folder / "out.txt").read_text().splitlines()]
    at = lines[0].index("NodeList")
    assert [row[at] for row in lines[1:]] == ["n[1-2]", "n1"], lines


def test_comparisons_and_sizes_begin_in_the_middle_too(folder):
    site = make_site(folder)
    at = busy_instant(site)
    change = ("compare", site, "--set-b", "PriorityWeightAge=0", "--json")
    half, whole = (json.loads(rehearse(*change, *more, check=0).stdout) for more in (("--start-from", at), ()))
    assert half["a"]["simulated_begin"] == half["b"]["simulated_begin"] > whole["a"]["simulated_begin"]
    assert 0 < half["pairs"]["jobs"] < whole["pairs"]["jobs"]
    assert half["pairs"]["window_begin"] >= half["a"]["simulated_begin"], "what was held before is in no utilization"
    assert 0 < half["figures"]["cpu_utilization"]["a"] <= 1 and any("ran already" in doubt for doubt in half["doubts"])
    asked = ("size", site, "--node-type", "n[1-2]", "--target", "mean_wait < 12h", "--max", "3", "--json")
    half, whole = (json.loads(rehearse(*asked, *more, check=None).stdout) for more in (("--start-from", at), ()))
    assert half["tried"][0]["figures"] != whole["tried"][0]["figures"], half["tried"][0]
    rehearse("run", site, "-o", folder / "a.h5", check=0)
    done = rehearse("compare", folder / "a.h5", folder / "a.h5", "--start-from", at, check=2)
    assert "cannot be changed any more" in done.stderr
    assert "has no snapshot" in rehearse("compare", site, "--set-b", "PriorityWeightAge=0", "--start-from", "snapshot", check=3).stderr


def test_a_forecast_is_the_same_again_and_what_its_schema_says(folder):
    import jsonschema  # Debian's python3-jsonschema
    schema = json.loads((ROOT / "sim" / "app" / "schema" / "forecast.schema.json").read_text())
    jsonschema.Draft7Validator.check_schema(schema)
    site = make_site(folder)
    asked = ("forecast", site, "--start-from", busy_instant(site), "--replications", "20")
    one = rehearse(*asked, "--json", "-j", "1", check=0).stdout
    assert one == rehearse(*asked, "--json", "-j", "3", check=0).stdout
    assert one != rehearse(*asked, "--json", "--seed", "2", check=0).stdout
    told = json.loads(one)
    jsonschema.validate(told, schema)
    assert told["jobs"] and told["arrivals"] and told["past_runs"] > 50, told
    for job in told["jobs"]:
        band = [job[name] if job[name] is not None else 1 << 40 for name in ("p10_s", "p50_s", "p90_s")]
        assert band == sorted(band) and job["within_1h"] <= job["within_4h"] <= job["within_24h"] <= job["within_horizon"]
    rows = rehearse(*asked, "-P", check=0).stdout.splitlines()
    assert rows[0].startswith("JOB|USER|") and len(rows) == len(told["jobs"]) + 1 and len({row.count("|") for row in rows}) == 1
    assert "P10" in rehearse(*asked, check=0).stdout
    told["jobs"][0]["within_1h"] = 2
    try:
        jsonschema.validate(told, schema)
    except jsonschema.ValidationError:
        return
    raise AssertionError("the schema accepts anything")


def test_a_backtest_says_how_often_the_band_held(folder):
    import jsonschema
    schema = json.loads((ROOT / "sim" / "app" / "schema" / "backtest.schema.json").read_text())
    jsonschema.Draft7Validator.check_schema(schema)
    site = make_site(folder)
    asked = ("forecast", site, "--backtest", "--instants", "5", "--replications", "20")
    told = json.loads(rehearse(*asked, "--json", check=0).stdout)
    jsonschema.validate(told, schema)
    score = told["all"]
    assert score["jobs"] > 0 and abs(score["coverage"] + score["earlier"] + score["later"] - 1) < 1e-9
    assert sum(each["score"]["jobs"] for each in told["instants"]) == score["jobs"]
    late = told["instants"][3:]
    assert told["calibrated"]["instants"] == sum(each["score"]["jobs"] > 0 for each in late), "three come before the first that is calibrated"
    assert told["calibrated"]["drawn"]["jobs"] == told["calibrated"]["score"]["jobs"] == sum(each["score"]["jobs"] for each in late)
    text = rehearse(*asked, check=0).stdout
    assert text.startswith("The 80 % band held for") and "calibrated on earlier ones" in text
    rows = rehearse(*asked, "-P", check=0).stdout.splitlines()
    assert rows[-1].startswith("ALL|") and len({row.count("|") for row in rows}) == 1


def test_a_record_that_does_not_hold_what_made_jobs_wait_is_told(folder):
    site = make_site(folder, days=2)
    at = busy_instant(site)
    doubt = "would start at once here: what holds them is not in the inputs"
    assert doubt not in rehearse("forecast", site, "--start-from", at, "--replications", "10", check=0).stdout
    (site / "slurm.conf").write_text(CONF.replace("n[1-2]", "n[1-40]"))
    text = " ".join(rehearse("forecast", site, "--start-from", at, "--replications", "10", check=0).stdout.split())
    assert doubt in text, text


def test_what_is_asked_wrongly_is_told(folder):
    site = make_site(folder, days=1)
    assert "has no snapshot" in rehearse("forecast", site, check=3).stderr
    assert "is not a span" in rehearse("forecast", site, "--horizon", "soon", check=2).stderr
    assert "chooses its instants itself" in rehearse("forecast", site, "--backtest", "--start-from", "2025-01-01", check=2).stderr
    (site / "sacct.txt").write_text((site / "sacct.txt").read_text().splitlines()[0] + "\n")
    rehearse("forecast", site, "--start-from", "2025-01-01T12:00:00", check=0)
    (site / "sacct.txt").unlink()
    assert "no jobs" in rehearse("forecast", site, "--start-from", "2025-01-01T12:00:00", check=3).stderr


def test_a_snapshot_is_believed(folder):
    """Its nodes, holds and instant; also one that is older than what sacct tells, and damaged ones."""
    site = make_site(folder, days=2)
    at = busy_instant(site)
    snapshot = site / "snapshot"
    snapshot.mkdir()
    (snapshot / "taken.txt").write_text(at + "Z\n")
    asked = ("forecast", site, "--json", "--replications", "10", "--no-arrivals")
    plain = json.loads(rehearse(*asked, check=0).stdout)
    first = plain["jobs"][0]
    (snapshot / "squeue.txt").write_text("JobIDRaw|JobID|State|Start|Reason|Dependency\n"
                                         f"{first['job']}|{first['job']}|PENDING|N/A|JobHeldUser|(null)\n")
    held = {job["job"]: job for job in json.loads(rehearse(*asked, check=0).stdout)["jobs"]}
    assert held[first["job"]]["held"] and held[first["job"]]["p50_s"] is None
    (snapshot / "nodes.txt").write_text("NodeName=n1 State=DOWN+DRAIN Reason=x\nNodeName=n2 State=IDLE\nNodeName=gone State=DOWN\n")
    done = rehearse(*asked, check=0)
    assert "1 nodes are not those of slurm.conf" in done.stderr, done.stderr
    slower = {job["job"]: job for job in json.loads(done.stdout)["jobs"]}
    assert sum(job["within_24h"] for job in slower.values()) < sum(job["within_24h"] for job in held.values())
    same = "PartitionName=p AllowAccounts=ALL QoS=N/A DefaultTime=NONE MaxNodes=UNLIMITED MaxTime=1-00:00:00 MaxCPUsPerNode=UNLIMITED Nodes=n[1-2]"
    (snapshot / "partitions.txt").write_text(f"{same} State=UP\n")
    assert "partition p had" not in rehearse(*asked, check=0).stderr
    (snapshot / "partitions.txt").write_text(f"{same} State=DRAIN OverTimeLimit=what\n".replace("1-00:00:00", "00:10:00"))
    told = rehearse(*asked, check=0).stderr
    assert "partitions.txt:1:1: warning: partition p had State=DRAIN, MaxTime=00:10:00, which slurm.conf does not say" in told, told
    assert "scontrol update PartitionName=p State=DRAIN MaxTime=00:10:00" in told, told
    (snapshot / "squeue.txt").write_text("")
    rehearse(*asked)  # an empty queue is told or taken, never a crash
    (snapshot / "squeue.txt").write_text("nonsense\n1|2\n")
    assert rehearse(*asked).returncode in (0, 3)
    (snapshot / "taken.txt").write_text("yesterday\n")
    assert "is not a time" in rehearse(*asked, check=3).stderr


if __name__ == "__main__":
    main(globals())
