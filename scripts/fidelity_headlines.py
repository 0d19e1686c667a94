# scripts/fidelity_headlines.py — the few figures of fidelity that README.md shows, from results/fidelity and the days' first tries.
"""Used by fidelity_page.py, which writes the table between the two marks in README.md, and refuses one that says otherwise."""
import json
import re
import statistics

README = "README.md"
BEGIN, END = "<!-- begin: scripts/dev fidelity writes this -->", "<!-- end -->"
DECISION = re.compile(r"^(\w+) +\d+ +\d+ +([\d.]+)% +([\d.]+)% +([\d.]+)%", re.M)
NOT_ASKED = re.compile(r"^(\w+) +not asked: .*$", re.M)
ALL_REASONS = re.compile(r"^all +(\d+) asked +(\d+) same", re.M)
NEAR = 90      # [%] of the starts: days below are named
ENOUGH = 98.0  # [%] of recall and precision
WHOLE = 0.97   # of the starts within 60 s: such a day has come out


def percent(share):
    return f"{100 * share:.0f}"


def decisions(text):
    """What becomes of each decision on the recorded state."""
    worst_of_each = [min(float(recall), float(precision)) for _, recall, _, precision in DECISION.findall(text)]
    enough = sum(worst >= ENOUGH for worst in worst_of_each)
    apart = len(NOT_ASKED.findall(text))
    answer = (f"at least {ENOUGH:.0f} % of the recorded starts made, and of those made recorded, on {enough} days; "
              f"at least {int(min(worst_of_each))} % on all")
    return f"{len(worst_of_each)} days", answer + (f"; {apart} more days are known to miss more, and are not counted" if apart else "")


def whole_days(measured):
    reached = [one["within_60s"] for one in measured.values()]
    return f"{len(reached)} days", (f"{sum(share >= WHOLE for share in reached)} days have {percent(WHOLE)} % of the starts or more; "
                                    f"the worst has {percent(min(reached))} %")


def ceiling(twice):
    reached = [one["within_60s"] for pairs in twice.values() for one in pairs.values()]
    return f"{len(twice)} days, recorded three times each", f"{percent(min(reached))} to {percent(max(reached))} % of the starts"


def first_tries(tries, what):
    reached = [int(row["at first"]) for row in tries if row["is new in its"] == what]
    return f"{len(reached)} days", (f"{min(reached)} to {max(reached)} % of the starts, half of the days at least "
                                    f"{statistics.median_low(sorted(reached))} %")


def reasons(text):
    asked, same = map(int, ALL_REASONS.search(text).groups())
    return f"{asked:,} lines of a real `squeue`", f"{100 * same / asked:.1f} % are the same"


def lines(root, measured, tries):
    """The table, and the days that do not come near, in one line."""
    fidelity = root / "results/fidelity"
    twice = json.loads((fidelity / "ceiling.json").read_text(encoding="utf-8"))
    table = [
        ("On the state recorded just before each start: the same job, started in the same pass?",
         *decisions((fidelity / "decisions.txt").read_text(encoding="utf-8")), "decisions.txt"),
        ("Left alone from the first submission: do the jobs start within 60 s of the record?", *whole_days(measured), "summary.txt"),
        ("… on a cluster that nothing was fitted to yet, at the first try?", *first_tries(tries, "cluster"), ""),
        ("… on a known cluster with other jobs, at the first try?", *first_tries(tries, "jobs"), ""),
        ("Does real Slurm do so, given the same day again?", *ceiling(twice), "ceiling.txt"),
        ("Why a job waits: the Reason that `squeue` printed?", *reasons((fidelity / "reasons.txt").read_text(encoding="utf-8")), "reasons.txt")]
    yield from ("| asked | of | answer | |", "|---|---|---|---|")
    for question, of, answer, source in table:
        link = f"[results](results/fidelity/{source})" if source else "[first tries](FIDELITY.md#at-the-first-try)"
        yield f"| {question} | {of} | {answer} | {link} |"
    below = sorted((one["within_60s"], name) for name, one in measured.items() if 100 * one["within_60s"] < NEAR)
    told = ", ".join(f"`{name}` {percent(share)}" for share, name in below)
    yield from ("", f"Days below {NEAR} %: {told or 'none'}. Where each parts from the record, and why as far as it is known: [FIDELITY.md](FIDELITY.md#measured).")


def readme_errors(text):
    if text.count(BEGIN) != 1 or text.count(END) != 1 or text.index(END) < text.index(BEGIN):
        yield f"{README}:1: error: the lines '{BEGIN}' and '{END}' must stand there once each"


def readme(text, table):
    """README.md with the table between its marks."""
    head, rest = text.split(BEGIN)
    return f"{head}{BEGIN}\n" + "\n".join(table) + f"\n{END}{rest.split(END)[1]}"
