#!/usr/bin/env python3
# scripts/reference/experiments/hinted_parts.py — --hint beside parts that a node must have (scheduling.md §5.6).
"""Three nodes of 2 × 8 cores with two threads and two GPUs at each socket. Of each job: what sbatch refuses, or the sockets, cores and threads that scontrol shows. A minute."""
import sys

from lab import Tally, lab
from near_cores import USUAL

CONF = (
    USUAL
    + """\
NodeName=t[1-3] Sockets=2 CoresPerSocket=8 ThreadsPerCore=2 RealMemory=16000 Gres=gpu:4
PartitionName=t Nodes=t[1-3] MaxTime=INFINITE State=UP Default=YES
"""
)
GRES = "NodeName=t[1-3] Name=gpu File=/dev/nvidia[0-1] Cores=0-7\nNodeName=t[1-3] Name=gpu File=/dev/nvidia[2-3] Cores=8-15\n"
INVALID = "Invalid generic resource (gres) specification"
UNAVAILABLE = "Requested node configuration is not available"
# Threads of a core that a hint asks for, and cores of a socket.
HINTS = {"nomultithread": "*:1", "multithread": "*:*", "compute_bound": "*:1", "memory_bound": "1:1"}


def cases():
    for hint, parts in HINTS.items():
        yield f"--hint={hint} --sockets-per-node=2 --gpus-per-socket=1", INVALID
        yield f"--sockets-per-node=2 --gpus-per-socket=1 --hint={hint}", INVALID
        yield f"--hint={hint} -B 2 --gpus-per-socket=1", "2 *:*"
        yield f"--hint={hint} -B 2:4:1 --gpus-per-socket=1", "2 4:1"
        yield f"--hint={hint} --gpus-per-socket=1", INVALID
        yield f"--hint={hint} --sockets-per-node=3", f"* {parts}"
        yield f"--hint={hint} --cores-per-socket=9", f"* {parts}"
        yield f"--hint={hint} --sockets-per-node=3 --cores-per-socket=9 --threads-per-core=4", UNAVAILABLE
        yield f"--hint={hint} --threads-per-core=2 -n4", "* *:2"
    yield "--sockets-per-node=3", UNAVAILABLE
    yield "--cores-per-socket=9", UNAVAILABLE
    yield "--threads-per-core=4", UNAVAILABLE
    yield "--hint=nomultithread --sockets-per-node=2 --gpus-per-socket=1 --gpus=2", INVALID


def shown(one, words):
    number = one.sub(words)
    if not number.isdigit():
        return number.rpartition(": ")[2]
    job = one.job(number)
    one.out(f"scancel {number}")
    return f"{job['Socks/Node']} {job['ReqB:S:C:T'].split(':', 2)[2]}"


if __name__ == "__main__":
    tally = Tally()
    with lab(CONF, GRES) as one:
        for words, told in cases():
            tally.note(f"{words:100}", shown(one, words), told)
    sys.exit(tally.close())
