# scripts/reference/drive.py — the day itself: submits, admin commands and samples at their times, until all is over.
import re
import shlex
import sys
import time

import outages
import submissions as submissions_module

LEAD = 30  # seconds of the accelerated clock between readiness and the start
PATIENCE = 7200  # of the accelerated clock, without anything that runs or could start by itself
LOOK = 0.5  # seconds of the machine's clock between two looks at the queue
# Pending, and scancel --state=PENDING passes them over; and what an admin suspended and nobody resumes (in a gang somebody else runs).
HELD = ("RESV_DEL_HOLD", "REQUEUE_HOLD", "SPECIAL_EXIT", "SUSPENDED")
SAMPLES = {
    "sprio": ("sprio", "-l"),
    "sshare": ("sshare", "-a", "-l", "-P"),
    "squeue": ("squeue", "-a", "-o", "%i|%P|%u|%a|%q|%T|%r|%Q|%S|%N|%b|%R"),
    "sinfo": ("sinfo", "-N", "-o", "%N|%T|%C|%G|%e"),
}


def may_start(state, reason):
    """Whether a job in squeue runs, or may start without anyone's help: after a begin time, in a reservation."""
    return state not in HELD and (state != "PENDING" or re.search("BeginTime|Reservation", reason) is not None)


class Drive:
    """`log` has what was refused and what an admin did: (time, command, exit code, what was said)."""

    def __init__(self, cluster, sample, out):
        self.cluster, self.sample, self.out = cluster, sample, out
        self.ids = {}  # name of a job: its id
        self.submitted = {}  # id: Submission
        self.log = []
        self.start = cluster.clock.now() + LEAD
        self.next_sample = 0.0
        # Suspended work stands still (work.c). Where nodes die a job is a `sleep`, which a replay knows to miss no node but its first.
        self.program = "sleep" if cluster.site.conf.nodes_die else "work"

    def elapsed(self):
        return self.cluster.clock.now() - self.start

    def run(self):
        site = self.cluster.site
        agenda = sorted([*site.submissions, *site.events], key=lambda item: item.at)
        for done, item in enumerate(agenda):
            self.wait_until(item.at)
            if isinstance(item, submissions_module.Submission):
                self.submit(item)
            else:
                self.command(submissions_module.with_names(item.command, self.ids))
            self.show(f"{done + 1}/{len(agenda)} submitted")
        self.wait_for_the_rest()
        self.show("")

    def wait_until(self, at):
        while (left := at - self.elapsed()) > 0:
            self.take_sample()
            time.sleep(max(0.0, min(LOOK, left / self.cluster.rate)))
            self.cluster.check_alive()
        self.take_sample()

    def submit(self, job):
        args = [submissions_module.with_names(word, self.ids) for word in job.args]
        words = ["sbatch", "--parsable", f"--uid={job.user}", "-D", "/", "-o", "/dev/null", *args,
                 "--wrap", job.script(self.program)]
        done = self.cluster.ask(*words)
        if done.returncode:
            self.note(shlex.join(words), done)
            return
        number = done.stdout.strip().split(";")[0]
        self.submitted[number] = job
        if job.name:
            self.ids[job.name] = number

    def command(self, text):
        words = shlex.split(text)
        if outage := outages.of(words):
            self.cluster.befall(*outage)
            self.log.append([int(self.cluster.clock.now()), text, 0, ""])
        elif words[0] == "slurm.conf":
            self.cluster.edit_conf(words[1:])
            self.log.append([int(self.cluster.clock.now()), text, 0, ""])
        else:
            if words[0] == "sacctmgr" and "-i" not in words and "--immediate" not in words:
                words.insert(1, "-i")  # nobody is there to answer its question
            self.note(text, self.cluster.ask(*words))

    def note(self, text, done):
        self.log.append([int(self.cluster.clock.now()), text, done.returncode, done.stderr.strip()])

    def wait_for_the_rest(self):
        """Until the queue is empty. What can never start is cancelled in the end, as an event like any other."""
        busy = self.elapsed()
        while queue := self.cluster.ask("squeue", "-h", "-a", "-o", "%i %T %r").stdout.splitlines():
            self.cluster.check_alive()
            if any(may_start(*line.split(maxsplit=2)[1:]) for line in queue):
                busy = self.elapsed()
            elif self.elapsed() - busy > PATIENCE:
                held = [line.split()[0] for line in queue if " PENDING " not in line]
                self.command(f"scancel {' '.join(held)}" if held else "scancel --state=PENDING")
                busy = self.elapsed()
            self.take_sample()
            self.show(f"{len(queue)} left")
            time.sleep(LOOK)
        time.sleep(3)  # slurmdbd hears of the last ends

    def take_sample(self):
        if not self.sample or self.elapsed() < self.next_sample:
            return
        at = int(self.next_sample)
        for name, words in SAMPLES.items():
            told = f"# at {int(self.cluster.clock.now())}\n" + self.cluster.ask(*words).stdout
            (self.out / f"{at:07d}.{name}.txt").write_text(told, encoding="utf-8")
        self.next_sample += self.sample

    def show(self, text):
        """One line that is written over, on a terminal only."""
        if sys.stderr.isatty():
            at = f"{self.elapsed() / 3600:.2f} h  {text}" if text else ""
            print(f"\r\033[K{at}", end="", file=sys.stderr, flush=True)
