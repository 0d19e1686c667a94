#!/usr/bin/env python3
# bench/macro/thousand.py — a thousand settings: a study of many points × seeds of a light site with 10,000 jobs.
"""usage: thousand.py BINARY [--points 2000] [--seeds 5] [--threads 2] [--kills 3]

The site is SITE below: few nodes, jobs of one node, a load that leaves a short queue; whole users are drawn anew by each
seed. Points are Sobol's over weights, backfill and limits. The study runs once undisturbed; then from the beginning in
another registry, killed (kill -9) at random instants and continued. The two files must be the same, byte for byte.
"""
import argparse
import contextlib
import hashlib
import os
import pathlib
import random
import signal
import sqlite3
import subprocess
import tempfile
import time

import workload

SITE = workload.Case(10_000, nodes=64, load=0.5, widest=8)
STUDY = """site: site
resample_users: true
design: sobol
samples: {points}
seed: 1
replications: {seeds}
parameters:
  - {{name: age, change: PriorityWeightAge, least: 0, most: 20000}}
  - {{name: fairshare, change: PriorityWeightFairshare, least: 0, most: 100000}}
  - {{name: size, change: PriorityWeightJobSize, least: 0, most: 10000}}
  - {{name: window, change: SchedulerParameters+, form: "bf_window={{}}", least: 120, most: 10080}}
  - {{name: tests, change: SchedulerParameters+, form: "bf_max_job_test={{}}", least: 10, most: 1000, scale: log}}
  - {{name: interval, change: SchedulerParameters+, form: "bf_interval={{}}", values: [30, 60, 120]}}
  - {{name: gpus_per_user, change: "QOS=normal:MaxTRESPU", form: "gres/gpu={{}}", least: 160, most: 512}}
objectives:
  - least: wait_mean
  - least: wait_p95
  - most: gpu_utilization_available
"""


def sweep(binary, folder, registry, threads):
    words = [binary, "sweep", folder / "study.yaml", "-o", registry, "-j", str(threads)]
    return subprocess.Popen(words, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)


def ended(running, begin):
    """(wall s, CPU s, peak MiB, exit code) of a sweep that is waited for."""
    _, status, used = os.wait4(running.pid, 0)
    running.returncode = os.waitstatus_to_exitcode(status)
    return time.perf_counter() - begin, used.ru_utime + used.ru_stime, used.ru_maxrss / 1024, running.returncode


def counted(registry):
    with contextlib.closing(sqlite3.connect(registry)) as opened:
        return dict(opened.execute("SELECT status, count(*) FROM points GROUP BY status").fetchall())


def undisturbed(binary, folder, registry, threads):
    begin = time.perf_counter()
    wall, cpu, peak, code = ended(sweep(binary, folder, registry, threads), begin)
    if code != 0:
        raise SystemExit(f"the sweep ended with exit code {code}")
    counts = counted(registry)
    runs = sum(counts.values())
    with contextlib.closing(sqlite3.connect(registry)) as opened:
        designs, waits = opened.execute(
            "SELECT count(DISTINCT p.design), count(DISTINCT k.value) FROM points p JOIN kpis k USING(point) WHERE k.name = 'wait_mean'").fetchone()
    print(f"{threads} threads: {runs} runs of {designs} settings {counts}, wall {wall:.1f} s, CPU {cpu:.1f} s, {runs / wall:.2f} runs/s, "
          f"{cpu / runs:.3f} CPU s a run, peak {peak:.0f} MiB, {waits} different mean waits, registry {registry.stat().st_size >> 20} MiB", flush=True)
    return runs, wall, cpu


def killed(binary, folder, registry, threads, kills, wall):
    """The same, with `kills` of kill -9 at random instants of the time that it took undisturbed."""
    chance = random.Random(1)
    for after in sorted(chance.uniform(0.02, 0.9) * wall / kills for _ in range(kills)):
        running = sweep(binary, folder, registry, threads)
        time.sleep(after)
        running.send_signal(signal.SIGKILL)
        running.wait()
        if running.returncode != -signal.SIGKILL:
            raise SystemExit("the sweep had ended before it was killed")
        print(f"  killed after {after:.1f} s: {counted(registry) if registry.exists() else 'no registry yet'}", flush=True)
    begin = time.perf_counter()
    _, _, peak, code = ended(sweep(binary, folder, registry, threads), begin)
    if code != 0:
        raise SystemExit(f"the continued sweep ended with exit code {code}")
    print(f"  continued to its end in {time.perf_counter() - begin:.1f} s: {counted(registry)}, peak {peak:.0f} MiB", flush=True)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("binary", type=pathlib.Path)
    parser.add_argument("--points", type=int, default=2000)
    parser.add_argument("--seeds", type=int, default=5)
    parser.add_argument("--threads", default="2", help="one after the other, as 1,2; the last one's registry is held against the killed one")
    parser.add_argument("--kills", type=int, default=3, help="0: no killed study beside it")
    asked = parser.parse_args()
    with tempfile.TemporaryDirectory() as name:
        folder, binary = pathlib.Path(name), asked.binary.resolve()
        workload.write_site(SITE, workload.jobs_of(SITE), folder / "site")
        (folder / "study.yaml").write_text(STUDY.format(points=asked.points, seeds=asked.seeds))
        print(f"{SITE}, {asked.points} points x {asked.seeds} seeds, {os.cpu_count()} CPUs, load {os.getloadavg()[0]:.1f} at the start", flush=True)
        rates = []
        for threads in map(int, asked.threads.split(",")):
            whole = folder / f"whole{threads}.sqlite"
            runs, wall, cpu = undisturbed(binary, folder, whole, threads)
            rates.append((runs / wall / threads, runs / cpu))
        if len(rates) > 1:
            (one, one_cpu), (more, more_cpu) = rates[0], rates[-1]
            print(f"{threads} threads over {asked.threads.split(',')[0]}: {more / one:.2f} of the runs a second and thread, {more_cpu / one_cpu:.2f} of those a CPU second")
        if asked.kills:
            broken = folder / "killed.sqlite"
            killed(binary, folder, broken, threads, asked.kills, wall)
            same = whole.read_bytes() == broken.read_bytes()
            print(f"the same file, byte for byte: {same} (sha256 {hashlib.sha256(whole.read_bytes()).hexdigest()[:16]})")
            raise SystemExit(0 if same else 1)


if __name__ == "__main__":
    main()
