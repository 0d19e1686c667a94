#!/usr/bin/env python3
# scripts/make_sites.py — makes the jobs and accounts of the shipped sites from the published traces.
"""usage: make_sites.py TRACES [SITE…]

TRACES is a folder with philly-2017/philly.csv.xz, fox-2025/, eagle-2019/, ccr-phillips-2016/ and
openb-2023/ as their README files describe them. Writes sacct.txt.xz and assoc.dump of each site under
configs/sites/, and prints how heavily the jobs load the cluster. What is invented stands in each
site's README.md and, as rules, in this file.
"""
import collections
import csv
import datetime
import lzma
import pathlib
import re
import sys

SITES = pathlib.Path(__file__).resolve().parent.parent / "configs" / "sites"
COLUMNS = ("JobIDRaw JobID JobName User Account Partition QOS Submit Eligible Start End ElapsedRaw "
           "TimelimitRaw State ExitCode NNodes NCPUS ReqMem ReqTRES AllocTRES").split()

# --- Philly: the rules that turn a row into a Slurm job ---------------------------------------

CPUS_PER_GPU, GIB_PER_GPU, GPUS_PER_NODE, GPUS_IN_ALL = 4, 16, 8, 576
HOUR, DAY = 60, 24 * 60  # [min]
LIMITS = [15, 30, HOUR, 2 * HOUR, 4 * HOUR, 8 * HOUR, 12 * HOUR, DAY, 2 * DAY, 3 * DAY, 5 * DAY,
          7 * DAY, 14 * DAY, 28 * DAY, 60 * DAY, 90 * DAY]
LONG = 7 * DAY  # what asks for more goes to partition and QOS `long`
DEPARTMENTS = {  # department: (shares, GPUs at once, {virtual cluster: shares})
    "vision": (35, 320, {"ee9e8c": 50, "6214e9": 30, "11cb48": 20}),
    "language": (30, 256, {"7f04ca": 40, "2869ce": 30, "0e4a51": 30}),
    "speech": (20, 224, {"b436b2": 50, "103959": 30, "e13805": 20}),
    "systems": (15, 192, {"6c71a0": 60, "ed69ec": 20, "23dbec": 5, "51b7ef": 5, "795a4c": 5, "925e2b": 5}),
}
HOME = {vc: name for name, (_, _, members) in DEPARTMENTS.items() for vc in members}


def limit_of(runtime_s):
    """The least limit [min] of the ladder that is one and a half times the run time or more."""
    return next(limit for limit in LIMITS if limit * 60 >= 1.5 * runtime_s)


def partition_of(vc, gpus, limit):
    if limit > LONG:
        return "long"
    if gpus == 1 and limit <= 30:
        return "debug,a100"
    if gpus >= 2 * GPUS_PER_NODE or HOME[vc] == "language":
        return "h100,a100"
    return "a100"


def qos_of(vc, gpus, limit):
    if limit > LONG:
        return "long"
    if gpus >= 2 * GPUS_PER_NODE:
        return "high"
    if vc == "6214e9" and limit >= DAY:
        return "low"
    return "normal"


