# scripts/reference/ports.py — a run of free TCP ports.
import random
import socket

from failure import USAGE, Failure

FIRST, LAST = 16800, 32700  # below the ports that Linux hands out by itself


def is_free(port):
    with socket.socket(socket.AF_INET, socket.SOCK_STREAM) as probe:
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            probe.bind(("0.0.0.0", port))
        except OSError:
            return False
    return True


def free_run(count, base=None):
    """`count` consecutive free ports: from `base`, or from wherever there are that many."""
    if base is not None:
        if not 1 <= base <= 65536 - count:
            raise Failure(f"--port-base {base}: {count} ports are needed, between 1 and 65535", "one for each node, and two", USAGE)
        taken = [port for port in range(base, base + count) if not is_free(port)]
        if taken:
            raise Failure(f"port {taken[0]} is in use", f"--port-base: {count} consecutive ports are needed", USAGE)
        return list(range(base, base + count))
    # Ports are taken a while after they were found free: recorders that start together begin elsewhere.
    start = first = random.randrange(FIRST, LAST - count)
    for port in [*range(first, LAST), *range(FIRST, first)]:
        if port == FIRST:
            start = FIRST
        if not is_free(port):
            start = port + 1
        elif port + 1 - start == count:
            return list(range(start, port + 1))
    raise Failure(f"there are no {count} consecutive free ports between {FIRST} and {LAST}")
