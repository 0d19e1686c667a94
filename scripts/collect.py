#!/usr/bin/env python3
# scripts/collect.py — a cluster as a site folder: run on a login node; needs Python 3.6 and Slurm's own commands, no Rehearse.
"""collect.py -o SITE [--start TIME] [--end TIME] [--anonymize]

Asks sacct (in pieces, so that slurmdbd is not hurt), sacctmgr, sshare, scontrol, squeue and sdiag, takes slurm.conf and
its companions, and writes SITE, a folder that `rehearse check` and `rehearse calibrate` take as it is. What holds for the
moment alone (queue, usage, nodes, reservations) is in SITE/snapshot, from which `rehearse forecast SITE` starts.

Everything is gathered in SITE.partial, which gets its name when it is whole; the same command goes on where one was
killed. With --anonymize nothing is written before its names are replaced: users, accounts, jobs, reservations, wckeys and
groups become keyed pseudonyms (HMAC-SHA256), the same in every file and in every run with the same key; paths, comments
and what scripts are given are left out; and at the end every file is searched for the names that were replaced.

Exit codes: 0 done, 1 a command of Slurm failed, 2 usage, 3 nothing there to collect, 130 interrupted.
"""
import argparse
import base64
import datetime
import fcntl
import hashlib
import hmac
import json
import lzma
import os
import re
import shutil
import subprocess
import sys
import time

TIMEOUT = 600  # of one command [s]
SACCT_FIELDS = ("DBIndex JobIDRaw JobID Cluster User Account Partition QOS Submit Eligible Start End Elapsed ElapsedRaw Suspended "
                "Timelimit TimelimitRaw State ExitCode NNodes NCPUS ReqNodes ReqCPUS ReqMem ReqTRES AllocTRES NodeList Priority "
                "Constraints Reason Flags Reservation WCKey Licenses QOSREQ JobName SubmitLine").split()
MUST_HAVE = {"JobIDRaw", "JobID", "Submit", "State"}
QOS_FIELDS = ("Name,Priority,GraceTime,Preempt,PreemptExemptTime,PreemptMode,Flags,UsageThreshold,UsageFactor,GrpTRES,GrpTRESMins,"
              "GrpTRESRunMins,GrpJobs,GrpSubmit,GrpWall,MaxTRES,MaxTRESPerNode,MaxTRESMins,MaxWall,MaxTRESPU,MaxJobsPU,MaxSubmitPU,"
              "MaxTRESPA,MaxJobsPA,MaxSubmitPA,MinTRES,GrpJobsAccrue,MaxJobsAccruePU,MaxJobsAccruePA,MinPrioThreshold,LimitFactor")
ASSOC_FIELDS = ("Cluster,Account,ParentName,User,Partition,Share,Priority,GrpJobs,GrpTRES,GrpSubmit,GrpWall,GrpTRESMins,MaxJobs,MaxTRES,"
                "MaxTRESPerNode,MaxSubmit,MaxWall,MaxTRESMins,QOS,DefaultQOS,GrpTRESRunMins")
SQUEUE = (("JobIDRaw", "%A"), ("JobID", "%i"), ("State", "%T"), ("User", "%u"), ("Account", "%a"), ("Partition", "%P"), ("QOS", "%q"),
          ("Submit", "%V"), ("Start", "%S"), ("End", "%e"), ("Timelimit", "%l"), ("TimeLeft", "%L"), ("Elapsed", "%M"), ("Priority", "%Q"),
          ("Nice", "%y"), ("Reason", "%r"), ("Dependency", "%E"), ("NodeList", "%N"))
SEPARATOR = "\x1f"  # no name has it


class Failure(Exception):
    """What stops the collection, for a person."""

    def __init__(self, what, hint="", code=1):
        super().__init__(what)
        self.what, self.hint, self.code = what, hint, code


def say(what):
    print("collect: " + what, file=sys.stderr, flush=True)


# --- Slurm's commands

def environment(zone):
    """Times in one zone, texts in one language, task sets whole, no taste of the user's in the formats."""
    clean = {name: value for name, value in os.environ.items()
             if not name.startswith(("SACCT_", "SQUEUE_", "SINFO_", "SLURM_TIME_FORMAT")) and name not in ("LANG", "LC_ALL")}
    clean.update({"LC_ALL": "C", "SLURM_BITSTR_LEN": "0", "TZ": zone})
    return clean


class Slurm:
    def __init__(self, zone):
        self.environment = environment(zone)

    def ask(self, *words):
        """(exit code, stdout, stderr) of a command."""
        try:
            done = subprocess.run(words, stdout=subprocess.PIPE, stderr=subprocess.PIPE, env=self.environment, timeout=TIMEOUT,
                                  stdin=subprocess.DEVNULL, check=False)
        except FileNotFoundError:
            raise Failure("%s is not in PATH" % words[0], "run this where users run squeue: a login node; or load Slurm's module")
        except OSError as error:
            raise Failure("%s: %s" % (words[0], error.strerror))
        except subprocess.TimeoutExpired:
            raise Failure("%s gave no answer within %d s" % (words[0], TIMEOUT), "try again later; ask for less at once: --step 6h")
        return done.returncode, done.stdout.decode("utf-8", "replace"), done.stderr.decode("utf-8", "replace").strip()

    def must(self, *words):
        code, out, told = self.ask(*words)
        if code != 0:
            raise Failure("%s: exit code %d%s" % (" ".join(words[:4]), code, ": " + told.splitlines()[-1] if told else ""), hint_for(told))
        return out


