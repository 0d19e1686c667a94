#!/usr/bin/env python3
# scripts/reference/experiments/listed_elsewhere.py — what nodes others lose to a job that names several reservations, of which some have no node in its partition (scheduling.md §4.2, item 2).
"""Six nodes, of which the partition `few` has two; no backfill. Printed: on which nodes jobs of all nodes run, one on each, beside these members."""
import sys

from lab import Tally, lab, ranges, release

CONF = """\
SelectType=select/cons_tres
SelectTypeParameters=CR_Core
SchedulerType=sched/backfill
SchedulerParameters=sched_interval=10,bf_interval=10000
PriorityType=priority/multifactor
PriorityWeightAge=1000
NodeName=n[1-6] Sockets=1 CoresPerSocket=4 ThreadsPerCore=1 RealMemory=16000
PartitionName=few Nodes=n[1-2] MaxTime=INFINITE State=UP
PartitionName=all Nodes=n[1-6] MaxTime=INFINITE State=UP Default=YES
"""
SOON, NOW = "now+30minutes", "now"
# reservations by name: begin, nodes, further words; members; nodes of the others
QUESTIONS = [
    ({"r": (SOON, "n1"), "s": (SOON, "n3")}, ["-p few --reservation=s"], "1-6"),
    ({"r": (SOON, "n1"), "s": (SOON, "n3")}, ["-p few --reservation=r,s"], "2,4-6"),
    ({"r": (SOON, "n1"), "s": (SOON, "n3")}, ["-p few --reservation=s,r"], "2,4-6"),
    ({"r": (SOON, "n1"), "s": (SOON, "n3")}, ["-p all --reservation=r,s"], "2,4-6"),
    ({"r": (SOON, "n4"), "s": (SOON, "n3")}, ["-p few --reservation=r,s"], "1-2,5-6"),
    ({"r": (SOON, "n[2-3]"), "s": (SOON, "n[4-5]")}, ["-p few -N2 --reservation=r,s"], "4-6"),
    ({"r": (SOON, "n[2-3]"), "s": (SOON, "n[4-5]")}, ["-p all -N2 --reservation=r,s"], "1,6"),
    ({"r": (SOON, "n[2-3]"), "s": (SOON, "n4")}, ["-p all -N3 --reservation=r,s"], "1,5-6"),
    ({"r": (SOON, "n1"), "s": (SOON, "n3")}, ["-p few,all --reservation=r,s"], "2,4-6"),
    ({"r": (NOW, "n1"), "s": (SOON, "n3")}, ["-p few -n4 --reservation=r", "-p few -n1 --reservation=r,s"], "2-6"),
    ({"r": (NOW, "n1"), "s": (SOON, "n3")}, ["-p few -n4 --reservation=r", "-p few -n1 --reservation=s,r"], "2-6"),
    ({"r": (NOW, "n1"), "s": (SOON, "n3")}, ["-p few -n4 --reservation=r", "-p all -n1 --reservation=r,s"], "2,4-6"),
    ({"r": (NOW, "n[1-2]"), "s": (SOON, "n3")}, ["-p few -n8 --reservation=r", "-p all -N2 --reservation=r,s"], "3-6"),
    ({"r": (SOON, "n1"), "s": (NOW, "n3")}, ["-p few -n1 --reservation=r,s"], "2,4-6"),
    ({"r": (SOON, "n1"), "s": (NOW, "n3")}, ["-p all -n4 --reservation=s", "-p all -n1 --reservation=r,s"], "2,4-6"),
    ({"r": (SOON, "n1 Flags=FLEX"), "s": (SOON, "n3")}, ["-p few -n1 --reservation=r,s"], "2-6"),
    ({"r": (SOON, "n1 Flags=FLEX"), "s": (SOON, "n3")}, ["-p few -n1 --reservation=s,r"], "2-6"),
    ({"r": (SOON, "n1"), "s": (SOON, "n3 Flags=FLEX")}, ["-p few -n1 --reservation=r,s"], "2-6"),
    ({"r": (SOON, "n1"), "s": (SOON, "n3 Flags=FLEX")}, ["-p few -n1 --reservation=s,r"], "2-6"),
    ({"r": (NOW, "n1"), "s": (SOON, "n3")}, ["-p few -n4 --reservation=r", "-p few,all -n1 --reservation=r,s"], "2,4-6"),
    ({"r": (SOON, "n[1-2]"), "s": (NOW, "n[3-4]")}, ["-p all -N3 --reservation=r,s"], "5-6"),
    ({"r": (SOON, "n1 Flags=ANY_NODES"), "s": (SOON, "n3")}, ["-p few -n1 --reservation=r,s"], "2,4-6"),
    ({"r": (SOON, "n5"), "s": (NOW, "n3")}, ["-p few -n4 --reservation=s", "-p few -n1 --reservation=r,s"], "1-2,4,6"),
]


def left(one, given, members):
    for name, (begin, nodes) in given.items():
        one.out(f"scontrol create reservation ReservationName={name} Users=root StartTime={begin} Duration=60 Nodes={nodes}")
    jobs = [one.sub(f"{words} -t 5") for words in members]
    one.rest(12)
    others = [one.sub("-N1 --exclusive -t 5") for _ in range(6)]
    one.rest(40)
    held = [one.job(number) for number in others]
    nodes = ranges(int(each["NodeList"][1:]) for each in held if each["JobState"] == "RUNNING")
    seen = " ".join(each.get("Reason", "?") if each else "refused" for each in (one.job(number) if number.isdigit() else {} for number in jobs))
    release(one, [number for number in [*jobs, *others] if number.isdigit()])
    for name in given:
        one.out(f"scontrol delete ReservationName={name}")
    return nodes, seen


# words of a reservation of n[1-2] that begins in a minute, the member, what becomes of it
BEFORE = [
    ("Flags=FLEX", "-N3", "PENDING None"),
    ("Flags=FLEX", "-N1 -n1 -w n5", "RUNNING n5"),
    ("Flags=ANY_NODES", "-N3", "RUNNING n[1-3]"),
    ("Flags=ANY_NODES", "-N1 -n1 -w n5", "RUNNING n5"),
    ("", "-N3", "PENDING BadConstraints"),
    ("", "-N2", "RUNNING n[1-2]"),
]


def begun(one, words, member):
    """A member that comes before its reservation begins."""
    one.out(f"scontrol create reservation ReservationName=r Users=root StartTime=now+60 Duration=30 Nodes=n[1-2] {words}")
    number = one.sub(f"{member} --reservation=r -t 5")
    one.rest(110)
    job = one.job(number)
    release(one, [number])
    one.out("scontrol delete ReservationName=r")
    return f"{job['JobState']} {job['NodeList'] if job['JobState'] == 'RUNNING' else job['Reason']}"


def main():
    tally = Tally()
    with lab(CONF) as one:
        for given, members, told in QUESTIONS:
            nodes, seen = left(one, given, members)
            tally.note(f"{' '.join(f'{name}: {nodes} {begin}' for name, (begin, nodes) in given.items())} | {'; '.join(members)} ({seen}) |", nodes, told)
        for words, member, told in BEFORE:
            tally.note(f"n[1-2] {words} | {member} |", begun(one, words, member), told)
    return tally.close()


if __name__ == "__main__":
    sys.exit(main())
