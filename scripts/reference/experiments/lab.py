# scripts/reference/experiments/lab.py — a small real cluster to ask single questions of.
import contextlib
import pathlib
import re
import shlex
import sys
import tempfile
import time

sys.dont_write_bytecode = True
sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1]))

import accounts  # noqa: E402
import site_conf  # noqa: E402
from cluster import Cluster  # noqa: E402
from site_folder import Site  # noqa: E402

RATE = 20  # a pass every 60 s is one every 3 s of the machine's


class Lab:
    """A slurmctld whose loops run when they are told to; `with lab(CONF) as l:`."""

    def __init__(self, cluster):
        self.cluster = cluster

    def out(self, command):
        done = self.cluster.ask(*shlex.split(command))
        return (done.stdout + done.stderr).strip()

    def sub(self, words, seconds=100000, script=None):
        """The id of a new job, or what sbatch said. `script`: that does something else than to run for so long."""
        done = self.cluster.ask("sbatch", "--parsable", "-D", "/", "-o", "/dev/null", *shlex.split(words), "--wrap", script or f"work {seconds}")
        return done.stdout.strip() if not done.returncode else done.stderr.strip().splitlines()[-1]

    def job(self, number):
        """What scontrol -d shows of it, by key."""
        return dict(re.findall(r"(\S+?)=(.*?)(?= [A-Z]\S*=|$)", self.out(f"scontrol -o -d show job {number}")))

    def rest(self, seconds):
        """Seconds of the accelerated clock."""
        time.sleep(seconds / self.cluster.clock.rate)

    def until(self, true, seconds=120):
        end = self.cluster.clock.now() + seconds
        while self.cluster.clock.now() < end:
            if true():
                return True
            time.sleep(0.02)
        return False


@contextlib.contextmanager
def lab(conf, gres="", sacctmgr="", rate=RATE, topology=""):
    """A running Lab over the text of a slurm.conf, of a gres.conf, of `sacctmgr -i` lines and of a topology.conf."""
    with tempfile.TemporaryDirectory(prefix="rehearse-lab-") as folder:
        root = pathlib.Path(folder)
        (root / "slurm.conf").write_text(conf)
        if sacctmgr:
            (root / "sacctmgr.txt").write_text(sacctmgr)
        read = site_conf.read_slurm_conf(root / "slurm.conf")
        if gres:
            (root / "gres.conf").write_text(gres)
            read.gres = site_conf.read_gres_conf(root / "gres.conf")
        with Cluster(Site(root, read, accounts.read(root), [], [], topology), rate) as cluster:
            cluster.start(lambda _: None)
            yield Lab(cluster)


def numbers(text):
    """[0, 1, 4] of `0-1,4`."""
    ends = [part.partition("-") for part in text.split(",") if part]
    return [i for first, _, last in ends for i in range(int(first), int(last or first) + 1)]


def ranges(values):
    """`0-1,4` of these."""
    runs = []
    for value in sorted(set(values)):
        if runs and runs[-1][1] == value - 1:
            runs[-1][1] = value
        else:
            runs.append([value, value])
    return ",".join(str(a) if a == b else f"{a}-{b}" for a, b in runs)


def shown(one, words):
    """What scontrol -d shows of the job once it runs, or while it waits; or what sbatch said. The job is gone afterwards."""
    number = one.sub(words)
    if not number.isdigit():
        return number
    one.until(lambda: one.job(number).get("JobState") == "RUNNING", 20)
    text = one.out(f"scontrol -d show job {number}")
    one.out(f"scancel {number}")
    one.rest(20)
    return text


def given(one, words):
    """CPUs and GPUs by node that the job gets, or what sbatch said; the job is gone afterwards."""
    text = shown(one, words)
    if not text.startswith("JobId="):
        return text
    return ", ".join(" ".join(each) for each in re.findall(r" Nodes=(\S+) CPU_IDs=(\S+) Mem=\d+ GRES=\S*\(IDX:([^)]*)\)", text))


