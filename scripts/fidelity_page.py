#!/usr/bin/env python3
# scripts/fidelity_page.py — FIDELITY.md: each feature of Slurm, what shows it, and how far it agrees.
"""usage: fidelity_page.py           writes FIDELITY.md, and the table of fidelity in README.md (fidelity_headlines.py)
       fidelity_page.py --check   exit 1 where a committed page is not what would be written
       fidelity_page.py --self-test proves that each rule can fail

Sources: tests/fidelity/features.csv, examples.csv, divergences.csv and first_tries.csv (kept by hand), results/fidelity/agreement.json (measured by
tests/fidelity/agreement.py), results/fidelity/ceiling.json (by tests/fidelity/ceiling.py), the table of releases and the tables of keys in sim/config, the texts of
sim/sched/reference. Refused are: a feature called `same` without a test, a test, section, recording or example that
does not exist, an example of the reference that is not listed, and a recording that does not come out without a row of where
it parts.
"""
import csv
import difflib
import json
import pathlib
import re
import sys
import tempfile

import fidelity_headlines
from check_style import NUMBER, texts_of

ROOT = pathlib.Path(__file__).resolve().parent.parent
FEATURES, EXAMPLES = "tests/fidelity/features.csv", "tests/fidelity/examples.csv"
PAGE, README = "FIDELITY.md", fidelity_headlines.README
FEATURE_FIELDS = ["area", "feature", "status", "text", "tests", "recordings", "note"]
EXAMPLE_FIELDS = ["text", "example", "tests", "why not"]
DIVERGENCES = "tests/fidelity/divergences.csv"
DIVERGENCE_FIELDS = ["recording", "job", "at", "what the log tells"]
FIRST_TRIES = "tests/fidelity/first_tries.csv"
FIRST_TRY_FIELDS = ["recording", "is new in its", "at first", "what told the rest"]
NEW_IN = {"cluster": "a cluster that no recording had met", "jobs": "a known cluster with jobs drawn anew", "again": "the same jobs on another day"}
STATUSES = ("same", "approximated", "absent")
TEST = re.compile(r"^(?:TEST(?:_F|_P)?|RC_GTEST_PROP)\(\s*(\w+),\s*(\w+)\s*[,)]", re.M)
STRINGS = r'((?:"(?:[^"\\]|\\.)*"\s*)+)'
RELEASES = re.compile(r"\{(Change::\w+, )?k(\d\d)(\d\d),\s*" + STRINGS + r",\s*" + STRINGS + r"\}")
KEY = re.compile(r'\{"(\w+)", I,\s*' + STRINGS)
# Where each text has its worked examples: a numbered section each, or **1.**, or `1. `.
EXAMPLES_OF = {
    "priority.md": (r"^### (11\.\d+) ", None),
    "limits.md": (r"^(\d+)\. \*\*", "## 12. "),
    "scheduling.md": (r"^\*\*(\d+)\. ", "## 14. "),
    "preemption.md": (r"^\*\*(P\d+)\. ", "## 10. "),
    "gres.md": (r"(?:^|(?<=\s))(\d+)\. (?=[`A-Z-]|mps|shard|gpu)", "## 10. "),
}


def read_table(root, name, fields):
    """(line, row) of a table separated by bars; the first line without # names the fields."""
    lines = (root / name).read_text(encoding="utf-8").splitlines()
    kept = [(number, line) for number, line in enumerate(lines, 1) if line.strip() and not line.startswith("#")]
    rows = list(csv.reader((line for _, line in kept), delimiter="|", quoting=csv.QUOTE_NONE))
    if not rows or rows[0] != fields:
        raise SystemExit(f"{name}:1: error: the fields must be {'|'.join(fields)}")
    for (number, _), row in zip(kept[1:], rows[1:]):
        if len(row) != len(fields):
            raise SystemExit(f"{name}:{number}: error: {len(row)} fields, not {len(fields)}")
        yield number, dict(zip(fields, (cell.strip() for cell in row)))


def all_tests(root):
    """Every name that a table may give."""
    names = set()
    for file in sorted((root / "tests").rglob("*.cpp")):
        for suite, case in TEST.findall(file.read_text(encoding="utf-8")):
            names |= {f"{suite}.{case}", f"{suite}.*"}
    for kind, pattern in (("golden", "golden/*/*.case"), ("journey", "journeys/*.py")):
        base = root / "tests" / pattern.split("/")[0]
        names |= {f"{kind}:{file.relative_to(base).with_suffix('').as_posix()}"
                  for file in (root / "tests").glob(pattern)}
    names |= {f"config_errors:{file.parent.name}" for file in (root / "tests").glob("config_errors/*/expect.txt")}
    return names


