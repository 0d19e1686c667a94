#!/usr/bin/env python3
# scripts/reference/experiments/linear_gres.py — what of a job's GRES counts under select/linear: AllocTRES, billing, limits (gres.md §4.4).
"""Four nodes of four GPUs and eight cores under select/linear, with AccountingStorageTRES=gres/gpu and a partition that bills GPUs. Printed: the TRES of running jobs, and what becomes of
jobs beside one of four GPUs whose account or QOS has a limit of them. About three minutes."""
import sys

from lab import Tally, became_of, hold, lab, release

CONF = """\
SelectType=select/linear
SchedulerType=sched/backfill
SchedulerParameters=sched_interval=5,bf_interval=5
GresTypes=gpu
AccountingStorageType=accounting_storage/slurmdbd
AccountingStorageTRES=gres/gpu,gres/gpu:a100
AccountingStorageEnforce=associations,limits,qos
NodeName=a[1-4] Sockets=1 CoresPerSocket=8 RealMemory=64000 Gres=gpu:a100:4
PartitionName=all Nodes=ALL Default=YES MaxTime=INFINITE State=UP TRESBillingWeights="CPU=1.0,GRES/gpu=10"
"""
GRES = "NodeName=a[1-4] Name=gpu Type=a100 File=/dev/nvidia[0-3]\n"
SACCTMGR = """\
add qos grp GrpTRES=gres/gpu=4
add qos user MaxTRESPerUser=gres/gpu=4
add qos job MaxTRESPerJob=gres/gpu=2
add qos node MaxTRESPerNode=gres/gpu=2
add qos minutes GrpTRESRunMins=gres/gpu=100
add account x
add user amy DefaultAccount=x
modify user amy set QOS=normal,grp,user,job,node,minutes
"""


def main():
    tally = Tally()
    with lab(CONF, GRES, SACCTMGR) as one:
        user = "--uid=amy "
        for words, told in (
            ("-N1 --gres=gpu:2", "cpu=8,node=1,billing=8"),
            ("-N2 --gres=gpu:a100:4", "cpu=16,node=2,billing=16"),
            ("-n1", "cpu=8,node=1,billing=8"),
        ):
            running = hold(one, [user + words])
            tally.note(f"{words:30} TRES", one.job(running[0]).get("TRES"), told)
            release(one, running)
        for qos, more, told in (
            ("grp", "-t 10 -N2 --gres=gpu:4", "waits QOSGrpGRES"),
            ("user", "-t 10 -N2 --gres=gpu:4", "waits QOSMaxGRESPerUser"),
            ("minutes", "-t 30 -N1 --gres=gpu:4", "waits QOSGrpGRESRunMinutes"),
        ):
            running = hold(one, [f"{user}--qos={qos} -t 20 -N1 --gres=gpu:4"])
            tally.note(f"--qos={qos:9}beside one of four -t 20 -N1 --gres=gpu:4", became_of(one, f"{user}--qos={qos} -t 20 -N1 --gres=gpu:4"), "runs")
            release(one, running)
            tally.note(f"--qos={qos:9}{more}", became_of(one, f"{user}--qos={qos} {more}"), told)
        for qos, told in (("job", "waits QOSMaxGRESPerJob"), ("node", "waits QOSMaxGRESPerNode")):
            tally.note(f"--qos={qos:9}-N1 --gres=gpu:4", became_of(one, f"{user}--qos={qos} -N1 --gres=gpu:4"), told)
        four = "waits QOSMaxGRESPerJob"
        for words in ("-N1 --gres=gpu:2", "-N2 --gres=gpu:1", "-n16 --gres=gpu:1", "-N1 --exclusive", "-N1 --exclusive --gres=gpu:2", "-N2 --gres=gpu:a100:2", "-n1"):
            tally.note(f"--qos=job      {words}", became_of(one, f"{user}--qos=job {words}"), four)
        one.out("sacctmgr -i modify qos job set MaxTRESPerJob=gres/gpu=-1,gres/gpu:a100=2")
        for words in ("-N1 --gres=gpu:2", "-N1 --gres=gpu:a100:2", "-n1", "-N1 --exclusive"):
            tally.note(f"a100=2 --qos=job      {words}", became_of(one, f"{user}--qos=job {words}"), four)
    return tally.close()


if __name__ == "__main__":
    sys.exit(main())
