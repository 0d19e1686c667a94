#!/usr/bin/env python3
# scripts/reference/experiments/growing_sets.py — select/cons_res over nodes of several weights: which nodes it is shown, and which it takes (scheduling.md §5.5).
"""Nine nodes of 2 × 4 cores, whose weights each `conf:` line of tests/data/placements/growing_sets.txt (or the named file) tells, in order of their names. Asks every
question and prints those that are answered otherwise. About three minutes.

    growing_sets.py [FILE] [--grep WORDS] [--write OUT]"""
import sys

import near_cores
import required_sets


def conf(weights):
    """A slurm.conf of nodes k1, k2 … with these weights."""
    return required_sets.conf(weights).replace("cons_tres", "cons_res")


if __name__ == "__main__":
    sys.exit(near_cores.ask_file(__doc__, conf, "", near_cores.QUESTIONS.with_name("growing_sets.txt")))