def section_errors(text, texts):
    """Sections `limits.md §4, §5` that do not exist."""
    found = re.fullmatch(r"([a-z-]+\.md) (§[\d.]+(?:, §[\d.]+)*)", text)
    if not found or found.group(1) not in texts:
        yield f"'{text}' is no section of the reference"
        return
    yield from (f"§{number} is no heading of {found.group(1)}"
                for number in NUMBER.findall(found.group(2)) if number not in texts[found.group(1)])


def feature_errors(row, tests, texts, measured):
    if row["status"] not in STATUSES:
        yield f"'{row['status']}' is none of {', '.join(STATUSES)}"
    if row["status"] == "same" and not row["tests"]:
        yield f"'{row['feature']}' is called same, and no test shows it"
    if row["status"] == "approximated" and not row["note"]:
        yield f"'{row['feature']}' is approximated: the note must say how"
    if row["status"] == "absent" and row["tests"]:
        yield f"'{row['feature']}' is absent: what do its tests show?"
    yield from (f"there is no test {name}" for name in row["tests"].split() if name not in tests)
    yield from (f"there is no recording {name}" for name in row["recordings"].split() if name not in measured)
    yield from section_errors(row["text"], texts)


def examples_in(root, text):
    """The numbers of the worked examples of a text."""
    pattern, section = EXAMPLES_OF[text]
    source = (root / "sim/sched/reference" / text).read_text(encoding="utf-8")
    if section:
        source = source[source.index(section) + len(section):]
        source = source.split("\n## ")[0]
        source = source.split("\n\n", 2)[2] if text == "gres.md" else source
    return re.findall(pattern, source, re.M)


def example_errors(root, rows, tests):
    listed = {}
    for number, row in rows:
        where = f"{EXAMPLES}:{number}: error:"
        listed.setdefault(row["text"], []).append(row["example"])
        if bool(row["tests"]) == bool(row["why not"]):
            yield f"{where} give tests, or why there is none"
        yield from (f"{where} there is no test {name}" for name in row["tests"].split() if name not in tests)
    for text in EXAMPLES_OF:
        there, known = examples_in(root, text), listed.pop(text, [])
        yield from (f"{EXAMPLES}:1: error: example {n} of {text} is not listed" for n in there if n not in known)
        yield from (f"{EXAMPLES}:1: error: {text} has no example {n}" for n in known if n not in there)
    yield from (f"{EXAMPLES}:1: error: {text} is no text with examples" for text in listed)


def joined(literals):
    return "".join(re.findall(r'"((?:[^"\\]|\\.)*)"', literals)).replace('\\"', '"')


def releases(root):
    """(release, what, section, emulated) of sim/config/slurm_version.cpp."""
    source = (root / "sim/config/slurm_version.cpp").read_text(encoding="utf-8")
    return [(f"{major}.{minor}", joined(what), joined(section), bool(change))
            for change, major, minor, what, section in RELEASES.findall(source)]


def ignored_keys(root):
    """(key, meaning) of the keys that Slurm acts upon and the simulator does not."""
    return [(name, joined(meaning)) for file in sorted((root / "sim/config").glob("known_keys_*.cpp"))
            for name, meaning in KEY.findall(file.read_text(encoding="utf-8"))]


def percent(share):
    return f"{100 * share:.0f} %"


def shown(name, tests):
    if not name.endswith(".*"):
        return f"`{name}`"
    cases = sum(each.startswith(name[:-1]) for each in tests) - 1
    return f"`{name}` ({cases})"


def feature_lines(features, tests, measured):
    area = None
    for row in features:
        if row["area"] != area:
            area = row["area"]
            yield from ("", f"### {area}", "", "| feature | | text | shown by | recorded starts within 60 s | note |",
                        "|---|---|---|---|---|---|")
        agrees = ", ".join(f"{name} {percent(measured[name]['within_60s'])}" for name in row["recordings"].split())
        names = ", ".join(shown(name, tests) for name in row["tests"].split())
        yield f"| {row['feature']} | {row['status']} | {row['text']} | {names} | {agrees} | {row['note']} |"


def recording_lines(measured):
    yield "| recording | jobs | final state | starts within 5 s | within 60 s | same nodes | mean wait, recorded [s] | simulated [s] |"
    yield "|---|---|---|---|---|---|---|---|"
    for name, one in sorted(measured.items()):
        yield (f"| {name} | {one['jobs']} | {percent(one['same_state'])} | {percent(one['within_5s'])} | "
               f"{percent(one['within_60s'])} | {percent(one['same_nodes'])} | {one['wait_real']:.0f} | {one['wait_ours']:.0f} |")


