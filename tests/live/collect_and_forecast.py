# tests/live/collect_and_forecast.py — a real Slurm is collected while jobs run and wait, and what waits is forecast.
"""Starts Debian's Slurm on this machine (scripts/reference), lets jobs end, run and wait, and collects it with
scripts/collect.py, as it is and with pseudonyms. `check`, `run` and `forecast` take both folders.

Exit code 77 (skipped, for ctest) where there is no Slurm to start: not root, or its packages are not installed.
"""
import json
import lzma
import os
import pathlib
import subprocess
import sys
import tempfile
import time

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path[:0] = [str(ROOT / "scripts" / "reference")]
import site_folder  # noqa: E402
from cluster import Cluster  # noqa: E402
from needs import unmet  # noqa: E402

BINARY = os.environ.get("REHEARSE_BINARY", str(ROOT / "build/release/rehearse"))
SKIPPED = 77
RATE = 20
SITE = {
    "slurm.conf": """\
SchedulerType=sched/backfill
SchedulerParameters=bf_interval=30
SelectType=select/cons_tres
SelectTypeParameters=CR_Core_Memory
GresTypes=gpu
PriorityType=priority/multifactor
PriorityWeightAge=1000
PriorityWeightFairshare=10000
AccountingStorageEnforce=associations,limits,qos
AccountingStorageTRES=gres/gpu
NodeName=live[1-4] Sockets=1 CoresPerSocket=8 ThreadsPerCore=1 RealMemory=32000 Gres=gpu:a100:2
PartitionName=batch Nodes=ALL Default=YES MaxTime=1-0 State=UP
""",
    "gres.conf": "NodeName=live[1-4] Name=gpu Type=a100 File=/dev/nvidia[0-1]\n",
    "sacctmgr.txt": "add account quantumlab Fairshare=3\nadd account opticslab Fairshare=1\nadd user rhliveone Account=quantumlab\n"
                    "add user rhlivetwo Account=opticslab\n",
    "jobs.csv": "submit_s,user,runtime_s,args\n0,rhliveone,1,-n1 -t 1\n0,rhlivetwo,1,-n1 -t 1\n",  # the users; submitted below
}
SECRETS = ("rhliveone", "rhlivetwo", "quantumlab", "opticslab", "secretproject")
problems = []


def claim(holds, what):
    print(f"{'ok    ' if holds else 'FAILED'} {what}", flush=True)
    if not holds:
        problems.append(what)
    return holds


def submit(cluster, user, seconds, *args):
    return cluster.must("sbatch", "--parsable", f"--uid={user}", "-D", "/", "-o", "/dev/null", "-J", "secretproject", *args, "--wrap",
                        f"sleep {seconds}").strip()


def states(cluster):
    table = [line.split("|") for line in cluster.must("squeue", "-a", "-h", "-o", "%A|%T").splitlines()]
    return {job: state for job, state in table}


def wait_for(cluster, condition, what, seconds=120):
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        if condition(states(cluster)):
            return True
        time.sleep(0.2)
    return claim(False, what)


def collect(cluster, *words):
    start = time.strftime("%Y-%m-%dT%H:%M:%S", time.gmtime(cluster.clock.now() - 7200))
    return subprocess.run([sys.executable, ROOT / "scripts" / "collect.py", "--pause", "0", "--step", "1h", "--start", start, *map(str, words)],
                          env={**cluster.environment, "PATH": os.environ["PATH"], "TZ": "UTC"}, capture_output=True, text=True, check=False)


def rehearse(*words):
    return subprocess.run([BINARY, *map(str, words)], capture_output=True, text=True, check=False)


def everything(site):
    for path in sorted(site.rglob("*")):
        if path.is_file():
            data = path.read_bytes()
            yield path.name, (lzma.decompress(data) if path.suffix == ".xz" else data).decode()


