#!/usr/bin/env python3
# scripts/reference/experiments/busy_defaults.py — for how many GPUs a job counts that waits for busy nodes, where DefCpuPerGPU or DefMemPerGPU is set (scheduling.md §4.3).
"""Two nodes of eight GPUs, of whose CPUs, memory or GPUs all or some are held; a partition whose QOS gives each user two GPUs. Printed: why a job of
one GPU waits there (or that it runs), and whether that is as the text says. Some four minutes."""
import sys

from lab import Tally, hold, lab, release

CONF = """\
SelectType=select/cons_tres
SelectTypeParameters=CR_Core_Memory
SchedulerType=sched/backfill
SchedulerParameters=sched_interval=50000,bf_interval=-1
PriorityType=priority/basic
GresTypes=gpu
{default}
AccountingStorageEnforce=associations,limits,qos
AccountingStorageTRES=gres/gpu
NodeName=g[1-2] Sockets=2 CoresPerSocket=16 ThreadsPerCore=1 RealMemory=256000 Gres=gpu:8
PartitionName=all Nodes=g[1-2] Default=YES MaxTime=INFINITE State=UP
PartitionName=few Nodes=g[1-2] MaxTime=INFINITE PriorityTier=2 QOS=few State=UP
"""
GRES = "NodeName=g[1-2] Name=gpu File=/dev/nvidia[0-7]\n"
ACCOUNTS = "add qos few\nmodify qos few set MaxTRESPerUser=gres/gpu=2\nadd account red\nadd user ada Account=red\n"
LIMIT, BUSY = "QOSMaxGRESPerUser", "Resources"
BOTH, MEMORY, CPUS = "DefCpuPerGPU=4\nDefMemPerGPU=28000", "DefMemPerGPU=28000", "DefCpuPerGPU=4"
ALL = ["-n32 --mem=1000", "-n1 --mem=256000", "-n1 --gres=gpu:8 --mem=1000", "-n1 --mem=240000"]
SOME = "-n1 --mem=1000"
# (defaults, what is held of each node, the job, what the text says)
CASES = [
    (default, held, words, LIMIT if words.startswith("-G") else BUSY)
    for default in (BOTH, MEMORY, CPUS) for held in ALL for words in ("-G 1", "--gres=gpu:1")
] + [
    (BOTH, SOME, "-G 1", "runs"), (BOTH, SOME, "--gres=gpu:1", "runs"), (MEMORY, SOME, "-G 1", "runs"), (MEMORY, SOME, "--gres=gpu:1", "runs"),
    (CPUS, SOME, "-G 1", LIMIT), (CPUS, SOME, "--gres=gpu:1", BUSY),
]  # fmt: skip


def ask(one, held, words):
    ids = hold(one, [f"--uid=ada -p all -w {node} {held} -t 900" for node in ("g1", "g2")])
    job = one.sub(f"--uid=ada -p few -t 60 {words}")
    one.rest(8)
    shown = one.job(job)
    release(one, [job, *ids])
    return "runs" if shown["JobState"] == "RUNNING" else shown["Reason"]


def main():
    tally = Tally()
    for default in (BOTH, MEMORY, CPUS):
        with lab(CONF.format(default=default), GRES, sacctmgr=ACCOUNTS) as one:
            for _, held, words, told in (case for case in CASES if case[0] == default):
                tally.note(f"{' '.join(default.split()):40} {held:28} {words}", ask(one, held, words), told)
    return tally.close()


if __name__ == "__main__":
    sys.exit(main())
