# scripts/reference/unix_users.py — Slurm runs jobs of Unix users: those that are missing exist for the recording.
import fcntl
import pwd
import subprocess

from failure import Failure

LOCK = "/run/lock/rehearse-record"  # held in common by every recorder that uses users of MARK
MARK = "rehearse record"  # the comment of a user that was made for recordings


def exists(name):
    try:
        pwd.getpwnam(name)
    except KeyError:
        return False
    return True


class UnixUsers:
    """Makes users that are missing, and marks them. Recorders side by side may share some: the last to end
    takes away all that bear the mark, and no other user."""

    def __init__(self):
        self.lock = None

    def add(self, names):
        self.lock = open(LOCK, "w", encoding="utf-8")  # closed by remove
        fcntl.flock(self.lock, fcntl.LOCK_SH)
        for name in sorted(names):
            if exists(name):
                continue
            done = subprocess.run(["useradd", "--badname", "-M", "-N", "-c", MARK, "-d", "/", "-s", "/bin/sh", name],
                                  capture_output=True, text=True, check=False)
            if done.returncode and not exists(name):
                raise Failure(f"useradd {name}: {done.stderr.strip()}", "each user of the site becomes a Unix user")

    def remove(self):
        if not self.lock:
            return
        with self.lock:
            try:
                fcntl.flock(self.lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except BlockingIOError:
                return  # another recorder is at work: it will
            for user in pwd.getpwall():
                if user.pw_gecos == MARK:
                    subprocess.run(["userdel", user.pw_name], capture_output=True, check=False)
        self.lock = None
