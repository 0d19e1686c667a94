#!/usr/bin/env python3
# scripts/reference/keep.py — a finished recording as the tests keep it: what a replay and a comparison need.
"""usage: keep.py RECORDING FOLDER      FOLDER is made: tests/data/recordings/NAME

Left out are the samples, the log (its instants are in meta.json) and what the recording was made from. site.yaml
says when the controller's loops came up, which a replay otherwise reads from the log.
"""
import json
import pathlib
import shutil
import sys

KEPT = ("slurm.conf", "gres.conf", "topology.conf", "assoc.dump", "qos.txt", "sacct.txt", "runtimes.csv",
        "events.csv", "meta.json")


def keep(recording, folder):
    folder.mkdir(parents=True)
    for name in KEPT:
        if (recording / name).is_file():
            shutil.copyfile(recording / name, folder / name)
    began = json.loads((recording / "meta.json").read_text(encoding="utf-8"))
    (folder / "site.yaml").write_text(
        "# When the priority thread and the background loop of the recorded controller came up (its slurmctld.log).\n"
        f'controller:\n  started: "{began["loops_began"] or began["controller_start"]}"\n', encoding="utf-8")


if __name__ == "__main__":
    if len(sys.argv) != 3:
        sys.exit(__doc__)
    keep(pathlib.Path(sys.argv[1]), pathlib.Path(sys.argv[2]))
