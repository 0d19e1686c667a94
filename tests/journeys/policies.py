# tests/journeys/policies.py — rules beside Slurm's own: every verb says that they decide, and check what they never let start.
from compare import ACCOUNTS, compared, make_crowd
from journey import main, rehearse

FIRST_COME = "site.yaml:policy.order=first_come"


def with_quotas(folder, gpus):
    """A crowded site whose accounts are guaranteed `gpus` each, and whose jobs never borrow."""
    site = make_crowd(folder, f"quota{gpus}", users=2, jobs=120)
    quotas = "".join(f"    - {{account: {account}, tres: gres/gpu={gpus}}}\n" for account in ACCOUNTS)
    (site / "site.yaml").write_text(f"policy:\n  reclaim: quota\n  non_preemptible: [normal]\n  quotas:\n{quotas}")
    return site


def test_jobs_above_their_whole_quota_are_told_before_a_run(folder):
    told = rehearse("check", with_quotas(folder, 4)).stdout
    assert "is not preemptible, and asks for more than the whole quota" in told, told
    assert "account bio, QOS normal" in told, told
    enough = rehearse("check", with_quotas(folder, 8)).stdout
    assert "the whole quota" not in enough and "jobs that can never run: 0" in enough, enough


def test_what_check_told_is_what_never_starts(folder):
    site = with_quotas(folder, 4)
    asks_for_eight = (site / "sacct.txt").read_text().count("gres/gpu=8,node=1|billing")
    run = rehearse("run", site, check=0).stdout
    assert f"never started {asks_for_eight}" in run, (asks_for_eight, run)


def test_pages_and_comparisons_name_the_policy(folder):
    site = make_crowd(folder, "crowd", users=2, jobs=120)
    rehearse("run", site, "-o", folder / "own.h5", check=0)
    rehearse("run", site, "--set", FIRST_COME, "-o", folder / "fcfs.h5", check=0)
    page = rehearse("report", folder / "fcfs.h5", "-o", "-", check=0).stdout
    assert "policy.order first_come" in page
    assert "policy.order" not in rehearse("report", folder / "own.h5", "-o", "-", check=0).stdout
    text = rehearse("compare", folder / "own.h5", folder / "fcfs.h5", check=0).stdout
    assert "B decides by policy.order first_come" in text and "A decides by" not in text, text
    keys = [each["key"] for each in compared(folder / "own.h5", folder / "fcfs.h5")["configuration"]["keys"]]
    assert "policy.order" in keys, keys


if __name__ == "__main__":
    main(globals())
