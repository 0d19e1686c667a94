# tests/journeys/generator.py — jobs are drawn from a model and run; a model is fitted to jobs, and shown to be near them; users are drawn.
import json
import re
import shutil

from compare import make_crowd
from journey import ROOT, main, rehearse

GENERATORS = sorted((ROOT / "configs" / "generators").glob("*.yaml"))


def make_campus(folder):
    site = folder / "campus"
    site.mkdir()
    for name in ("slurm.conf", "gres.conf"):
        shutil.copy(ROOT / "configs" / "sites" / "openb-shard" / name, site)
    return site


def test_every_shipped_generator_draws_the_same_bytes_again(folder):
    assert GENERATORS
    for generator in GENERATORS:
        first = rehearse("gen", generator, "-o", "-", check=0)
        assert first.stdout == rehearse("gen", generator, "-o", "-", check=0).stdout
        assert first.stdout != rehearse("gen", generator, "-o", "-", "--seed", "7", check=0).stdout
        assert len(first.stdout.splitlines()) > 500 and "seed 1" in first.stderr, first.stderr
    rehearse("gen", GENERATORS[0], "-o", folder / "a.txt.xz", check=0)
    rehearse("gen", GENERATORS[0], "-o", folder / "b.txt.xz", check=0)
    assert (folder / "a.txt.xz").read_bytes() == (folder / "b.txt.xz").read_bytes()


def test_a_drawn_site_runs_with_its_accounts(folder):
    site = make_campus(folder)
    spec = ROOT / "configs" / "generators" / "gpu_campus.yaml"
    rehearse("gen", spec, "-o", site, "--associations", "openb-shard", "--rate", "0.3", check=0)
    done = rehearse("run", site, "--sacct", folder / "out.txt", check=0)
    rows = (folder / "out.txt").read_text().splitlines()
    assert len(rows) > 200 and "COMPLETED" in "".join(rows), done.stderr
    again = rehearse("gen", spec, "-o", site, check=3)
    assert "is there already" in again.stderr and "--force" in again.stderr
    rehearse("gen", spec, "-o", site, "--associations", "openb-shard", "--rate", "0.3", "--force", check=0)


def test_a_broken_generator_is_told_with_its_place(folder):
    spec = folder / "g.yaml"
    spec.write_text("groups:\n- name: a\n  count: 2\n  account: x\n  sessions: {per_week: 5, jobs: \"1\", gap: \"1\"}\n"
                    "  kinds:\n  - run_time: lognorml(median=1h, sigma=2)\n    size: 1\n")
    done = rehearse("gen", spec, "-o", folder / "out.txt", check=3)
    assert f"{spec}:7:15: error: run_time: 'lognorml' is no distribution" in done.stderr, done.stderr
    assert "did you mean 'lognormal'?" in done.stderr and ":8:5: error: groups[0].kinds[0].size: unknown key" in done.stderr
    assert "gap: '1' is not a duration" in done.stderr and not (folder / "out.txt").exists()
    for text in ("", "groups: []\n", "groups: 5\n", "\0", "- a\n", "groups:\n- name: a\n"):
        spec.write_text(text)
        rehearse("gen", spec, "-o", folder / "out.txt", check=3)
    rehearse("gen", folder / "none.yaml", "-o", folder / "out.txt", check=3)
    rehearse("gen", GENERATORS[0], check=2)