def hint_for(told):
    lower = told.lower()
    if "slurmdbd" in lower or "persist" in lower or "connection refused" in lower or "_slurm_auth" in lower:
        return "slurmdbd does not answer: try again when `sacctmgr show cluster` does; the same command goes on from here"
    if "access" in lower or "permission" in lower or "denied" in lower:
        return "this needs an account that may see it: an operator's, or root"
    if "contact" in lower or "controller" in lower:
        return "slurmctld does not answer: `scontrol ping`; the same command goes on from here"
    return ""


# --- pseudonyms

class Names:
    """Replaces names, or leaves them as they are (no key)."""

    PREFIXES = {"user": "u", "account": "a", "job": "j", "wckey": "w", "reservation": "r", "group": "g", "partition": "p", "qos": "q", "host": "h"}
    KEPT = {"", "root", "(null)", "None", "Unknown", "N/A", "ALL", "all", "normal", "parent"}

    def __init__(self, key, kinds):
        self.key, self.kinds, self.seen = key, kinds, {}

    def __call__(self, kind, name):
        if self.key is None or kind not in self.kinds or name in self.KEPT:
            return name
        plain = name.lower() if kind in ("account", "qos") else name  # Slurm's own accounts and QOS are lower case
        mac = hmac.new(self.key, (kind + "\0" + plain).encode("utf-8", "replace"), hashlib.sha256).digest()
        given = self.PREFIXES[kind] + "_" + base64.b32encode(mac)[:12].decode().lower()
        self.seen.setdefault(kind, {})[name] = given
        return given

    def each(self, kind, text, separator=","):
        """A list of names; signs before them stay."""
        words = []
        for word in text.split(separator):
            sign = word[:1] if word[:1] in "+-!=" and len(word) > 1 else ""
            words.append(sign + self(kind, word[len(sign):]))
        return separator.join(words)

    def hosts(self, text):
        """A host list: its letters are replaced run by run, numbers and brackets stay, so that it is a host list still."""
        if self.key is None or "host" not in self.kinds or text in self.KEPT or text == "None assigned":
            return text

        def letters(match):
            mac = hmac.new(self.key, ("host\0" + match.group()).encode(), hashlib.sha256).digest()
            given = "".join(chr(ord("a") + byte % 26) for byte in mac[:5])
            self.seen.setdefault("host", {})[match.group()] = given
            return given

        return re.sub("[A-Za-z]+", letters, text)


def load_key(path):
    """The site's own secret: made once, read by its owner alone."""
    try:
        handle = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    except FileExistsError:
        if os.stat(path).st_mode & 0o077:
            raise Failure("%s can be read by others" % path, "chmod 600 " + path, 3)
        with open(path, "rb") as stream:
            text = stream.read().decode("ascii", "replace").strip()
        key = bytes.fromhex(text) if re.match("^([0-9a-fA-F]{2})*$", text) else b""
        if len(key) < 16:
            raise Failure("%s is no key of this script" % path, "remove it to have a new one: pseudonyms change with it", 3)
        return key
    except OSError as error:
        raise Failure("%s: %s" % (path, error.strerror), "--key FILE: where a file of mode 0600 may be", 3)
    key = os.urandom(32)
    with os.fdopen(handle, "w") as stream:
        stream.write(key.hex() + "\n")
    say("made the key of the pseudonyms: %s. Keep it, and keep it here" % path)
    return key


# --- what stands in which text

# Every option of sbatch, salloc and srun that takes a value, of later releases too: which word is its value, and which a short form of
# it means, is decided as getopt_long does (tests/journeys/collect.py holds the lists against the reader of Rehearse).
SAFE_OPTIONS = set("""nodes ntasks cpus-per-task mem mem-per-cpu mem-per-gpu gres gpus gpus-per-node gpus-per-task gpus-per-socket cpus-per-gpu
 ntasks-per-node ntasks-per-core ntasks-per-socket ntasks-per-gpu ntasks-per-tres tasks-per-node time time-min constraint prefer array dependency
 begin deadline nice priority signal switches tmp licenses threads-per-core cores-per-socket sockets-per-node extra-node-info hint gres-flags
 core-spec thread-spec mincpus distribution tres-per-task kill-on-invalid-dep segment exclusive oversubscribe share hold requeue no-requeue
 contiguous spread-job use-min-nodes overcommit no-kill parsable reboot""".split())
NAMED_OPTIONS = {"account": "account", "partition": "partition", "qos": "qos", "reservation": "reservation", "wckey": "wckey"}
HOST_OPTIONS = {"nodelist", "exclude"}
FLAGS = set("""bell consolidate-segments contiguous debugger-test disable-status exact help hold ignore-pbs interactive label multi-prog no-allocate
 no-bell no-requeue no-shell overcommit overlap parsable preserve-env quiet quit-on-interrupt reboot requeue share oversubscribe spread-job stepmgr
 test-only unbuffered usage use-min-nodes verbose version wait-for-children""".split())  # they take no value
MAYBE_VALUE = set("""bcast compress exclusive external-launcher get-user-env immediate kill-command kill-on-bad-exit nice no-kill oom-kill-step
 propagate pty resv-ports send-libs x11""".split())  # with `=` alone
OTHER_OPTIONS = set("""acctg-freq batch bb bbf bcast-exclude chdir cluster-constraint clusters comment container container-id cpu-bind cpu-freq
 delay-boot epilog error export export-file extra gid gpu-bind gpu-freq het-group input job-name jobid mail-type mail-user max-exit-timeout
 max-threads mcs-label mem-bind mpi msg-timeout network nodefile open-mode output pack-group power profile prolog relative slurmd-debug task-epilog
 task-prolog threads treewidth tres-bind uid wait wait-all-nodes workdir wrap""".split())  # a value each, which is nobody's business
