#!/usr/bin/env python3
# scripts/reference/experiments/unfit_partitions.py — a list of partitions of which the first has no nodes for the job, which a limit stops (scheduling.md §4.3).
"""a1 is all of `quick` (PriorityTier=5), c1 of `part`, both are in `all`; a job holds the one GPU of its QOS. Each case: what is asked of quick,part in this QOS, and whether a later job of
`all` starts on a1 behind it, without and with assoc_limit_stop. About two minutes."""
import sys

from lab import Tally, hold, lab

CONF = """\
SelectType=select/cons_tres
SelectTypeParameters=CR_Core_Memory
SchedulerType=sched/backfill
SchedulerParameters=sched_interval=10,bf_interval=-1{more}
PriorityType=priority/basic
GresTypes=gpu
AccountingStorageEnforce=associations,limits,qos
AccountingStorageTRES=gres/gpu
NodeName=a1 Sockets=1 CoresPerSocket=16 ThreadsPerCore=1 RealMemory=64000 Gres=gpu:h100:2 Feature=akind
NodeName=c1 Sockets=1 CoresPerSocket=64 ThreadsPerCore=1 RealMemory=256000 Gres=gpu:rtx:4 Feature=ckind
PartitionName=all Nodes=ALL Default=YES State=UP DefMemPerCPU=100
PartitionName=quick Nodes=a1 State=UP DefMemPerCPU=100 PriorityTier=5
PartitionName=part Nodes=c1 State=UP DefMemPerCPU=100
"""
GRES = "NodeName=a1 Name=gpu Type=h100 File=/dev/nvidia[0-1]\nNodeName=c1 Name=gpu Type=rtx File=/dev/nvidia[0-3]\n"
ACCOUNTS = "add account a\nadd user ann Account=a\nadd qos q GrpTRES=gres/gpu=1\nadd qos free\nmodify user ann set qos=free,q defaultqos=free\n"
# Whether a1 could have the job but for what runs there (then quick is blocked), or but for its GPUs (then, too), or not.
CASES = [("--gres=gpu:1", True), ("--gres=gpu:1 -C ckind", False), ("--gres=gpu:rtx:1", True), ("--gres=gpu:1 --mem=200000", False), ("--gres=gpu:1 --mincpus=24", False), ("--gres=gpu:1 -N1 -n24", False),
         ("--gres=gpu:1 -w c1", False), ("--gres=gpu:1 -x a1", False), ("--gres=gpu:4", True), ("--gres=gpu:1 -n24", False), ("--gpus=3", True), ("--gpus=rtx:2", True), ("-N1 --gpus=3 -n1", True),
         ("--gres=gpu:1 --sockets-per-node=1 --cores-per-socket=24", False)]  # fmt: skip


def main():
    tally = Tally()
    for more in ("", ",assoc_limit_stop"):
        with lab(CONF.format(more=more), gres=GRES, sacctmgr=ACCOUNTS) as one:
            hold(one, ["-p part --gres=gpu:1 -n1 --qos=q --uid=ann"])
            for words, blocks in CASES:
                limited = one.sub(f"{words} --uid=ann --qos=q -p quick,part")
                one.rest(15)
                later = one.sub("--uid=ann -p all -N1 -n1 -w a1")
                starts = one.until(lambda: one.job(later).get("JobState") == "RUNNING", 30)
                tally.note(f"{more or '-':18} {words:56}", "starts" if starts else "waits", "waits" if more and blocks else "starts")
                one.out(f"scancel {limited} {later}")
                one.rest(20)
    return tally.close()


if __name__ == "__main__":
    sys.exit(main())