def philly_job(number, row):
    gpus, runtime, vc = int(row["num_gpus"]), int(float(row["duration"])), row["cluster"]
    submit = datetime.datetime.fromisoformat(row["timestamp"])
    end = submit + datetime.timedelta(seconds=runtime)
    nodes = -(-gpus // GPUS_PER_NODE)
    limit = limit_of(runtime)
    tres = (f"billing={gpus},cpu={gpus * CPUS_PER_GPU},gres/gpu={gpus},mem={gpus * GIB_PER_GPU}G,"
            f"node={nodes}")
    at = submit.isoformat()
    return [number, number, "job", f"vc_{vc}", f"vc_{vc}", partition_of(vc, gpus, limit),
            qos_of(vc, gpus, limit), at, at, at, end.isoformat(), runtime, limit, "COMPLETED", "0:0",
            nodes, gpus * CPUS_PER_GPU, f"{gpus * GIB_PER_GPU}G", tres, tres]


def philly_load(rows):
    """Prints the demand: GPUs busy if every job started at once, over the span and at its worst."""
    day = 86400
    start = min(datetime.datetime.fromisoformat(row["timestamp"]) for row in rows)
    busy = collections.Counter()
    for row in rows:
        begin = (datetime.datetime.fromisoformat(row["timestamp"]) - start).total_seconds()
        end = begin + float(row["duration"])
        for index in range(int(begin // day), int(end // day) + 1):
            busy[index] += int(row["num_gpus"]) * (min(end, (index + 1) * day) - max(begin, index * day))
    span = int((max(datetime.datetime.fromisoformat(r["timestamp"]) for r in rows) - start).total_seconds())
    total = sum(float(row["duration"]) * int(row["num_gpus"]) for row in rows)
    worst = max(range(span // day - 41), key=lambda first: sum(busy[first + i] for i in range(42)))
    heavy = sum(busy[worst + i] for i in range(42)) / (42 * day)
    print(f"philly: {len(rows)} jobs, {total / 3600:.0f} GPU hours; demand over the {span / day:.1f} days of "
          f"submission {total / span:.0f} GPUs = {total / span / GPUS_IN_ALL:.0%} of {GPUS_IN_ALL}; in the "
          f"heaviest six weeks (from day {worst}) {heavy:.0f} GPUs = {heavy / GPUS_IN_ALL:.0%}")


def philly_accounts():
    lines = ["Cluster - 'philly':Fairshare=1:QOS='normal'", "Parent - 'root'",
             "User - 'root':DefaultAccount='root':AdminLevel='Administrator':Fairshare=1"]
    for name, (shares, gpus, _) in DEPARTMENTS.items():
        lines.append(f"Account - '{name}':Description='{name}':Organization='lab':Fairshare={shares}"
                     f":GrpTRES=gres/gpu={gpus}:QOS='high,long,low,normal'")
    for name, (_, _, members) in DEPARTMENTS.items():
        lines.append(f"Parent - '{name}'")
        lines += [f"Account - 'vc_{vc}':Description='virtual cluster {vc}':Organization='{name}':Fairshare={shares}"
                  for vc, shares in members.items()]
    for _, _, members in DEPARTMENTS.values():
        for vc in members:
            lines += [f"Parent - 'vc_{vc}'", f"User - 'vc_{vc}':DefaultAccount='vc_{vc}':Fairshare=1"]
    return lines


def make_philly(traces):
    with lzma.open(traces / "philly-2017" / "philly.csv.xz", "rt") as file:
        rows = [row for row in csv.DictReader(file) if row["timestamp"]]
    rows.sort(key=lambda row: row["timestamp"])  # stable: equal times stay in the file's order
    philly_load(rows)
    write_jobs("philly", "|".join(COLUMNS),
               ["|".join(map(str, philly_job(number, row))) for number, row in enumerate(rows, 1)])
    write_accounts("philly", philly_accounts())


# --- The others: real sacct, kept as it is ----------------------------------------------------

def flat_accounts(cluster, header, rows):
    """One share for each account and each user in it; every QOS of the jobs is allowed."""
    at = {name: header.index(name) for name in ("User", "Account", "QOS")}
    users = collections.defaultdict(set)
    for row in rows:
        users[row[at["Account"]]].add(row[at["User"]])
    qos = ",".join(sorted({row[at["QOS"]] for row in rows} | {"normal"}))
    lines = [f"Cluster - '{cluster}':Fairshare=1:QOS='{qos}'", "Parent - 'root'",
             "User - 'root':DefaultAccount='root':AdminLevel='Administrator':Fairshare=1"]
    lines += [f"Account - '{name}':Description='{name}':Organization='{name}':Fairshare=1" for name in sorted(users)]
    seen = set()
    for account in sorted(users):
        lines.append(f"Parent - '{account}'")
        for user in sorted(users[account]):
            default = "" if user in seen else f":DefaultAccount='{account}'"
            seen.add(user)
            lines.append(f"User - '{user}'{default}:Fairshare=1")
    return lines


def make_as_logged(traces, site, folder):
    """The trace's sacct text byte for byte, and an account tree in which everybody is equal."""
    packed = (traces / folder / "sacct.txt.xz").read_bytes()
    (SITES / site / "sacct.txt.xz").write_bytes(packed)
    header, *rows = [line.split("|") for line in lzma.decompress(packed).decode().splitlines()]
    write_accounts(site, flat_accounts(site, header, rows))
    cpus = header.index("NCPUS")
    nodes = header.index("NNodes")
    print(f"{site}: {len(rows)} jobs; peak as logged {peak(header, rows, cpus)} CPUs on "
          f"{peak(header, rows, nodes)} nodes (jobs that share a node count it once each)")


# --- openb: one workload, three ways of sharing a GPU -------------------------------------------

OPENB_FROM = "2023-04-27"  # before it 18 jobs in 115 days
OPENB_COLUMNS = ("JobID User Account Partition QOS Submit Start End Elapsed Timelimit State ExitCode NNodes NCPUS "
                 "ReqMem ReqTRES").split()


def openb_tres(text, sharing):
    """GPUs by type; `mig`: the trace's profile names under the Type of their device."""
    kept = []
    for entry in text.split(","):
        name, _, count = entry.partition("=")
        if name == "gres/gpu" and "gres/gpu:" in text:
            continue  # the sum over the types
        if name == "gres/gpu":
            kept += [f"gres/gpu:a100={count}", f"gres/gpu={count}"]
        elif sharing == "mig" and name.startswith("gres/gpu:"):
            kept += [f"gres/gpu:a100_{name[len('gres/gpu:'):]}={count}", f"gres/gpu={count}"]
        else:
            kept.append(entry)
    return ",".join(kept)


def make_openb(traces, sharing):
    """The jobs that ask for GPUs, from the first day with more than a few."""
    packed = (traces / "openb-2023" / f"sacct.{sharing}.txt.xz").read_bytes()
    header, *rows = [line.split("|") for line in lzma.decompress(packed).decode().splitlines()]
    at = [header.index(name) for name in OPENB_COLUMNS]
    rows = [[row[i] for i in at] for row in rows]
    tres = OPENB_COLUMNS.index("ReqTRES")  # what they held the trace does not tell
    submit = OPENB_COLUMNS.index("Submit")
    rows = [row for row in rows if row[submit] >= OPENB_FROM and "gres/" in row[tres]]
    for row in rows:
        row[tres] = openb_tres(row[tres], sharing)
    site = f"openb-{sharing}"
    write_jobs(site, "|".join(OPENB_COLUMNS), ["|".join(row) for row in rows])
    write_accounts(site, flat_accounts(site, OPENB_COLUMNS, rows))
    print(f"{site}: {len(rows)} jobs")


def peak(header, rows, column):
    """The most of `column` that the log holds at once."""
    start, end = header.index("Start"), header.index("End")
    steps = []
    for row in rows:
        if re.match(r"\d{4}-", row[start]) and re.match(r"\d{4}-", row[end]):
            steps += [(row[start], 1, int(row[column])), (row[end], 0, -int(row[column]))]
    most = held = 0
    for _, _, change in sorted(steps):
        held += change
        most = max(most, held)
    return most


def write_jobs(site, header, lines):
    text = "\n".join([header, *lines, ""]).encode()
    packed = lzma.compress(text, preset=9 | lzma.PRESET_EXTREME)
    (SITES / site / "sacct.txt.xz").write_bytes(packed)


def write_accounts(site, lines):
    head = "# Written by scripts/make_sites.py in the form of `sacctmgr dump`.\n"
    (SITES / site / "assoc.dump").write_text(head + "\n".join(lines) + "\n", encoding="utf-8")


MAKERS = {
    "philly": make_philly,
    "fox": lambda traces: make_as_logged(traces, "fox", "fox-2025"),
    "eagle": lambda traces: make_as_logged(traces, "eagle", "eagle-2019"),
    **{f"openb-{way}": lambda traces, way=way: make_openb(traces, way) for way in ("shard", "mps", "mig")},
    "phillips": lambda traces: make_as_logged(traces, "phillips", "ccr-phillips-2016"),
}


def main():
    if len(sys.argv) < 2 or any(site not in MAKERS for site in sys.argv[2:]):
        print(__doc__, file=sys.stderr)
        return 2
    for site in sys.argv[2:] or MAKERS:
        (SITES / site).mkdir(parents=True, exist_ok=True)
        MAKERS[site](pathlib.Path(sys.argv[1]))
    return 0


if __name__ == "__main__":
    sys.exit(main())
