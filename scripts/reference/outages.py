# scripts/reference/outages.py — what befalls nodes rather than being typed: `node crash|boot LIST`, `slurmd down|up LIST`.
"""A crash ends slurmd, slurmstepds and scripts without a word to the controller; a boot is a slurmd whose machine
has been up since then. `slurmd down` leaves the jobs running on a node that is silent; `slurmd up` answers again."""
import hostlist
from failure import InputFailure

KINDS = {"node": ("crash", "boot"), "slurmd": ("down", "up")}
ENDS = ("crash", "down")


def of(words):
    """(what, hosts) of a command's words; None for what an admin types."""
    if not words or words[0] not in KINDS:
        return None
    return (words[1] if len(words) > 1 else "", hostlist.expand(words[2]) if len(words) == 3 else [])


def check(events, nodes):
    """The first that cannot be carried out, in their order, as a Failure; whether there is any outage."""
    silent, some = set(), False
    for event in sorted(events, key=lambda event: event.at):
        words = event.command.split()
        if (outage := of(words)) is None:
            continue
        some, (what, hosts) = True, outage
        if what not in KINDS[words[0]] or not hosts:
            raise InputFailure(event.where, f"command: '{event.command}' is not known",
                               "node crash LIST, node boot LIST, slurmd down LIST, slurmd up LIST")
        for host in hosts:
            if host not in nodes:
                raise InputFailure(event.where, f"there is no node '{host}'", "see NodeName in slurm.conf")
            if (what in ENDS) == (host in silent):
                raise InputFailure(event.where, f"{words[0]} {what}: the slurmd of {host} is {'down' if host in silent else 'up'}")
        silent = silent | set(hosts) if what in ENDS else silent - set(hosts)
    return some
