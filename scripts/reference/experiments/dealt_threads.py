#!/usr/bin/env python3
# scripts/reference/experiments/dealt_threads.py — where tasks with GPUs start that have a core of two threads each for themselves, and where they are held (gres.md §3.2).
"""Eight nodes of eight cores with two threads and four GPUs, two beside each socket: g1 idle, on each next one a core more held, of g8 one socket with its
GPUs. Printed: the nodes and CPUs of a job for which all nodes but one or two are left out, `held` (JobHeldAdmin), or `-` where it waits. Then for how many CPUs
each of ten nodes counts where memory goes by CPU, as slurmctld logs it (`.`: it serves no such job). And whether that is as the text says. About a minute."""
import re
import sys

from lab import Tally, hold, lab

CONF = """\
SelectType=select/cons_tres
SelectTypeParameters={parameters},CR_ONE_TASK_PER_CORE
SchedulerType=sched/backfill
SchedulerParameters=bf_interval=-1
PriorityType=priority/basic
GresTypes=gpu
NodeName=g[1-{nodes}] Sockets=2 CoresPerSocket=4 ThreadsPerCore=2 RealMemory=96000 Gres=gpu:a100:4
PartitionName=all Nodes=g[1-{nodes}] Default=YES MaxTime=INFINITE State=UP
"""
MEMORY = "DefMemPerCPU=4000\n"
GRES = """\
NodeName=g[1-{nodes}] Name=gpu Type=a100 File=/dev/nvidia[0-1] Cores=0-3
NodeName=g[1-{nodes}] Name=gpu Type=a100 File=/dev/nvidia[2-3] Cores=4-7
"""
HELD = [*(f"-w g{cores + 1} -n{cores}" for cores in range(1, 7)), "-w g8 --gres=gpu:2 -c8"]
# (the nodes that are not left out, [(options, for each of them what the text says)])
CASES = [
    ("1 2 4 6 8", [
        ("-n1 --gpus-per-task=1", "g1:2 g2:2 g4:2 g6:2 g8:2"), ("-n1 --gpus-per-task=2", "g1:2 g2:2 g4:2 g6:2 g8:2"),
        ("-n1 --gpus-per-task=3", "g1:2 g2:2 g4:2 g6:2 -"), ("-n1 --gpus-per-task=4", "g1:2 g2:2 g4:2 g6:2 -"),
        ("-N1 -n2 --gpus-per-task=1", "g1:4 g2:4 g4:4 g6:4 g8:4"), ("-N1 -n2 --gpus-per-task=2", "g1:4 g2:4 g4:4 g6:4 -"),
        ("-N1 -n4 --gpus-per-task=1", "g1:8 g2:8 g4:8 - -"), ("-N1 -n3 --gpus-per-task=1", "g1:6 g2:6 g4:6 g6:6 -"),
        ("-n2 --ntasks-per-node=2 --gpus-per-task=1", "g1:4 g2:4 g4:4 g6:4 g8:4"), ("-n2 --ntasks-per-node=2 --gpus-per-task=2", "g1:4 g2:4 g4:4 g6:4 -"),
        ("-n2 --gpus-per-task=2", "g1:4 g2:4 g4:4 g6:4 -"), ("-n2 --gpus-per-task=1 -c2", "g1:4 g2:4 g4:4 g6:4 g8:4"),
        ("-n2 --gpus-per-task=1 --cpus-per-gpu=1", "g1:4 g2:4 g4:4 g6:4 g8:4"), ("-n3 --gpus-per-task=1 --cpus-per-gpu=2", "g1:6 g2:6 g4:6 g6:6 -"),
        ("-n4 --ntasks-per-gpu=1", "g1:8 g2:8 g4:8 - -")]),
    ("1 2 3 4 5 6 7 8", [
        ("-n2 --ntasks-per-gpu=1", "g1:4 g2:4 g3:4 g4:4 g5:4 g6:4 held g8:4"), ("-n4 --ntasks-per-gpu=2", "g1:8 g2:8 held held held - - g8:8"),
        ("-n6 --ntasks-per-gpu=2", "g1:12 g2:12 g3:12 - - - - -"), ("-n6 --ntasks-per-gpu=3", "held held held - - - - -"),
        ("-n4 --ntasks-per-gpu=4", "g1:8 g2:8 held held held - - g8:8"), ("-n8 --ntasks-per-gpu=2", "g1:16 - - - - - - -")]),
    ("1,2 1,8 5,8 6,8 7,8 4,5 2,7 6,7 3,4", [
        ("-n3 --gpus-per-task=1", "g2:6 g1:6 g5:6 g6:6 g[7-8]:6 g5:6 g2:6 g6:6 g4:6"),
        ("-n4 --gpus-per-task=1", "g2:8 g1:8 g5:8 g[6,8]:8 g[7-8]:8 g5:8 g2:8 g[6-7]:8 g4:8"),
        ("-n5 --gpus-per-task=1", "g[1-2]:10 g[1,8]:10 g[5,8]:10 g[6,8]:10 g[7-8]:8 g[4-5]:10 g[2,7]:10 g[6-7]:10 g[3-4]:10"),
        ("-n6 --gpus-per-task=1", "held held g[5,8]:12 g[6,8]:10 g[7-8]:8 held held - held"),
        ("-n3 --gpus-per-task=2", "g[1-2]:6 g[1,8]:6 g[5,8]:6 g[6,8]:6 g[7-8]:6 g[4-5]:6 g[2,7]:6 g[6-7]:6 g[3-4]:6"),
        ("-n4 --gpus-per-task=2", "held - - - - held held held held")]),
    # The three that wait here run: on g[4,6], g[6,8] and g[6,8] with 12 CPUs.
    ("1,2 4,6 6,8", [
        ("-n2 --ntasks-per-gpu=1", "g2:4 g6:4 g6:4"), ("-n4 --ntasks-per-gpu=2", "g2:8 held g8:8"), ("-n6 --ntasks-per-gpu=2", "g2:12 - -"),
        ("-n6 --ntasks-per-gpu=3", "held held -"), ("-n4 --ntasks-per-gpu=4", "g2:8 held g8:8"), ("-n8 --ntasks-per-gpu=2", "g1:16 - -")]),
]  # fmt: skip
HELD_WITH_MEMORY = [
    "-w g2 --gres=gpu:1 -c2", *3 * ["-w g3 --gres=gpu:1 -c4"], *(f"-w g4 --gres=gpu:1 -c{cpus}" for cpus in (2, 4, 6)), "-w g5 -c6", "-w g6 --gres=gpu:2 -c2",
    "-w g7 -c10", *2 * ["-w g8 --gres=gpu:1 -c6"], "-w g9 --gres=gpu:3 -c6", *3 * ["-w g10 --gres=gpu:1 -c2"],
]  # fmt: skip
# (options, for how many CPUs g1 to g10 count by the text)
COUNTS = [
    ("-G 2 --cpus-per-gpu=4", "12 11 6 6 9 11 7 6 9 9"), ("-G 1 --cpus-per-gpu=4", "12 11 6 6 9 11 7 6 9 9"), ("-G 4 --cpus-per-gpu=2", "12 11 6 6 9 11 7 6 9 9"),
    ("-G 2 --cpus-per-gpu=3", "12 11 6 6 9 11 7 6 9 9"), ("--gpus-per-node=2 --cpus-per-gpu=4", "12 11 . . 9 11 7 6 . ."),
    ("-G 2 --cpus-per-gpu=4 -n2", "12 11 6 6 9 11 7 6 9 9"), ("-G 2 --cpus-per-gpu=4 --mem-per-cpu=6000", "8 7 4 4 6 7 4 4 6 6"),
    ("-G 2 --cpus-per-gpu=4 --ntasks-per-core=2", "16 16 12 12 16 16 14 12 16 16"), ("-G 2 -c4", "16 16 12 12 16 16 12 12 16 16"),
    ("-n2 --gpus-per-task=1 -c4", "16 16 12 12 16 16 12 12 16 16"), ("-n2 --gpus-per-task=1 --cpus-per-gpu=4", "16 16 12 12 16 16 12 12 16 16"),
]  # fmt: skip


