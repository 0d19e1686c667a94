#!/usr/bin/env python3
# scripts/reference/scenarios/shuffled.py — a recorded scenario as another day: its jobs in another order, as long as other jobs.
"""usage: shuffled.py RECORDING OUT_DIR [SEED]      default seed: 7; of a folder with jobs.csv and sacctmgr.txt

Submissions stay within a minute of their times, an admin's commands within five; who submits what is shuffled, and each run
time is multiplied by 0.5 to 1.5. Not for jobs that name each other ({name} in their words).
"""
import csv
import json
import pathlib
import random
import shutil
import sys
from datetime import datetime, timezone


def main():
    source, target = map(pathlib.Path, sys.argv[1:3])
    rng = random.Random(int(sys.argv[3]) if len(sys.argv) > 3 else 7)
    target.mkdir(parents=True, exist_ok=True)
    with open(source / "jobs.csv", encoding="utf-8") as file:
        jobs = list(csv.DictReader(file))
    if any("{" in job["args"] for job in jobs):
        raise SystemExit(f"{source}: jobs name each other: their order is a part of them")
    times = sorted(max(0.0, float(job["submit_s"]) + rng.uniform(-60, 60)) for job in jobs)
    rng.shuffle(jobs)
    for job in jobs:
        job["runtime_s"] = str(max(20, round(float(job["runtime_s"]) * rng.uniform(0.5, 1.5))))
    with open(target / "jobs.csv", "w", newline="", encoding="utf-8") as file:
        writer = csv.DictWriter(file, list(jobs[0]))
        writer.writeheader()
        writer.writerows({**job, "submit_s": f"{at:.1f}"} for at, job in zip(times, jobs))
    for name in ("slurm.conf", "gres.conf", "sacctmgr.txt", "topology.conf"):
        if (source / name).exists():
            shutil.copy(source / name, target)
    if (source / "events.csv").exists():
        start = json.loads((source / "meta.json").read_text(encoding="utf-8"))["start"]
        with open(source / "events.csv", encoding="utf-8") as file, open(target / "events.csv", "w", newline="", encoding="utf-8") as out:
            writer = csv.writer(out)
            writer.writerow(["at_s", "command"])
            for row in csv.DictReader(file):
                at = datetime.fromisoformat(row["time"]).replace(tzinfo=timezone.utc).timestamp() - start
                writer.writerow([round(at + rng.uniform(-300, 300), 1), row["command"]])


if __name__ == "__main__":
    main()