def divergence_errors(rows, measured):
    """Every day that has not come out has its row, and no other recording has one by mistake."""
    told = {row["recording"] for _, row in rows}
    yield from (f"{DIVERGENCES}:{number}: error: there is no recording {row['recording']}" for number, row in rows
                if row["recording"] not in measured)
    yield from (f"{DIVERGENCES}:1: error: {name} does not come out: where does it part?"
                for name, one in sorted(measured.items()) if one["within_60s"] < fidelity_headlines.WHOLE and name not in told)


def divergence_lines(rows):
    yield "| recording | first other start | at | what the log tells |"
    yield "|---|---|---|---|"
    yield from (f"| {row['recording']} | job {row['job']} | {row['at']} | {row['what the log tells']} |" for row in rows)


def first_try_errors(rows, measured):
    for number, row in rows:
        where = f"{FIRST_TRIES}:{number}: error:"
        if row["recording"] not in measured:
            yield f"{where} there is no recording {row['recording']}"
        if row["is new in its"] not in NEW_IN:
            yield f"{where} '{row['is new in its']}' is none of {', '.join(NEW_IN)}"
        if not row["at first"].isdecimal() or int(row["at first"]) > 100:
            yield f"{where} '{row['at first']}' is no share of the starts [%]"


def first_try_lines(rows, measured):
    yield "| recording | what was new | at first | today | what told the rest |"
    yield "|---|---|---|---|---|"
    yield from (f"| {row['recording']} | {NEW_IN[row['is new in its']]} | {row['at first']} % | "
                f"{percent(measured[row['recording']]['within_60s'])} | {row['what told the rest']} |" for row in rows)


def ceiling_lines(twice, measured):
    """Each pair of days of real Slurm, and the replay of those days that are kept whole."""
    yield "| recording | days | starts within 5 s | within 60 s | same nodes | mean waits [s] |"
    yield "|---|---|---|---|---|---|"
    for name, pairs in sorted(twice.items()):
        rows = [(days, one) for days, one in pairs.items()]
        rows += [(f"{day}, simulated", measured[kept]) for day, kept in (("given", name), ("again", f"{name}_again"))
                 if kept in measured]
        for days, one in rows:
            yield (f"| {name} | {days} | {percent(one['within_5s'])} | {percent(one['within_60s'])} | "
                   f"{percent(one['same_nodes'])} | {one['wait_real']:.0f}, {one['wait_ours']:.0f} |")


def page(root, features, examples, divergences, tries, tests, measured):
    twice = json.loads((root / "results/fidelity/ceiling.json").read_text(encoding="utf-8"))
    count = {status: sum(row["status"] == status for row in features) for status in STATUSES}
    untested = [row for row in examples if not row["tests"]]
    yield from (
        "# What of Slurm is simulated, and how that is known", "",
        "Written by `scripts/dev fidelity`; edit `tests/fidelity/features.csv`, not this page. The reference is Slurm 22.05.8 as",
        "[sim/sched/reference](sim/sched/reference/README.md) describes it; the sections named below are of those texts. The days `…_2311` are of Slurm 23.11.11,",
        "recorded from the same submissions as the days of that name, and replayed with `slurm_version: \"23.11\"`.", "",
        f"Of {len(features)} features {count['same']} are *same* (the rule of the reference, each shown by tests), "
        f"{count['approximated']} *approximated* (the note says how) and {count['absent']} *absent*.",
        f"Of {len(examples)} worked examples of the reference {len(examples) - len(untested)} run as tests.",
        "A test that passes shows a rule, not a schedule: how near whole schedules come is measured on recordings of a real slurmctld.",
        "", "## Measured", "",
        "Each recording is replayed with its submissions and run times (`tests/fidelity/agreement.py`). Real Slurm recorded twice does not agree",
        "with itself to the second either, as the last table shows.", "")
    yield from recording_lines(measured)
    yield from (
        "", "Where the days that do not come out part from the record (`tests/fidelity/first_divergence.py`): one start that differs changes",
        "what follows. How long a node takes to be clean is drawn by the machine, and most logs do not tell it.", "")
    yield from divergence_lines(divergences)
    yield from (
        "", "### At the first try", "",
        "What days gave when they were first replayed: the share of starts within 60 s by the program of before the day was recorded, or where",
        "that was not kept the first figure that was (of the days of other jobs: with the rules that three of them had told). Then questions were put to a running slurmctld, and rules followed from the answers.",
        "No rule was fitted to the ten `…_shuffled` (jobs of other recordings in another order), `packing_again`, `qos_again`, `mig_mps_shard_again`,",
        "`preempt_youngest`, `bf_licenses` and `suspend_qos` either; their figures of today stand above.", "")
    yield from first_try_lines(tries, measured)
    yield from (
        "", "### Slurm against itself", "",
        "The same jobs on the same cluster, recorded three times (`tests/fidelity/ceiling.py`). *given* was driven by",
        "another program than *again* and *third*, at the same rate. A replay is told when the recorded loops ran; two days of Slurm are not.", "")
    yield from ceiling_lines(twice, measured)
    yield from ("", "## Features")
    yield from feature_lines(features, tests, measured)
    yield from ("", "## Releases after 22.05", "",
                "`slurm_version` in `site.yaml` switches them; `check`, the summary of `run`, `info` and the result file name those in force.", "",
                "| since | otherwise than 22.05 | text | |", "|---|---|---|---|")
    for since, what, section, emulated in sorted(releases(root), key=lambda row: row[0]):
        yield f"| {since} | {what} | {section} | {'emulated' if emulated else 'not emulated'} |"
    yield from ("", "## Keys that Slurm acts upon and the simulator does not", "",
                "`rehearse check` names those that a site sets.", "", "| key | what it does in Slurm |", "|---|---|")
    yield from (f"| `{name}` | {meaning} |" for name, meaning in ignored_keys(root))
    yield from ("", "## Worked examples that no test runs", "", "| example | why |", "|---|---|")
    yield from (f"| {row['text']} {row['example']} | {row['why not']} |" for row in untested)


