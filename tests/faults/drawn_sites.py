#!/usr/bin/env python3
# tests/faults/drawn_sites.py — sites drawn at random, each run twice: what is remembered must decide nothing.
"""usage: drawn_sites.py [--count N] [--seed N] [--kinds K,K] [--set KEY=VALUE …] [--keep DIR]     exit 1 where a run differs, fails or hangs

Each site is a day of scripts/reference/scenarios/drawn.py: arrays, heterogeneous jobs, reservations, nodes that fail,
admins who change what there is. `--kinds` are in all of them, the others are drawn; `--set` goes to every run, as to
`rehearse run`. A site that differs is kept in DIR and told with its seed, as one for tests/data/drawn_sites would be.
"""
import argparse
import datetime
import pathlib
import random
import re
import shlex
import shutil
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parents[2]
REFERENCE = ROOT / "scripts" / "reference"
sys.path[:0] = [str(pathlib.Path(__file__).parent), str(REFERENCE), str(REFERENCE / "scenarios")]

import drawn  # noqa: E402
from accounts import QOS_OPTIONS  # noqa: E402
from scenario import write_table  # noqa: E402
from small_site import BINARY  # noqa: E402

BASES = ("packing", "gpus", "fractions", "qos", "arrays", "outage", "weights")
PREEMPTIONS = ("preempt_qos", "preempt_part", "suspend")
ADDED = ("wishes", "tree", "licences", "het", "booked", "changes", "closed", "linear", "builtin", "basic", "gang", "owned", "parameters",
         "shares", "special", "doors", "by_card", "spent", "cons_res", "crash", "site_changes")  # fmt: skip
# What a site may set beside what it is drawn with, one value of each; of SchedulerParameters a few more than drawn.py's.
SETTINGS = {
    "CompleteWait": ("10", "32"), "EnforcePartLimits": ("ALL", "ANY"), "PriorityCalcPeriod": ("5",), "JobRequeue": ("0",),
    "OverTimeLimit": ("2",), "PriorityFavorSmall": ("YES",), "PriorityDecayHalfLife": ("0-1", "14-0"), "PriorityUsageResetPeriod": ("DAILY",),
    "FairShareDampeningFactor": ("5",), "KillWait": ("5", "60"), "SchedulerType": ("sched/builtin",),
    "PriorityType": ("priority/basic",), "site.yaml:slurm_version": ("23.02", "24.05"),
}  # fmt: skip
PARAMETERS = (*drawn.BACKFILL, "preempt_strict_order", "bf_max_time=1", "bf_node_space_size={20,60}", "bf_hetjob_prio={min,avg,max}", "bf_hetjob_immediate",
              "no_backup_scheduling", "batch_sched_delay={0,20}", "sched_max_job_start={1,4}", "sched_min_interval={0,5000000}", "max_rpc_cnt=20",
              "bf_interval={10,45,300}", "bf_window_linear={60,600}", "bf_licenses", "reduce_completing_frag", "permit_job_expansion", "nohold_on_prolog_fail",
              "enable_user_top", "delay_boot=60", "salloc_wait_nodes", "spec_cores_first", "whole_hetjob", "bf_topopt_enable", "Ignore_NUMA")  # fmt: skip
BEGIN = datetime.datetime(2025, 1, 15, 8, 0, 0)
HANGS = 300  # seconds; the days take one or two
ROW = "JobIDRaw JobID JobName User Account Partition QOS Submit Start End ElapsedRaw TimelimitRaw State ExitCode NNodes NCPUS ReqTRES AllocTRES SubmitLine".split()


def when(seconds):
    return (BEGIN + datetime.timedelta(seconds=float(seconds))).replace(microsecond=0).isoformat()


def kinds_of(seed, wanted):
    chance = random.Random(seed)
    kinds = set(chance.sample(BASES, chance.randint(2, 3))) | set(chance.sample(ADDED, chance.randint(1, 4))) | wanted
    return kinds | set(chance.sample(PREEMPTIONS, chance.choice((0, 0, 1))) if "gang" not in kinds else ())


