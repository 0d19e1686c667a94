#!/usr/bin/env python3
# scripts/reference/scenarios/drawn.py — a day whose cluster, settings and jobs are all drawn from a seed, of the kinds that are named.
"""usage: drawn.py SEED KIND[,KIND[,KIND]] OUT_DIR

KIND: packing, gpus, fractions, qos, arrays, outage, weights, and one of preempt_qos, preempt_part, suspend; over them wishes, tree,
licences, het, booked, changes, closed, linear, builtin, basic, gang, owned, parameters, shares, special, doors, by_card, spent, cons_res,
crash, site_changes, split, two_models, large. Nothing of the settings stands in a script: another
seed is another site. What a kind adds to it stands in drawn_kinds.py, drawn_wishes.py, drawn_rules.py and drawn_habits.py.
"""
import math
import random
import re
import sys

import drawn_habits
import drawn_rules
from drawn_kinds import EVENTS_OF, JOBS_OF, PREEMPTION_OF, QOS_OF, TIERS_OF
from drawn_wishes import SETTINGS_OF, TIERS, WISHED_EVENTS, WORDS_OF, topology
from scenario import Scenario

SETTINGS_OF, WORDS_OF, WISHED_EVENTS, QOS_OF = SETTINGS_OF | drawn_rules.SETTINGS | drawn_habits.SETTINGS, WORDS_OF | drawn_rules.WORDS | drawn_habits.WORDS, WISHED_EVENTS | drawn_rules.EVENTS, QOS_OF | drawn_rules.QOS
SHAPES = ((2, 8, 1, 64), (2, 16, 2, 256), (1, 32, 1, 192), (4, 8, 2, 256), (2, 12, 1, 128), (2, 24, 1, 384), (1, 16, 2, 96), (2, 10, 2, 192))  # sockets, cores, threads, GB
MODELS = ("a100", "v100", "h100", "l40s", "a30", "t4", "rtx6000", "mi250")
SLICES = (("1g.5gb:7", "2g.10gb:3", "3g.20gb:2"), ("1g.10gb:14", "3g.40gb:4"), ("1g.6gb:8", "2g.12gb:4"), ("1g.10gb:4", "2g.20gb:6", "4g.40gb:2"))
ACCOUNTS = """\
add account east Fairshare={}
add account west Fairshare={}
add account lab parent=east Fairshare={}
add account mill parent=east Fairshare={}
add account port parent=west Fairshare={}
add user lea,lou Account=lab Fairshare={}
add user mia,max Account=mill
add user pam Account=port Fairshare={}
add user pit Account=port
"""
USERS = ("lea", "lou", "mia", "max", "pam", "pit")
WAYS = ("CR_Core_Memory", "CR_CPU_Memory", "CR_Core", "CR_Socket_Memory", "CR_CPU", "CR_Core_Memory,CR_CORE_DEFAULT_DIST_BLOCK", "CR_Core_Memory,CR_Pack_Nodes", "CR_CPU_Memory,CR_LLN")
BACKFILL = ("bf_continue", "bf_busy_nodes", "bf_window={1440,2880,10080}", "bf_resolution={30,60,180,300,600}", "bf_max_job_user={3,6,12}", "bf_max_job_part={10,25}", "bf_max_job_test={15,40,300}", "bf_max_job_start={2,5,20}",
            "bf_max_job_assoc={6,15}", "bf_max_job_array_resv={1,3,8}", "bf_one_resv_per_job", "bf_job_part_count_reserve={1,3}", "bf_min_age_reserve={120,600}", "bf_running_job_reserve", "default_queue_depth={8,20,200}", "partition_job_depth={5,12}",
            "sched_interval={30,90,120}", "pack_serial_at_end", "assoc_limit_stop", "defer", "bf_yield_interval=1000000", "kill_invalid_depend", "preempt_youngest_first", "preempt_reorder_count=2", "bf_min_prio_reserve={500,3000}")
