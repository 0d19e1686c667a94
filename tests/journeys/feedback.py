# tests/journeys/feedback.py — users who wait for their jobs: asked for in site.yaml, told by every verb that it concerns, and nothing without it.
import json
import math

from compare import compared, make_crowd
from journey import main, rehearse

CLOSED = ("--set", "site.yaml:feedback.mode=think_time")


def figures(out):
    return {name: one["value"] for name, one in json.loads(out)["kpis"].items() if name.startswith("feedback_") or name == "wait_mean"}


def test_it_is_off_unless_asked_for_and_then_told(folder):
    site = make_crowd(folder, "crowd", users=2, jobs=240)
    assert "think time" not in rehearse("run", site, check=0).stdout
    assert "open replay" in rehearse("check", site, check=0).stdout
    closed = rehearse("run", site, *CLOSED, check=0).stdout
    told = [line for line in closed.splitlines() if line.startswith("think time: ")]
    assert len(told) == 1 and "came after an end" in told[0], closed
    checked = rehearse("check", site, *CLOSED, check=0).stdout
    assert "submissions: think time; of 240 jobs " in checked, checked


def test_a_result_has_its_figures_and_is_the_same_twice(folder):
    site = make_crowd(folder, "crowd", users=2, jobs=240)
    first = rehearse("run", site, *CLOSED, "-o", folder / "a.h5", "--json", check=0).stdout
    rehearse("run", site, *CLOSED, "-o", folder / "b.h5", check=0)
    assert (folder / "a.h5").read_bytes() == (folder / "b.h5").read_bytes()
    told = figures(first)
    assert told["feedback_jobs_after_end"] > 0 and told["feedback_jobs_held_back"] == 0, told
    assert told["feedback_jobs_later"] + told["feedback_jobs_earlier"] > 0, told
    assert not any(name.startswith("feedback_") for name in figures(rehearse("run", site, "--json", check=0).stdout))


def test_half_the_nodes_hurt_less_where_users_wait(folder):
    # make_crowd asks for more than its nodes give: an open queue grows without end, a closed one does not.
    site = make_crowd(folder, "crowd", users=2, jobs=240)
    half = ("--set", "Nodes=n[1-4]:Count=2")
    open_wait = figures(rehearse("run", site, *half, "--json", check=0).stdout)["wait_mean"]
    closed_wait = figures(rehearse("run", site, *half, *CLOSED, "--json", check=0).stdout)["wait_mean"]
    assert math.isfinite(closed_wait) and closed_wait < open_wait, (open_wait, closed_wait)


def test_jobs_that_move_are_compared_with_themselves(folder):
    site = make_crowd(folder, "crowd", users=2, jobs=240)
    told = compared(site, "--set-b", CLOSED[1])
    text = json.dumps(told)
    assert "submitted earlier in B" in text and "feedback.mode" in text, text[:2000]
    assert "in B alone" not in text and "in A alone, and left out" not in text


def test_a_mode_that_is_none_is_told_with_the_words(folder):
    site = make_crowd(folder, "crowd", users=2, jobs=30)
    wrong = rehearse("run", site, "--set", "site.yaml:feedback.mode=closed", check=3).stderr
    assert "one of open, think_time" in wrong, wrong


if __name__ == "__main__":
    main(globals())