def options_of(seed, kinds):
    """For half of the sites none: they are as they were drawn."""
    chance = random.Random(seed + 0.5)
    if chance.random() < 0.5:
        return []
    chosen = [f"{key}={chance.choice(SETTINGS[key])}" for key in chance.sample(sorted(SETTINGS), chance.randint(0, 3))]
    if chance.random() < 0.7:
        chosen.append("SchedulerParameters=" + ",".join(drawn.some(chance, PARAMETERS, 2, 7)))
    if "cons_res" in kinds:  # 23.11 has it no more
        chosen = [each for each in chosen if "24.05" not in each]
    words = [word for each in chosen for word in ("--set", each)]
    if chance.random() < 0.3:  # plans are made that would decide nothing
        words.append("--plans")
    return [*words, "--growth", chance.choice(("1.4", "2"))] if chance.random() < 0.3 else words


def tasks_of(words):
    """The numbers of --array, or [None]."""
    spec = re.search(r"(?:^| )(?:-a |--array=)([\d,:-]+)", words)
    if not spec:
        return [None]
    numbers = []
    for part in spec[1].split(","):
        first, last, step = re.fullmatch(r"(\d+)(?:-(\d+))?(?::(\d+))?", part).groups()
        numbers += range(int(first), int(last or first) + 1, int(step or 1))
    return numbers


class Accounts:
    """What sacctmgr's commands make, as the tables that a site has."""

    def __init__(self, commands):
        self.accounts, self.users, self.qos = {}, {}, {"normal": {}}
        for line in commands.splitlines():
            verb, entity, names, *rest = shlex.split(line)
            options = dict(word.split("=", 1) for word in rest if word != "set")
            known = {"account": self.accounts, "user": self.users, "qos": self.qos}[entity]
            for name in names.split(","):
                if verb == "add":
                    known[name] = {}
                known[name].update(options)
        self.account_of = {user: options["Account"] for user, options in self.users.items()}

    def dump(self):
        lines = ["Cluster - 'c':Fairshare=1:QOS='normal'", "Parent - 'root'",
                 "User - 'root':DefaultAccount='root':AdminLevel='Administrator':Fairshare=1"]

        def told(options, *left_out):
            return "".join(f":{'QOS' if key == 'qos' else 'DefaultQOS' if key == 'defaultqos' else key}="
                           + (f"'{value}'" if "qos" in key else value)
                           for key, value in options.items() if key not in left_out)

        def children(parent):
            below = [name for name, options in self.accounts.items() if options.get("parent", "root") == parent]
            lines.extend(f"Account - '{name}':Description='{name}':Organization='{name}'" + told(self.accounts[name], "parent")
                         for name in below)
            for name in below:
                users = [user for user, account in self.account_of.items() if account == name]
                if users or any(options.get("parent") == name for options in self.accounts.values()):
                    lines.append(f"Parent - '{name}'")
                lines.extend(f"User - '{user}':DefaultAccount='{name}'" + told(self.users[user], "Account") for user in users)
                children(name)

        children("root")
        return "\n".join(lines) + "\n"

    def qos_table(self):
        column_of = {option.lower(): column for column, option in QOS_OPTIONS.items()} | {column.lower(): column for column in QOS_OPTIONS}
        lines = ["|".join(["Name", *QOS_OPTIONS])]
        for name, options in self.qos.items():
            row = {column_of[key.lower()]: value for key, value in options.items()}
            lines.append("|".join([name, *(row.get(column, "") for column in QOS_OPTIONS)]))
        return "\n".join(lines) + "\n"


def with_ids(text, ids):
    return re.sub(r"\{(\w+)\}", lambda name: str(ids[name[1]]), text)


def rows_of(jobs, accounts):
    """Rows of sacct and of runtimes.csv, and the id of each job by its name."""
    rows, times, ids, next_id = [], [], {}, 1
    for submit, user, seconds, args, exit_code, name in jobs:
        words = with_ids(args, ids)
        first = ids[name] = next_id
        components = words.split(" : ")
        for number in tasks_of(words) if len(components) == 1 else range(len(components)):
            own = words if len(components) == 1 else components[number]
            partition = re.search(r"-p (\w+)", own)
            quality = re.search(r"--qos=(\w+)", own)
            mark = "" if number is None else f"_{number}" if len(components) == 1 else f"+{number}"
            begin = float(submit) + 1
            rows.append([next_id, f"{first}{mark}", "wrap", user, accounts.account_of[user], partition[1] if partition else "all",
                         quality[1] if quality else "normal", when(submit), when(begin), when(begin + seconds), seconds, 60,
                         "FAILED" if exit_code else "COMPLETED", f"{exit_code}:0", 1, 1, "cpu=1,node=1", "cpu=1,node=1", f"sbatch {words} --wrap x"])
            times.append([next_id, seconds, exit_code])
            next_id += 1
    return rows, times, ids