EVERY_OPTION = SAFE_OPTIONS | set(NAMED_OPTIONS) | HOST_OPTIONS | FLAGS | MAYBE_VALUE | OTHER_OPTIONS
# Each word belongs to these programs alone; what is in none of the lists is known to all.
SRUN_ONLY = set("""bcast bcast-exclude compress cpu-bind debugger-test disable-status epilog exact external-launcher het-group interactive
 kill-on-bad-exit label max-exit-timeout max-threads mpi msg-timeout multi-prog no-allocate overlap pack-group preserve-env prolog pty
 quit-on-interrupt relative resv-ports send-libs slurmd-debug task-epilog task-prolog threads treewidth unbuffered wait-for-children""".split())
SALLOC_ONLY = set("bell kill-command no-bell no-shell".split())
SBATCH_ONLY = set("array batch cluster-constraint export-file ignore-pbs parsable wrap".split())
NOT_OF = {"sbatch": SRUN_ONLY | SALLOC_ONLY | {"immediate", "x11"},
          "salloc": SRUN_ONLY | SBATCH_ONLY | {"error", "export", "input", "jobid", "open-mode", "output", "propagate", "test-only"},
          "srun": SALLOC_ONLY | SBATCH_ONLY | {"get-user-env", "wait-all-nodes"}}
SHORT = {"N": "nodes", "n": "ntasks", "c": "cpus-per-task", "G": "gpus", "t": "time", "C": "constraint", "a": "array", "d": "dependency", "b": "begin",
         "L": "licenses", "B": "extra-node-info", "S": "core-spec", "m": "distribution", "A": "account", "p": "partition", "q": "qos", "w": "nodelist",
         "x": "exclude", "J": "job-name", "D": "chdir", "o": "output", "e": "error", "i": "input", "M": "clusters", "H": "hold", "s": "oversubscribe",
         "O": "overcommit", "k": "no-kill", "W": "wait", "F": "nodefile", "Q": "quiet", "v": "verbose", "V": "version", "h": "help", "I": "immediate",
         "l": "label", "u": "unbuffered", "r": "relative", "T": "threads", "X": "disable-status", "Z": "no-allocate", "E": "preserve-env",
         "K": "kill-on-bad-exit"}


def long_option(written, program):
    """The option of which this is the name or the only beginning; of an unknown one, empty."""
    known = EVERY_OPTION - NOT_OF[program]
    if written in known:
        return written
    begins = [name for name in known if name.startswith(written)] if written else []
    return begins[0] if len(begins) == 1 else ""


def takes_a_word(name, program):
    """The next word is its value, where none is joined to it."""
    return name not in FLAGS and name not in MAYBE_VALUE and not (name == "wait" and program == "sbatch")


def options_of(words, program):
    """(long name, value or None) of each word that is an option, then how many words were read; an option that nobody knows: ("", None)."""
    options, at = [], 0
    while at < len(words) and words[at].startswith("-") and words[at] not in ("-", "--"):
        word = words[at]
        at += 1
        if word.startswith("--"):
            written, equals, value = word[2:].partition("=")
            name = long_option(written, program)
            if name and not equals and takes_a_word(name, program):
                value, equals, at = words[at] if at < len(words) else "", True, at + 1
            options.append((name, value if equals else None))
            continue
        for i, letter in enumerate(word[1:], 2):
            name = SHORT.get(letter, "")
            if name in FLAGS or not name or name == "wait" and program == "sbatch":
                options.append((name, None))
                continue
            value = word[i:] or None
            if value is None and takes_a_word(name, program):
                value, at = words[at] if at < len(words) else "", at + 1
            options.append((name, value))
            break
    return options, at


def plain_option(name, value, names):
    """What may be told of an option; empty: nothing."""
    if value is None:
        return "--" + name if name in SAFE_OPTIONS else ""
    if name in NAMED_OPTIONS:
        return "--%s=%s" % (name, names.each(NAMED_OPTIONS[name], value))
    if name in HOST_OPTIONS:
        return "--%s=%s" % (name, names.hosts(value)) if "/" not in value else ""
    return "--%s=%s" % (name, value) if name in SAFE_OPTIONS else ""


def plain_submit_line(line, names):
    """The options that say what was asked of nodes, of each component; of the script, its arguments and its files nothing."""
    words = line.split()
    if not words:
        return ""
    program = os.path.basename(words[0])
    kept = [program if program in NOT_OF else "sbatch"]
    rest, script = words[1:], ""
    while True:
        options, read = options_of(rest, kept[0])
        wrap = next((i for i, option in enumerate(options) if option[0] == "wrap"), len(options))
        kept += [text for text in (plain_option(name, value, names) for name, value in options[:wrap]) if text]
        script = "--wrap=script" if wrap < len(options) else "script" if read < len(rest) else ""
        # Between lone colons stand the components of a heterogeneous job; each begins with an option.
        if wrap == len(options) and rest[read:read + 1] == [":"] and rest[read + 1:read + 2] and rest[read + 1].startswith("-"):
            kept.append(":")
            rest = rest[read + 1:]
            continue
        return " ".join(kept + ([script] if script else []))


COLUMN_KINDS = {"User": "user", "Account": "account", "ParentName": "account", "Par Name": "account", "Partition": "partition", "QOS": "qos", "QOSREQ": "qos",
                "Def QOS": "qos", "Name": "qos", "Preempt": "qos", "WCKey": "wckey", "Reservation": "reservation", "JobName": "job"}


