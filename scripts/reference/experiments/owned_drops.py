#!/usr/bin/env python3
# scripts/reference/experiments/owned_drops.py — is a job "busy" whose other nodes are another user's, once those that would do are set aside (scheduling.md §4.3).
"""The GPU node y1 is full. A job with a GPU of a list of two partitions of one tier fails in `gpu`, so that y1 leaves the pass; in `common` w1 and
w2 are left, which have none and are held as said. Printed: whether a job of sid's behind it, who owns w1, starts there in passes, or waits for
`common`, which the one before it blocks. Some four minutes."""
import sys

from lab import Tally, hold, lab, release

CONF = """\
SelectType=select/cons_tres
SelectTypeParameters=CR_Core_Memory
SchedulerType=sched/backfill
SchedulerParameters=sched_interval=10,bf_interval=-1
PriorityType=priority/basic
{preempt}
DefMemPerCPU=100
AccountingStorageEnforce=associations
GresTypes=gpu
NodeName=w[1-2] CPUs=8 RealMemory=96000
NodeName=y1 CPUs=8 RealMemory=96000 Gres=gpu:4
PartitionName=gpu Nodes=y1 MaxTime=INFINITE State=UP PriorityTier=2 {off}
PartitionName=common Nodes=w[1-2],y1 Default=YES MaxTime=INFINITE State=UP PriorityTier=2 {off}
PartitionName=lent Nodes=w[1-2] MaxTime=INFINITE State=UP PriorityTier=1 {cancel}
PartitionName=own Nodes=w[1-2] MaxTime=INFINITE State=UP PriorityTier=2 ExclusiveUser=YES {off}
"""
GRES = "NodeName=y1 Name=gpu File=/dev/nvidia[0-3]\n"
ACCOUNTS = "add account red\nadd user ada Account=red\nadd user bob Account=red\nadd user sid Account=red\n"
GPU = "--uid=ada -p gpu,common --gres=gpu:1"
# (who holds w1 and w2, what waits, preemption, what is told of sid's job behind it)
CASES = [
    ("-p common -n1 --exclusive=user", GPU, True, "w1"),
    ("-p lent -n1 --exclusive=user", GPU, True, "w1"),
    ("-p own -n1", GPU, True, "w1"),
    ("-p common -n1", GPU, True, "w1"),
    ("-p common -n1 --exclusive=user", "--uid=ada -p common --gres=gpu:1", True, "Priority"),
    ("-p common -n1 --exclusive=user", GPU + " --exclusive=user", True, "w1"),
    ("-p common -n1 --exclusive=user", GPU, False, "Priority"),
    ("-p own -n1", GPU, False, "Priority"),
    ("-p common -n1", GPU, False, "w1"),
    ("-p common -n1 --exclusive=user", GPU + " --exclusive=user", False, "Priority"),
]  # fmt: skip
PREEMPT = {"preempt": "PreemptType=preempt/partition_prio\nPreemptMode=CANCEL", "off": "PreemptMode=OFF", "cancel": "PreemptMode=CANCEL"}


def ask(one, holder, words):
    ids = hold(one, ["--uid=sid -p gpu -n8 -t 100"] + [f"--uid=sid {holder} -w {node} -t 100" for node in ("w1", "w2")])
    first = one.sub(words + " -t 20")
    one.rest(25)
    behind = one.sub("--uid=sid -p common -n1 --exclusive=user -t 5")
    one.rest(25)
    shown = one.job(behind)
    release(one, [first, behind, *ids])
    return shown["NodeList"] if shown["JobState"] == "RUNNING" else shown["Reason"]


def main():
    tally = Tally()
    for preempt in (True, False):
        text = CONF.format(**(PREEMPT if preempt else dict.fromkeys(PREEMPT, "")))
        with lab(text, GRES, sacctmgr=ACCOUNTS) as one:
            for holder, words, of, told in CASES:
                if of == preempt:
                    tally.note(f"{'preemption' if preempt else '-':10} {holder:31} {words[10:]:45}", ask(one, holder, words), told)
    return tally.close()


if __name__ == "__main__":
    sys.exit(main())
