# scripts/reference/recording.py — what stays of a day: a site folder with what slurmctld decided.
import csv
import json
import lzma
import re
import shutil

import clock as clock_module
import conf_edits
import hostlist
import lost_rows
import site_conf

SACCT_COLUMNS = (
    "JobIDRaw,JobID,JobName,User,Account,Partition,QOS,Submit,Eligible,Start,End,Elapsed,Suspended,Timelimit,State,"
    "ExitCode,NNodes,NCPUS,ReqCPUS,ReqMem,ReqTRES,AllocTRES,NodeList,Priority,Constraints,Reason,Flags,SubmitLine"
)
CYCLE_BEGAN = re.compile(r"^\[(\S+)\] sched/backfill: _attempt_backfill: beginning", re.M)
CONTROLLER_BEGAN = re.compile(r"^\[(\S+?)\.\d+\] slurmctld version", re.M)
LOOPS_BEGAN = re.compile(r"^\[(\S+?)\.\d+\] .*Priority \S+ plugin loaded", re.M | re.I)

# The default columns of 22.05, and those limits that it shows only when they are asked for.
QOS_COLUMNS = ("Name,Priority,GraceTime,Preempt,PreemptExemptTime,PreemptMode,Flags,UsageThreshold,UsageFactor,GrpTRES,"
               "GrpTRESMins,GrpTRESRunMins,GrpJobs,GrpSubmit,GrpWall,MaxTRES,MaxTRESPerNode,MaxTRESMins,MaxWall,MaxTRESPU,"
               "MaxJobsPU,MaxSubmitPU,MaxTRESPA,MaxJobsPA,MaxSubmitPA,MinTRES,"
               "GrpJobsAccrue,MaxJobsAccruePU,MaxJobsAccruePA,MinPrioThreshold,LimitFactor,MaxTRESRunMinsPU,MaxTRESRunMinsPA")


def write_accounts(out, cluster):
    """As they are before the day: what an admin changes is an event of it."""
    cluster.must("sacctmgr", "-i", "dump", cluster.site.conf.cluster, f"file={out}/assoc.dump")
    (out / "qos.txt").write_text(cluster.must("sacctmgr", "-P", "show", "qos", f"format={QOS_COLUMNS}"), encoding="utf-8")
    listed = cluster.ask("sacctmgr", "-P", "show", "assoc", "format=Account,User,Partition,LFT")
    if not listed.returncode:  # later releases have no LFT, and list siblings by name (priority.md §7.3)
        (out / "assoc.txt").write_text(listed.stdout, encoding="utf-8")


def write(out, cluster, drive):
    """Asks the accounting daemon and the controller a last time, and writes the folder."""
    sacct = cluster.must("sacct", "-a", "-X", "-D", "-P", "-S", "2027-01-01", "-E", "2029-01-01",
                         f"--format={SACCT_COLUMNS}")
    log = cluster.log()
    text = log.decode("utf-8", "replace")
    if unseen := lost_rows.unseen_ids(text, sacct):
        there = set(sacct.splitlines())
        more = cluster.must("sacct", "-X", "-D", "-P", "-n", "-j", ",".join(unseen), f"--format={SACCT_COLUMNS}")
        sacct += "".join(line + "\n" for line in more.splitlines() if line not in there)
    lost = lost_rows.lost_ids(text, sacct)
    sacct, told = lost_rows.restored(text, sacct, lost)
    if lost:
        cluster.site.notes.append(f"slurmdbd has no row of runs {', '.join(lost)} that slurmctld logged; written in from the log: {', '.join(told) or 'none'}")
    (out / "sacct.txt").write_text(sacct, encoding="utf-8")
    write_runtimes(out, sacct, drive.submitted)
    (out / "sdiag.txt").write_text(cluster.ask("sdiag").stdout, encoding="utf-8")
    write_inputs(out, cluster.site)
    version = cluster.must("slurmctld", "-V").strip()
    write_version(out, version)
    write_events(out, drive.log, names_all="22.05" in version)
    with lzma.open(out / "slurmctld.log.xz", "wb") as stream:
        stream.write(log)
    write_meta(out, cluster, drive, text, version)
    return len(sacct.splitlines()) - 1


