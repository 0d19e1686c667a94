#!/usr/bin/env python3
# scripts/reference/experiments/gpus_over_nodes.py — GPUs by task, by socket and of a job over nodes that others hold in part (gres.md §2.3, §3.3, §4).
"""The nodes of tasks_over_nodes.py. Asks every question of tests/data/placements/gpus_over_nodes.txt (or the named file), under each of its SelectTypeParameters, and prints those that are answered otherwise. About ten minutes.

    gpus_over_nodes.py [FILE] [--grep WORDS] [--write OUT]"""
import sys

import near_cores
from tasks_over_nodes import CONF, GRES


def conf(parameters):
    text = CONF.replace("CR_Core", parameters)
    return text + "DefMemPerCPU=10\n" if parameters.endswith("_Memory") else text


if __name__ == "__main__":
    sys.exit(near_cores.ask_file(__doc__, conf, GRES, near_cores.QUESTIONS.with_name("gpus_over_nodes.txt")))
