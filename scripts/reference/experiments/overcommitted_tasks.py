#!/usr/bin/env python3
# scripts/reference/experiments/overcommitted_tasks.py — how many GPUs each node gives to tasks of -O that bring them (gres.md §4.3).
"""The nodes of more_tasks.py. Asks every question of tests/data/placements/overcommitted_tasks.txt (or the named file) and prints those that are answered
otherwise. Five minutes.

    overcommitted_tasks.py [FILE] [--grep WORDS] [--write OUT]"""
import sys

import more_tasks
import near_cores

if __name__ == "__main__":
    sys.exit(near_cores.ask_file(__doc__, more_tasks.conf, more_tasks.GRES, near_cores.QUESTIONS.with_name("overcommitted_tasks.txt")))