FLAGS = ("ACCRUE_ALWAYS", "CALCULATE_RUNNING", "MAX_TRES", "SMALL_RELATIVE_TO_TIME", "DEPTH_OBLIVIOUS", "NO_FAIR_TREE", "NO_NORMAL_PART", "NO_NORMAL_QOS", "INCR_ONLY")


def some(rng, texts, few, many):
    """A few of the texts; of {1,2} one."""
    chosen = []
    for text in rng.sample(texts, rng.randint(few, many)):
        head, _, rest = text.partition("{")
        chosen.append(head + rng.choice(rest.rstrip("}").split(",")) if rest else text)
    return chosen


def devices(first, count):
    return f"/dev/nvidia{first}" if count == 1 else f"/dev/nvidia[{first}-{first + count - 1}]"


class Nodes:
    """Like nodes under one name: what one has, and its lines of slurm.conf and gres.conf."""

    def __init__(self, rng, name, kind):
        self.name, self.kind, self.count = name, kind, rng.randint(2, 4)
        self.sockets, self.cores, self.threads, self.memory = rng.choice(SHAPES)
        self.model, self.gpus = rng.choice(MODELS), {"gpus": rng.choice((2, 4, 4, 8)), "slices": 0, "mps": 4, "shard": rng.choice((2, 4))}.get(kind, 0)
        self.types, self.second = [self.model], ""
        self.slices = rng.choice(SLICES) if kind == "slices" else ()
        if self.slices:
            self.types = [text.split(":")[0] for text in self.slices]
        self.units = self.gpus * rng.choice((4, 8)) if kind == "shard" else 100 * self.gpus
        self.bound = self.sockets == 2 and kind in ("gpus", "mps", "shard") and rng.random() < 0.5
        self.weight = rng.choice(("", "", f" Weight={rng.choice((2, 10, 50))}"))
        self.feature = f" Feature={name}kind{rng.choice(('', ',fast', ',old'))}"

    def cpus(self):
        return self.sockets * self.cores * self.threads

    def list(self):
        return f"{self.name}[1-{self.count}]"

    def conf(self):
        gres = [f"gpu:{text}" for text in self.slices] or ([f"gpu:{self.model}:{self.gpus // 2},gpu:{self.second}:{self.gpus // 2}"] if self.second else [f"gpu:{self.model}:{self.gpus}"] if self.gpus else [])
        gres += [f"{self.kind}:{self.units}"] if self.kind in ("mps", "shard") else []
        return (f"NodeName={self.list()} Sockets={self.sockets} CoresPerSocket={self.cores} ThreadsPerCore={self.threads} RealMemory={self.memory * 1000}"
                + (f" Gres={','.join(gres)}" if gres else "") + self.feature + self.weight)

    def gres(self):
        lines, at = [], 0
        for text in self.slices:
            profile, count = text.split(":")
            lines.append(f"Name=gpu Type={profile} File={devices(at, int(count))}")
            at += int(count)
        if self.gpus:
            half, all_cores = self.gpus // 2, self.sockets * self.cores
            if self.bound or self.second:
                near = (f" Cores=0-{all_cores // 2 - 1}", f" Cores={all_cores // 2}-{all_cores - 1}") if self.bound else ("", "")
                lines.append(f"Name=gpu Type={self.model} File={devices(0, half)}{near[0]}")
                lines.append(f"Name=gpu Type={self.second or self.model} File={devices(half, half)}{near[1]}")
            else:
                lines.append(f"Name=gpu Type={self.model} File={devices(0, self.gpus)}")
        if self.kind in ("mps", "shard"):
            lines.append(f"Name={self.kind} Count={self.units}")
        return "".join(f"NodeName={self.list()} {line}\n" for line in lines)


def groups(rng, kinds):
    if "fractions" in kinds:
        wanted = ["slices", "shard", rng.choice(("mps", "gpus"))]
    elif "gpus" in kinds:
        wanted = ["gpus", "gpus", rng.choice(("cpus", "gpus"))]
    else:
        wanted = ["cpus"] * rng.choice((2, 3)) if "packing" in kinds else rng.choice((["gpus"], ["gpus", "cpus"]))
    return drawn_habits.sized(kinds, [Nodes(rng, name, kind) for name, kind in zip("abc", wanted)])


