# tests/journeys/paranoid.py — `run --paranoid` finds on whole recorded days that what is remembered decides nothing.
import re

from journey import ROOT, main, rehearse

RECORDINGS = sorted(path.parent for path in (ROOT / "tests" / "data" / "recordings").glob("*/slurm.conf"))


def least_facts(rows):
    """Of each row there is more to tell than that it came, started and ended; of a whole day no less than 200 facts."""
    return 3 * rows if rows < 30 else max(200, 3 * rows)


def test_every_recorded_day_is_told_the_same_with_nothing_remembered(_):
    assert len(RECORDINGS) >= 30, RECORDINGS
    # Where nobody looks at plans, those are not made that keep nobody from a start; of some days they are compared too.
    for number, site in enumerate(RECORDINGS):
        for plans in [[], ["--plans"]][: 2 if number % 3 == 0 else 1]:
            told = rehearse("run", site.relative_to(ROOT), "--paranoid", *plans, check=0).stderr
            facts = re.search(r"nothing remembered: all (\d+) facts the same", told)
            rows = re.search(r"(\d+) of simulated jobs", told)  # what is cancelled of an array whole is one
            assert facts and rows and int(facts[1]) > least_facts(int(rows[1])), (site, plans, told)


def test_drawn_sites_that_once_were_told_otherwise(_):
    for site in sorted(path.parent for path in (ROOT / "tests" / "data" / "drawn_sites").glob("*/slurm.conf")):
        told = rehearse("run", site.relative_to(ROOT), "--paranoid", check=0).stderr
        assert re.search(r"nothing remembered: all \d+ facts the same", told), (site, told)


def test_the_result_is_that_of_a_plain_run(folder):
    site = RECORDINGS[0].relative_to(ROOT)
    rehearse("run", site, "-o", folder / "plain.h5", check=0)
    rehearse("run", site, "-o", folder / "paranoid.h5", "--paranoid", check=0)
    assert (folder / "plain.h5").read_bytes() == (folder / "paranoid.h5").read_bytes()


def test_jobs_that_can_be_read_once_only_are_refused(_):
    told = rehearse("run", RECORDINGS[0].relative_to(ROOT), "--jobs", "-", "--paranoid", stdin="", check=2)
    assert "reads the jobs twice" in told.stderr and "--jobs FILE" in told.stderr, told.stderr


if __name__ == "__main__":
    main(globals())
