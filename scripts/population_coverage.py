#!/usr/bin/env python3
# scripts/population_coverage.py — how often the ranges of `compare --populations` hold the difference of a period with other users.
"""usage: population_coverage.py SITE GENERATOR --work FOLDER --set-b CHANGE [--periods N] [--populations N] [--threads N] [--binary rehearse]

Draws N periods from the generator, each of users of its own, and holds SITE against SITE with CHANGE on each of them. A range, or an interval, that
one period gives is good if it holds the differences of the others. Printed: in what share of the pairs it does, for the mean and the P95 wait.
"""
import argparse
import json
import pathlib
import shutil

from generator_waits import called

FIGURES = ("wait_mean", "wait_p95")


def compared(options, seed):
    """What one period says: its difference, its interval and the range of its populations, by figure."""
    site = options.work / f"period{seed}"
    shutil.rmtree(site, ignore_errors=True)
    shutil.copytree(options.site, site)
    called(options.binary, "gen", options.generator, "-o", site, "--seed", seed, "--force", "--associations", "generated")
    answer = json.loads(called(options.binary, "compare", site, site, "--set-b", options.set_b, "--populations", options.populations, "-j", options.threads, "--json"))
    shutil.rmtree(site)
    of = {}
    for figure in FIGURES:
        drawn = answer["populations"]["figures"][figure]
        of[figure] = {"difference": answer["figures"][figure]["difference"], "interval": answer["figures"][figure]["interval"], "range": drawn["range"], "covers": drawn["covers"],
                      "b_less": drawn["b_less"], "measured": drawn["measured"]}
    return of


def share(periods, figure, what):
    """Of the pairs of periods those in which the one's `what` holds the other's difference."""
    pairs = [(one[figure][what], other[figure]["difference"]) for one in periods for other in periods if one is not other]
    return sum(low <= difference <= high for (low, high), difference in pairs) / len(pairs)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("site", type=pathlib.Path)
    parser.add_argument("generator", type=pathlib.Path)
    parser.add_argument("--work", type=pathlib.Path, required=True)
    parser.add_argument("--set-b", required=True)
    parser.add_argument("--periods", type=int, default=12)
    parser.add_argument("--populations", type=int, default=39)
    parser.add_argument("--threads", type=int, default=1)
    parser.add_argument("--binary", default="build/release/rehearse")
    options = parser.parse_args()
    periods = []
    for seed in range(1, options.periods + 1):
        periods.append(compared(options, seed))
        mean = periods[-1]["wait_mean"]
        print(f"period {seed:2}: mean wait {mean['difference']:+8.0f} s, interval {mean['interval'][0]:+.0f} .. {mean['interval'][1]:+.0f}, range of populations {mean['range'][0]:+.0f} .. {mean['range'][1]:+.0f}, "
              f"shorter in {mean['b_less']} of {mean['measured']}", flush=True)
    covers = periods[0]["wait_mean"]["covers"]
    print(f"\n{'held the differences of the other periods':44}{'said':>8}" + "".join(f"{figure:>12}" for figure in FIGURES))
    for name, what, said in (("the interval of one period's two runs", "interval", 0.95), ("the range of its populations", "range", covers)):
        print(f"{name:44}{said:8.0%}" + "".join(f"{share(periods, figure, what):12.0%}" for figure in FIGURES))


if __name__ == "__main__":
    main()
