# tests/journeys/json_schemas.py — what every verb prints with --json is what its published schema says.
# compare, size, forecast and fit are held against theirs by their own journeys.
import copy
import json

import jsonschema  # Debian's python3-jsonschema

from compare import make_crowd
from journey import ROOT, main, rehearse
from sweep import make_study

SCHEMAS = ROOT / "sim" / "app" / "schema"


def holds(name, text, breaks):
    """The text is of the schema, and no longer where `breaks` has changed it."""
    schema = json.loads((SCHEMAS / f"{name}.schema.json").read_text(encoding="utf-8"))
    jsonschema.Draft7Validator.check_schema(schema)
    told = json.loads(text)
    jsonschema.validate(told, schema)
    wrong = copy.deepcopy(told)
    breaks(wrong)
    assert not jsonschema.Draft7Validator(schema).is_valid(wrong), f"the schema of {name} accepts anything"
    return told


def test_every_verb_prints_what_its_schema_says(folder):
    site, out = make_crowd(folder, "crowd", jobs=120), folder / "out.h5"
    holds("check", rehearse("check", site, "--json").stdout, lambda told: told["keys"][0].update(effect="perhaps"))
    holds("run", rehearse("run", site, "-o", out, "--json", check=0).stdout, lambda told: told["kpis"]["wait_mean"].update(value="long"))
    holds("info", rehearse("info", out, "--json", check=0).stdout, lambda told: told["inputs"][0].update(sha256="short"))
    holds("calibrate", rehearse("calibrate", site, "--json", check=0).stdout, lambda told: told.update(verdict="splendid"))
    recording = ROOT / "tests" / "data" / "recordings" / "desk"
    told = holds("decisions", rehearse("calibrate", recording, "--decisions", "--json", check=0).stdout, lambda told: told["both"].update(recall="most"))
    assert told["both"]["recorded"] > 0
    told = holds("reasons", rehearse("explain", out, "--reasons", "--json", check=0).stdout, lambda told: told["time"].append("noon"))
    assert all(len(means) == len(told["time"]) for means in told["mean_pending"].values())
    rows = [line.split(",") for line in rehearse("export", out, "--format", "csv", check=0).stdout.splitlines()]
    for row in rows[1::20]:
        told = holds("explain", rehearse("explain", out, row[0], "--json", check=0).stdout, lambda told: told["runs"][0].pop("reasons"))
        reasons = told["runs"][0]["reasons"]
        assert sum(one["end"] - one["begin"] for one in reasons) == told["runs"][0]["start"] - told["runs"][0]["submit"]


def test_every_table_of_show_prints_what_its_schema_says(folder):
    out = folder / "out.h5"
    rehearse("run", make_crowd(folder, "crowd", jobs=120), "-o", out, "--plans", check=0)
    longest = rehearse("show", out, "squeue", check=0).stderr
    middle = longest.split("--at ")[1].strip() if "--at " in longest else None
    for table in ("squeue", "sinfo", "sprio", "sshare", "sacct", "sdiag", "job", "node"):
        for options in ([], ["-d"] if table in ("job", "node") else ["--start"] if table == "squeue" else ["-P"]):
            at = ["--at", middle] if middle else []
            told = holds("show", rehearse("show", out, table, "--json", *options, *at, check=0).stdout, lambda told: told["rows"].append({"JOBID": 1.5}))
            assert told["table"] == table and (told["rows"] or table == "sprio"), (table, options)
    assert holds("show", rehearse("show", out, "sacct", "--json", check=0).stdout, lambda told: told.pop("at"))["rows"][0]["Submit"]


def test_a_registry_s_rows_are_what_their_schema_says(folder):
    registry = folder / "moves.sqlite"
    rehearse("sweep", make_study(folder), "-o", registry, check=0)
    told = holds("query", rehearse("query", registry, "--json", check=0).stdout, lambda told: told.update(rows=3))
    assert told["rows"]


def test_every_schema_has_a_name_of_its_own_and_is_tested(folder):
    del folder
    tests = "".join(path.read_text(encoding="utf-8") for path in (ROOT / "tests" / "journeys").glob("*.py"))
    names = {}
    for path in SCHEMAS.glob("*.schema.json"):
        name = path.name.removesuffix(".schema.json")
        assert json.loads(path.read_text(encoding="utf-8"))["$id"] == f"urn:rehearse:{name}:1", path
        assert f'"{path.name}"' in tests or f'holds("{name}"' in tests, f"no test holds anything against {path.name}"
        names[name] = path
    assert len(names) >= 12


if __name__ == "__main__":
    main(globals())
