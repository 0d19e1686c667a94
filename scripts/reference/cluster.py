# scripts/reference/cluster.py — a real Slurm on one machine and one accelerated clock: started, asked, stopped.
import os
import re
import shlex
import shutil
import subprocess
import tempfile
import time
from pathlib import Path

import accounts as accounts_module
import conf_edits
import outages
import ports as ports_module
import services
import site_conf
from clock import FAKE_START, Clock, build
from failure import Failure
from processes import Processes, ignore_signals
from unix_users import UnixUsers

SECONDS_TO_START = 120  # of the machine's clock
HARMLESS = re.compile("not recommended values|Configured MailProg|pmix|_state|High latency|MessageTimeout is too high")
LONGEST = 300  # seconds of the machine's clock that a client may take
LONGEST_PATH = 90  # of 107 bytes that a socket's path may have


class Cluster:
    """Use as a context: what is started inside it is gone after it, whatever happened."""

    def __init__(self, site, rate, port_base=None, debug_flags=""):
        self.site, self.rate, self.port_base = site, rate, port_base
        self.debug_flags = ",".join(filter(None, ("Backfill", "Route", "TraceJobs", debug_flags)))
        self.users, self.work, self.processes = UnixUsers(), None, None
        self.said = ""  # by the last client command, of what went wrong
        self.slurmd, self.booted = {}, {}  # of each host: its daemon, and when it was booted

    def __enter__(self):
        return self

    def __exit__(self, *_):
        ignore_signals()
        if self.processes:
            self.processes.stop()
        self.users.remove()
        if self.work:
            shutil.rmtree(self.work, ignore_errors=True)

    # --- coming up

    def start(self, say):
        """Everything, until each node has registered."""
        self.make_work_folder()
        conf = self.site.conf
        free = ports_module.free_run(2 + len(conf.nodes), self.port_base)
        self.clock = Clock(self.rate, self.work)
        build("work.c", self.work / "bin" / "work")
        say("starting munge and MariaDB")
        munge = services.start_munge(self.processes, self.work)
        database = services.start_database(self.processes, self.work)
        self.write_files(free, munge)
        path = os.pathsep.join([str(self.work / "bin"), os.environ["PATH"]])  # jobs inherit it: `work` is found
        self.environment = {**self.clock.environment(), "SLURM_CONF": str(self.work / "slurm.conf"),
                            "MYSQL_UNIX_PORT": str(database), "PATH": path}
        self.users.add(self.site.accounts.users | {submission.user for submission in self.site.submissions})
        say("starting slurmdbd and slurmctld")
        self.start_database_daemon()
        self.start_with_accounts()
        say(f"starting {len(conf.nodes)} slurmd")
        for host, _ in conf.nodes:
            self.start_node(host)
        self.wait(self.nodes_are_up, "the nodes did not register")

    def make_work_folder(self):
        self.work = Path(tempfile.mkdtemp(prefix="rehearse-record-"))
        self.work.chmod(0o755)  # jobs of other users pass through
        if len(str(self.work)) > LONGEST_PATH:
            raise Failure(f"{self.work} is too long for the path of a socket", "set TMPDIR to a shorter one, /tmp")
        for name in ("state", "spool", "log", "bin"):
            (self.work / name).mkdir()
        self.processes = Processes(self.work / "log" / "daemons")

    def write_files(self, free, munge):
        conf, work = self.site.conf, self.work
        self.node_ports = free[2:]
        self.infrastructure = infrastructure = {
            "SlurmctldPort": free[0], "AccountingStoragePort": free[1], "AccountingStorageHost": "localhost",
            "SlurmUser": "root", "SlurmdUser": "root", "AuthType": "auth/munge", "AuthInfo": f"socket={munge}",
            "AccountingStoragePass": munge,  # for auth/munge: the socket by which to reach slurmdbd
            "StateSaveLocation": work / "state", "SlurmdSpoolDir": work / "spool" / "%n",
            "SlurmctldPidFile": work / "slurmctld.pid", "SlurmdPidFile": work / "slurmd.%n.pid",
            "SlurmctldLogFile": work / "log" / "slurmctld.log", "SlurmdLogFile": work / "log" / "slurmd.%n.log",
            "SlurmctldDebug": "debug", "DebugFlags": self.debug_flags, "MpiDefault": "none", "SwitchType": "switch/none",
            "MailProg": "/bin/true",
        }  # fmt: skip
        (work / "slurm.conf").write_text(site_conf.for_one_machine(conf, free[2:], infrastructure))
        if conf.gres:
            (work / "gres.conf").write_text(site_conf.with_devices(conf.gres, work / "devices"))
        if self.site.topology:
            (work / "topology.conf").write_text(self.site.topology)
        dbd = work / "slurmdbd.conf"
        dbd.write_text(
            f"AuthType=auth/munge\nAuthInfo=socket={munge}\nDbdHost=localhost\nDbdPort={free[1]}\nSlurmUser=root\n"
            "StorageType=accounting_storage/mysql\nStorageHost=localhost\nStorageUser=root\nStorageLoc=slurm\n"
            f"LogFile={work}/log/slurmdbd.log\nPidFile={work}/slurmdbd.pid\nDebugLevel=info\n")
        dbd.chmod(0o600)

    def program(self, name):
        """The real daemon under its own name: Slurm asks argv[0] who it is, and Debian has an emulator too. It is the
        first of PATH, as the clients are: a Slurm of another release is recorded with its folders in front."""
        link = self.work / "bin" / name
        if not link.exists():
            link.symlink_to(next(found for folder in [*os.get_exec_path(), "/usr/sbin"] for found in (f"{folder}/{name}-wlm", f"{folder}/{name}")
                                 if os.access(found, os.X_OK)))
        return link

    def start_database_daemon(self):
        dbd = self.processes.start([self.program("slurmdbd"), "-D"], self.environment)
        self.wait(lambda: self.ask("sacctmgr", "-n", "show", "cluster").returncode == 0, "slurmdbd did not answer", dbd)
        self.must("sacctmgr", "-i", "add", "cluster", self.site.conf.cluster)

    def start_with_accounts(self):
        """A slurmctld must have registered the TRES that limits name before they are loaded, and does not start where
        a partition has a QOS that is not there: it starts once without, and then as it is. Users that came while it
        runs would have no fair share before its first tick (priority.md §7.2), which those of a site have."""
        path = self.work / "slurm.conf"
        conf = path.read_text()
        first = site_conf.without_partition_qos(conf)
        path.write_text(first)
        self.start_controller()
        self.load_accounts()
        accounts = self.site.accounts
        if first == conf and not accounts.commands and not accounts.dump:
            return
        self.controller.terminate()
        self.controller.wait(SECONDS_TO_START)
        (self.work / "log" / "slurmctld.log").unlink()
        path.write_text(conf)
        self.start_controller()

    def start_controller(self):
        self.controller = self.processes.start([self.program("slurmctld"), "-D", "-c"], self.environment)
        self.wait(lambda: "is UP" in self.ask("scontrol", "ping").stdout, "slurmctld did not answer", self.controller)

    def load_accounts(self):
        for words in self.site.accounts.commands:
            self.must("sacctmgr", "-i", *words)
        if self.site.accounts.dump:
            dump = accounts_module.write_dump(self.site.accounts, self.site.conf.cluster, self.work)
            self.must("sacctmgr", "-i", "load", f"file={dump}")

    def nodes_are_up(self):
        states = dict(line.split() for line in self.ask("sinfo", "-h", "-N", "-o", "%N %T").stdout.splitlines())
        return all(states.get(host) in ("idle", "reserved", "maint")
                   for host, _ in self.site.conf.nodes if host not in self.site.conf.not_ready)

    def wait(self, is_up, what, daemon=None):
        deadline = time.monotonic() + SECONDS_TO_START
        while not is_up():
            if "fatal: " in self.said:  # the client cannot read the files that it shares with the daemons
                raise Failure(f"{what}: {' '.join(self.said.split())}", "`rehearse check SITE` says which line")
            if daemon is not None and daemon.poll() is not None:
                raise Failure(f"{what}: {self.last_words()}", "slurm.conf may have a key that Slurm 22.05 does not know")
            if time.monotonic() > deadline:
                raise Failure(f"{what} within {SECONDS_TO_START} s: {self.last_words()}",
                              "is the machine busy? try a lower --rate")
            time.sleep(0.2)

    def last_words(self):
        """The last error that a daemon wrote, a fatal one rather than others."""
        lines = [line for path in sorted((self.work / "log").iterdir())
                 for line in path.read_text(errors="replace").splitlines()]
        fatal = [line for line in lines if "fatal: " in line]
        errors = [line for line in lines if "error: " in line and not HARMLESS.search(line)]
        return re.sub(r"^\[\S+\] ", "", (fatal or errors or ["no daemon wrote why"])[-1])

    # --- while it runs

    def start_node(self, host):
        booted = self.booted.setdefault(host, FAKE_START)
        self.slurmd[host] = self.processes.start([self.program("slurmd"), "-D", "-N", host],
                                                 {**self.environment, "REHEARSE_BOOTED": str(int(booted))})

    def befall(self, what, hosts):
        """An outage (outages.py)."""
        for host in hosts:
            if what in outages.ENDS:
                self.slurmd.pop(host).kill()
            if what == "crash":
                self.end_jobs_on(host)
            if what == "boot":
                self.booted[host] = self.clock.now()
            if what not in outages.ENDS:
                self.start_node(host)

    def edit_conf(self, words):
        """An editor at slurm.conf: another file of the site's folder, or changes of single keys. slurmctld does not know."""
        path = self.work / "slurm.conf"
        if conf_edits.is_file(words):
            conf = site_conf.read_slurm_conf(self.site.root / words[0])
            path.write_text(site_conf.for_one_machine(conf, self.node_ports, self.infrastructure))
            return
        text = path.read_text()
        for word in words:
            text = conf_edits.edited(text, word)
        path.write_text(text)

    def end_jobs_on(self, host):
        """The slurmstepds, of which the sockets HOST_JOB.STEP tell, and then the scripts: none can report its end."""
        stepd = re.compile(rb"slurmstepd: \[(\d+)\.")
        sockets = (self.work / "spool" / host).glob(f"{host}_*.*")
        jobs = {path.name.rpartition("_")[2].partition(".")[0].encode() for path in sockets}
        self.processes.kill(lambda line, _: (known := stepd.match(line)) and known[1] in jobs)
        name = b"SLURMD_NODENAME=" + host.encode()
        self.processes.kill(lambda _, environment: name in environment.split(b"\0"))

    def ask(self, *words):
        """A client command; its exit code is the caller's business."""
        words = list(map(str, words))
        try:
            done = subprocess.run(words, env=self.environment, cwd="/", capture_output=True, text=True, check=False, stdin=subprocess.DEVNULL, timeout=LONGEST)
        except subprocess.TimeoutExpired:
            done = subprocess.CompletedProcess(words, 124, "", f"no answer within {LONGEST} s")
        self.said = done.stderr
        return done

    def must(self, *words):
        """A client command that must succeed; its output."""
        done = self.ask(*words)
        if done.returncode:
            said = " ".join((done.stderr or done.stdout).split())
            raise Failure(f"{shlex.join(map(str, words))}: {said}")
        return done.stdout

    def check_alive(self):
        """Once in a while: takes ended processes in; no use to go on once the controller has ended by itself."""
        self.processes.reap()
        if self.controller.poll() is not None:
            raise Failure(f"slurmctld ended with exit code {self.controller.returncode}: {self.last_words()}")

    def log(self):
        return (self.work / "log" / "slurmctld.log").read_bytes()
