# scripts/reference/scenarios/scenario.py — from a few draws to a site folder that the recorder takes.
"""usage: NAME.py OUT_DIR      each script of this folder writes one scenario; its seed stands in it.

A scenario says its slurm.conf, its accounts, and how one job is drawn: (sbatch's words, the share of the
cluster that it holds while it runs[, its exit code]). Jobs are named j0, j1 … in the order of submission: {j7} in
what an admin does is the id of that job, @3 in a job's words the id of the third before it. Run times are drawn lognormal and scaled, so that the jobs of the
`window` would fill the cluster `load` times: queues then last minutes to an hour.
"""
import csv
import math
import pathlib
import random
import re
import sys
from dataclasses import dataclass

ACCOUNTS = """\
add account red Fairshare=40
add account green Fairshare=30
add account blue Fairshare=20
add user ada,abe Account=red
add user bea,ben Account=green
add user cal,cyd Account=blue
"""
USERS = ("ada", "abe", "bea", "ben", "cal", "cyd")
FAIR_SHARE = """\
PriorityType=priority/multifactor
PriorityWeightAge=1000
PriorityWeightFairshare=10000
PriorityWeightJobSize=500
PriorityMaxAge=0-4
PriorityDecayHalfLife=0-2
PriorityCalcPeriod=1
"""
ENFORCED = "AccountingStorageEnforce=associations,limits,qos\n"


@dataclass
class Scenario:
    """`draw(rng)` gives (words, share); `words` may hold its own -t, else a limit is added."""

    seed: int
    slurm_conf: str
    draw: object
    accounts: str = ACCOUNTS
    gres_conf: str = ""
    topology_conf: str = ""
    jobs: int = 110
    window: int = 9600  # seconds in which the jobs are submitted
    load: float = 1.2
    users: tuple = USERS
    bursts: float = 0.25  # of the jobs come right after another, from the same user
    events: tuple = ()  # (second, what an admin types or what befalls nodes)

    def rows(self):
        rng = random.Random(self.seed)
        drawn = [self.draw(rng) for _ in range(self.jobs)]
        times = [min(math.exp(rng.gauss(0, 0.9)), 4.0) for _ in drawn]
        work = sum(share * time for (_, share, *_), time in zip(drawn, times, strict=True))
        scale = self.load * self.window / work
        at, user, table = 0.0, "", []
        for number, ((words, _, *code), time) in enumerate(zip(drawn, times, strict=True)):
            follows = user and rng.random() < self.bursts
            at += rng.uniform(1, 5) if follows else rng.expovariate((1 - self.bursts) * self.jobs / self.window)
            user = user if follows else rng.choice(self.users)
            seconds = max(20, round(time * scale))
            words = with_limit(with_jobs(words, number), seconds, rng)
            table.append((f"{at:.1f}", user, seconds, words, *(code or (0,)), f"j{number}"))
        return table

    def write(self, folder):
        folder = pathlib.Path(folder)
        folder.mkdir(parents=True, exist_ok=True)
        for name, text in (("slurm.conf", self.slurm_conf), ("sacctmgr.txt", self.accounts),
                           ("gres.conf", self.gres_conf), ("topology.conf", self.topology_conf)):
            if text:
                (folder / name).write_text(text, encoding="utf-8")
        write_table(folder / "jobs.csv", ("submit_s", "user", "runtime_s", "args", "exit_code", "name"), self.rows())
        write_table(folder / "events.csv", ("at_s", "command"), self.events)


def write_table(path, columns, rows):
    """Nothing is written where there are no rows."""
    if not rows:
        return
    with open(path, "w", newline="", encoding="utf-8") as stream:
        table = csv.writer(stream, lineterminator="\n")
        table.writerow(columns)
        table.writerows(rows)


def with_jobs(words, number):
    """@3 of a dependency as {j4} for job 7; the first job depends on none. That of --switches=1@3 is a wait."""
    if number == 0:
        return re.sub(r"\s*(--dependency=|-d )\S*@\S+", "", words)

    def named(match):
        return match[1] + re.sub(r"@(\d+)", lambda back: f"{{j{max(0, number - int(back[1]))}}}", match[2])

    return re.sub(r"(--dependency=|-d )(\S+)", named, words)


def with_limit(words, seconds, rng):
    """A time limit as people write them: too long mostly, good sometimes, too short for one in fifteen."""
    if " -t" in words:
        return words
    factor = 0.6 if rng.random() < 1 / 15 else rng.choice((1.1, 1.3, 1.5, 2, 3, 4))
    minutes = max(2, math.ceil(seconds * factor / 60))
    limit = f"-t {minutes if minutes < 20 else math.ceil(minutes / 10) * 10}"
    return " : ".join(f"{component} {limit}" for component in words.split(" : "))


def main(scenario):
    if len(sys.argv) != 2:
        sys.exit(f"usage: {pathlib.Path(sys.argv[0]).name} OUT_DIR")
    scenario.write(sys.argv[1])