def write_inputs(out, site):
    """slurm.conf as used (without ports and paths), and the site's files that are read again."""
    (out / "slurm.conf").write_text(site.conf.as_recorded(), encoding="utf-8")
    for name in ("gres.conf", "topology.conf", "sacctmgr.txt", "jobs.csv"):
        if (site.root / name).is_file():
            shutil.copyfile(site.root / name, out / name)
    for name in conf_edits.files(site.events):
        (out / name).parent.mkdir(parents=True, exist_ok=True)
        (out / name).write_text(site_conf.read_slurm_conf(site.root / name).as_recorded(), encoding="utf-8")


def write_version(out, said):
    """Of another release than the simulator takes without a word: which one a replay has to emulate."""
    release = re.search(r"\b(\d\d\.\d\d)\b", said)
    if release and release[1] != "22.05":
        (out / "site.yaml").write_text(f'slurm_version: "{release[1]}"\n', encoding="utf-8")


def write_runtimes(out, sacct, submitted):
    """JobIDRaw,runtime_s,exit_code: what each script does if left alone, whatever became of it."""
    seen = set()
    with open(out / "runtimes.csv", "w", newline="", encoding="utf-8") as stream:
        table = csv.writer(stream, lineterminator="\n")
        table.writerow(["JobIDRaw", "runtime_s", "exit_code"])
        for row in csv.DictReader(sacct.splitlines(), delimiter="|", quoting=csv.QUOTE_NONE):
            base, _, task = row["JobID"].partition("_")
            job = submitted.get(base.partition("+")[0])
            if job is None or row["JobIDRaw"] in seen:
                continue
            seen.add(row["JobIDRaw"])
            seconds, code = job.truth(int(task) if task.isdigit() else None)
            table.writerow([row["JobIDRaw"], f"{seconds:g}", code])


def of_several(command):
    """Whether it is about more than one node or job: each that it may not be done to is told, and scontrol fails, but it is done to the others (lifecycle.md §12, §10.1)."""
    nodes = re.match(r"\s*scontrol\s+(?:-\S+\s+)*update\s+(?:.*\s)?nodename=(\S+)", command, re.I)
    if nodes:
        return len(hostlist.expand(nodes[1])) > 1
    words = command.split()
    of_jobs = words[:1] == ["scontrol"] and not any(re.match(r"(partition|reservation)(name)?=", word, re.I) for word in words)
    return of_jobs and any(re.fullmatch(r"(job(id)?=)?\d[\d_+\[\]%-]*(,\d[\d_+\[\]%-]*)+", word, re.I) for word in words)


NOT_NOW = "Requested partition configuration not available now"


def carried_out(code, said, names_all=True, command=""):
    """Whether a command may have changed anything: of an array scontrol fails where one task is refused, though it has changed the others (`92_3-5: No error`; 23.11 does not name those: not `names_all`), and a refused NumNodes= has raised the job's CPUs,
    and an update of a job in an INACTIVE partition is made (lifecycle.md §10.1)."""
    if "No reservation update." in said:  # scontrol asked for none
        return False
    changed = r".*: No error$" if names_all else r"\d+_[\d,-]+: "
    return code == 0 or of_several(command) or "Node count specification invalid" in said or NOT_NOW in said or any(re.match(changed, line) for line in said.splitlines())


def write_events(out, log, names_all):
    """time,command: what an admin did and what befell nodes; refused commands that changed nothing stay in meta.json."""
    done = [(at, command) for at, command, code, said in log if carried_out(code, said, names_all, command) and not command.startswith("sbatch")]
    if not done:
        return
    with open(out / "events.csv", "w", newline="", encoding="utf-8") as stream:
        table = csv.writer(stream, lineterminator="\n")
        table.writerow(["time", "command"])
        table.writerows([clock_module.text(at), command] for at, command in done)


def write_meta(out, cluster, drive, log, version):
    """The recording's birth certificate; `loops_began`: when the background loop and the priorities came up."""
    began, loops = CONTROLLER_BEGAN.search(log), LOOPS_BEGAN.search(log)
    meta = {
        "slurm": version,
        "rate": cluster.rate,
        "t0": clock_module.FAKE_START,
        "start": int(drive.start),
        "end": int(cluster.clock.now()),
        "rejected_or_events": drive.log,
        "set_by_recorder": cluster.site.conf.told(),
        "not_handed_on": sorted(set(cluster.site.conf.dropped)),
        "notes": cluster.site.notes,
        "controller_start": began[1] if began else None,
        "loops_began": loops[1] if loops else None,
        "backfill_began": CYCLE_BEGAN.findall(log),
    }
    (out / "meta.json").write_text(json.dumps(meta, indent=1) + "\n", encoding="utf-8")
