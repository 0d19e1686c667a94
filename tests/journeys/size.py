# tests/journeys/size.py — how many nodes a target takes: found, not found, asked wrongly, and in every form.
import json

from compare import make_crowd
from journey import ROOT, main, rehearse

TARGET = "mean_wait < 20min"


def sized(*arguments, check=0):
    return json.loads(rehearse("size", *arguments, "--json", check=check).stdout)


def test_the_answer_is_what_trying_every_count_finds(folder):
    site = make_crowd(folder, "a", jobs=240)
    asked = (site, "--node-type", "a100", "--target", TARGET, "--max", "8", "--draws", "300")
    found, every = sized(*asked), sized(*asked, "--every")
    assert [one["count"] for one in every["tried"]] == list(range(1, 9))
    first = next(one["count"] for one in every["tried"] if one["share"] >= 0.9)
    assert found["answer"] == every["answer"] == first and found["answer_is_of"] == "draws", (found["answer"], first)
    assert found["today"] == 4 and {4, first - 1, first, first + 1} <= {one["count"] for one in found["tried"]} | {0, 9}
    values = [one["figures"][0]["value"] for one in every["tried"]]
    assert values[0] > values[-1] and every["tried"][0]["gpu_utilization"] > every["tried"][-1]["gpu_utilization"]
    by_hand = json.loads(rehearse("compare", site, "--set-b", f"Nodes=n[1-4]:Count={first}", "--json", check=0).stdout)
    here = every["tried"][first - 1]
    assert here["schedule_fingerprint"] == by_hand["b"]["schedule_fingerprint"]
    assert abs(here["figures"][0]["value"] - by_hand["figures"]["wait_mean"]["b"]) < 1e-9


def test_the_answer_stands_first_and_the_same_bytes_come_again(folder):
    site = make_crowd(folder, "a", jobs=120)
    asked = ("size", site, "--node-type", "n[1-4]", "--target", TARGET, "--max", "6", "--price", "2")
    text = rehearse(*asked, "-j", "1", check=0).stdout
    assert "the fewest of the nodes n[1-4] that meet" in " ".join(text.split()), text
    assert "a month of 730 h" in " ".join(text.split()) and "cost/month" in text and "the answer" in text, text
    assert text == rehearse(*asked, "-j", "4", check=0).stdout
    rows = rehearse(*asked, "-P", check=0).stdout.splitlines()
    assert rows[0].startswith("COUNT|FIGURE|UNITS|") and len({row.count("|") for row in rows}) == 1
    assert rehearse(*asked, "-P", "-n", check=0).stdout == "".join(row + "\n" for row in rows[1:])


def test_waits_that_no_node_shortens_are_told(folder):
    site = make_crowd(folder, "a", jobs=240)
    asked = (site, "--node-type", "n[1-4]", "--target", TARGET, "--max", "8")
    limited = sized(*asked, "--set", "AccountingStorageEnforce=limits", "--set", "QOS=normal:MaxJobsPU=1", check=4)
    assert any("hours that jobs pend are for limits (most: QOSMaxJobsPerUserLimit), which no node lifts" in doubt for doubt in limited["doubts"]), limited["doubts"]
    assert not any("for limits" in doubt for doubt in sized(*asked)["doubts"])


def test_future_nodes_are_not_there(folder):
    site = make_crowd(folder, "a", jobs=60)
    asked = ("--node-type", "gpu", "--target", TARGET, "--max", "6")
    before = sized(site, *asked)
    alone = json.loads(rehearse("run", site, "--json", check=0).stdout)
    conf = site / "slurm.conf"
    line = next(each for each in conf.read_text().splitlines() if each.startswith("NodeName=n"))
    future = line.replace("NodeName=n[1-4]", "NodeName=f[1-4] State=FUTURE")
    assert future != line
    conf.write_text(conf.read_text().replace(line, line + "\n" + future))
    told = rehearse("check", site, check=0)
    assert "4 nodes of State=FUTURE (f[1-4])" in told.stdout + told.stderr, told.stderr
    after = sized(site, *asked)
    assert after["today"] == before["today"] and after["answer"] == before["answer"], (before, after)
    beside = json.loads(rehearse("run", site, "-o", folder / "o.h5", "--json", check=0).stdout)
    assert beside["kpis"] == alone["kpis"], "what is not there counts"
    assert "f[" not in rehearse("show", folder / "o.h5", "sinfo", check=0).stdout