def tried(one, words):
    """What a pass has made of a job, which is gone then."""
    job = one.sub(words + " -t 50")
    one.until(lambda: one.job(job)["JobState"] == "RUNNING" or one.job(job)["Reason"] in ("JobHeldAdmin", "Resources"), 40)
    shown = one.job(job)
    one.out(f"scancel {job}")
    one.until(lambda: not one.out(f"squeue -h -j {job}"), 40)
    return shown


def ask(one, words):
    shown = tried(one, words)
    if shown["JobState"] == "RUNNING":
        return f"{shown['NodeList']}:{shown['NumCPUs']}"
    return {"JobHeldAdmin": "held", "Resources": "-"}.get(shown["Reason"], shown["Reason"])


def counted(one, words):
    """For how many CPUs each node counts when the pass looks at it, before any other test."""
    log = one.cluster.work / "log" / "slurmctld.log"
    before = log.stat().st_size
    tried(one, words)
    told = log.read_text()[before:].replace("SELECT_TYPE: ", "")
    looked = told.partition("alloc_mode:Run_Now")[2].partition("_job_test: test 0 pass")[0]
    cpus = {}
    for found in re.finditer(r"can_job_run_on_node: (\d+) CPUs on (\w+)\(", looked):
        cpus.setdefault(found[2], found[1])
    return " ".join(cpus.get(f"g{node}", ".") for node in range(1, 11))


def main():
    tally = Tally()
    with lab(CONF.format(parameters="CR_Core", nodes=8), GRES.format(nodes=8)) as one:
        hold(one, [f"{words} -t 1000" for words in HELD])
        for left, asked in CASES:
            for words, told in asked:
                for nodes, answer in zip(left.split(), told.split()):
                    others = ",".join(f"g{node}" for node in range(1, 9) if str(node) not in nodes.split(","))
                    tally.note(f"{nodes:3} | {words:41} |", ask(one, f"{words} -x {others}"), answer)
    with lab(CONF.format(parameters="CR_Core_Memory", nodes=10) + MEMORY, GRES.format(nodes=10)) as one:
        hold(one, [f"{words} -t 1000" for words in HELD_WITH_MEMORY])
        one.out("scontrol setdebugflags +SelectType")
        one.out("scontrol setdebug debug3")
        for words, told in COUNTS:
            tally.note(f"counts | {words:41} |", counted(one, words), told)
    return tally.close()


if __name__ == "__main__":
    sys.exit(main())
