#!/usr/bin/env python3
# configs/scenarios/sharing-nodes/run.py — the openb jobs as shards, as MPS and as MIG slices on 4, 8, 9 and 10 nodes of eight A100, side by side.
#
#   run.py FOLDER > table      (REHEARSE_BINARY names the binary; default: build/release/rehearse)
#
# FOLDER keeps what each run came to; a run that is there is not run again.
import csv
import datetime
import json
import os
import pathlib
import random
import shutil
import statistics
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parents[3]
BINARY = os.environ.get("REHEARSE_BINARY", str(ROOT / "build" / "release" / "rehearse"))
NODES = (4, 8, 9, 10)
CUT = "gpu:a100_4g.20gb:6,gpu:a100_3g.20gb:6,gpu:a100_2g.10gb:4,gpu:a100_1g.5gb:6"  # a cut node: see MIG below
MIG = """mig:
  layouts:
    - {{nodes: "{nodes}", gpus: 0-3, layout: [4g.20gb, 3g.20gb]}}
    - {{nodes: "{nodes}", gpus: 4-5, layout: [4g.20gb, 2g.10gb, 1g.5gb]}}
    - {{nodes: "{nodes}", gpus: 6-7, layout: [3g.20gb, 2g.10gb, 2*1g.5gb]}}
"""
POLICY = """  policy: {policy}
  profiles: [whole, 4g.20gb, 3g.20gb, 2g.10gb, 1g.5gb]
  drain: gpu
  cost: 5min
"""
WAYS = ("shard", "mps", "mig", "mig on_demand", "mig packed")
FIGURES = (  # of run --json: name, heading, factor
    ("gpu_compute_occupancy", "SMs held %", 100), ("gpu_fragmentation", "fragmented %", 100), ("gpu_stranded", "stranded %", 100),
    ("gpu_compute_unreachable", "no device %", 100), ("gpu_recuts", "recuts", 1), ("gpu_recut_hours", "recut GPU-h", 1))


def write_site(way, nodes, folder):
    """The shipped site of that way, with other nodes; a quarter of them cut where it is MIG."""
    sharing = way.split()[0]
    site = ROOT / "configs" / "sites" / f"openb-{sharing}"
    for name in ("sacct.txt.xz", "assoc.dump", "qos.txt"):
        shutil.copy(site / name, folder / name)
    conf = [line for line in (site / "slurm.conf").read_text().splitlines() if not line.startswith("NodeName=")]
    node = "Sockets=2 CoresPerSocket=64 ThreadsPerCore=2 RealMemory=1000000"
    text = (site / "site.yaml").read_text().replace("n[1-4]", f"n[1-{nodes}]")
    if sharing == "mig":
        cut = max(1, nodes // 4)
        cut_nodes = f"n[{nodes - cut + 1}-{nodes}]"
        conf += [f"NodeName=n[1-{nodes - cut}] {node} Gres=gpu:a100:8", f"NodeName={cut_nodes} {node} Gres={CUT}"]
        text += MIG.format(nodes=cut_nodes)
        if " " in way:
            text += POLICY.format(policy=way.split()[1])
        (folder / "gres.conf").write_text("AutoDetect=nvml\n")
    else:
        conf += [f"NodeName=n[1-{nodes}] {node} Gres=gpu:a100:8,{'shard:64' if sharing == 'shard' else 'mps:800'}"]
        shutil.copy(site / "gres.conf", folder / "gres.conf")
    (folder / "slurm.conf").write_text("\n".join(conf) + "\n")
    (folder / "site.yaml").write_text(text)


def run(way, nodes):
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        write_site(way, nodes, folder)
        printed = subprocess.run([BINARY, "run", folder, "--json", "--sacct", folder / "schedule.txt"], check=True, capture_output=True, text=True)
        waits = {}
        for row in csv.DictReader(open(folder / "schedule.txt"), delimiter="|"):
            if row["Start"] not in ("", "Unknown", "None"):
                waits.setdefault(row["Submit"][:10], []).append(span(row["Submit"], row["Start"]))
        kpis = {name: kpi["value"] for name, kpi in json.loads(printed.stdout)["kpis"].items()}
        return {"kpis": kpis, "waits": waits}


def span(begin, end):
    return (datetime.datetime.fromisoformat(end) - datetime.datetime.fromisoformat(begin)).total_seconds()


def mean_of_days(waits):
    """The mean wait and its 95 % interval, days of submission drawn anew 2000 times: what another month of such days could give."""
    days, draw, means = list(waits.values()), random.Random(1), []
    for _ in range(2000):
        drawn = [draw.choice(days) for _ in days]
        means.append(sum(map(sum, drawn)) / sum(map(len, drawn)))
    means.sort()
    return statistics.fmean(wait for day in days for wait in day), means[50], means[1949]


def hours(seconds):
    return f"{seconds:.0f}s" if seconds < 120 else f"{seconds / 60:.0f}m" if seconds < 7200 else f"{seconds / 3600:.1f}h"


def main():
    keep = pathlib.Path(sys.argv[1])
    keep.mkdir(parents=True, exist_ok=True)
    print(f"{'nodes':>5} {'way':14}{'started':>8}{'mean wait':>10}{'95 % interval':>17}{'P95 wait':>9}" + "".join(f"{head:>14}" for _, head, _ in FIGURES))
    for nodes in NODES:
        for way in WAYS:
            path = keep / f"{nodes} {way}.json"
            if not path.exists():
                path.write_text(json.dumps(run(way, nodes)))
            found = json.loads(path.read_text())
            every = sorted(wait for day in found["waits"].values() for wait in day)
            mean, low, high = mean_of_days(found["waits"])
            cells = [found["kpis"].get(name) for name, _, _ in FIGURES]
            print(f"{nodes:>5} {way:14}{len(every):>8}{hours(mean):>10}{hours(low) + ' .. ' + hours(high):>17}{hours(every[len(every) * 95 // 100]):>9}"
                  + "".join(f"{'-' if cell is None else format(cell * factor, '.1f' if factor == 100 else '.0f'):>14}" for cell, (_, _, factor) in zip(cells, FIGURES)),
                  flush=True)


main()