def make(root):
    """(errors, the text of each page)."""
    tests, texts = all_tests(root), texts_of(root)
    measured = json.loads((root / "results/fidelity/agreement.json").read_text(encoding="utf-8"))
    features = list(read_table(root, FEATURES, FEATURE_FIELDS))
    examples = list(read_table(root, EXAMPLES, EXAMPLE_FIELDS))
    errors = [f"{FEATURES}:{number}: error: {what}" for number, row in features
              for what in feature_errors(row, tests, texts, measured)]
    seen = set()
    for number, row in features:
        if row["feature"] in seen:
            errors.append(f"{FEATURES}:{number}: error: '{row['feature']}' is listed twice")
        seen.add(row["feature"])
    errors += example_errors(root, examples, tests)
    divergences = list(read_table(root, DIVERGENCES, DIVERGENCE_FIELDS))
    tries = list(read_table(root, FIRST_TRIES, FIRST_TRY_FIELDS))
    readme = (root / README).read_text(encoding="utf-8")
    errors += divergence_errors(divergences, measured)
    errors += first_try_errors(tries, measured)
    errors += fidelity_headlines.readme_errors(readme)
    if errors:
        return errors, {}
    features, examples, divergences, tries = ([row for _, row in rows] for rows in (features, examples, divergences, tries))
    lines = page(root, features, examples, divergences, tries, tests, measured)
    return [], {PAGE: "\n".join(lines) + "\n",
                README: fidelity_headlines.readme(readme, fidelity_headlines.lines(root, measured, tries))}