def play(folder, cluster):
    for _ in range(6):
        submit(cluster, "rhliveone", 20, "-n2", "--mem=1000", "-t", "2")
        submit(cluster, "rhlivetwo", 30, "-n4", "--mem=1000", "--gres=gpu:1", "-t", "3")
    if not wait_for(cluster, lambda seen: not seen, "the first jobs end"):
        return
    cluster.must("scontrol", "update", "NodeName=live4", "State=DRAIN", "Reason=secretproject")
    running = [submit(cluster, "rhliveone", 2000, "-N1", "-n8", "--gres=gpu:2", "--mem=4000", "-t", "60") for _ in range(2)]
    # At its %1 limit: the rest was never eligible, and is in no window of sacct.
    throttled = submit(cluster, "rhliveone", 2000, "--array=0-2%1", "-N1", "-n8", "--gres=gpu:2", "--mem=4000", "-t", "60")
    if not wait_for(cluster, lambda seen: list(seen.values()).count("RUNNING") == 3, "two jobs and a task run"):
        return
    waiting = [submit(cluster, "rhlivetwo", 100, "-N1", "-n8", "--mem=4000", "-t", "10") for _ in range(4)]
    held = submit(cluster, "rhlivetwo", 100, "-H", "-n1", "--mem=1000", "-t", "10")
    behind = submit(cluster, "rhlivetwo", 100, f"--dependency=afterok:{held}", "-n1", "--mem=1000", "-t", "10")
    array = submit(cluster, "rhliveone", 100, "--array=0-3", "-n8", "--mem=4000", "-t", "5")
    for name, words in (("plain", ()), ("hidden", ("--anonymize",))):
        site = folder / name
        done = collect(cluster, "-o", site, *words)
        if not claim(done.returncode == 0, f"{name}: collected: {done.stderr}"):
            continue
        checked = rehearse("check", site)
        claim(checked.returncode == 0, f"{name}: check takes it: {checked.stdout[-1500:]}{checked.stderr[-1500:]}")
        ran = rehearse("run", site, "--start-from", "snapshot", "--sacct", "-")
        claim(ran.returncode == 0 and "pend then" in ran.stderr, f"{name}: run begins with it: {ran.stderr[-1500:]}")
        rows = {row.split("|")[0]: row for row in ran.stdout.splitlines()}
        claim(all(job in rows for job in running + waiting), f"{name}: every job of the queue is there")
        told = rehearse("forecast", site, "--json", "--replications", "20")
        if not claim(told.returncode == 0, f"{name}: forecast: {told.stderr[-1500:]}"):
            continue
        forecast = json.loads(told.stdout)
        jobs = {(str(job["job"]), job["task"]): job for job in forecast["jobs"]}
        claim(forecast["running"] == 3, f"{name}: three run ({forecast['running']})")
        claim(all((job, None) in jobs for job in waiting), f"{name}: all that wait are forecast: {sorted(jobs)}")
        claim(sum(1 for key in jobs if key[0] == array) == 4, f"{name}: and four tasks")
        claim(sorted(task for job, task in jobs if job == throttled) == [1, 2], f"{name}: and the rest of an array at its limit: {sorted(jobs)}")
        claim("no row of sacct" not in told.stderr and "not in this queue" not in told.stderr, f"{name}: sacct and squeue have the same: {told.stderr}")
        claim(all(jobs[job, None]["held"] == (job == held) and jobs[job, None]["p50_s"] is None for job in (held, behind)),
              f"{name}: who is held, and who waits for him, does not start")
        limits = [jobs[job, None]["by_limits_s"] for job in waiting]
        # The three that run have an hour's limit; then four jobs of ten minutes and four tasks of five share two nodes or three.
        claim(all(limit is not None and 0 <= limit <= 3600 + 2400 for limit in limits) and min(limits) <= 3700,
              f"{name}: they start when limits end: {limits}")
        leaked = [(file, secret) for file, text in everything(site) for secret in SECRETS if secret in text] if words else []
        claim(not leaked, f"{name}: no name is left: {leaked}")
        print(rehearse("forecast", site, "--replications", "20").stdout)


def main():
    why = unmet()
    if why:
        print(f"skipped: {why.what}\n  hint: {why.hint}")
        return SKIPPED
    os.environ["PATH"] = os.pathsep.join([os.environ.get("PATH", ""), "/usr/sbin", "/sbin"])
    with tempfile.TemporaryDirectory() as name:
        scratch = pathlib.Path(name)
        scratch.chmod(0o755)
        site, folder = scratch / "cluster", scratch / "collected"
        site.mkdir()
        folder.mkdir()
        for file, text in SITE.items():
            (site / file).write_text(text, encoding="utf-8")
        with Cluster(site_folder.read(site), RATE) as cluster:
            cluster.start(lambda text: print(f"       {text}", flush=True))
            play(folder, cluster)
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
