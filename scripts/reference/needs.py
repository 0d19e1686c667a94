# scripts/reference/needs.py — what the machine must have before a recording can start.
import os
import shutil

from failure import Failure

# A program, and the Debian package that has it.
PROGRAMS = {
    "slurmctld": "slurmctld", "slurmd": "slurmd", "slurmdbd": "slurmdbd", "sbatch": "slurm-client",
    "sacct": "slurm-client", "munged": "munge", "mariadb-install-db": "mariadb-server",
    "mysqld": "mariadb-server", "gcc": "gcc", "useradd": "passwd",
}  # fmt: skip
FILES = {
    "slurm-wlm-basic-plugins": "slurm-wlm/select_cons_tres.so",
    "slurm-wlm-mysql-plugin": "slurm-wlm/accounting_storage_mysql.so",
    "libc6-dev": "/usr/include/stdio.h",
}


def plugin_exists(name):
    folders = ["/usr/lib", *(f"/usr/lib/{entry}" for entry in os.listdir("/usr/lib") if "-linux-" in entry)]
    return os.path.exists(name) if name.startswith("/") else any(os.path.exists(f"{f}/{name}") for f in folders)


def missing_packages():
    path = os.pathsep.join([os.environ.get("PATH", ""), "/usr/sbin", "/sbin"])
    missing = {package for program, package in PROGRAMS.items() if not shutil.which(program, path=path)}
    return sorted(missing | {package for package, name in FILES.items() if not plugin_exists(name)})


def unmet():
    """Why a recording cannot be made here, as a Failure; None when it can."""
    if os.geteuid() != 0:
        return Failure("needs root: slurmd starts jobs of other users", "sudo rehearse record …, or in a container")
    missing = missing_packages()
    if missing:
        return Failure(f"these Debian packages are missing: {' '.join(missing)}",
                       f"apt-get install --no-install-recommends {' '.join(missing)}")
    return None
