# tests/journeys/collect.py — a login node with a Slurm that is played: what is collected, hidden, continued and refused.
import datetime
import lzma
import os
import re
import signal
import stat
import subprocess
import sys
import time

from journey import ROOT, main, rehearse

SCRIPT = ROOT / "scripts" / "collect.py"
CONF = """\
# call Mallory Quimby at 555-1234 before you touch this
ClusterName=playground
SlurmctldHost=secret-head(10.0.0.1)
AccountingStorageType=accounting_storage/slurmdbd
AccountingStorageHost=secret-db
StateSaveLocation=/secret/path/state
SelectType=select/cons_tres
SelectTypeParameters=CR_Core_Memory
GresTypes=gpu
PriorityType=priority/multifactor
PriorityWeightFairshare=1000
PriorityWeightTRES=CPU=1000,Mem=2000
SchedulerParameters=bf_window=2880
NodeName=gpu[01-04] NodeAddr=10.1.0.[1-4] CPUs=16 RealMemory=64000 Gres=gpu:a100:2 Feature=fast
include nodes.inc
"""
PARTITIONS = "PartitionName=batch Nodes=gpu[01-04] Default=YES MaxTime=1-0 AllowAccounts=physlab,chemlab AllowGroups=staffgroup\n"
SHOW_CONFIG = """Configuration data as of 2027-01-15T12:00:00
ClusterName             = playground
PrivateData             = {private}
SLURM_CONF              = {where}/slurm.conf
SLURM_VERSION           = 22.05.8
"""
USERS = ["mallory", "oscarw"]
ACCOUNTS = ["physlab", "chemlab"]
SECRETS = ["mallory", "oscarw", "physlab", "chemlab", "quimby", "555-1234", "protein_fold", "secret", "staffgroup", "maintreservation",
           "10.0.0.1", "10.1.0", "broken fan", "mywckey", "/home"]
FAKE = r'''#!/usr/bin/env python3
import os, sys, time, json
here = os.path.dirname(os.path.abspath(__file__))
me, words = os.path.basename(sys.argv[0]), sys.argv[1:]
state = json.load(open(here + "/state.json"))
with open(here + "/asked.txt", "a") as log:
    log.write(me + " " + " ".join(words) + "\n")
def leave(text, code=0):
    sys.stdout.write(text)
    sys.exit(code)
if me in state["broken"]:
    sys.stderr.write(state["broken"][me] + "\n")
    sys.exit(1)
if me == "sacct":
    if "--helpformat" in words:
        leave(state["fields"])
    columns = [w.split("=", 1)[1] for w in words if w.startswith("--format=")][0].split(",")
    ids = words[words.index("-j") + 1].split(",") if "-j" in words else None
    begin, end = ("", "9") if ids else (words[words.index("-S") + 1], words[words.index("-E") + 1])
    time.sleep(state["slow"])
    for job in state["jobs"]:
        there = job["JobID"].split("_")[0] in ids or job["JobIDRaw"] in ids if ids else job["Eligible"] != "Unknown"
        there = there and not job.get("only in squeue")
        if there and job["Submit"] < end and (job["End"] == "Unknown" or job["End"] >= begin):
            print("\x1f".join(job.get(c, "") for c in columns))
elif me == "sacctmgr" and "dump" in words:
    open([w.split("=", 1)[1] for w in words if w.startswith("file=")][0], "w").write(state["dump"])
elif me == "sacctmgr":
    leave(state["qos"] if "qos" in words else state["events"])
elif me == "sshare":
    leave(state["sshare"])
elif me == "sdiag":
    leave("Main schedule statistics (microseconds):\n\tLast cycle:   100\n\nRemote Procedure Call statistics by message type\n"
          "Remote Procedure Call statistics by user\n\tmallory  (1000) count:5\n")
elif me == "squeue":
    for job in state["jobs"]:
        if job["State"] in ("RUNNING", "PENDING"):
            print("\x1f".join([job["JobIDRaw"], job["JobID"], job["State"], job["User"], job["Account"], "batch", "normal", job["Submit"], "N/A", "N/A",
                              "1:00:00", "1:00:00", "0:00", "100", "0", "None", "(null)", job["NodeList"]]))
elif me == "scontrol" and "config" in words:
    leave(state["config"])
elif me == "scontrol" and "node" in words:
    leave("NodeName=gpu01 Arch=x86_64 CPUAlloc=0 NodeAddr=10.1.0.1 NodeHostName=gpu01 OS=Linux 6.1 #1 SMP State=IDLE Reason=broken fan [mallory@2027]\n"
          "NodeName=gpu02 State=DOWN+DRAIN Reason=broken fan, told oscarw [mallory@2027-01-15T00:00:00]\n")
elif me == "scontrol" and "partition" in words:
    leave("PartitionName=batch AllowGroups=staffgroup AllowAccounts=physlab Nodes=gpu[01-04] State=UP\n")
elif me == "scontrol":
    leave("ReservationName=maintreservation StartTime=2027-01-20T00:00:00 EndTime=2027-01-21T00:00:00 Duration=1-00:00:00 Nodes=gpu01 NodeCnt=1 "
          "Users=mallory Accounts=(null) Flags=MAINT\n")
'''
FIELDS = ("DBIndex JobIDRaw JobID Cluster User Account Partition QOS Submit Eligible Start End Elapsed ElapsedRaw Timelimit State ExitCode "
          "NNodes NCPUS ReqTRES AllocTRES NodeList Priority Constraints Reason Flags WCKey JobName SubmitLine")


