#!/usr/bin/env python3
# scripts/generator_waits.py — a site's own jobs beside jobs drawn from a generator fitted to them: what waits both lead to.
"""usage: generator_waits.py SITE --work FOLDER [--seeds N] [--binary rehearse] [-- OPTIONS of fit and of the run of the site's own jobs]

Fits a generator to the site's jobs (the table of `fit` comes first), draws from it with the seeds 1 … N, runs all of
them under the site's own configuration and prints figures of the site's jobs beside the mean and the range of the draws.
"""
import argparse
import json
import pathlib
import subprocess
import sys

FIGURES = ["jobs", "wait_mean", "wait_p50", "wait_p90", "wait_p95", "wait_p99", "bounded_slowdown_mean", "gpu_utilization_available",
           "cpu_utilization_available", "makespan"]


def called(binary, *arguments):
    """What it prints; its findings go to stderr."""
    done = subprocess.run([binary, *map(str, arguments)], capture_output=True, text=True, check=False)
    if done.returncode != 0:
        sys.exit(f"{' '.join(map(str, arguments))}: exit {done.returncode}\n{done.stderr}")
    return done.stdout


def figures(text):
    """The figures of a whole run, by name."""
    return {name: each["value"] for name, each in json.loads(text)["kpis"].items()}


def shown(value):
    return "-" if value is None else f"{value:.0f}" if abs(value) >= 1000 else f"{value:.4g}"


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("site")
    parser.add_argument("--work", type=pathlib.Path, required=True)
    parser.add_argument("--seeds", type=int, default=5)
    parser.add_argument("--binary", default="build/release/rehearse")
    known, options = parser.parse_known_args()
    options = [each for each in options if each != "--"]
    known.work.mkdir(parents=True, exist_ok=True)
    spec = known.work / "fitted.yaml"
    print(called(known.binary, "fit", known.site, "-o", spec, "--force", *options))
    own = figures(called(known.binary, "run", known.site, "--json", *options))
    drawn = []
    for seed in range(1, known.seeds + 1):
        jobs = known.work / f"drawn_{seed}.txt.xz"
        called(known.binary, "gen", spec, "-o", jobs, "--seed", seed, "--force")
        drawn.append(figures(called(known.binary, "run", known.site, "--json", "--jobs", jobs)))
    print(f"{'WHAT THEY LEAD TO':<32}{'trace':>12}{'drawn':>12}{'least':>12}{'most':>12}   ({known.seeds} seeds)")
    for name in FIGURES:
        if name not in own:
            continue
        values = [each[name] for each in drawn if each.get(name) is not None]
        mean = sum(values) / len(values) if values else None
        print(f"  {name:<30}{shown(own[name]):>12}{shown(mean):>12}{shown(min(values, default=None)):>12}{shown(max(values, default=None)):>12}")


if __name__ == "__main__":
    main()
