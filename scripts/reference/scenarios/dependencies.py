#!/usr/bin/env python3
# scripts/reference/scenarios/dependencies.py — aftercorr, alternatives (?), singleton and the others, with arrays on both sides.
from scenario import ENFORCED, FAIR_SHARE, Scenario, main

CONF = f"""\
SchedulerType=sched/backfill
SchedulerParameters=bf_interval=30
SelectType=select/cons_tres
SelectTypeParameters=CR_Core_Memory
DefMemPerCPU=1000
{FAIR_SHARE}{ENFORCED}
NodeName=d[1-6] Sockets=2 CoresPerSocket=8 ThreadsPerCore=1 RealMemory=64000
PartitionName=batch Nodes=ALL Default=YES MaxTime=1-0 State=UP
"""
EVENTS = (
    (2700, "scontrol hold {j25}"), (4200, "scontrol release {j25}"), (4500, "scontrol update JobId={j14} Dependency="),
    (5000, "scancel {j35}"), (5600, "scontrol update JobId={j38} Dependency=afterany:{j30}"), (6200, "scancel {j36}_3"),
    (6600, "scontrol update JobId={j45} TimeLimit=30"), (7000, "scontrol update JobId={j50} Nice=-5000"),
)  # fmt: skip
KINDS = ("afterok:@2", "afterok:@5:@9", "afternotok:@3", "afterany:@2,after:@1", "afterany:@6:@4", "afterok:@3?afternotok:@3",
         "afterany:@5?after:@1", "after:@1+10", "after:@2", "after:@4+5?afterany:@4", "singleton", "singleton")  # fmt: skip


class Chains(Scenario):
    """aftercorr comes right behind an array, from its user."""

    def rows(self):
        table, last = [], None
        for at, user, time, words, *rest in super().rows():
            if "aftercorr" in words and last:
                user = last[0]
                words = words.replace("aftercorr:", f"aftercorr:{{{last[1]}}}")
            elif "aftercorr" in words:
                words = words.replace("--dependency=aftercorr: ", "")
            if "--array" in words and "aftercorr" not in words:
                last = (user, rest[-1])
            table.append((at, user, time, words, *rest))
        return table


def draw(rng):
    tasks = rng.choice((1, 2, 4, 8, 16))
    words, share = f"-n{tasks}", tasks / 96
    kind = rng.random()
    if kind < 0.28:
        size = rng.choice((2, 3, 4))
        words, share = f"--array=1-{size} {words}", size * share
        if rng.random() < 0.6:
            words = f"--dependency=aftercorr: {words}"
        elif rng.random() < 0.5:
            words += " -J chain --dependency=singleton"
    elif kind < 0.65:
        one = rng.choice(KINDS)
        words += f" --dependency={one}" + (" -J chain" if one == "singleton" else "")
        words += rng.choice(("", "", "", " --kill-on-invalid-dep=yes"))
    return words, share, rng.choice((0, 0, 0, 0, 0, 0, 0, 1))


main(Chains(5707, CONF, draw, jobs=85, load=1.15, events=EVENTS))
