#!/usr/bin/env python3
# scripts/reference/experiments/set_aside_limits.py — by which nodes a whole-node job is over a limit on GPUs that waits beside nodes it cannot have in this pass (scheduling.md §4.3).
"""A job of whole nodes (`-N1 --exclusive`, no GPUs asked for) under MaxTRESPerUser=gres/gpu=2, in a partition of two nodes of four GPUs and one without, all of
which are busy. The node that it would have if nothing ran is the first one; it, or those behind it, are set aside for a job ahead, drained or reserved,
which changes nothing (told at first: the nodes that can be had are asked before all of them; six of ten). About four minutes."""
import sys

from lab import Tally, hold, lab, release

CONF = """\
SelectType=select/cons_tres
SelectTypeParameters=CR_Core
SchedulerType=sched/backfill
PriorityType=priority/basic
GresTypes=gpu
AccountingStorageEnforce=associations,limits,qos
AccountingStorageTRES=gres/gpu
SchedulerParameters=sched_interval=50000,bf_interval=-1
NodeName={cpu} Sockets=1 CoresPerSocket=8 ThreadsPerCore=1 RealMemory=64000
NodeName=g[1-2] Sockets=1 CoresPerSocket=8 ThreadsPerCore=1 RealMemory=64000 Gres=gpu:a:4
PartitionName=mixed Nodes={cpu},g[1-2] Default=YES MaxTime=INFINITE State=UP
PartitionName=gpus Nodes=g[1-2] MaxTime=INFINITE State=UP
PartitionName=cpus Nodes={cpu} MaxTime=INFINITE State=UP
"""
GRES = "NodeName=g[1-2] Name=gpu Type=a File=/dev/nvidia[0-3]\n"
ACCOUNTS = """add qos few MaxTRESPerUser=gres/gpu=2
add qos free
add account a qos=few,free defaultqos=free
add user ada,ann account=a
"""
OVER, FREE = "QOSMaxGRESPerUser", "Resources"
# the node without GPUs (c1 comes before g1, m1 behind); what befalls which; the Reason
CASES = (
    ("c1", "nothing", FREE),
    ("m1", "nothing", OVER),
    ("c1", "aside cpus", FREE),
    ("m1", "aside gpus", OVER),
    ("m1", "aside cpus", OVER),
    ("c1", "aside gpus", FREE),
    ("c1", "drain c1", FREE),
    ("m1", "drain g[1-2]", OVER),
    ("c1", "reserve c1", FREE),
    ("m1", "reserve g[1-2]", OVER),
)


def reason(one, cpu, what):
    held = hold(one, [f"--uid=ada -w {node} -n8 -t 100" for node in (cpu, "g1", "g2")])
    how, _, where = what.partition(" ")
    waiting = []
    if how == "aside":
        waiting.append(one.sub(f"--uid=ada -p {where} -N{2 if where == 'gpus' else 1} -n8 -t 50"))
    elif how == "drain":
        one.out(f"scontrol update NodeName={where} State=DRAIN Reason=test")
    elif how == "reserve":
        one.out(f"scontrol create reservation ReservationName=r Users=root StartTime=now Duration=600 Nodes={where} Flags=IGNORE_JOBS")
        one.rest(8)
    number = one.sub("--uid=ann --qos=few -N1 --exclusive -t 50")
    one.rest(10)
    found = one.job(number).get("Reason")
    release(one, [number, *waiting, *held])
    return found


def main():
    tally = Tally()
    for cpu, what, told in CASES:
        with lab(CONF.format(cpu=cpu), gres=GRES, sacctmgr=ACCOUNTS) as one:
            tally.note(f"  {cpu} {what:16}", reason(one, cpu, what), told)
    return tally.close()


if __name__ == "__main__":
    sys.exit(1 if main() else 0)