def priorities(rng, kinds, types):
    """Few weights, or many where the day is about them."""
    lines = ["PriorityType=priority/multifactor", f"PriorityWeightAge={rng.choice((500, 1000, 5000, 20000))}", f"PriorityMaxAge={rng.choice(('0-1', '0-6', '2-0', '7-0'))}",
             f"PriorityWeightFairshare={rng.choice((2000, 10000, 50000, 100000))}", f"PriorityDecayHalfLife={rng.choice(('0-1', '0-4', '1-0', '14-0'))}", f"PriorityCalcPeriod={rng.choice((1, 2, 5))}"]
    flags = some(rng, FLAGS, 0, 1)
    if "weights" in kinds:
        flags = some(rng, FLAGS, 1, 3)
        lines += [f"PriorityWeightJobSize={rng.choice((500, 5000, 10000))}", f"PriorityWeightAssoc={rng.choice((1000, 8000))}", f"PriorityWeightTRES=CPU={rng.choice((500, 2000))},Mem={rng.choice((500, 3000))}" + (f",GRES/gpu={rng.choice((1000, 6000))}" if types else "")]
        lines += rng.choice(([], ["PriorityFavorSmall=YES"]))
    if kinds & {"weights", "qos", "preempt_qos"}:
        lines.append(f"PriorityWeightQOS={rng.choice((2000, 20000, 100000))}")
    if kinds & {"weights", "gpus", "preempt_part"}:
        lines.append(f"PriorityWeightPartition={rng.choice((1000, 8000, 20000))}")
    return lines + ([f"PriorityFlags={','.join(flags)}"] if flags else [])


def partitions(rng, kinds, nodes, types):
    first = nodes[0].list()
    spare = rng.choice((f" DefMemPerCPU={rng.choice((500, 1000, 2000))}", " DefMemPerCPU=1000 MaxMemPerCPU=6000"))
    shared = rng.choice(("", "", " OverSubscribe=YES:2")) if "packing" in kinds else ""
    billing = f' TRESBillingWeights="CPU={rng.choice((0.25, 1.0))},Mem={rng.choice((0.1, 0.25))}G{f",GRES/gpu={rng.choice((2.0, 8.0))}" if types else ""}"' if "weights" in kinds else ""
    return [f"PartitionName=all Nodes=ALL Default=YES MaxTime=1-0 DefaultTime=60 State=UP PriorityJobFactor={rng.choice((1, 5))}{spare}{shared}{billing}",
            f"PartitionName=part Nodes={','.join(group.list() for group in nodes[1:]) or first} MaxTime={rng.choice(('2:00:00', '12:00:00'))} State=UP PriorityJobFactor={rng.choice((3, 10))}{spare}",
            f"PartitionName=quick Nodes={first} MaxTime={rng.choice((20, 30, 60))} State=UP PriorityTier={rng.choice((2, 10))}{spare}{rng.choice(('', ' MaxNodes=1', ' MaxCPUsPerNode=12'))}"]


