#!/usr/bin/env python3
# scripts/reference/experiments/relative_qos.py — what a QOS with the flag Relative limits, of 23.11 and later (limits.md §13).
"""The limits that slurmctld holds of each QOS (`scontrol show assoc_mgr`), which it has made of the percentages; those that are not shown are asked with a job that they stop and one that they let run.
Needs a Slurm of 23.11 or later, made with --enable-multiple-slurmd, in front of PATH. A minute."""
import re
import sys

from lab import Tally, became_of, lab

CONF = """\
SelectType=select/cons_tres
SelectTypeParameters=CR_Core_Memory
SchedulerType=sched/backfill
PriorityType=priority/multifactor
PriorityCalcPeriod=60
DefMemPerCPU=10
AccountingStorageEnforce=associations,limits,qos
AccountingStorageTRES=gres/gpu,gres/gpu:a100,license/matlab
GresTypes=gpu
Licenses=matlab:31
NodeName=n[1-3] CPUs=40 RealMemory=64001 Gres=gpu:a100:7
NodeName=n4 CPUs=41 RealMemory=64001 Gres=gpu:t4:8
PartitionName=all Nodes=n[1-4] Default=YES MaxTime=INFINITE State=UP TRESBillingWeights=cpu=2,gres/gpu=10
PartitionName=own Nodes=n[1-2] MaxTime=INFINITE State=UP QOS=part
"""
GRES = "NodeName=n[1-3] Name=gpu Type=a100 File=/dev/nvidia[0-6]\nNodeName=n4 Name=gpu Type=t4 File=/dev/nvidia[0-7]\n"
QOS = {
    "grp": "GrpTRES=cpu=33,gres/gpu=33,gres/gpu:a100=50,node=50,mem=1", "rest": "GrpTRES=billing=50,license/matlab=50,energy=50", "job": "MaxTRESPerJob=cpu=33,gres/gpu=33", "node": "MaxTRESPerNode=cpu=10",
    "least": "MinTRESPerJob=cpu=10", "mins": "GrpTRESMins=cpu=33", "runs": "GrpTRESRunMins=cpu=33", "jmins": "MaxTRESMinsPerJob=cpu=33", "tiny": "GrpTRES=cpu=1", "over": "GrpTRES=cpu=150", "zero": "GrpTRES=cpu=0",
    "count": "GrpJobs=50 GrpSubmitJobs=70 GrpWall=90", "part": "GrpTRES=cpu=33,gres/gpu=33,node=50", "user": "MaxTRESPU=cpu=10", "acct": "MaxTRESPA=cpu=10",
}  # fmt: skip
ACCOUNTS = "".join(f"add qos {name} {limits} Flags=Relative\n" for name, limits in QOS.items()) + f"add account red\nadd user ada Account=red QOS=normal,{','.join(QOS)}\n"
# 161 CPUs, 29 GPUs (21 of them a100), 4 nodes, 256004 MB; own: 80 CPUs, 14 GPUs. A Relative QOS of two partitions is fatal for slurmctld: `A relative QOS must be unique per partition`.
HELD = {
    "grp": "cpu=53 gres/gpu:a100=10 gres/gpu=9 mem=2560 node=2", "rest": "billing=306 energy=0 license/matlab=15", "job": "cpu=53 gres/gpu=9", "node": "cpu=16", "least": "cpu=16", "mins": "cpu=53", "runs": "cpu=53", "jmins": "cpu=53",
    "tiny": "cpu=1", "over": "cpu=161", "zero": "cpu=0", "count": "", "part": "cpu=26 gres/gpu=4 node=1", "user": "", "acct": "",
}  # fmt: skip


def held(one):
    """By QOS the TRES limits that slurmctld goes by."""
    text = re.sub(r"\s+", " ", one.out("scontrol show assoc_mgr flags=qos"))
    blocks = {name: block for name, block in re.findall(r"QOS=(\w+)\(\d+\) UsageRaw(.*?)(?= QOS=\w+\(|$)", text)}
    return {name: " ".join(sorted(re.findall(r"(?<![\w/])((?:cpu|mem|node|billing|energy|gres/[\w:]+|license/\w+)=\d+)", block.partition("Account Limits")[0]))) for name, block in blocks.items()}


def main():
    tally = Tally()
    with lab(CONF, GRES, ACCOUNTS) as one:
        known = held(one)
        for name, expected in HELD.items():
            tally.note(f"{name:6} {QOS[name]}", known.get(name, "?"), expected)
        for words, expected in (("--qos=user -n16 -t 1", "runs"), ("--qos=user -n17 -t 1", "waits QOSMaxCpuPerUserLimit"), ("--qos=acct -n16 -t 1", "runs"), ("--qos=acct -n17 -t 1", "waits MaxCpuPerAccount"),
                                ("--qos=tiny -n1 -t 1", "runs"), ("--qos=tiny -n2 -t 1", "waits QOSGrpCpuLimit")):
            tally.note(words, became_of(one, f"--uid=ada {words}"), expected)
        wider = "cpu=39 gres/gpu=6 node=1"
        for what, part in (("update NodeName=n4 State=DOWN Reason=x", HELD["part"]), ("update PartitionName=own Nodes=n[1-3]", wider), ("update PartitionName=all TRESBillingWeights=cpu=1", wider)):
            one.out(f"scontrol {what}")
            one.rest(20)
            now = held(one)
            tally.note(f"scontrol {what}: grp, part", f"{now.get('grp')}, {now.get('part')}", f"{HELD['grp']}, {part}")
    return tally.close()


if __name__ == "__main__":
    sys.exit(main())
