#!/usr/bin/env python3
# tests/fidelity/reasons.py — why jobs pend: what `explain` says against what a real squeue printed at that instant.
"""usage: reasons.py [RECORDING…] [--all] [--differences N]

Each recording of tests/data/recordings with samples/squeue.txt.xz is replayed from its first submission on. For each sample, each job
that pended in it and pends in the replay is asked for: the Reason of `rehearse explain OUT JOBID` at that second against squeue's %r.
Jobs that one side had started already are no question of Reasons; how many there are is printed. Without --all an even sample of
twenty jobs of each recording is asked for; results/fidelity/reasons.txt has them all.
"""
import collections
import json
import lzma
import os
import pathlib
import re
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parents[2]
RECORDINGS = ROOT / "tests" / "data" / "recordings"
BINARY = os.environ.get("REHEARSE_BINARY", str(ROOT / "build" / "release" / "rehearse"))
OF_ALL_AT_LEAST = 0.95  # what is promised of all samples together
SAMPLES_MIN = 1000      # fewer would prove nothing
JOBS = 20               # of each recording, without --all


def rehearse(*arguments):
    done = subprocess.run([BINARY, *map(str, arguments)], capture_output=True, text=True, check=False)
    if done.returncode != 0:
        sys.exit(f"rehearse {' '.join(map(str, arguments))}: exit {done.returncode}\n{done.stderr}")
    return done.stdout


def samples(recording):
    """[(epoch second, {job id as squeue prints it: Reason})] of the pending."""
    found = []
    for block in re.split(r"^# at ", lzma.open(recording / "samples" / "squeue.txt.xz", "rt").read(), flags=re.M)[1:]:
        lines = block.splitlines()
        names = lines[1].split("|")
        rows = [dict(zip(names, line.split("|"))) for line in lines[2:]]
        found.append((int(lines[0]), {row["JOBID"]: row["REASON"] for row in rows if row["STATE"] == "PENDING"}))
    return found


class Replay:
    """Spans by job, asked for once."""

    def __init__(self, recording, folder):
        self.out = pathlib.Path(folder) / f"{recording.name}.h5"
        rehearse("run", recording, "-o", self.out)
        self.spans = {}

    def reason(self, job, at):
        """None: it does not pend then."""
        # Of an array that waits as one, its first waiting task answers.
        job = re.sub(r"_\[(\d+).*", r"_\1", job)
        if job not in self.spans:
            done = subprocess.run([BINARY, "explain", str(self.out), job, "--json"], capture_output=True, text=True, check=False)
            self.spans[job] = [span for run in json.loads(done.stdout)["runs"] for span in run["reasons"]] if done.returncode == 0 else []
        for span in self.spans[job]:
            if span["begin"] <= at < span["end"]:
                return span["text"] or span["reason"]
        return None


def main():
    arguments = sys.argv[1:]
    shown = 0
    asks_all = "--all" in arguments
    arguments = [one for one in arguments if one != "--all"]
    if "--differences" in arguments:
        at = arguments.index("--differences")
        shown = int(arguments[at + 1])
        del arguments[at:at + 2]
    recordings = [pathlib.Path(one) for one in arguments] or sorted(RECORDINGS.iterdir())
    all_asked = all_same = 0
    with tempfile.TemporaryDirectory() as folder:
        for recording in recordings:
            if not (recording / "samples" / "squeue.txt.xz").exists():
                continue
            replay = Replay(recording, folder)
            taken = samples(recording)
            jobs = sorted({job for _, pending in taken for job in pending})
            chosen = set(jobs) if asks_all else set(jobs[::max(1, len(jobs) // JOBS)])
            asked = same = gone = 0
            differences = collections.Counter()
            for at, pending in taken:
                for job, theirs in pending.items():
                    if job not in chosen:
                        continue
                    ours = replay.reason(job, at)
                    if ours is None:
                        gone += 1
                        continue
                    asked += 1
                    same += ours == theirs
                    if ours != theirs:
                        differences[theirs, ours] += 1
            print(f"{recording.name:22} {asked:6} asked {same:6} same {100 * same / max(1, asked):6.1f} %   {gone:5} no longer pend here")
            for (theirs, ours), count in differences.most_common(shown):
                print(f"    {count:4}  squeue: {theirs}; ours: {ours}")
            all_asked += asked
            all_same += same
    share = all_same / max(1, all_asked)
    print(f"{'all':22} {all_asked:6} asked {all_same:6} same {100 * share:6.1f} %")
    if not arguments and (share < OF_ALL_AT_LEAST or all_asked < SAMPLES_MIN):
        sys.exit(f"at least {100 * OF_ALL_AT_LEAST:.0f} % of at least {SAMPLES_MIN} is promised")


if __name__ == "__main__":
    main()
