# tests/live/record_and_replay.py — a real slurmctld decides over a dozen jobs now, and the simulator agrees.
"""Records a tiny site with `rehearse record` (about a minute), replays the recording with `rehearse run`, and
holds them together. Live, hence generous with instants: every job is there, ends in the same state, and most
start within a minute of the recorded start. Also: an interrupted recording leaves nothing behind.

Exit code 77 (skipped, for ctest) where this cannot be recorded: not root, or Debian's Slurm is not installed.
"""
import os
import pathlib
import pwd
import signal
import subprocess
import sys
import tempfile
import time

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path[:0] = [str(ROOT / "scripts" / "reference"), str(ROOT / "tests" / "fidelity")]
from agreement import compare, runs_by_job  # noqa: E402
from needs import unmet  # noqa: E402

BINARY = os.environ.get("REHEARSE_BINARY", str(ROOT / "build/release/rehearse"))
SKIPPED = 77
RATE = "20"  # modest: a busy machine answers late, and its lateness counts RATE times
WITHIN_60S_AT_LEAST = 0.6
USERS = ("rhlivea", "rhliveb")
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
PriorityWeightJobSize=1000
AccountingStorageEnforce=associations,limits,qos
AccountingStorageTRES=gres/gpu
NodeName=live[1-4] Sockets=1 CoresPerSocket=8 ThreadsPerCore=1 RealMemory=32000 Gres=gpu:a100:2
PartitionName=batch Nodes=ALL Default=YES MaxTime=1-0 State=UP
""",
    "gres.conf": "NodeName=live[1-4] Name=gpu Type=a100 File=/dev/nvidia[0-1]\n",
    "sacctmgr.txt": """\
add account one Fairshare=3
add account two Fairshare=1
add user rhlivea Account=one
add user rhliveb Account=two
""",
    "jobs.csv": """\
submit_s,user,runtime_s,args,exit_code,name
5,rhlivea,240,-N2 --gres=gpu:2 -n8 --mem=8000 -t 6,0,first
20,rhliveb,300,-N1 -n8 --mem=16000 -t 7,0,
35,rhlivea,200,-N1 --gres=gpu:1 -n4 --mem=8000 -t 5,0,
60,rhliveb,180,-N4 -n16 --mem=8000 -t 5,0,
75,rhlivea,60,-n2 --mem=4000 -t 2,0,
90,rhlivea,120,-n4 --mem=4000 -t 3,1,
110,rhliveb,400,-n2 --mem=4000 -t 3,0,
130,rhlivea,90,-N1 --gres=gpu:2 -n2 --mem=8000 -t 2,0,
150,rhliveb,100,-n8 --mem=8000 -t 4,0,
170,rhlivea,60,-n1 --mem=1000 -t 2 --dependency=afterok:{first},0,
200,rhliveb,80,-N2 --exclusive --mem=0 -t 3,0,
230,rhlivea,50,-n4 --mem=4000 -t 2,0,
""",
}
JOBS = len(SITE["jobs.csv"].splitlines()) - 1
problems = []


def claim(holds, what):
    print(f"{'ok    ' if holds else 'FAILED'} {what}", flush=True)
    if not holds:
        problems.append(what)


def left_behind(work):
    """What of a recording below `work` is still there: folders, users, and processes that know them."""
    left = [str(path) for path in work.iterdir()]
    left += [user.pw_name for user in pwd.getpwall() if user.pw_name in USERS]
    for entry in pathlib.Path("/proc").glob("[0-9]*/cmdline"):
        try:
            line = entry.read_bytes().replace(b"\0", b" ").decode(errors="replace")
        except OSError:
            continue
        if str(work) in line:
            left.append(line)
    return left


def records_and_agrees(site, scratch):
    recording = scratch / "recording"
    done = subprocess.run([BINARY, "record", site, "-o", recording, "--rate", RATE, "--sample", "300"],
                          capture_output=True, text=True, timeout=500, check=False)
    claim(done.returncode == 0, f"record ends with 0, not {done.returncode}:\n{done.stderr}")
    if done.returncode:
        return
    run = subprocess.run([BINARY, "run", recording, "-o", scratch / "out.h5", "--sacct", scratch / "sacct.txt"],
                         capture_output=True, text=True, check=False)
    claim(run.returncode == 0, f"run replays it as it is: {run.stderr}")
    if run.returncode:
        return
    real, ours = runs_by_job(recording / "sacct.txt"), runs_by_job(scratch / "sacct.txt")
    figures = compare(real, ours)
    print(f"       {figures}")
    claim(len(real) == JOBS, f"{JOBS} jobs are recorded ({len(real)})")
    claim(figures["missing"] == 0, "every job is replayed")
    claim(figures["same_state"] == 1, "every job ends in the recorded state")
    claim(figures["within_60s"] >= WITHIN_60S_AT_LEAST, f"{figures['within_60s']:.0%} start within 60 s")


def leaves_nothing_when_interrupted(site, scratch):
    recorder = subprocess.Popen([BINARY, "record", site, "-o", scratch / "never", "--rate", RATE],
                                stderr=subprocess.PIPE, text=True)
    for line in recorder.stderr:
        if "submits" in line:  # the whole cluster is up
            break
    time.sleep(3)
    recorder.send_signal(signal.SIGTERM)
    told = recorder.communicate(timeout=60)[1]
    claim(recorder.returncode == 130, f"an interrupted recording ends with 130, not {recorder.returncode}: {told}")
    claim(not (scratch / "never").exists(), "an interrupted recording writes nothing")


def main():
    why = unmet()
    if why:
        print(f"skipped: {why.what}\n  hint: {why.hint}")
        return SKIPPED
    with tempfile.TemporaryDirectory() as folder:
        scratch = pathlib.Path(folder)
        scratch.chmod(0o755)  # the jobs' users pass through
        site, work = scratch / "site", scratch / "work"
        site.mkdir()
        work.mkdir()
        os.environ["TMPDIR"] = str(work)  # where the recorder has its own folder
        for name, text in SITE.items():
            (site / name).write_text(text, encoding="utf-8")
        records_and_agrees(site, scratch)
        claim(not left_behind(work), f"nothing is left behind: {left_behind(work)}")
        leaves_nothing_when_interrupted(site, scratch)
        claim(not left_behind(work), f"nothing is left behind: {left_behind(work)}")
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