def site(seed, kinds):
    rng = random.Random(f"settings of {seed} {sorted(kinds)}")
    nodes = groups(rng, kinds)
    types = sorted({name for group in nodes if group.kind != "cpus" for name in group.types})
    parameters = [f"bf_interval={rng.choice((20, 30, 45, 60))}", *some(rng, BACKFILL, 3, 6)]
    tres = ["gres/gpu", *(f"gres/gpu:{name}" for name in types), *(f"gres/{group.kind}" for group in nodes if group.kind in ("mps", "shard"))] if types else ["billing"]
    lines = ["GresTypes=gpu,mps,shard", "SchedulerType=sched/backfill", f"SchedulerParameters={','.join(parameters)}", "SelectType=select/cons_tres",
             f"SelectTypeParameters={rng.choice(WAYS)}", *rng.choice(([], [], ["CompleteWait=10"], ["OverTimeLimit=1"])), *priorities(rng, kinds, types),
             f"AccountingStorageEnforce={rng.choice(('associations,limits,qos', 'associations,limits,qos', 'limits,safe'))}", f"AccountingStorageTRES={','.join(tres)}"]
    preemption = next((kind for kind in sorted(kinds) if kind in PREEMPTION_OF), None)
    lines += PREEMPTION_OF[preemption](rng) if preemption else []
    lines += [group.conf() for group in nodes]
    tiers = TIERS_OF.get(preemption)
    lines += tiers(rng) if tiers else partitions(rng, kinds, nodes, types)
    accounts = ACCOUNTS.format(*(rng.choice((1, 2, 5, 10, 40)) for _ in range(7)))
    quality = next((QOS_OF[kind] for kind in sorted(kinds) if kind in QOS_OF), None)
    accounts += quality(rng, types, USERS) if quality else ""
    accounts += "".join(drawn_habits.ACCOUNTS[kind](rng, types, USERS) for kind in sorted(kinds & drawn_habits.ACCOUNTS.keys()))
    words = [kind for kind in sorted(kinds) if kind in JOBS_OF] or (["gpus"] if types else ["packing"])
    events = [event for kind in sorted(kinds) for event in EVENTS_OF.get(kind, lambda *_: [])(rng, nodes)]
    for kind in sorted(kinds & SETTINGS_OF.keys()):
        lines = SETTINGS_OF[kind](rng, lines, nodes)
    named = lambda text: re.sub(r"\b(PartitionName|Partition)=([\w,]+)", lambda match: f"{match[1]}={','.join(TIERS.get(name, name) for name in match[2].split(','))}", text) if tiers else text
    events += [(at, named(text)) for kind in sorted(kinds & WISHED_EVENTS.keys()) for at, text in WISHED_EVENTS[kind](rng, nodes)]
    return rng, nodes, "\n".join(lines) + "\n", accounts, words, tuple(sorted([*events, (12000, "scancel --state=PENDING")]))


def in_time(events, rows):
    """The events, none before the jobs that it names have come."""
    came = {row[-1]: float(row[0]) for row in rows}
    return tuple(sorted((max([at, *(math.ceil(came[name]) + 60 for name in re.findall(r"{(j\d+)}", text))]), text) for at, text in events))


def drawn_day(seed, kinds):
    rng, nodes, conf, accounts, words, events = site(seed, kinds)
    parts = [line.split()[0].partition("=")[2] for line in conf.splitlines() if line.startswith("PartitionName=")]
    qualities = [line.split()[2] for line in accounts.splitlines() if line.startswith("add qos") and "part" not in line.split()[2]]

    def draw(dice):
        words_, share = JOBS_OF[dice.choice([kind for kind in words if kind != "arrays"] or ["gpus" if nodes[0].kind == "gpus" else "packing"])](dice, nodes)
        if dice.random() < 0.6:
            words_ += f" -p {dice.choice(parts + ([','.join(dice.sample(parts, 2))] if len(parts) > 1 else []))}"
        if qualities and dice.random() < 0.8:
            words_ += f" --qos={dice.choice(qualities)}"
        for kind in sorted(kinds & WORDS_OF.keys() - {"het"}):
            words_ = WORDS_OF[kind](dice, words_, nodes)
        words_, *rest = JOBS_OF["arrays"](dice, words_, share) if "arrays" in words else (words_, share)
        return (WORDS_OF["het"](dice, words_, nodes) if "het" in kinds else words_), *rest

    day = Scenario(seed, conf, draw, accounts=accounts, gres_conf="".join(group.gres() for group in nodes),
                   topology_conf=topology(rng, nodes) if "tree" in kinds else "", jobs=rng.randint(130, 200) * drawn_habits.times(kinds), window=7200,
                   load=rng.choice((1.1, 1.3, 1.5)), users=USERS)
    day.events = in_time(events, day.rows())
    return day


def main():
    if len(sys.argv) != 4:
        sys.exit(__doc__.splitlines()[0])
    drawn_day(int(sys.argv[1]), set(sys.argv[2].split(","))).write(sys.argv[3])


if __name__ == "__main__":
    main()