def plain_cell(column, value, names):
    """A value of a table, without the name in it."""
    if names.key is None:
        return value
    if column in COLUMN_KINDS:
        blank = value[:len(value) - len(value.lstrip())]
        return blank + names.each(COLUMN_KINDS[column], value.strip())
    if column in ("NodeList", "NodeName"):
        return names.hosts(value)
    if column == "SubmitLine":
        return plain_submit_line(value, names)
    if column == "State" and " by " in value:
        return value.split(" by ")[0]
    return value


def plain_table(text, names, skipped=()):
    """What a tool prints with -P."""
    lines = text.splitlines()
    if not lines or names.key is None:
        return text
    columns = lines[0].split("|")
    kept = [i for i, column in enumerate(columns) if column not in skipped]
    out = ["|".join(columns[i] for i in kept)]
    for line in lines[1:]:
        cells = line.split("|")
        out.append("|".join(plain_cell(columns[i], cells[i], names) for i in kept if i < len(cells)))
    return "\n".join(out) + "\n"


DUMP_WORD = re.compile(r"""('[^']*'|"[^"]*"|[^:'"]+)+""")


def plain_dump(text, names):
    """`sacctmgr dump`: KIND - 'NAME':Key=Value:…"""
    if names.key is None:
        return text
    kinds = {"DefaultAccount": "account", "Coordinator": "account", "DefaultWCKey": "wckey", "WCKeys": "wckey", "QOS": "qos", "DefaultQOS": "qos",
             "Partition": "partition"}
    out = []
    for line in text.splitlines():
        head = re.match(r"(\w+) - ", line)
        if not head:
            continue  # comments
        words = [match.group() for match in DUMP_WORD.finditer(line[head.end():])]
        kind = {"User": "user", "Account": "account", "Parent": "account"}.get(head.group(1))
        name = words[0].strip("'\"")
        kept = ["'%s'" % (names(kind, name) if kind else name)]
        for word in words[1:]:
            key, _, value = word.partition("=")
            if key in ("Description", "Organization"):
                continue
            if key in kinds:
                value = "'%s'" % names.each(kinds[key], value.strip("'\""))
            kept.append("%s=%s" % (key, value))
        out.append("%s - %s" % (head.group(1), ":".join(kept)))
    return "\n".join(out) + "\n"


CONF_KINDS = {"allowaccounts": "account", "denyaccounts": "account", "allowgroups": "group", "allowqos": "qos", "denyqos": "qos", "qos": "qos",
              "partitionname": "partition", "alternate": "partition", "accounts": "account", "users": "user", "groups": "group",
              "reservationname": "reservation", "partitions": "partition"}
CONF_HOSTS = {"nodename", "nodes", "downnodes", "switchname", "switches", "allocnodes", "suspendexcnodes", "nodeset"}
CONF_DROPPED = {"nodeaddr", "nodehostname", "bcastaddr", "comment", "extra", "os", "owner", "mcs_label", "bootttime", "instanceid", "instancetype"}
CONF_MASKED = re.compile(r"(host|addr|user|pass|machine|controller|loc|info|domain|mailprog|params)$")


def plain_pair(key, value, names, keeps_files):
    """One Key=Value of a configuration; none: it is nobody's business."""
    lower = key.lower()
    quote = '"' if value[:1] == '"' else ""
    bare = value.strip('"')
    if lower in CONF_DROPPED:
        return None
    if lower in CONF_KINDS:
        bare = names.each(CONF_KINDS[lower], bare)
    elif lower in CONF_HOSTS:
        bare = names.hosts(bare)
    elif lower == "reason":
        bare, quote = "told", ""
    elif lower in ("file", "multiplefile"):
        bare = bare if keeps_files else "/x"
    elif "/" in bare and not re.match(r"^[A-Za-z_]+/[A-Za-z0-9_]+(,[A-Za-z_]+/[A-Za-z0-9_]+)*$", bare) and not lower.endswith(("tres", "weights", "parameters")):
        bare = "/x"  # a path: that there is one may matter, not where
    elif CONF_MASKED.search(lower) and lower not in ("schedulerparameters", "preemptparameters", "priorityparameters"):
        bare = "x"
    return "%s=%s%s%s" % (key, quote, bare, quote)


PAIR = re.compile(r"""([A-Za-z_:]+(?:\[\d\])?)\s*=\s*("[^"]*"|[^\s"]*)""")


def logical_lines(text):
    """Lines without comments, continued ones joined."""
    joined = re.sub(r"\\\n", " ", text)
    for line in joined.splitlines():
        line = re.sub(r"(?<!\\)#.*", "", line).strip()
        if line:
            yield line


def plain_conf(text, names, keeps_files=False):
    """slurm.conf and its companions; also what scontrol prints as Key=Value with -o."""
    if names.key is None:
        return text
    out = []
    for line in logical_lines(text):
        if re.match(r"(JWT|AccountingStoragePass|AuthAlt)", line, re.I):
            continue
        pairs = [plain_pair(key, value, names, keeps_files) for key, value in PAIR.findall(line)]
        out.append(" ".join(pair for pair in pairs if pair is not None))
    return "\n".join(line for line in out if line) + "\n"


def plain_records(text, names):
    """scontrol -o show …: one record a line, Reason to the end of the line."""
    if names.key is None:
        return text
    return plain_conf(re.sub(r"(Reason=).*", r"\1told", text), names)