def test_a_fit_is_near_its_trace_and_can_be_drawn_from(folder):
    import jsonschema  # Debian's python3-jsonschema
    schema = json.loads((ROOT / "sim" / "app" / "schema" / "fit.schema.json").read_text())
    jsonschema.Draft7Validator.check_schema(schema)
    site = make_crowd(folder, "a", jobs=400)
    told = json.loads(rehearse("fit", site, "-o", folder / "a.yaml", "--json", check=0).stdout)
    jsonschema.validate(told, schema)
    near = {each["name"]: each["ks"] for each in told["marginals"]}
    assert near["gpus"] < 0.1 and near["run_time"] < 0.1 and near["limit_accuracy"] < 0.15, near
    assert abs(told["gpu_hours"]["drawn"] / told["gpu_hours"]["trace"] - 1) < 0.2, told["gpu_hours"]
    text = rehearse("fit", site, "-o", folder / "b.yaml", check=0).stdout
    assert "MARGINAL" in text and "run_time" in text and "HOURLY ARRIVALS" in text
    assert (folder / "a.yaml").read_bytes() == (folder / "b.yaml").read_bytes()
    rows = rehearse("fit", site, "-o", folder / "c.yaml", "-P", check=0).stdout.splitlines()
    assert rows[0].startswith("SCOPE|NAME|") and len({row.count("|") for row in rows}) == 1
    assert "is there already" in rehearse("fit", site, "-o", folder / "c.yaml", check=3).stderr
    rehearse("gen", folder / "a.yaml", "-o", folder / "drawn.txt", check=0)
    rehearse("run", site, "--jobs", folder / "drawn.txt", check=0)
    rehearse("fit", site, "-o", folder / "d.yaml", "--to", "1999-01-01", check=3)
    told["users"][0]["jobs"] = 2
    try:
        jsonschema.validate(told, schema)
    except jsonschema.ValidationError:
        return
    raise AssertionError("the schema accepts anything")


def test_growth_is_of_users_and_one_is_nothing(folder):
    site = make_crowd(folder, "a", jobs=200)
    plain = rehearse("run", site, "--json", check=0)
    assert plain.stdout == rehearse("run", site, "--growth", "1", "--json", check=0).stdout
    grown = rehearse("run", site, "--growth", "1.5", "-o", folder / "g.h5", "--sacct", folder / "g.txt", check=0)
    assert "users are drawn (seed 1): 54 instead of 36" in grown.stderr, grown.stderr
    jobs = re.search(r"(\d+) submissions instead of 200", grown.stderr)[1]
    assert jobs != "200" and f"\n{jobs} jobs in " in grown.stderr, grown.stderr
    rows = (folder / "g.txt").read_text()
    assert "+1" in rows and "--growth 1.5" in rehearse("info", folder / "g.h5", check=0).stdout
    again = rehearse("run", site, "--growth", "1.5", "--sacct", "-", check=0).stdout
    assert again == rows
    assert rehearse("run", site, "--growth", "1.5", "--seed", "2", "--sacct", "-", check=0).stdout != rows
    resampled = rehearse("run", site, "--resample-users", "--json", check=0)
    assert "36 instead of 36" in resampled.stderr and resampled.stdout != plain.stdout
    rehearse("run", site, "--growth", "0", check=2)
    rehearse("run", site, "--growth", "2", "--jobs", "-", stdin="", check=3)


def test_demand_grows_in_a_sweep_and_in_size(folder):
    site = make_crowd(folder, "a", jobs=200)
    study = folder / "s.yaml"
    study.write_text("site: a\nreplications: 2\nparameters:\n- {change: growth, values: [1, 1.5, 2]}\nobjectives: [{least: wait_mean}]\n")
    rehearse("sweep", study, "-o", folder / "s.sqlite", check=0)
    rows = [row.split("|") for row in rehearse("query", folder / "s.sqlite", "--sql", "SELECT growth, wait_mean FROM results ORDER BY point", "-P", "-n", check=0).stdout.splitlines()]
    waits = {}
    for growth, wait in rows:
        waits.setdefault(float(growth), []).append(float(wait))
    assert set(waits) == {1.0, 1.5, 2.0} and sum(waits[2.0]) > sum(waits[1.0]), waits
    study.write_text("site: a\nparameters:\n- {change: growth, values: [0]}\nobjectives: [{least: wait_mean}]\n")
    rehearse("sweep", study, "-o", folder / "t.sqlite", check=3)
    asked = ("size", site, "--node-type", "gpu", "--target", "mean_wait < 1h", "--max", "12", "--json")
    today = json.loads(rehearse(*asked).stdout)["answer"]
    grown = json.loads(rehearse(*asked, "--growth", "2").stdout)["answer"]
    assert grown is None or grown > today, (today, grown)


if __name__ == "__main__":
    main(globals())