def test_a_target_out_of_reach_is_exit_4(folder):
    site = make_crowd(folder, "a", jobs=60)
    done = rehearse("size", site, "--node-type", "gpu", "--target", "gpu_utilization > 200%", "--max", "5", check=4)
    assert done.stdout.startswith("No count of the nodes with a GPU from 1 to 5 meets"), done.stdout


def test_the_json_is_what_its_schema_says(folder):
    import jsonschema  # Debian's python3-jsonschema
    schema = json.loads((ROOT / "sim" / "app" / "schema" / "size.schema.json").read_text())
    jsonschema.Draft7Validator.check_schema(schema)
    site = make_crowd(folder, "a", jobs=60)
    for more in ((), ("--min-users", "1000"), ("--price", "1.5"), ("--set", "PriorityWeightFairshare=0")):
        jsonschema.validate(sized(site, "--node-type", "gpu", "--target", TARGET, "--max", "5", *more), schema)
    jsonschema.validate(sized(site, "--node-type", "gpu", "--target", "makespan < 1s", "--max", "3", check=4), schema)
    broken = sized(site, "--node-type", "gpu", "--target", TARGET, "--max", "5")
    broken["tried"][0]["share"] = 2
    try:
        jsonschema.validate(broken, schema)
    except jsonschema.ValidationError:
        return
    raise AssertionError("the schema accepts anything")


def test_what_is_asked_wrongly_is_told(folder):
    site = make_crowd(folder, "a", jobs=30)
    for target, column, told in (("p95_wiat < 1h", 1, "did you mean 'p95_wait'?"), ("p95_wait < 1.1*a", 16, "one run"),
                                 ("worse(mean_wait)", 1, "hold two runs"), ("1 < 2", 1, "no figure"), ("mean_wait", 1, "compare it"),
                                 ("mean_wait(account=bip) < 1h", 1, "did you mean 'bio'?")):
        done = rehearse("size", site, "--node-type", "gpu", "--target", target, "--max", "2", check=2)
        assert f"--target, column {column}:" in done.stderr and told in done.stderr, (target, done.stderr)
    done = rehearse("size", site, "--node-type", "h200", "--target", TARGET, check=2)
    assert "no nodes are 'h200'" in done.stderr and "gpu:a100 (4)" in done.stderr and "n[1-4]" in done.stderr, done.stderr
    assert "--min is more" in rehearse("size", site, "--node-type", "gpu", "--target", TARGET, "--min", "3", "--max", "2", check=2).stderr
    assert "stdin" in rehearse("size", site, "--node-type", "gpu", "--target", TARGET, "--jobs", "-", check=2).stderr
    rehearse("size", folder / "absent", "--node-type", "gpu", "--target", TARGET, check=3)
    (site / "sacct.txt").unlink()
    assert "no jobs" in rehearse("size", site, "--node-type", "gpu", "--target", TARGET, check=3).stderr


def test_a_shipped_site_is_sized(folder):
    del folder
    answer = sized("configs/sites/phillips", "--node-type", "cpn-f13-42-02", "--target", "p50_wait(partition=black) < 1h", "--max", "8")
    assert answer["answer_is_of"] == "run" and "too few to draw from" in answer["sentence"], answer["sentence"]
    meets = {one["count"]: one["run_meets"] for one in answer["tried"]}
    assert answer["answer"] > 1 and meets[answer["answer"]] and not meets[answer["answer"] - 1], meets
    assert answer["unrecorded"] > 0 and any("run to their time limit" in doubt for doubt in answer["doubts"]), answer["doubts"]


if __name__ == "__main__":
    main(globals())