def became_of(one, words):
    """`refused`, `runs`, or `waits REASON`; the job is gone afterwards."""
    number = one.sub(words)
    if not number.isdigit():
        return "refused"
    one.until(lambda: one.job(number).get("JobState") == "RUNNING", 65)  # a pass comes to it
    job = one.job(number)
    one.out(f"scancel {number}")
    one.rest(20)
    return "runs" if job.get("JobState") == "RUNNING" else f"waits {job.get('Reason')}"


def started(one, number, seconds):
    """`Partition:NumCPUs` of a job that runs within so many seconds, else `waits`."""
    one.until(lambda: one.job(number).get("JobState") == "RUNNING", seconds)
    found = one.job(number)
    return f"{found.get('Partition')}:{found.get('NumCPUs')}" if found.get("JobState") == "RUNNING" else "waits"


def hold(one, jobs):
    """The ids of these jobs, which run. A question that is asked beside fewer would be another one."""
    ids = [one.sub(words) for words in jobs]
    refused = [words for words, number in zip(jobs, ids) if not number.isdigit()]
    if refused:
        raise SystemExit(f"refused: {'; '.join(refused)}")
    one.until(lambda: all(one.job(i).get("JobState") == "RUNNING" for i in ids), 60)
    return ids


def has_plan(one, number):
    """True if backfill has told when the job starts."""
    return one.out(f"squeue --start -h -j {number} -o %S").startswith("20")


def plan_of(one, number, since):
    """`runs NODES`, `MINUTES NODES` of a plan, counted from the instant `since` of the lab's clock and rounded to tens; `-` without one."""
    shown = one.job(number)
    if shown["JobState"] == "RUNNING":
        return f"runs {shown['NodeList']}"
    if not has_plan(one, number):
        return "-"
    minutes = (time.mktime(time.strptime(shown["StartTime"], "%Y-%m-%dT%H:%M:%S")) - since) / 60
    return f"{round(minutes, -1):.0f} {shown.get('SchedNodeList')}"


def planned(one, held, jobs):
    """`1` for each of the waiting jobs that a cycle plans, `.` for the others, beside those held; all are gone afterwards."""
    held = hold(one, held)
    waiting = [one.sub(words) for words in jobs]
    one.rest(45)
    told = ["1" if has_plan(one, number) else "." for number in waiting]
    release(one, [*waiting, *held])
    return " ".join(told)


def release(one, ids):
    """They are gone, and their nodes clean."""
    if not ids:
        return
    one.out("scancel " + " ".join(ids))
    one.rest(40)


def reserved(one, words):
    """The nodes of a reservation asked for in half an hour, or why there is none. It is taken away again."""
    said = one.out(f"scontrol create reservation ReservationName=r Users=root StartTime=now+30minutes Duration=30 {words}")
    shown = re.search(r" Nodes=(\S+)", one.out("scontrol -o show reservation r"))
    one.out("scontrol delete ReservationName=r")
    return shown[1] if shown else said.rpartition(": ")[2]


class Tally:
    """Answers of a slurmctld beside what the text says."""

    def __init__(self):
        self.asked = self.wrong = 0

    def note(self, question, got, told):
        """Prints the answer, and the text's where it is another."""
        self.asked += 1
        self.wrong += got != told
        print(f"{question} {got}{'' if got == told else f'   WRONG: the text says {told}'}", flush=True)

    def close(self):
        """The exit code: 1 if any is wrong."""
        print(f"{self.asked - self.wrong} of {self.asked}, {self.wrong} wrong")
        return 1 if self.wrong else 0


def ask_cases(one, cases):
    """Each case: what is held, and jobs with what the text says they get. Returns the exit code."""
    tally = Tally()
    for held, jobs in cases:
        holders = hold(one, held)
        print("; ".join(held))
        for words, told in jobs:
            tally.note(f"  {words:48}", given(one, words), told)
        release(one, holders)
    return tally.close()
