#!/usr/bin/env python3
# scripts/reference/experiments/forced_whole.py — who shares cores and nodes in FORCE partitions and under SUSPEND,GANG: --exclusive, GPUs, two partitions (scheduling.md §5.3).
"""One node of 16 cores and four GPUs, in two partitions of one tier. Each question is jobs that come one after the other; printed is who runs at once."""
import sys

from lab import Tally, lab, release

CONF = """\
SelectType=select/cons_tres
SelectTypeParameters=CR_Core_Memory
SchedulerType=sched/backfill
SchedulerParameters=sched_interval=30,bf_interval=30
PriorityType=priority/basic
GresTypes=gpu
DefMemPerCPU=1000
{preempt}
AccountingStorageEnforce=associations,limits,qos
NodeName=n1 Sockets=2 CoresPerSocket=8 ThreadsPerCore=1 RealMemory=64000 Gres=gpu:4
PartitionName=all Nodes=n1 Default=YES MaxTime=INFINITE State=UP OverSubscribe={over}
PartitionName=two Nodes=n1 MaxTime=INFINITE State=UP OverSubscribe={over}
PartitionName=no Nodes=n1 MaxTime=INFINITE State=UP
PartitionName=hi Nodes=n1 MaxTime=INFINITE State=UP PriorityTier=5 OverSubscribe=FORCE:1
"""
GRES = "NodeName=n1 Name=gpu File=/dev/nvidia[0-3]\n"
ACCOUNTS = "add account red\nadd user ada Account=red\nadd qos low\nadd qos high\nmodify qos high set preempt=low\nmodify user ada set qos=normal,low,high defaultqos=normal\n"
REQUEUE = "PreemptType=preempt/qos\nPreemptMode=REQUEUE"
GANG = "PreemptType=preempt/qos\nPreemptMode=SUSPEND,GANG\nSchedulerTimeSlice=60"
WHOLE = "-N1 --exclusive"
QUESTIONS = (("-n4", WHOLE), ("-n4 --gres=gpu:4", WHOLE), ("-p two -n4", WHOLE), (WHOLE, "-n2"), (WHOLE, WHOLE), ("-n4", "-n12"), ("-n4", "-n13"),
             ("-p two -n4 --gres=gpu:1", WHOLE), ("-p two -n4 --gres=gpu:1", "-n14 --gres=gpu:3"), (f"-p two {WHOLE}", "-n2"), (f"-p two {WHOLE}", WHOLE))
FORCED = (("-p no -n4", "-n4"), ("-n4", "-p no -n4"), ("-n4", "-p no -n13"), ("-p hi -n4", "-n13"), ("-n4", "-p hi -n13"), ("-p two -n4", "-n13"), ("-p two -n16", "-n16"))
# (PreemptMode, OverSubscribe, questions, whether the second of each runs, or takes its turn, at once)
TOLD = (("", "FORCE:1", QUESTIONS, "00000100100"), ("", "FORCE:2", QUESTIONS, "10110110110"), ("", "YES:2", QUESTIONS, "00000100000"), (GANG, "NO", QUESTIONS, "00100100100"),
        (GANG, "FORCE:1", QUESTIONS, "00100100100"), (GANG, "FORCE:2", QUESTIONS, "10110110110"), ("", "FORCE:1", FORCED, "0101111"), (REQUEUE, "FORCE:1", FORCED, "0101111"))


def main():
    tally = Tally()
    for preempt, over, questions, told in TOLD:
        with lab(CONF.format(preempt=preempt, over=over), gres=GRES, sacctmgr=ACCOUNTS) as one:
            for jobs, runs in zip(questions, told, strict=True):
                ids = [one.sub(f"--uid=ada {words}") for words in jobs]
                one.until(lambda: one.job(ids[0]).get("JobState") == "RUNNING", 60)  # noqa: B023
                got = one.until(lambda: one.job(ids[1]).get("JobState") in ("RUNNING", "SUSPENDED"), 40)  # noqa: B023
                tally.note(f"{preempt.partition("=preempt/qos")[0] and preempt.split("PreemptMode=")[1].split()[0]:13} {over:8} {' | '.join(jobs):50}", str(int(got)), runs)
                release(one, ids)
    return tally.close()


if __name__ == "__main__":
    sys.exit(main())
