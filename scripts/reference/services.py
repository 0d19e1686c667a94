# scripts/reference/services.py — a munge daemon and a MariaDB of the recording's own, in its work folder.
"""Neither the machine's munge nor its MariaDB is asked or touched: other keys, other sockets, no network."""
import os
import shutil
import subprocess
import time

from failure import Failure


def wait_for(is_up, daemon, what, seconds=60):
    """Until `is_up()`; fails when the daemon ends or the time is over."""
    deadline = time.monotonic() + seconds
    while not is_up():
        if daemon.poll() is not None:
            raise Failure(f"{what} ended with exit code {daemon.returncode}")
        if time.monotonic() > deadline:
            raise Failure(f"{what} did not come up within {seconds} s", "is the machine busy? try a lower --rate")
        time.sleep(0.05)


def start_munge(processes, work):
    """The path of its socket."""
    folder = work / "munge"
    folder.mkdir(mode=0o711)
    key, socket = folder / "key", folder / "socket"
    key.write_bytes(os.urandom(128))
    key.chmod(0o400)
    daemon = processes.start(
        ["munged", "--foreground", f"--key-file={key}", f"--socket={socket}", f"--pid-file={folder}/pid",
         f"--log-file={folder}/log", f"--seed-file={folder}/seed", "--num-threads=4"])
    wait_for(socket.exists, daemon, "munged")
    return socket


def start_database(processes, work):
    """The path of its socket. Without a network and in a folder of root's: it needs no passwords."""
    data, socket, scratch = work / "mysql" / "data", work / "mysql" / "socket", work / "mysql" / "tmp"
    data.mkdir(parents=True)
    scratch.mkdir()  # a mariadbd that starts clears its tmpdir of other servers' tables too
    (work / "mysql").chmod(0o700)
    made = subprocess.run(
        ["mariadb-install-db", "--no-defaults", f"--datadir={data}", "--user=root", "--skip-test-db",
         "--auth-root-authentication-method=normal"], capture_output=True, text=True, check=False, env={**os.environ, "TMPDIR": str(scratch)})
    if made.returncode:
        said = (made.stderr + made.stdout).strip().splitlines()
        raise Failure(f"mariadb-install-db: {next((line for line in said if 'ERROR' in line), said[-1] if said else made.returncode)}")
    daemon = processes.start(
        [shutil.which("mariadbd") or "mysqld", "--no-defaults", "--user=root", f"--datadir={data}",
         f"--socket={socket}", f"--tmpdir={scratch}", f"--pid-file={work}/mysql/pid", "--skip-networking", "--skip-grant-tables",
         "--innodb-buffer-pool-size=64M", "--innodb-log-file-size=16M", "--innodb-lock-wait-timeout=900",
         "--innodb-flush-log-at-trx-commit=0", "--skip-log-bin"])
    wait_for(socket.exists, daemon, "mariadbd")
    return socket