def write_site(seed, kinds, folder):
    """The drawn day as a site that has ended: what a recorder would play is what sacct would tell."""
    day = drawn.drawn_day(seed, kinds)
    accounts = Accounts(day.accounts)
    rows, times, ids = rows_of(day.rows(), accounts)
    version = random.Random(seed).choice(("22.05", "22.05", "23.02"))
    texts = {
        "slurm.conf": day.slurm_conf, "gres.conf": day.gres_conf, "topology.conf": day.topology_conf,
        "assoc.dump": accounts.dump(), "qos.txt": accounts.qos_table(),
        "sacct.txt": "".join("|".join(map(str, row)) + "\n" for row in [ROW, *rows]),
        "site.yaml": f'seed: {seed}\ntime_zone: UTC\nslurm_version: "{version}"\n',
    }  # fmt: skip
    folder.mkdir()
    for name, text in texts.items():
        if text:
            (folder / name).write_text(text, encoding="utf-8")
    write_table(folder / "runtimes.csv", ("JobIDRaw", "runtime_s", "exit_code"), times)
    write_table(folder / "events.csv", ("time", "command"), [(when(at), with_ids(command, ids)) for at, command in day.events])


def leave_out(line, events):
    """What an admin typed that no Slurm takes: drawn days have such on purpose, and a recorder leaves it out."""
    lines = events.read_text(encoding="utf-8").splitlines(keepends=True)
    events.write_text("".join(lines[: line - 1] + lines[line:]), encoding="utf-8")


def judge(folder, options):
    """What is wrong, or nothing; and how many facts were compared."""
    words = [BINARY, "run", folder, "--paranoid", *options]
    try:
        done = subprocess.run(words, capture_output=True, text=True, timeout=HANGS, check=False)
    except subprocess.TimeoutExpired:
        return "hangs", 0
    refused = re.search(r"events\.csv:(\d+):\d+: error:", done.stderr)
    if done.returncode == 3 and refused:
        leave_out(int(refused[1]), folder / "events.csv")
        return judge(folder, options)
    same = re.search(r"nothing remembered: all (\d+) facts the same", done.stderr)
    if done.returncode == 0 and same:
        return "", int(same[1])
    errors = [line for line in done.stderr.splitlines() if "error:" in line or "wrong:" in line] or [done.stderr.strip()[-300:]]
    return f"exit {done.returncode}: {errors[0]}", 0


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--count", type=int, default=20)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--kinds", default="")
    parser.add_argument("--set", action="append", default=[])
    parser.add_argument("--keep", type=pathlib.Path)
    asked = parser.parse_args()
    wanted = set(asked.kinds.split(",")) - {""}
    wrong = undrawn = facts = 0
    for seed in range(asked.seed, asked.seed + asked.count):
        kinds = kinds_of(seed, wanted)
        with tempfile.TemporaryDirectory() as place:
            folder = pathlib.Path(place) / "site"
            try:
                write_site(seed, kinds, folder)
            except IndexError:  # kinds that leave nothing to choose from
                undrawn += 1
                continue
            options = options_of(seed, kinds) + [word for each in asked.set for word in ("--set", each)]
            told, compared = judge(folder, options)
            facts += compared
            if told:
                wrong += 1
                print(f"{seed} {','.join(sorted(kinds))} {' '.join(options)}: {told}", flush=True)
                if asked.keep:
                    shutil.move(folder, asked.keep / str(seed))
    print(f"{asked.count - undrawn} sites, {facts} facts compared, {wrong} wrong ({undrawn} could not be drawn)")
    return 1 if wrong or facts == 0 else 0


if __name__ == "__main__":
    sys.exit(main())
