#!/usr/bin/env python3
# results/tuning/compare.py — tune's NSGA-II against random search at equal cost, by the hypervolume of their fronts.
#
#   compare.py FOLDER [--seeds N] [--samples N]      (REHEARSE_BINARY names the binary; default: build/release/rehearse)
#
# The site: the third and fourth week of the generator gpu_campus on the cluster of openb-shard, into FOLDER, where the registries stay: a run that is
# there is not run again. Both methods see the same weeks, try as many settings, and begin from seeds of their own.
import argparse
import json
import math
import os
import pathlib
import shutil
import statistics
import subprocess

ROOT = pathlib.Path(__file__).resolve().parents[2]
BINARY = os.environ.get("REHEARSE_BINARY", str(ROOT / "build" / "release" / "rehearse"))
STUDY = """site: campus
from: 2025-01-20
to: 2025-02-03
design: tune
samples: 1
parameters:
  - {name: age, change: PriorityWeightAge, least: 10, most: 1000000, scale: log}
  - {name: fairshare, change: PriorityWeightFairshare, least: 10, most: 1000000, scale: log}
  - {name: size, change: PriorityWeightJobSize, least: 10, most: 1000000, scale: log}
  - {name: favor_small, change: PriorityFavorSmall, values: ["YES", "NO"]}
  - {name: half_life, change: PriorityDecayHalfLife, form: "{}:00:00", least: 1, most: 500, scale: log}
  - {name: planned, change: SchedulerParameters+, form: "bf_job_part_count_reserve={}", least: 0, most: 50}
  - {name: gpus_per_user, change: "QOS=normal:MaxTRESPU", form: "gres/gpu={}", least: 16, most: 32}
objectives:
  - least: wait_mean
  - least: size/8/wait_mean
  - most: slowdown_fairness
tune: {days: 7, front: 1, unstarted: 0.005}
"""


def make_site(folder):
    """The campus's accounts come with its jobs; its jobs run under QOS normal."""
    site = folder / "campus"
    if not site.exists():
        site.mkdir()
        for name in ("slurm.conf", "gres.conf"):
            shutil.copy(ROOT / "configs" / "sites" / "openb-shard" / name, site / name)
        (site / "qos.txt").write_text("Name|Priority|MaxTRESPU\nnormal|0|\n")
        subprocess.run([BINARY, "gen", str(ROOT / "configs" / "generators" / "gpu_campus.yaml"), "-o", str(site), "--associations", "openb-shard"],
                       check=True, stderr=subprocess.DEVNULL)
    (folder / "study.yaml").write_text(STUDY)
    return folder / "study.yaml"


def tuned(study, method, seed, samples):
    stem = study.parent / f"{method}-{samples}-{seed}"
    done = subprocess.run([BINARY, "tune", str(study), "-o", f"{stem}.sqlite", "-d", f"{stem}.front", "--method", method, "--seed", str(seed),
                           "--samples", str(samples), "--json"], check=True, capture_output=True, text=True)
    return json.loads(done.stdout)


def volume_at(answer, tried):
    return max(step["hypervolume"] for step in answer["progress"] if step["tried"] <= tried)


def sign_test(won, lost):
    """Two-sided, of as many seeds as differ."""
    n = won + lost
    tail = sum(math.comb(n, k) for k in range(max(won, lost), n + 1)) / 2 ** n if n else 1
    return min(1.0, 2 * tail)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("folder", type=pathlib.Path)
    parser.add_argument("--seeds", type=int, default=5)
    parser.add_argument("--samples", type=int, default=64)
    options = parser.parse_args()
    options.folder.mkdir(parents=True, exist_ok=True)
    study = make_site(options.folder)
    seeds = range(1, options.seeds + 1)
    answers = {(method, seed): tuned(study, method, seed, options.samples) for seed in seeds for method in ("nsga2", "random")}
    training = [week for week in answers["nsga2", 1]["weeks"] if not week["is_held_out"]]
    print(f"campus on four nodes of eight A100: {len(training)} training weeks, {sum(week['jobs'] for week in training)} jobs; 7 keys; objectives: "
          "wait_mean, size/8/wait_mean (less), slowdown_fairness (more)")
    print("hypervolume of the front, objectives relative to today's, reference twice as bad (today's settings alone: 1)\n")
    print("settings  seeds  nsga2 mean (min .. max)      random mean (min .. max)     nsga2 wins  sign test p")
    for tried in sorted({options.samples // 4, options.samples // 2, options.samples}):
        volumes = {method: [volume_at(answers[method, seed], tried) for seed in seeds] for method in ("nsga2", "random")}
        won = sum(a > b for a, b in zip(volumes["nsga2"], volumes["random"]))
        lost = sum(a < b for a, b in zip(volumes["nsga2"], volumes["random"]))
        columns = [f"{statistics.mean(values):.4f} ({min(values):.4f} .. {max(values):.4f})" for values in volumes.values()]
        print(f"{tried:8}  {len(seeds):5}  {columns[0]:27}  {columns[1]:27}  {won:3} of {len(seeds):2}   {sign_test(won, lost):.3f}")
    final = {method: statistics.mean(volume_at(answers[method, seed], options.samples) for seed in seeds) for method in ("nsga2", "random")}
    better, other = sorted(final, key=final.get, reverse=True)
    print(f"\n{better} gains {(final[better] - 1) / (final[other] - 1) - 1:.1%} more over today's settings than {other} with {options.samples} settings each"
          if final[other] > 1 else f"\n{better} is ahead; {other} gains nothing")


if __name__ == "__main__":
    main()
