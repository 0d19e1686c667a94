# scripts/reference/unix_users.py — Slurm runs jobs of Unix users: those that are missing exist for the recording.
import pwd
import subprocess

from failure import Failure


def exists(name):
    try:
        pwd.getpwnam(name)
    except KeyError:
        return False
    return True


class UnixUsers:
    """Makes users, and remembers which: `remove` takes away these, and no other."""

    def __init__(self):
        self.made = []

    def add(self, names):
        for name in sorted(names):
            if exists(name):
                continue
            done = subprocess.run(["useradd", "--badname", "-M", "-N", "-d", "/", "-s", "/bin/sh", name],
                                  capture_output=True, text=True, check=False)
            if done.returncode:
                raise Failure(f"useradd {name}: {done.stderr.strip()}", "each user of the site becomes a Unix user")
            self.made.append(name)

    def remove(self):
        for name in self.made:
            subprocess.run(["userdel", name], capture_output=True, check=False)
        self.made.clear()
