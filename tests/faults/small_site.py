# tests/faults/small_site.py — a site and a study so small that a thousand runs of them take minutes.
import contextlib
import os
import pathlib
import sqlite3
import subprocess

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
BINARY = os.environ.get("REHEARSE_BINARY", str(ROOT / "build" / "release" / "rehearse"))
CONF = """ClusterName=mine
SlurmctldHost=ctl
SelectType=select/cons_tres
SelectTypeParameters=CR_Core
GresTypes=gpu
PriorityType=priority/multifactor
PriorityWeightAge=1000
PriorityWeightJobSize=1000
NodeName=n[1-2] CPUs=8 RealMemory=32000 Gres=gpu:a100:4
PartitionName=batch Nodes=ALL Default=YES MaxTime=1-0
"""
# slurm.conf changes while the jobs run: by a file, and by a line.
EVENTS = """time,command
2025-01-01T00:10:00,slurm.conf later.conf
2025-01-01T00:10:00,scontrol reconfigure
2025-01-01T00:20:00,slurm.conf PriorityWeightJobSize=5
2025-01-01T00:20:00,slurmctld down
2025-01-01T00:21:00,slurmctld up
"""
LATER = CONF.replace("PriorityWeightAge=1000", "PriorityWeightAge=10") + "PartitionName=late Nodes=n2 MaxTime=1:00:00\n"
COLUMNS = "JobIDRaw|JobID|User|Account|Partition|QOS|Submit|Start|End|ElapsedRaw|TimelimitRaw|State|ExitCode|NNodes|NCPUS|ReqTRES|AllocTRES"
STUDY = """site: mine
parameters:
  - name: size
    change: PriorityWeightJobSize
    values: [0, 1000, 100000]
  - name: nodes
    change: Nodes=n[1-2]:Count
    values: [1, 2, 3, 4]
objectives:
  - least: wait_mean
results: points
"""


def make_site(folder, jobs=60):
    """Jobs of 1 to 4 GPUs and 5 to 34 minutes, more than two nodes can take for a while."""
    site = folder / "mine"
    site.mkdir()
    (site / "slurm.conf").write_text(CONF)
    (site / "events.csv").write_text(EVENTS)
    (site / "later.conf").write_text(LATER)
    rows = [COLUMNS]
    for i in range(1, jobs + 1):
        gpus, length, at = 1 + i * 7 % 4, 300 + i * 37 % 1740, i * 40
        submit = f"2025-01-{1 + at // 86400:02}T{at // 3600 % 24:02}:{at // 60 % 60:02}:{at % 60:02}"
        tres = f"billing=1,cpu={gpus},gres/gpu={gpus},node=1"
        rows.append(f"{i}|{i}|ann|ml|batch|normal|{submit}|{submit}|{submit}|{length}|60|COMPLETED|0:0|1|{gpus}|{tres}|{tres}")
    (site / "sacct.txt").write_text("\n".join(rows) + "\n")
    return site


def make_study(folder):
    make_site(folder)
    study = folder / "study.yaml"
    study.write_text(STUDY)
    return study


def start(*arguments, cwd):
    return subprocess.Popen([BINARY, *map(str, arguments)], cwd=cwd, stdin=subprocess.DEVNULL,
                            stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)


def dump(registry):
    """All that a registry holds, as SQL."""
    with contextlib.closing(sqlite3.connect(f"file:{registry}?mode=ro", uri=True)) as opened:
        return "\n".join(opened.iterdump())
