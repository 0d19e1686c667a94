# tests/journeys/shared_gpus.py — what sharing costs, told for a site that shares: the band, the classes, the result.
import json

from journey import main, rehearse

SITE = "configs/sites/openb-shard"
WEEK = ["--from", "2023-05-08", "--to", "2023-05-11"]


def figures(*options):
    return json.loads(rehearse("run", SITE, *WEEK, "--json", *options, check=0).stdout)


def value(told, name):
    return told["kpis"][name]["value"]


def test_a_wider_band_of_interference_takes_longer(_):
    told = [figures("--set", f"site.yaml:performance.interference={scale}") for scale in (0, 1, 2)]
    slow = [value(each, "slow_down_mean") for each in told]
    lost = [value(each, "gpu_hours_lost_to_sharing") for each in told]
    assert slow[0] == 1 and lost[0] == 0, (slow, lost)
    assert slow[0] < slow[1] < slow[2] and lost[0] < lost[1] < lost[2], (slow, lost)


def test_without_sharing_models_a_run_is_that_of_the_record(_):
    told = figures("--set", "site.yaml:performance.shard=none")
    assert value(told, "slow_down_mean") == 1


def test_classes_are_told_apart(_):
    groups = figures()["groups"]["class"]
    assert set(groups) == {"light", "medium"}, groups
    assert all(each["slow_down_mean"] >= 1 for each in groups.values())


def test_the_summary_tells_it_and_that_of_a_site_without_the_section_does_not(_):
    assert "RUNS ON GPUS" in rehearse("run", SITE, *WEEK, check=0).stdout
    plain = rehearse("run", "configs/sites/fox", "--json", check=0)
    assert "slow_down_mean" not in json.loads(plain.stdout)["kpis"]


def test_a_result_file_is_read_again_and_the_same_twice(folder):
    told = []
    for name in ("a", "b"):
        out = folder / f"{name}.h5"
        rehearse("run", SITE, *WEEK, "-o", out, check=0)
        told.append(rehearse("show", out, "sacct", check=0).stdout)
    assert told[0] and told[0] == told[1]


if __name__ == "__main__":
    main(globals())
