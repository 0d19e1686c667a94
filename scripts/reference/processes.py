# scripts/reference/processes.py — the daemons and their descendants: started, waited for, and all ended.
"""The recorder adopts orphans (PR_SET_CHILD_SUBREAPER), so that slurmstepds, job scripts and whatever they
start stay its descendants, and nothing survives it."""
import ctypes
import os
import pathlib
import signal
import subprocess
import time

PR_SET_PDEATHSIG, PR_SET_CHILD_SUBREAPER = 1, 36
NICE = -15  # the daemons go before other work of the machine: their latency counts `rate` times
LIBC = ctypes.CDLL(None, use_errno=True)
ENDING = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)


def ignore_signals():
    """From here on things are put away, and nothing interrupts that."""
    for number in ENDING:
        signal.signal(number, signal.SIG_IGN)


def adopt_orphans():
    LIBC.prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0)


def before_exec(nice):
    def prepare():
        LIBC.prctl(PR_SET_PDEATHSIG, signal.SIGTERM, 0, 0, 0)
        try:
            os.setpriority(os.PRIO_PROCESS, 0, nice)
        except PermissionError:
            pass  # a container without CAP_SYS_NICE: slower answers, no other difference

    return prepare


def descendants(root):
    """Every living process below `root`, by its id."""
    parents = {}
    for entry in pathlib.Path("/proc").iterdir():
        if not entry.name.isdigit():
            continue
        try:
            state, parent = (entry / "stat").read_text().rpartition(")")[2].split()[:2]
        except (OSError, ValueError):
            continue
        if state != "Z":
            parents[int(entry.name)] = int(parent)
    found, wave = [], {root}
    while wave:
        wave = {child for child, parent in parents.items() if parent in wave}
        found += wave
    return found


class Processes:
    """Everything that the recording started. `stop` ends all of it, in any state."""

    def __init__(self, log):
        self.log = log
        self.daemons = []
        adopt_orphans()

    def start(self, arguments, environment=None, nice=NICE):
        with open(self.log, "ab") as log:
            daemon = subprocess.Popen(
                [str(a) for a in arguments], env=environment, cwd="/", stdin=subprocess.DEVNULL, stdout=log,
                stderr=log, start_new_session=True, preexec_fn=before_exec(nice))
        self.daemons.append(daemon)
        return daemon

    def kill(self, is_meant):
        """Ends the descendants of which `is_meant(command line, environment)`, both as in /proc."""
        for process in descendants(os.getpid()):
            folder = pathlib.Path("/proc", str(process))
            try:
                if is_meant((folder / "cmdline").read_bytes(), (folder / "environ").read_bytes()):
                    os.kill(process, signal.SIGKILL)
            except OSError:
                pass  # it ended meanwhile

    def stop(self):
        """Asks the daemons to end, in the reverse of their order, then ends what is left."""
        for daemon in reversed(self.daemons):
            daemon.terminate()
        deadline = time.monotonic() + 10
        for daemon in self.daemons:
            try:
                daemon.wait(max(0.1, deadline - time.monotonic()))
            except subprocess.TimeoutExpired:
                daemon.kill()
        self.daemons.clear()
        while left := descendants(os.getpid()):
            for process in left:
                try:
                    os.kill(process, signal.SIGKILL)
                except ProcessLookupError:
                    pass
            self.reap()
            time.sleep(0.05)
        self.reap()

    def reap(self):
        """Takes the exit codes of what has ended: adopted orphans too, each job leaves some."""
        by_id = {daemon.pid: daemon for daemon in self.daemons}
        try:
            while ended := os.waitid(os.P_ALL, 0, os.WEXITED | os.WNOHANG | os.WNOWAIT):
                if ended.si_pid in by_id:
                    by_id[ended.si_pid].poll()  # its own object keeps the code
                else:
                    os.waitpid(ended.si_pid, 0)
        except ChildProcessError:
            pass