def self_test():
    """A small project, and what each change of it must say."""
    texts = {"priority.md": "### 11.1 A\n", "limits.md": "## 12. E\n\n1. **A.** b\n",
             "scheduling.md": "## 1. C\n\n## 14. W\n\n**1. A.** b\n",
             "preemption.md": "## 10. W\n\n**P1. A.** b\n", "gres.md": "## 10. S\n\nhead\n\n1. `a`: b\n"}
    files = {f"sim/sched/reference/{name}": text for name, text in texts.items()}
    agreement = json.dumps({"mixed": {"jobs": 1, "same_state": 1, "within_5s": 1, "within_60s": 1, "same_nodes": 1, "wait_real": 1,
                                      "wait_ours": 1}})
    files |= {"tests/unit/a_test.cpp": "TEST(Loop, Turns) {\n",
        "results/fidelity/ceiling.json": json.dumps({"mixed": {"given, again": json.loads(agreement)["mixed"]}}),
        "results/fidelity/decisions.txt": "mixed 99 0  97.0% 100.0%  99.0%\nslices not asked: why\n",
        "results/fidelity/reasons.txt": "all 200 asked 199 same  99.5 %\n",
        "sim/config/slurm_version.cpp": '{Change::A, k2302, "is " "new", "gres.md §10"},',
        "sim/config/known_keys_a.cpp": '{"Key", I, "does"},'}
    first = {"priority.md": "11.1", "preemption.md": "P1"}
    examples = [[text, first.get(text, "1"), "Loop.Turns", ""] for text in texts]
    good = ["Area", "loops", "same", "scheduling.md §1", "Loop.Turns", "mixed", ""]

    def changed(row, **cells):
        return [cells.get(field, cell) for field, cell in zip(FEATURE_FIELDS, row)]

    where = ["mixed", "7", "08:00:00", "a tie"]
    marks = f"{fidelity_headlines.BEGIN}\n{fidelity_headlines.END}\n"
    tried = [["mixed", "cluster", "60", ""], ["mixed", "jobs", "90", "a rule"]]

    def said(part, *tries):
        return ([good], examples, part, 1, [], [*tried, *tries])

    cases = [([good], examples, None), ([changed(good, tests="Loop.*")], examples, None),
             ([changed(good, tests="")], examples, "no test shows it"),
             ([changed(good, tests="Loop.Stands")], examples, "there is no test"),
             ([changed(good, status="nearly")], examples, "is none of"),
             ([changed(good, status="approximated")], examples, "must say how"),
             ([changed(good, status="absent")], examples, "what do its tests show"),
             ([changed(good, text="scheduling.md §2")], examples, "is no heading"),
             ([changed(good, text="plans.md §" + "1")], examples, "is no section"),
             ([changed(good, recordings="other")], examples, "there is no recording"),
             ([good, good], examples, "is listed twice"),
             ([good], examples[:-1], "is not listed"),
             ([good], examples + [["gres.md", "2", "", "none"]], "has no example 2"),
             ([good], examples[:-1] + [["gres.md", "1", "", ""]], "give tests, or why"),
             ([good], examples, "does not come out", 0.5, []), ([good], examples, None, 0.5, [where]),
             ([good], examples, "there is no recording other", 1, [["other", "7", "08:00:00", "a tie"]]),
             said(None, ["mixed", "again", "100", ""]),
             said("there is no recording other", ["other", "jobs", "90", ""]),
             said("'day' is none of cluster, jobs, again", ["mixed", "day", "90", ""]),
             said("'all' is no share", ["mixed", "jobs", "all", ""]),
             ([good], examples, "must stand there once each", 1, [], tried, "no marks")]
    failed = 0
    for features, listed, part, *more in cases:
        reached, parted, tries, readme = [*more, *(1, [], tried, marks)[len(more):]]
        with tempfile.TemporaryDirectory() as folder:
            root = pathlib.Path(folder)
            table = lambda fields, rows: "\n".join("|".join(row) for row in [fields, *rows]) + "\n"
            tables = {FEATURES: table(FEATURE_FIELDS, features), EXAMPLES: table(EXAMPLE_FIELDS, listed),
                      DIVERGENCES: table(DIVERGENCE_FIELDS, parted), FIRST_TRIES: table(FIRST_TRY_FIELDS, tries), README: readme,
                      "results/fidelity/agreement.json": agreement.replace('"within_60s": 1', f'"within_60s": {reached}')}
            for path, text in {**files, **tables}.items():
                (root / path).parent.mkdir(parents=True, exist_ok=True)
                (root / path).write_text(text, encoding="utf-8")
            errors, pages = make(root)
        shown = ("| 23.02 | is new |", "| 60 % | 100 % |") if reached == 1 else ()
        figures = ("at least 97 % on all; 1 more days are known", "60 to 60 % of the starts", "99.5 % are the same") if reached == 1 else ("`mixed` 50",)
        wrong = (len(errors) != 1 or part not in errors[0] if part else
                 errors or not all(each in pages[PAGE] for each in shown) or not all(each in pages[README] for each in figures))
        if wrong:
            failed += 1
            print(f"self-test: expected {part!r}, got {errors}")
    print(f"self-test: {len(cases)} tables, {failed} failed")
    return failed == 0


def main():
    if sys.argv[1:] == ["--self-test"]:
        return 0 if self_test() else 1
    errors, pages = make(ROOT)
    if errors:
        print("\n".join(errors))
        return 1
    out_of_date = False
    for name, text in pages.items():
        committed = (ROOT / name).read_text(encoding="utf-8") if (ROOT / name).is_file() else ""
        if sys.argv[1:] != ["--check"]:
            (ROOT / (name + ".part")).write_text(text, encoding="utf-8")
            (ROOT / (name + ".part")).replace(ROOT / name)
            continue
        differs = list(difflib.unified_diff(committed.splitlines(), text.splitlines(), name, "as its sources say", lineterm="", n=0))
        print("\n".join(differs[:20]) + f"\n{name}:1: error: out of date: scripts/dev fidelity writes it"
              if differs else f"{name}: as its sources say")
        out_of_date |= bool(differs)
    return 1 if out_of_date else 0


if __name__ == "__main__":
    sys.exit(main())