def jobs(count=40):
    """A job every four hours of ten days; the last ones run or wait."""
    made = []
    for i in range(count):
        begin = i * 4 * 3600
        at = [f"2027-01-{5 + t // 86400:02}T{t // 3600 % 24:02}:{t // 60 % 60:02}:00" for t in (begin, begin + 60, begin + 3660)]
        state = "COMPLETED" if i < count - 4 else "RUNNING" if i < count - 2 else "PENDING"
        tres = "billing=4,cpu=4,gres/gpu=1,mem=4G,node=1"
        made.append({
            "DBIndex": str(100 + i), "JobIDRaw": str(1 + i), "JobID": str(1 + i), "Cluster": "playground", "User": USERS[i % 2], "Account": ACCOUNTS[i % 2],
            "Partition": "batch", "QOS": "normal", "Submit": at[0], "Eligible": at[0], "Start": at[1] if state != "PENDING" else "Unknown",
            "End": at[2] if state == "COMPLETED" else "Unknown", "Elapsed": "01:00:00" if state == "COMPLETED" else "00:00:00",
            "ElapsedRaw": "3600" if state == "COMPLETED" else "0", "Timelimit": "02:00:00", "State": state, "ExitCode": "0:0", "NNodes": "1", "NCPUS": "4",
            "ReqTRES": tres, "AllocTRES": tres if state != "PENDING" else "", "NodeList": f"gpu0{1 + i % 4}" if state != "PENDING" else "None assigned",
            "WCKey": "mywckey", "JobName": "protein_fold|of\nmallory" if i == 3 else "protein_fold",
            "SubmitLine": "sbatch -A physlab --job-name protein_fold --gres=gpu:1 -c 4 --mem=4G -t 2:00:00 --mail-user=mallory@secret.org "
                          "--dependency=afterok:1 -o /home/mallory/o -x gpu04 /home/mallory/run.sh --password secret"})
    made[5]["State"] = "CANCELLED by 1000"
    made[-1]["Eligible"] = "Unknown"  # held: in no window of sacct
    return made


def login_node(folder, **changes):
    """A folder for PATH with the commands of a Slurm that is played."""
    import json
    where = folder / "bin"
    where.mkdir()
    etc = folder / "etc"
    etc.mkdir()
    (etc / "slurm.conf").write_text(CONF)
    (etc / "nodes.inc").write_text(PARTITIONS)
    (etc / "gres.conf").write_text("# by Mallory\nNodeName=gpu[01-04] Name=gpu Type=a100 File=/dev/nvidia[0-1]\n")
    state = {
        "broken": {}, "slow": 0, "fields": FIELDS.replace(" ", "\n") + "\n", "jobs": jobs(),
        "config": SHOW_CONFIG.format(where=etc, private=changes.pop("private", "none")),
        "dump": "# Cluster - 'x'\nCluster - 'playground':Fairshare=1:QOS='normal'\nParent - 'root'\nUser - 'root':DefaultAccount='root':AdminLevel='Administrator':"
                "Fairshare=1\nAccount - 'physlab':Description='the lab of mallory':Organization='secret':Fairshare=2\nAccount - 'chemlab':Description='x':"
                "Organization='y':Fairshare=1\nParent - 'physlab'\nUser - 'mallory':DefaultAccount='physlab':DefaultWCKey='mywckey':Fairshare=1\n"
                "Parent - 'chemlab'\nUser - 'oscarw':DefaultAccount='chemlab':Fairshare=1\n",
        "qos": "Name|Priority|GraceTime|Preempt|PreemptExemptTime|PreemptMode|Flags|UsageThres|UsageFactor\nnormal|0|00:00:00|||cluster|||1.000000\n",
        "events": "Cluster|NodeName|TimeStart|TimeEnd|State|Reason|User\nplayground|gpu02|2027-01-06T00:00:00|2027-01-06T02:00:00|DOWN|broken fan|mallory(1000)\n",
        "sshare": "Account|User|Partition|RawShares|NormShares|RawUsage\nroot||||0.0|100\n physlab|||2|0.5|70\n  physlab|mallory||1|0.5|70\n"
                  " chemlab|||1|0.5|30\n  chemlab|oscarw||1|0.5|30\n"}
    state.update(changes)
    (where / "state.json").write_text(json.dumps(state))
    for name in ("sacct", "sacctmgr", "sshare", "sdiag", "squeue", "scontrol"):
        (where / name).write_text(FAKE)
        (where / name).chmod(0o755)
    return where