def read_conf(path, depth=0):
    """A configuration file with what it includes in its place."""
    with open(path, encoding="utf-8", errors="replace") as stream:
        lines = stream.read().splitlines()
    out = []
    for line in lines:
        found = re.match(r"\s*include\s+(\S+)", line, re.I)
        if found and depth < 8:
            name = found.group(1)
            out.append(read_conf(name if os.path.isabs(name) else os.path.join(os.path.dirname(path), name), depth + 1).rstrip("\n"))
        else:
            out.append(line)
    return "\n".join(out) + "\n"


# --- the folder

class Folder:
    """SITE.partial: files appear in it whole, and it becomes SITE when all are there."""

    def __init__(self, site):
        self.site = os.path.abspath(site)
        self.path = self.site + ".partial"
        if os.path.lexists(self.site):
            raise Failure("%s is there already" % site, "collect into another folder, or move that one away", 3)
        if not os.path.isdir(os.path.dirname(self.site)):
            raise Failure("%s: no such folder" % os.path.dirname(self.site), code=3)
        self.is_new = not os.path.isdir(self.path)
        os.makedirs(os.path.join(self.path, "pieces"), mode=0o700, exist_ok=True)
        os.makedirs(os.path.join(self.path, "snapshot"), mode=0o700, exist_ok=True)
        self.lock = open(os.path.join(self.path, "lock"), "w")  # pylint: disable=consider-using-with
        try:
            fcntl.flock(self.lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            raise Failure("%s is being collected by another process" % site, "wait for it")

    def at(self, name):
        return os.path.join(self.path, name)

    def has(self, name):
        return os.path.isfile(self.at(name))

    def write(self, name, content):
        """Whole or not at all."""
        path = self.at(name)
        with open(path + ".new", "wb") as stream:
            stream.write(content if isinstance(content, bytes) else content.encode("utf-8", "replace"))
            stream.flush()
            os.fsync(stream.fileno())
        os.replace(path + ".new", path)

    def read(self, name):
        with open(self.at(name), encoding="utf-8") as stream:
            return stream.read()

    def finish(self):
        shutil.rmtree(self.at("pieces"))
        for name in ("lock", "asked.json"):
            if self.has(name):
                os.remove(self.at(name))
        os.rename(self.path, self.site)


# --- gathering

def zone_of_machine():
    """The zone's IANA name; where none is known, UTC, and Slurm is asked in it."""
    name = os.environ.get("TZ", "").lstrip(":")
    if not name:
        real = os.path.realpath("/etc/localtime")
        name = real.split("zoneinfo/")[1] if "zoneinfo/" in real else ""
    return name if re.match(r"^[A-Za-z_]+(/[A-Za-z0-9_+-]+)*$", name) and name not in ("localtime", "posixrules") else "UTC"


def read_time(text, option):
    for form in ("%Y-%m-%dT%H:%M:%S", "%Y-%m-%dT%H:%M", "%Y-%m-%d"):
        try:
            return datetime.datetime.strptime(text, form)
        except ValueError:
            pass
    raise Failure("%s: '%s' is not a time" % (option, text), "write 2025-03-01 or 2025-03-01T12:00:00, local to the cluster", 2)


def read_span(text, option):
    found = re.match(r"^(\d+)([hd])$", text)
    if not found or int(found.group(1)) == 0:
        raise Failure("%s: '%s' is not a span" % (option, text), "write 6h or 1d", 2)
    return datetime.timedelta(hours=int(found.group(1)) * (24 if found.group(2) == "d" else 1))


def pieces_of(start, end, step):
    """[(from, to)] that cover the time between, cut at multiples of `step` since `start`."""
    pieces = []
    while start < end:
        pieces.append((start, min(start + step, end)))
        start += step
    return pieces


def sacct_records(text, columns):
    """Records of columns; a newline in a name does not end one."""
    wanted, record = len(columns), ""
    for line in text.splitlines():
        record = record + " " + line if record else line
        if record.count(SEPARATOR) >= wanted - 1:
            yield record.split(SEPARATOR)[:wanted]
            record = ""


def collect_jobs(slurm, folder, names, options):
    known = slurm.must("sacct", "--helpformat").split()
    lower = {name.lower() for name in known}
    columns = [name for name in SACCT_FIELDS if name.lower() in lower]
    missing = MUST_HAVE - set(columns)
    if missing:
        raise Failure("this sacct has no column " + ", ".join(sorted(missing)), "Slurm 17.11 or later is needed")
    now = datetime.datetime.now() if options.zone != "UTC" else datetime.datetime.utcnow()
    end = min(options.until or now, now).replace(microsecond=0)
    pieces = pieces_of(options.since, end, options.step)
    if not pieces:
        raise Failure("the window is empty: --start %s is not before --end %s" % (options.since.isoformat(), end.isoformat()), code=2)
    for number, (begin, until) in enumerate(pieces):
        name = "pieces/%s_%s" % (begin.strftime("%Y%m%dT%H%M%S"), until.strftime("%Y%m%dT%H%M%S"))
        if folder.has(name):
            continue
        if number and options.pause:
            time.sleep(options.pause)
        out = slurm.must("sacct", "-a", "-X", "-D", "-P", "-n", "--noconvert", "--delimiter=" + SEPARATOR, "-S", begin.isoformat(), "-E",
                         until.isoformat(), "--format=" + ",".join(columns))
        rows = plain_rows(out, columns, names)
        folder.write(name, "".join(row + "\n" for row in rows))
        say("%s .. %s: %d rows (%d of %d)" % (begin.isoformat(), until.isoformat(), len(rows), number + 1, len(pieces)))
    return columns


def plain_rows(out, columns, names):
    rows = []
    for record in sacct_records(out, columns):
        cells = [plain_cell(column, value, names) for column, value in zip(columns, record)]
        rows.append("|".join(cell.replace("|", "/").replace("\n", " ") for cell in cells))
    return rows


def tasks_of(name):
    """`12_[0-3,7%2]` as 12_0 .. 12_3 and 12_7; of a list that was cut short (`...`) 12_... too; any other name as it is."""
    found = re.match(r"^(\d+)_\[([^%\]]*)", name)
    if not found:
        return [name]
    tasks = []
    for part in found.group(2).split(","):
        ends = re.match(r"^(\d+)(?:-(\d+)(?::(\d+))?)?$", part)
        numbers = range(int(ends.group(1)), int(ends.group(2) or ends.group(1)) + 1, int(ends.group(3) or 1)) if ends else ["..."]
        tasks += ["%s_%s" % (found.group(1), number) for number in numbers]
    return tasks


def without_row(queue, columns, rows):
    """Jobs and tasks of squeue, in its order, of which no row of sacct tells that they wait or run."""
    at, end = columns.index("JobID"), columns.index("End") if "End" in columns else None
    known = {task for row in rows if end is None or row[end] in ("", "Unknown", "None") for task in tasks_of(row[at])}
    return [task for name, state in queue if state != "COMPLETING" for task in tasks_of(name)
            if task not in known and task.split("_")[0] + "_..." not in known]


def collect_rest_of_queue(slurm, folder, names, columns, queue):
    """Jobs that were never eligible (held, behind a dependency, the rest of an array at its %N) are in no window of sacct: they are
    asked for by id. Task by task: that one of an array is known says nothing of the others."""
    number = re.compile(r"\d+")
    asked = sorted({number.match(task).group() for task in without_row(queue, columns, merge_pieces(folder, columns))}, key=int)
    rows = []
    for first in range(0, len(asked), 200):
        out = slurm.must("sacct", "-a", "-X", "-D", "-P", "-n", "--noconvert", "--delimiter=" + SEPARATOR, "-j",
                         ",".join(asked[first:first + 200]), "--format=" + ",".join(columns))
        rows += plain_rows(out, columns, names)
    folder.write("pieces/queue", "".join(row + "\n" for row in rows))
    if asked:
        say("%d jobs of the queue are not whole in any window of sacct: %d rows by id" % (len(asked), len(rows)))
    left = without_row(queue, columns, merge_pieces(folder, columns))
    if left:
        say("warning: %d jobs or tasks of squeue have no row in sacct, even by id: %s%s; a run from the snapshot begins without them. Where "
            "slurmdbd was behind: collect once more" % (len(left), ", ".join(left[:5]), ", ..." if len(left) > 5 else ""))


def merge_pieces(folder, columns):
    """Each record once: a job is in every piece in which it waited or ran, and the last one knows most."""
    key_of = columns.index("DBIndex") if "DBIndex" in columns else None
    rows = {}
    for name in sorted(os.listdir(folder.at("pieces"))):
        if name.endswith(".new"):
            continue
        for line in folder.read("pieces/" + name).splitlines():
            cells = line.split("|")
            if len(cells) != len(columns):
                continue
            values = dict(zip(columns, cells))
            key = cells[key_of] if key_of is not None else (values["JobIDRaw"], values["Submit"])
            rows[key] = cells
    return list(rows.values())


def write_jobs(folder, columns, rows):
    kept = [i for i, column in enumerate(columns) if column != "DBIndex"]
    at = {column: i for i, column in enumerate(columns)}
    rows.sort(key=lambda cells: (cells[at["Submit"]], int(cells[at["JobIDRaw"]] or 0)))
    text = "|".join(columns[i] for i in kept) + "\n" + "".join("|".join(cells[i] for i in kept) + "\n" for cells in rows)
    folder.write("sacct.txt.xz", lzma.compress(text.encode("utf-8", "replace")))


def collect_configuration(slurm, folder, names, options):
    told = slurm.must("scontrol", "show", "config")
    found = re.search(r"^SLURM_CONF\s*=\s*(\S+)", told, re.M)
    where = options.conf_dir or (os.path.dirname(found.group(1)) if found else "/etc/slurm")
    for name in ("slurm.conf", "gres.conf", "topology.conf", "cgroup.conf"):
        path = os.path.join(where, name)
        try:
            text = read_conf(path)
        except FileNotFoundError as error:
            if name == "slurm.conf" or error.filename != path:
                raise Failure("%s is not there" % error.filename, "--conf-dir DIR: where the cluster's slurm.conf is")
            continue
        except OSError as error:
            if name == "slurm.conf":
                raise Failure("%s: %s" % (path, error.strerror), "ask an admin for a copy: --conf-dir DIR")
            say("warning: %s: %s; it is left out" % (path, error.strerror))
            continue
        folder.write(name, plain_conf(text, names, keeps_files=name == "gres.conf"))
    if names.key is None:
        folder.write("snapshot/config.txt", told)
    return told


def collect_accounts(slurm, folder, names, cluster):
    scratch = folder.at("pieces/dump.raw")
    code, _, why = slurm.ask("sacctmgr", "-i", "dump", cluster, "file=" + scratch)
    if code == 0 and os.path.isfile(scratch):
        with open(scratch, encoding="utf-8", errors="replace") as stream:
            text = stream.read()
        os.remove(scratch)
        folder.write("assoc.dump", plain_dump(text, names))
    else:
        say("warning: sacctmgr dump: %s; associations come from sacctmgr show" % (why.splitlines()[-1] if why else "exit code %d" % code))
        folder.write("assoc.txt", plain_table(slurm.must("sacctmgr", "-P", "show", "assoc", "cluster=" + cluster, "format=" + ASSOC_FIELDS), names))
    fields = QOS_FIELDS.split(",")
    while True:
        code, out, told = slurm.ask("sacctmgr", "-P", "show", "qos", "format=" + ",".join(fields))
        if code == 0 or len(fields) <= 26:
            break
        fields = fields[:26]  # an older release does not know the others
    if code != 0:
        raise Failure("sacctmgr show qos: %s" % (told or "exit code %d" % code), hint_for(told))
    folder.write("qos.txt", plain_table(out, names))


def collect_snapshot(slurm, folder, names):
    """What stands now; of the queue (JobID, state). The instant first: what is asked a second later is no older."""
    taken = int(time.time())
    rows = slurm.must("squeue", "-a", "-h", "-o", SEPARATOR.join(form for _, form in SQUEUE)).splitlines()
    header = [column for column, _ in SQUEUE]
    table = ["|".join(header)]
    for row in rows:
        cells = row.split(SEPARATOR)
        if len(cells) == len(header):
            table.append("|".join(plain_cell(column, cell, names).replace("|", "/") for column, cell in zip(header, cells)))
    folder.write("snapshot/squeue.txt", "\n".join(table) + "\n")
    code, out, told = slurm.ask("sshare", "-a", "-l", "-P", "-m")
    if code == 0 and out.strip():
        folder.write("snapshot/usage.txt", plain_table(out, names))
    else:
        say("warning: sshare: %s; fair-share begins with what the jobs tell" % (told.splitlines()[-1] if told else "says nothing"))
    folder.write("snapshot/nodes.txt", plain_records(slurm.must("scontrol", "-a", "-o", "show", "node"), names))
    folder.write("snapshot/partitions.txt", plain_records(slurm.must("scontrol", "-a", "-o", "show", "partition"), names))
    code, out, _ = slurm.ask("scontrol", "-o", "show", "reservation")
    if code == 0 and "ReservationName=" in out:
        folder.write("snapshot/reservations.txt", plain_records(out, names))
    code, out, _ = slurm.ask("sdiag")
    if code == 0:
        folder.write("sdiag.txt", re.sub(r"(?ms)^Remote Procedure Call statistics by user.*?(?=^\S.*\n|\Z)", "", out) if names.key is None
                     else out.split("Remote Procedure Call statistics by message type")[0])
    folder.write("snapshot/taken.txt", datetime.datetime.utcfromtimestamp(taken).strftime("%Y-%m-%dT%H:%M:%SZ\n"))
    cells = [row.split(SEPARATOR) for row in rows]
    return [(row[1], row[2]) for row in cells if len(row) == len(header) and row[1][:1].isdigit()]


def collect_outages(slurm, folder, names, since):
    code, out, told = slurm.ask("sacctmgr", "-P", "show", "event", "start=" + since.isoformat(),
                                "format=Cluster,NodeName,TimeStart,TimeEnd,State,Reason" + ("" if names.key else ",User"))
    if code == 0:
        folder.write("node_events.txt", plain_table(out, names, skipped=("Reason", "User")))
    else:
        say("warning: sacctmgr show event: %s; outages of nodes are not known" % told)


def own_view(told_config, columns, rows):
    """Why only a part of the jobs may be here; empty: nothing says so."""
    found = re.search(r"^PrivateData\s*=\s*(\S+)", told_config, re.M)
    hidden = found.group(1) if found else "none"
    at = columns.index("User") if "User" in columns else None
    users = {row[at] for row in rows if row[at]} if at is not None else set()
    if "jobs" in hidden.split(",") and len(users) <= 1:
        return ("PrivateData=%s in slurm.conf, and the jobs are of %s: you see your own alone. Ask for an operator's account, or have "
                "an admin run this script" % (hidden, "one user" if users else "nobody"))
    return ""


def search_for_names(folder, names):
    """Every name that was replaced, in every file that is about to be given away."""
    words = {}
    for kind in ("user", "account", "wckey", "reservation", "group", "job"):
        for name in names.seen.get(kind, {}):
            if len(name) >= 4 and not name.isdigit():
                words[name] = kind
    if not words:
        return
    bytes_of = {}
    for place, _, files in os.walk(folder.path):
        if os.path.basename(place) == "pieces":
            continue
        for name in files:
            path = os.path.join(place, name)
            with open(path, "rb") as stream:
                data = stream.read()
            bytes_of[os.path.relpath(path, folder.path)] = lzma.decompress(data) if name.endswith(".xz") else data
    config_words = set()
    for name in ("slurm.conf", "qos.txt", "gres.conf"):
        config_words.update(re.findall(r"[A-Za-z0-9_.-]+", bytes_of.get(name, b"").decode("utf-8", "replace")))
    for file, data in sorted(bytes_of.items()):
        text = data.decode("utf-8", "replace")
        there = set(re.findall(r"[A-Za-z0-9_.-]+", text))
        for name in sorted(there & set(words)):
            if words[name] in ("job", "group", "reservation", "wckey") or name in config_words and file not in ("slurm.conf",):
                continue  # a job called `gpu` or `normal` is a word of the cluster, too
            if words[name] in ("user", "account") and name in config_words and is_word_of_slurm(name, bytes_of):
                continue
            raise Failure("%s: the name of one of the %ss is still in it" % (file, words[name]),
                          "nothing was given its final name; report which kind of line this is, without the name", 1)


def is_word_of_slurm(name, bytes_of):
    """A partition, QOS, feature or GRES of that name: it stays because it is one."""
    conf = bytes_of.get("slurm.conf", b"").decode("utf-8", "replace")
    qos = bytes_of.get("qos.txt", b"").decode("utf-8", "replace")
    return bool(re.search(r"(PartitionName|Feature|Features|Gres|GresTypes|QOS|AllowQos|ClusterName|Licenses|DefaultQOS)=\S*\b%s\b" % re.escape(name), conf, re.I)
                or re.search(r"^%s\|" % re.escape(name), qos, re.M))


def site_yaml(options, taken_from, names):
    return ("time_zone: %s\nnotes:\n  collected: \"%s\"\n  names: \"%s\"\n"
            % (options.zone, taken_from, "pseudonyms" if names.key else "as they are"))


def arguments(words):
    parser = argparse.ArgumentParser(prog="collect.py", description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("-o", "--output", required=True, metavar="SITE", help="the folder to be made")
    parser.add_argument("--start", metavar="TIME", help="jobs from here on; default: 60 days ago")
    parser.add_argument("--end", metavar="TIME", help="… to here; default: now")
    parser.add_argument("--step", default="1d", metavar="SPAN", help="so much is asked of slurmdbd at once, 6h or 1d; default: 1d")
    parser.add_argument("--pause", type=float, default=1.0, metavar="S", help="seconds between two questions; default: 1")
    parser.add_argument("--conf-dir", metavar="DIR", help="where slurm.conf is; default: what scontrol says")
    parser.add_argument("--anonymize", action="store_true", help="users, accounts, jobs, reservations, groups, wckeys as pseudonyms")
    parser.add_argument("--key", metavar="FILE", help="the key of the pseudonyms, made if absent (0600); default: SITE.key")
    parser.add_argument("--anonymize-hosts", action="store_true", help="names of nodes, too")
    parser.add_argument("--anonymize-queues", action="store_true", help="names of partitions and QOS, too")
    options = parser.parse_args(words)
    options.anonymize = options.anonymize or options.anonymize_hosts or options.anonymize_queues
    if options.key and not options.anonymize:
        raise Failure("--key is for --anonymize", code=2)
    options.zone = zone_of_machine()
    options.step = read_span(options.step, "--step")
    midnight = datetime.datetime.combine(datetime.date.today(), datetime.time())
    options.since = read_time(options.start, "--start") if options.start else midnight - datetime.timedelta(days=60)
    options.until = read_time(options.end, "--end") if options.end else None
    if options.until and options.since >= options.until:
        raise Failure("--start is not before --end", code=2)
    return options


def asked_the_same(folder, options):
    """A collection goes on only where it is the same: pieces of two do not fit."""
    asked = {"start": options.start, "end": options.end, "step": options.step.total_seconds(), "zone": options.zone,
             "names": [options.anonymize, options.anonymize_hosts, options.anonymize_queues]}
    if options.start is None:
        asked["since"] = options.since.isoformat()
    if folder.has("asked.json"):
        before = json.loads(folder.read("asked.json"))
        if options.start is None and "since" in before:
            options.since = read_time(before["since"], "--start")
            asked["since"] = before["since"]
        if before != asked:
            raise Failure("%s is a collection with other options" % folder.path, "repeat that command, or remove the folder", 3)
        say("going on where a collection stopped")
    folder.write("asked.json", json.dumps(asked))


def collect(options):
    slurm = Slurm(options.zone)
    told_config = slurm.must("scontrol", "show", "config")
    folder = Folder(options.output)
    kinds = set()
    key = None
    if options.anonymize:
        key = load_key(options.key or os.path.abspath(options.output) + ".key")
        kinds = {"user", "account", "job", "wckey", "reservation", "group"}
        kinds |= {"host"} if options.anonymize_hosts else set()
        kinds |= {"partition", "qos"} if options.anonymize_queues else set()
    names = Names(key, kinds)
    asked_the_same(folder, options)
    cluster = re.search(r"^ClusterName\s*=\s*(\S+)", told_config, re.M)
    collect_configuration(slurm, folder, names, options)
    collect_accounts(slurm, folder, names, cluster.group(1) if cluster else "cluster")
    columns = collect_jobs(slurm, folder, names, options)
    queue = collect_snapshot(slurm, folder, names)
    collect_rest_of_queue(slurm, folder, names, columns, queue)
    rows = merge_pieces(folder, columns)
    part = own_view(told_config, columns, rows)
    if not rows:
        raise Failure("sacct shows no job since %s" % options.since.isoformat(),
                      part or "an earlier --start; `sacct -a -S %s` shows what there is" % options.since.date(), 3)
    if part:
        say("warning: " + part)
    collect_outages(slurm, folder, names, options.since)
    write_jobs(folder, columns, rows)
    folder.write("site.yaml", site_yaml(options, "%d rows of sacct since %s, %d jobs in the queue%s" % (
        len(rows), options.since.isoformat(), len(queue), "; only a part of the jobs is visible" if part else ""), names))
    if names.key is not None:
        search_for_names(folder, names)
    folder.finish()
    say("%s: %d rows of jobs, %d of the queue. Next: rehearse check %s" % (options.output, len(rows), len(queue), options.output))
    if names.key is not None:
        say("the key stays here: whoever has it can test whether a name is behind a pseudonym")


def main():
    os.umask(0o077)
    try:
        collect(arguments(sys.argv[1:]))
    except Failure as failure:
        print("collect: error: %s%s" % (failure.what, "\n  hint: " + failure.hint if failure.hint else ""), file=sys.stderr)
        return failure.code
    except KeyboardInterrupt:
        print("collect: interrupted; the same command goes on from here", file=sys.stderr)
        return 130
    return 0


if __name__ == "__main__":
    sys.exit(main())
