#!/usr/bin/env python3
# scripts/reference/experiments/planned_whole.py — which GPUs a plan of whole nodes counts for under a limit (limits.md §6.4).
"""Four nodes of four GPUs; a job of the QOS holds two on n4, others hold the rest for half an hour or nothing. Each case: what is asked, which limit, and for each of its values whether the job is
planned, runs, or neither. With select/linear and select/cons_res as with cons_tres. About five minutes."""
import sys

from lab import Tally, hold, lab, release

CONF = """\
SelectType=select/{way}
SchedulerType=sched/backfill
SchedulerParameters=sched_interval=10,bf_interval=10,bf_window=2880
PriorityType=priority/basic
GresTypes=gpu
AccountingStorageEnforce=associations,limits,qos
AccountingStorageTRES=gres/gpu,gres/gpu:a100
NodeName=n[1-4] Sockets=2 CoresPerSocket=4 ThreadsPerCore=1 RealMemory=4000 Gres=gpu:a100:4
PartitionName=all Nodes=ALL Default=YES MaxTime=INFINITE State=UP DefMemPerCPU=100
"""
GRES = "NodeName=n[1-4] Name=gpu Type=a100 File=/dev/nvidia[0-3]\n"
ACCOUNTS = "add account a\nadd user ann Account=a\nadd qos q\nadd qos free\nmodify user ann set qos=free,q defaultqos=free\n"
# What is asked, the limit, and values of it: the last with which it is not planned, the first with which it is; then of a start.
CASES = [
    ("-N2 -n4 --gres=gpu:1 --exclusive", "GrpTRES=gres/gpu", (3, 4), (9, 10)),
    ("-N2 -n4 --gres=gpu:1", "GrpTRES=gres/gpu", (3, 4), (3, 4)),
    ("-N2 -n4 --gres=gpu:a100:1 --exclusive", "GrpTRES=gres/gpu:a100", (3, 4), (9, 10)),
    ("-N2 -n4 --gres=gpu:1 --exclusive", "GrpTRES=gres/gpu:a100", (None, 1), (9, 10)),
    ("-N2 -n2 --exclusive", "GrpTRES=gres/gpu", (None, 1), (9, 10)),
    ("-N2 -n2 --exclusive", "GrpTRES=cpu", (16, 17), (16, 17)),
    ("-N2 -n2 --exclusive", "GrpTRES=mem", (850, 1700), (850, 1700)),
    ("-N2 -n4 --gres=gpu:1 --exclusive", "MaxTRES=gres/gpu", (1, 2), (7, 8)),
    ("-N2 -n4 --gres=gpu:1 --exclusive", "MaxTRESPerUser=gres/gpu", (3, 4), (9, 10)),
    ("-N2 -n4 --gpus=3 --exclusive", "GrpTRES=gres/gpu", (4, 5), (9, 10)),
    ("-n2 --gpus-per-task=2 -N2 --exclusive", "GrpTRES=gres/gpu", (5, 6), (9, 10)),
]  # fmt: skip
# Under select/linear the GPUs that run count for nothing (scheduling.md §6), and every node is whole.
OF_LINEAR = [
    ("-N2 -n4 --gres=gpu:1", "GrpTRES=gres/gpu", (1, 2), (7, 8)),
    ("-N2 -n4", "GrpTRES=gres/gpu", (None, 1), (7, 8)),
    ("-N2 -n4 --gres=gpu:1", "MaxTRES=gres/gpu", (1, 2), (7, 8)),
    ("-N2 -n4", "GrpTRES=cpu", (23, 24), (23, 24)),
]
OF_CONS_RES = [case for case in CASES if case[1] == "GrpTRES=gres/gpu" and "gpus" not in case[0]]
WAYS = {"cons_tres\nSelectTypeParameters=CR_Core_Memory": CASES, "cons_res\nSelectTypeParameters=CR_Core_Memory": OF_CONS_RES, "linear": OF_LINEAR}


def became(one, words):
    """`planned`, `runs` or `neither`."""
    number = one.sub(words + " --uid=ann --qos=q -t 100")
    one.until(lambda: one.job(number).get("SchedNodeList") or one.job(number).get("JobState") == "RUNNING", 25)
    job = one.job(number)
    one.out(f"scancel {number}")
    if job.get("JobState") == "RUNNING":
        one.rest(20)
        return "runs"
    return "planned" if job.get("SchedNodeList", "(null)") != "(null)" else "neither"


def main():
    tally = Tally()
    for way, cases in WAYS.items():
        with lab(CONF.format(way=way), gres=GRES, sacctmgr=ACCOUNTS) as one:
            for others, place, does in ((["-w n1,n2,n3 -N3 --exclusive --uid=ann -t 30"], 2, "planned"), ([], 3, "runs")):
                held = hold(one, [*others, "-w n4 --gres=gpu:2 -n1 --qos=q --uid=ann -t 300"])
                for case in cases:
                    words, limit = case[:2]
                    for value, told in zip(case[place], ("neither", does)):
                        if value is None:
                            continue
                        one.out(f"sacctmgr -i modify qos q set {limit}={value}")
                        one.rest(10)
                        tally.note(f"{way.split()[0]:10} {words:42} {limit}={value:<5}", became(one, words), told)
                    one.out(f"sacctmgr -i modify qos q set {limit}=-1")
                release(one, held)
    return tally.close()


if __name__ == "__main__":
    sys.exit(main())
