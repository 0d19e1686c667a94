#!/usr/bin/env python3
# scripts/reference/experiments/lent_sockets.py — under CR_Socket, which cores a GPU job holds of its sockets, and who may have the others; what memory by CPU is counted for (scheduling.md §6.7).
"""A node of two sockets of eight cores with two threads and four GPUs. Printed: the CPUs that jobs with CPUs by GPU hold; whether one of another partition starts on the rest of a socket, by whether a job ever ran in that partition."""
import re
import sys

from lab import Tally, given, hold, lab, release, shown

CONF = """\
GresTypes=gpu
SelectType=select/cons_tres
SelectTypeParameters=CR_Socket
SchedulerType=sched/backfill
PriorityType=priority/basic
NodeName=b1 Sockets=2 CoresPerSocket=8 ThreadsPerCore=2 RealMemory=256000 Gres=gpu:h100:4
NodeName=c1 Sockets=1 CoresPerSocket=8 ThreadsPerCore=2 RealMemory=96000
PartitionName=all Nodes=ALL Default=YES MaxTime=1-0 State=UP
PartitionName=part Nodes=ALL MaxTime=1-0 State=UP
PartitionName=third Nodes=ALL MaxTime=1-0 State=UP
"""
GRES = "NodeName=b1 Name=gpu Type=h100 File=/dev/nvidia[0-3]\n"
HELD = [(1, "16-31"), (2, "0-31"), (3, "0-1,16-31"), (4, "0-31"), (5, "0-3,16-31"), (6, "0-31"), (7, "0-5,16-31"), (8, "0-31")]  # --cpus-per-gpu, CPUs
ODD, MORE = "-w b1 -N1 -n2 --gres=gpu:2 --cpus-per-gpu=3", "-w b1 -N1 -n1 --gres=gpu:1"

# What is done, and whether the rest of a socket still serves.
CHANGES = [
    ("scontrol update PartitionName=third State=UP", False),
    ("scontrol create PartitionName=new Nodes=c1", False),
    ("scontrol delete PartitionName=new", False),
    ("scontrol update PartitionName=part MaxTime=1-0", False),
    ("scontrol update NodeName=c1 AvailableFeatures=x", True),
    ("scontrol update NodeName=c1 State=DRAIN Reason=x", True),
    ("scontrol update NodeName=c1 State=RESUME", True),
    ("scontrol create reservation ReservationName=r Users=root StartTime=now Duration=30 Nodes=c1", True),
    ("scontrol delete ReservationName=r", True),
]
REST = [
    ("-n14 --gres=gpu:1", "b1 2-15 2"),
    ("-n15 --gres=gpu:1", "waits"),
    ("-n7 -c2 --gres=gpu:1", "b1 2-15 2"),
    ("-n8 --ntasks-per-core=1 --gres=gpu:1", "waits"),
    ("-n7 --ntasks-per-core=1 --gres=gpu:1", "b1 2-15 2"),
    ("-n1 --exclusive --gres=gpu:1", "waits"),
    ("-n1 --cores-per-socket=8 --gres=gpu:1", "waits"),
    ("-n1 --cores-per-socket=7 --gres=gpu:1", "b1 2-15 2"),
    ("-n1 --mincpus=15 --gres=gpu:1", "waits"),
    ("-n1 -m block:block --gres=gpu:1", "b1 0-15 2"),
]

RESERVED = """\
SelectType=select/cons_tres
SelectTypeParameters=CR_Socket_Memory
SchedulerType=sched/backfill
PriorityType=priority/basic
NodeName=a1 Sockets=2 CoresPerSocket=24 ThreadsPerCore=1 RealMemory=384000
PartitionName=part Nodes=ALL Default=YES MaxTime=1-0 State=UP DefMemPerCPU=2000
"""
FIRST_AND_NEXT = [
    ("-n1", ("24 24-47 48000", "24 12-23 24000")),
    ("-n1 --mem-per-cpu=1000", ("24 24-47 24000", "24 12-23 12000")),
    ("-n12 --mem-per-cpu=1000", ("24 24-47 24000", "48 12-47 36000")),
    ("-n30", ("waits", "waits")),
    ("-n2 -c2", ("24 24-47 48000", "24 12-23 24000")),
]


def beside(one, partition):
    """What MORE gets in the partition beside ODD in `all`."""
    held = hold(one, [ODD])
    text = given(one, f"{MORE} -p {partition}")
    release(one, held)
    return text or "waits"


def ran(one, partition):
    release(one, hold(one, [f"-w c1 -n1 -p {partition}"]))


def first_and_next(one, words, tally, told):
    """Of two jobs, one after the other, NumCPUs, cores and memory, where none of the partition has run, and then."""
    for which, text in zip(("the first job", "the next one"), told):
        job = shown(one, f"-p part -t 18 {words}")
        found = re.search(r"NumCPUs=(\d+).* CPU_IDs=(\S+) Mem=(\d+)", job, re.DOTALL)
        tally.note(f"12 of 48 cores reserved, {words}, {which} |", " ".join(found.groups()) if found else "waits", text)


def reserved(tally):
    with lab(RESERVED) as one:
        one.out("scontrol create reservation ReservationName=r Users=root StartTime=now+10minutes Duration=40 TRES=cpu=12 Flags=FIRST_CORES")
        for words, told in FIRST_AND_NEXT:
            one.out("scontrol update PartitionName=part MaxTime=1-0")
            first_and_next(one, words, tally, told)


def main():
    tally = Tally()
    with lab(CONF, gres=GRES) as one:
        for count, cpus in HELD:
            tally.note(f"-N1 -n2 --gres=gpu:2 --cpus-per-gpu={count} |", given(one, f"-w b1 -N1 -n2 --gres=gpu:2 --cpus-per-gpu={count}"), f"b1 {cpus} 0-1")
        rest = "b1 2-15 2"
        tally.note("its own partition |", beside(one, "all"), "waits")
        tally.note("part, where no job ever ran |", beside(one, "part"), "waits")
        ran(one, "part")
        tally.note("part, where a job ran on another node |", beside(one, "part"), rest)
        tally.note("third, where none did |", beside(one, "third"), "waits")
        one.out("scontrol update PartitionName=third MaxTime=10:00:00")
        tally.note("part, after an update of third |", beside(one, "part"), "waits")
        ran(one, "part")
        one.out("scontrol update NodeName=c1 Weight=7")
        tally.note("part, after a job and an update of a node |", beside(one, "part"), rest)
        one.out("scontrol reconfigure")
        one.rest(5)
        tally.note("part, after a reconfiguration |", beside(one, "part"), "waits")
        held = hold(one, ["-w c1 -n1 -p part"])
        one.out("scontrol update PartitionName=third MaxTime=11:00:00")
        tally.note("part, after an update while a job of it runs |", beside(one, "part"), rest)
        release(one, held)
        held = hold(one, ["-w c1 -n1 -p part"])
        one.out(f"scontrol suspend {held[0]}")
        one.rest(5)
        one.out("scontrol update PartitionName=third MaxTime=12:00:00")
        tally.note("part, after one while its job is suspended |", beside(one, "part"), "waits")
        release(one, held)
        for command, told in CHANGES:
            ran(one, "part")
            one.out(command)
            one.rest(3)
            tally.note(f"{command} |", beside(one, "part"), rest if told else "waits")
        ran(one, "part")
        held = hold(one, [ODD])
        for words, told in REST:
            tally.note(f"part, {words} |", given(one, f"-w b1 -N1 -p part {words}") or "waits", told)
        release(one, held)
    reserved(tally)
    return tally.close()


if __name__ == "__main__":
    sys.exit(main())
