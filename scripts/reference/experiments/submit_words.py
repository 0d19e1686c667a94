#!/usr/bin/env python3
# scripts/reference/experiments/submit_words.py — which words of --begin, --time and --dependency sbatch takes, and as what (formats.md §1.3, §17; lifecycle.md §8).
"""Each line of tests/data/submit_words.txt is one option of sbatch on 2027-01-15 between 08:00 and 08:10, and what becomes of the job: `refused`, its TimeLimit, its Dependency,
or when it may begin, `now` where that is past, `now+SECONDS` where it was told so. Prints the answers; those with a question mark the simulator takes otherwise. About two minutes."""
import datetime
import pathlib
import shlex
import sys

from lab import Tally, lab

CASES = pathlib.Path(__file__).resolve().parents[3] / "tests/data/submit_words.txt"
CONF = """\
SelectType=select/cons_tres
SelectTypeParameters=CR_Core
NodeName=n[1-2] CPUs=8 RealMemory=8000
PartitionName=all Nodes=n[1-2] Default=YES MaxTime=INFINITE
"""
SHOWN = {"--time": "TimeLimit", "--begin": "EligibleTime", "--dependency": "Dependency"}
NEAR = 3  # seconds: the client reads its clock before the controller does


def answer(one, option):
    """What scontrol shows of a job that was submitted with it."""
    key = option.partition("=")[0]
    number = one.sub(f"{'' if key == '--begin' else '--hold '}{shlex.quote(option)}")
    if not number.isdigit():
        return "refused"
    job = one.job(number)
    shown = job[SHOWN[key]]
    if key == "--dependency":
        return shown.replace("(unfulfilled)", "")
    if key == "--time":
        return shown
    submitted, begin = (datetime.datetime.fromisoformat(job[name]) for name in ("SubmitTime", "EligibleTime"))
    after = (begin - submitted).total_seconds()
    return "now" if job["StartTime"] == "Unknown" or after == 0 else shown if "now" not in option.lower() else after


def main():
    tally = Tally()
    with lab(CONF) as one:
        for _ in range(2):  # ids 1 and 2, which the dependencies name, and which have started
            one.sub("-n1 -t 600")
        one.rest(70)
        for row in CASES.read_text().splitlines():
            option, told = row.removeprefix("? ").split(" | ")
            got = answer(one, option)
            if isinstance(got, float):
                says = float(told.removeprefix("now+")) if told.startswith("now+") else -NEAR
                got = told if says - NEAR <= got <= says else f"now+{got:.0f}"
            tally.note(f"{option:34}", got, told)
    return tally.close()


if __name__ == "__main__":
    sys.exit(main())
