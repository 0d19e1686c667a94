#!/usr/bin/env python3
# configs/scenarios/case-study/run.py — the three set-ups over the same drawn days, with intervals over the days.
#
#   run.py RUNS > table        (REHEARSE_BINARY names the binary; default: build/release/rehearse)
import concurrent.futures
import csv
import datetime
import math
import os
import pathlib
import statistics
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
BINARY = os.environ.get("REHEARSE_BINARY", str(HERE.parents[2] / "build" / "release" / "rehearse"))
DAY, GPUS = 86400, 32
BEGIN = datetime.datetime(2027, 2, 1)
SETUPS = {"FIFO": ("whole", ["--set", "SchedulerType=sched/builtin"]), "backfill": ("whole", []), "MIG": ("mig", [])}
# Student's t for 95 %, by degrees of freedom; beyond the table the normal's.
T95 = {4: 2.776, 9: 2.262, 19: 2.093, 29: 2.045}


def seconds(stamp):
    return (datetime.datetime.fromisoformat(stamp) - BEGIN).total_seconds()


def figures(site, options, seed, load):
    with tempfile.TemporaryDirectory() as folder:
        return figures_in(pathlib.Path(folder), site, options, seed, load)


def figures_in(folder, site, options, seed, load):
    jobs, schedule = folder / "jobs.txt", folder / "schedule.txt"
    subprocess.run([sys.executable, HERE / "make_jobs.py", str(seed), str(load), site, jobs], check=True)
    subprocess.run([BINARY, "run", HERE / site, "--jobs", jobs, "-o", folder / "out.h5", "--sacct", schedule, *options],
                   check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    asked = {row["JobIDRaw"]: seconds(row["End"]) - seconds(row["Start"]) for row in csv.DictReader(open(jobs), delimiter="|")}
    trained = held = 0.0
    turnaround, running, waits = [], [], []
    for row in csv.DictReader(open(schedule), delimiter="|"):
        if not row["Start"] or not row["NodeList"]:
            continue
        start, end = seconds(row["Start"]), seconds(row["End"])
        gpus = next((int(word.split("=")[1]) for word in row["AllocTRES"].split(",") if word.startswith("gres/gpu=")), 0)
        today = max(0.0, min(end, DAY) - start)
        if row["Account"] == "training":
            # Work of the record that was done in the 24 hours; a MIG slice is a quarter of a GPU.
            trained += gpus * today * asked[row["JobIDRaw"]] / max(end - start, 1)
            waits.append(start - seconds(row["Submit"]))
            held += gpus * today
        else:
            turnaround.append(end - seconds(row["Submit"]))
            running.append(end - start)
            held += gpus * today * (1 if site == "whole" else 0.25)
    return {"training [GPU-h of 24 h]": trained / 3600, "training wait, mean [min]": statistics.fmean(waits) / 60,
            "inference: submit to end, mean [min]": statistics.fmean(turnaround) / 60,
            "inference: run, mean [min]": statistics.fmean(running) / 60,
            "GPUs held over 24 h [%]": 100 * held / (GPUS * DAY)}


def interval(values):
    t = T95.get(len(values) - 1, 1.96)
    half = t * statistics.stdev(values) / math.sqrt(len(values)) if len(values) > 1 else math.nan
    return statistics.fmean(values), half


def main():
    runs = int(sys.argv[1])
    print(f"{runs} drawn days a load; mean and 95 % interval of the mean; differences are of the same days")
    for load in (0.7, 1.0, 1.3):
        with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
            asked = {name: [pool.submit(figures, *setup, seed, load) for seed in range(1, runs + 1)]
                     for name, setup in SETUPS.items()}
            found = {name: [each.result() for each in days] for name, days in asked.items()}
        print(f"\nload {load}: {load * GPUS * 24:.0f} GPU-hours asked for in 24 h of {GPUS} GPUs")
        print(f"  {'':38}" + "".join(f"{name:>18}" for name in SETUPS) + f"{'backfill/FIFO':>18}{'MIG/backfill':>18}{'MIG/FIFO':>18}")
        for what in found["FIFO"][0]:
            cells = []
            for name in SETUPS:
                mean, half = interval([each[what] for each in found[name]])
                cells.append(f"{mean:.1f} ±{half:.1f}")
            for over, under in (("backfill", "FIFO"), ("MIG", "backfill"), ("MIG", "FIFO")):
                changes = [100 * (a[what] / b[what] - 1) if b[what] else math.nan for a, b in zip(found[over], found[under])]
                mean, half = interval(changes)
                cells.append(f"{mean:+.0f} ±{half:.0f} %")
            print(f"  {what:38}" + "".join(f"{cell:>18}" for cell in cells))


main()
