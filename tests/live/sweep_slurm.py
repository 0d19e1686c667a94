# tests/live/sweep_slurm.py — a study as a job array of a real Slurm: workers die, are requeued, and nothing is lost or twice.
"""Starts Debian's Slurm on this machine (scripts/reference), runs a study with `rehearse sweep --slurm`, kills a worker in
the middle, requeues another, interrupts the sweep and comes back, and holds the registry against that of a sweep without
Slurm: their dumps are equal.

Exit code 77 (skipped, for ctest) where there is no Slurm to start: not root, or its packages are not installed.
"""
import os
import pathlib
import signal
import subprocess
import sys
import tempfile
import time

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path[:0] = [str(ROOT / "scripts" / "reference"), str(ROOT / "tests" / "journeys")]
import site_folder  # noqa: E402
from cluster import Cluster  # noqa: E402
from needs import unmet  # noqa: E402
from sweep import BINARY, STUDY, complete, dump, make_study, rows  # noqa: E402

SKIPPED = 77
RATE = 10  # a requeued job waits two minutes of Slurm's
POINTS = 24
CLUSTER = {
    "slurm.conf": """\
SelectType=select/cons_tres
SelectTypeParameters=CR_Core
SchedulerParameters=bf_interval=5
NodeName=w[1-2] Sockets=1 CoresPerSocket=1 ThreadsPerCore=1 RealMemory=2000
PartitionName=work Nodes=ALL Default=YES MaxTime=1-0 State=UP
""",
    "jobs.csv": "submit_s,user,runtime_s,args\n0,nobody,1,-n1 -t 1\n",  # not submitted: the recorder wants one
}
VARIED = STUDY.replace("values: [0, 1000, 100000]", "values: [0, 1, 10, 100, 1000, 10000, 100000, 1000000]") + """\
slurm: {partition: work, time: 1:00:00, cpus: 1, workers: 4, throttle: 2}
"""
problems = []


def claim(holds, what):
    print(f"{'ok    ' if holds else 'FAILED'} {what}", flush=True)
    if not holds:
        problems.append(what)


def workers(folder):
    """Processes that run points of the study below `folder`."""
    found = []
    for entry in pathlib.Path("/proc").glob("[0-9]*"):
        try:
            words = (entry / "cmdline").read_bytes().split(b"\0")
            here = os.readlink(entry / "cwd")
        except OSError:
            continue
        if b"--worker" in words and here == str(folder):
            found.append(int(entry.name))
    return found


def wait_for(condition, what, seconds=180):
    end = time.monotonic() + seconds
    while not condition():
        if time.monotonic() > end:
            claim(False, what)
            return False
        time.sleep(0.05)
    return True


class Sweep:
    """`rehearse sweep --slurm` in the study's folder."""

    def __init__(self, folder, environment):
        self.log = open(folder / "told.txt", "a", encoding="utf-8")  # pylint: disable=consider-using-with
        self.process = subprocess.Popen([BINARY, "sweep", "study.yaml", "-o", "array.sqlite", "--slurm"], cwd=folder,
                                        env=environment, stdout=self.log, stderr=self.log, stdin=subprocess.DEVNULL)

    def end(self, seconds=400):
        try:
            return self.process.wait(seconds)
        except subprocess.TimeoutExpired:
            self.process.kill()
            return "too late"
        finally:
            self.log.close()


def running_task(cluster):
    """An array task that runs now, as squeue names it."""
    for line in cluster.ask("squeue", "-h", "-r", "-t", "R", "-o", "%i").stdout.split():
        return line
    return None


def play(folder, cluster):
    registry = folder / "array.sqlite"
    whole = subprocess.run([BINARY, "sweep", "study.yaml", "-o", "whole.sqlite"], cwd=folder, capture_output=True, text=True,
                           check=False)
    claim(whole.returncode == 0 and complete(folder / "whole.sqlite") == POINTS, f"the study runs without Slurm: {whole.stderr}")
    environment = {**cluster.environment, "PATH": os.environ["PATH"]}
    first = Sweep(folder, environment)
    if not wait_for(lambda: complete(registry) >= 1 and workers(folder), "workers write and the sweep merges"):
        return
    os.kill(workers(folder)[0], signal.SIGKILL)
    claim(complete(registry) < POINTS, "a worker is killed in the middle")
    wait_for(lambda: running_task(cluster), "a task runs")
    task = running_task(cluster)
    asked = cluster.ask("scontrol", "requeue", task)
    claim(asked.returncode == 0, f"task {task} is requeued in the middle: {asked.stderr}")
    first.process.send_signal(signal.SIGINT)
    claim(first.end() == 130, "interrupted, the sweep leaves with 130")
    between = complete(registry)
    second = Sweep(folder, environment)
    ended = second.end()
    told = (folder / "told.txt").read_text(encoding="utf-8")
    claim(ended == 0, f"the same command continues to the end ({between} points were merged before): {ended}\n{told}")
    claim("is under way" in told, "it finds its job array again")
    claim(told.count("job array ") - told.count("is under way") >= 2, "the killed worker's points are submitted again")
    claim(dump(registry) == dump(folder / "whole.sqlite"), "the registry's dump is that of a sweep without Slurm")
    claim(rows(registry, "SELECT count(*) FROM points WHERE status = 'complete'") == [(POINTS,)], "every point is there once")
    left = sorted(path.name for path in folder.iterdir() if path.name.startswith("array"))
    claim(left == ["array.sqlite"], f"nothing but the registry is left: {left}")
    print(told)


def main():
    why = unmet()
    if why:
        print(f"skipped: {why.what}\n  hint: {why.hint}")
        return SKIPPED
    os.environ["PATH"] = os.pathsep.join([os.environ.get("PATH", ""), "/usr/sbin", "/sbin"])
    with tempfile.TemporaryDirectory() as name:
        scratch = pathlib.Path(name)
        scratch.chmod(0o755)
        site, folder = scratch / "cluster", scratch / "study"
        site.mkdir()
        folder.mkdir()
        for file, text in CLUSTER.items():
            (site / file).write_text(text, encoding="utf-8")
        make_study(folder, VARIED, jobs=250)
        with Cluster(site_folder.read(site), RATE) as cluster:
            cluster.start(lambda text: print(f"       {text}", flush=True))
            play(folder, cluster)
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