def command(*words):
    return [sys.executable, SCRIPT, "--pause", "0", "--start", "2027-01-05", "--end", "2027-01-15", *map(str, words)]


def environment(where):
    return {**os.environ, "PATH": f"{where}:{os.path.dirname(sys.executable)}:/usr/bin:/bin", "TZ": "UTC", "SLURM_TIME_FORMAT": "%s", "SACCT_FORMAT": "user"}


def collect(where, *words, check=0):
    done = subprocess.run(command(*words), capture_output=True, text=True, env=environment(where), check=False)
    assert done.returncode == check, (done.returncode, done.stderr)
    return done


def rows_of(site):
    return lzma.open(site / "sacct.txt.xz", "rt").read().splitlines()


def everything(site):
    texts = {}
    for path in sorted(site.rglob("*")):
        if path.is_file():
            data = path.read_bytes()
            texts[str(path.relative_to(site))] = (lzma.decompress(data) if path.suffix == ".xz" else data).decode()
    return texts


def in_the_past(where):
    """The played jobs two years earlier: sacct is asked up to now, and no later."""
    text = (where / "state.json").read_text().replace("2027-", "2025-")
    (where / "state.json").write_text(text)


PAST = ("--start", "2025-01-05", "--end", "2025-01-15")


def test_what_was_collected_is_checked_and_run(folder):
    where, site = login_node(folder), folder / "site"
    in_the_past(where)
    told = collect(where, "-o", site, *PAST).stderr
    assert "40 rows of jobs" in told, told
    assert not (folder / "site.partial").exists()
    rows = rows_of(site)
    assert len(rows) == 41 and rows[0].startswith("JobIDRaw|JobID|") and "DBIndex" not in rows[0], rows[0]
    assert len({row.count("|") for row in rows}) == 1, "a newline or a bar in a job's name is no row or column of its own"
    assert "protein_fold/of mallory" in rows[4]
    assert "PartitionName=batch" in (site / "slurm.conf").read_text(), "what is included stands in its place"
    assert {path.name for path in (site / "snapshot").iterdir()} >= {"taken.txt", "usage.txt", "squeue.txt", "nodes.txt", "reservations.txt"}
    checked = rehearse("check", site)
    assert checked.returncode == 0, checked.stdout + checked.stderr
    ran = rehearse("run", site, "--json")
    assert ran.returncode == 0, ran.stderr
    rehearse("calibrate", site, check=0)
    asked = (where / "asked.txt").read_text()
    assert asked.count("sacct -a -X -D") == 11 and asked.count(" -j 40 ") == 1, "a piece a day, and who is held by id"
    # Without --end it is asked up to now, in times that sacct reads.
    recent = (datetime.date.today() - datetime.timedelta(days=2)).isoformat()
    done = subprocess.run([sys.executable, SCRIPT, "--pause", "0", "--start", recent, "-o", folder / "recent"], capture_output=True, text=True,
                          env=environment(where), check=False)
    assert done.returncode == 0, done.stderr
    times = re.findall(r"sacct -a .* -S (\S+) -E (\S+)", (where / "asked.txt").read_text())
    assert len(times) >= 12 and all(re.fullmatch(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d", each) for pair in times for each in pair), times[-2:]


def throttled(submit="2027-01-14T20:00:00"):
    """An array at its %2 limit: two tasks run, one waits anew, the rest was never eligible and is in no window of sacct."""
    base = {**jobs()[0], "Submit": submit, "Eligible": submit, "End": "Unknown", "Elapsed": "00:10:00", "ElapsedRaw": "600", "State": "RUNNING",
            "SubmitLine": "sbatch -A physlab --gres=gpu:1 -c 4 --mem=4G -t 2:00:00 --array=0-5%2 x.sh"}
    waits = {"Start": "Unknown", "State": "PENDING", "Elapsed": "00:00:00", "ElapsedRaw": "0", "NodeList": "None assigned", "AllocTRES": ""}
    return [{**base, "DBIndex": "901", "JobIDRaw": "902", "JobID": "901_0", "Start": submit},
            {**base, "DBIndex": "902", "JobIDRaw": "903", "JobID": "901_1", "Start": submit, "NodeList": "gpu02"},
            {**base, **waits, "DBIndex": "903", "JobIDRaw": "901", "JobID": "901_[2-5%2]", "Eligible": "Unknown"}]


def test_the_rest_of_an_array_at_its_limit_is_collected_too(folder):
    where, site = login_node(folder, jobs=jobs() + throttled()), folder / "site"
    in_the_past(where)
    told = collect(where, "-o", site, *PAST).stderr
    names = [row.split("|")[1] for row in rows_of(site)]
    assert names.count("901_[2-5%2]") == 1 and names.count("901_0") == 1, names
    assert "warning" not in told, told
    asked = (where / "asked.txt").read_text()
    assert " -j 40,901 " in asked, [line for line in asked.splitlines() if " -j " in line]


def test_who_is_in_the_queue_and_in_no_row_is_told(folder):
    """By the script where slurmdbd lags behind, and by whatever begins with such a snapshot: of both sides."""
    late = throttled()
    late[2]["only in squeue"] = True
    late[0]["only in squeue"] = True
    where, site = login_node(folder, jobs=jobs() + late), folder / "site"
    in_the_past(where)
    told = collect(where, "-o", site, *PAST).stderr
    assert "warning: 5 jobs or tasks of squeue have no row in sacct, even by id: 901_0, 901_2, 901_3, 901_4, 901_5;" in told, told
    (site / "snapshot" / "taken.txt").write_text("2025-01-14T21:00:00Z\n")
    for verb in (("run", site, "--start-from", "snapshot"), ("forecast", site, "--replications", "10")):
        told = rehearse(*verb, check=0).stderr
        assert "5 jobs or tasks of the queue wait or run by no row of sacct (901_0, 901_2, 901_3, 901_4, 901_5)" in told, told
        assert "are not in this queue" not in told, told
    queue = site / "snapshot" / "squeue.txt"
    lines = queue.read_text().splitlines()
    queue.write_text("\n".join(line for line in lines if not line.startswith(("903|", "40|"))) + "\n")
    told = rehearse("run", site, "--start-from", "snapshot", check=0).stderr
    assert "2 jobs or tasks wait or run by sacct, and are not in this queue (40, 901_1)" in told, told


def test_names_are_gone_and_the_same_everywhere(folder):
    where, site, key = login_node(folder), folder / "site", folder / "my.key"
    in_the_past(where)
    collect(where, "-o", site, *PAST, "--anonymize", "--key", key)
    assert stat.S_IMODE(key.stat().st_mode) == 0o600
    texts = everything(site)
    for name, text in texts.items():
        for secret in SECRETS:
            assert secret not in text.lower(), (name, secret, [line for line in text.splitlines() if secret in line.lower()][:2])
    user = next(row.split("|")[rows_of(site)[0].split("|").index("User")] for row in rows_of(site)[1:])
    assert user.startswith("u_") and user in texts["assoc.dump"] and user in texts["snapshot/usage.txt"] and user in texts["snapshot/reservations.txt"]
    account = rows_of(site)[1].split("|")[rows_of(site)[0].split("|").index("Account")]
    for name in ("assoc.dump", "slurm.conf", "snapshot/usage.txt", "snapshot/squeue.txt"):
        assert account in texts[name], name
    line = rows_of(site)[1].split("|")[-1]
    assert line == f"sbatch --account={account} --gres=gpu:1 --cpus-per-task=4 --mem=4G --time=2:00:00 --dependency=afterok:1 --exclude=gpu04 script", line
    assert "NodeName=gpu[01-04] CPUs=16" in texts["slurm.conf"], "nodes keep their names unless that is asked"
    assert "PriorityWeightTRES=CPU=1000,Mem=2000" in texts["slurm.conf"] and "SelectType=select/cons_tres" in texts["slurm.conf"]
    rehearse("check", site, check=0)
    # The same key gives the same names; another one others.
    collect(where, "-o", folder / "again", *PAST, "--anonymize", "--key", key)
    assert everything(folder / "again")["sacct.txt.xz"] == texts["sacct.txt.xz"]
    collect(where, "-o", folder / "other", *PAST, "--anonymize")
    assert everything(folder / "other")["sacct.txt.xz"] != texts["sacct.txt.xz"]
    # Scheduling does not look at names: the schedule is the same.
    collect(where, "-o", folder / "open", *PAST)
    plain, hidden = (rehearse("run", folder / name, "--trace", check=0).stdout.splitlines()[-2] for name in ("open", "site"))
    assert plain.startswith("schedule fingerprint") and plain == hidden, (plain, hidden)


def the_script():
    import importlib.util
    spec = importlib.util.spec_from_file_location("collect_script", SCRIPT)
    script = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(script)
    return script


def test_a_submit_line_without_names_asks_for_the_same(folder):
    """Values that only `=` joins, values in the next word, beginnings of names, clusters of letters, components."""
    script = the_script()
    names = script.Names(b"k" * 32, {"account"})
    lab = names("account", "physlab")
    for line, hidden in (
            ("sbatch --nice -p gpu -N2 x.sh -N9", "sbatch --nice --partition=gpu --nodes=2 script"),
            ("sbatch --propagate -p gpu -N2 x.sh", "sbatch --partition=gpu --nodes=2 script"),
            ("sbatch --kill-on-invalid-dep yes -p gpu x", "sbatch --kill-on-invalid-dep=yes --partition=gpu script"),
            ("sbatch -n4 -p gpu : -n2 -A physlab x.sh", f"sbatch --ntasks=4 --partition=gpu : --ntasks=2 --account={lab} script"),
            ("sbatch --parti gpu --acco=physlab --job secret x", f"sbatch --partition=gpu --account={lab} script"),
            ("sbatch --segment 4 -p gpu x", "sbatch --segment=4 --partition=gpu script"),
            ("sbatch -HOpgpu -Wn4 -sN 1 x", "sbatch --hold --overcommit --partition=gpu --ntasks=4 --oversubscribe --nodes=1 script"),
            ("srun -W 30 -n4 hostname", "srun --ntasks=4 script"),
            ("salloc -I30 -K -N2", "salloc --nodes=2"),
            ("sbatch --exclusive=user -k -p gpu --wrap work 900 -N 3", "sbatch --exclusive=user --no-kill --partition=gpu --wrap=script"),
            ("sbatch --of-later -p gpu x", "sbatch --partition=gpu script")):
        assert script.plain_submit_line(line, names) == hidden, (line, script.plain_submit_line(line, names))


def test_the_script_knows_the_options_that_rehearse_knows(folder):
    """One list is Python for a login node, the other C++: name by name, and what each takes with which program."""
    script = the_script()
    programs = {"kSbatch": ["sbatch"], "kSalloc": ["salloc"], "kSrun": ["srun"], "kBatchRun": ["sbatch", "srun"], "kBatchAlloc": ["sbatch", "salloc"],
                "kAllocRun": ["salloc", "srun"], "kSubmitters": ["sbatch", "salloc", "srun"]}
    told = re.findall(r'^    \{"([\w-]+)", (?:0|\'(\w)\'), (kNo|kReq|kOpt)(?:, (k\w+))?', (ROOT / "sim/config/sbatch_options.cpp").read_text(), re.M)
    assert len(told) > 120, len(told)
    known = {}
    for name, _, argument, of in told:
        for program in programs[of or "kSubmitters"]:
            known[name, program] = argument
    for name in script.EVERY_OPTION | {name for name, _ in known}:
        for program in ("sbatch", "salloc", "srun"):
            assert (script.long_option(name, program) == name) == ((name, program) in known), (name, program)
            if (name, program) in known:
                assert script.takes_a_word(name, program) == (known[name, program] == "kReq"), (name, program)
    assert {letter for _, letter, *_ in told if letter} == set(script.SHORT)


def test_hosts_and_queues_go_where_that_is_asked(folder):
    where, site = login_node(folder), folder / "site"
    in_the_past(where)
    collect(where, "-o", site, *PAST, "--anonymize-hosts", "--anonymize-queues")
    for name, text in everything(site).items():
        for secret in [*SECRETS, "gpu0", "gpu[0", "batch"]:
            assert secret not in text.lower().replace("sbatch", ""), (name, secret, [line for line in text.splitlines() if secret in line.lower()][:2])
    rehearse("check", site, check=0)


def test_a_key_that_others_can_read_is_refused(folder):
    where, key = login_node(folder), folder / "my.key"
    in_the_past(where)
    key.write_text("00" * 32)
    key.chmod(0o644)
    assert "chmod 600" in collect(where, "-o", folder / "site", *PAST, "--anonymize", "--key", key, check=3).stderr
    key.chmod(0o600)
    key.write_text("\n")
    assert "no key" in collect(where, "-o", folder / "site", *PAST, "--anonymize", "--key", key, check=3).stderr


def test_what_went_wrong_is_told(folder):
    def fresh(name, **changes):
        (folder / name).mkdir()
        made = login_node(folder / name, **changes)
        in_the_past(made)
        return made, folder / name / "site"
    where, site = fresh("a")
    (where / "sacct").unlink()
    done = subprocess.run(command("-o", site, *PAST), capture_output=True, text=True, check=False,
                          env={**environment(where), "PATH": str(where) + ":" + str(python_only(folder))})
    assert done.returncode == 1 and "sacct is not in PATH" in done.stderr and "login node" in done.stderr, done.stderr
    where, site = fresh("b", broken={"sacct": "sacct: error: slurm_persist_conn_open_without_init: failed to open persistent connection to host:db:6819: "
                                              "Connection refused"})
    told = collect(where, "-o", site, *PAST, check=1).stderr
    assert "slurmdbd does not answer" in told and "Connection refused" in told, told
    assert not site.exists()
    where, site = fresh("c", jobs=[])
    assert "shows no job since" in collect(where, "-o", site, *PAST, check=3).stderr
    where, site = fresh("d", private="jobs,usage", jobs=[job for job in jobs() if job["User"] == "mallory"])
    told = collect(where, "-o", site, *PAST).stderr
    assert "PrivateData=jobs,usage" in told and "your own alone" in told, told
    assert "only a part" in (site / "site.yaml").read_text()
    assert "is there already" in collect(where, "-o", site, *PAST, check=3).stderr
    assert "--start is not before" in collect(where, "-o", folder / "e", "--start", "2025-02-01", "--end", "2025-01-01", check=2).stderr
    assert "is not a time" in collect(where, "-o", folder / "e", "--start", "yesterday", check=2).stderr
    where, site = fresh("f", broken={"sshare": "sshare: error: no", "sdiag": "x"})
    assert "warning: sshare" in collect(where, "-o", site, *PAST).stderr and not (site / "snapshot" / "usage.txt").exists()


def python_only(folder):
    """A folder for PATH with python3 alone."""
    place = folder / "python"
    place.mkdir(exist_ok=True)
    link = place / "python3"
    if not link.exists():
        link.symlink_to(sys.executable)
    env = place / "env"
    if not env.exists():
        env.symlink_to("/usr/bin/env")
    return place


def test_killed_in_the_middle_it_goes_on(folder):
    where, site = login_node(folder, slow=0.3), folder / "site"
    in_the_past(where)
    whole = folder / "whole"
    running = subprocess.Popen(command("-o", site, *PAST), env=environment(where), stderr=subprocess.DEVNULL)
    pieces = folder / "site.partial" / "pieces"
    end = time.monotonic() + 60
    while time.monotonic() < end and (not pieces.is_dir() or len([p for p in pieces.iterdir() if p.name.startswith("2025")]) < 3):
        time.sleep(0.02)
    running.send_signal(signal.SIGKILL)
    running.wait()
    assert not site.exists() and pieces.is_dir()
    assert "other options" in collect(where, "-o", site, *PAST, "--step", "2d", check=3).stderr
    told = collect(where, "-o", site, *PAST).stderr
    assert "going on" in told and site.is_dir(), told
    asked = [line for line in (where / "asked.txt").read_text().splitlines() if line.startswith("sacct -a")]
    assert len(asked) <= 13, asked
    collect(where, "-o", whole, *PAST)
    ours, theirs = everything(site), everything(whole)
    assert {name for name in theirs if ours.get(name) != theirs[name]} <= {"snapshot/taken.txt"}


if __name__ == "__main__":
    main(globals())
