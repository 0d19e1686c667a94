#!/usr/bin/env python3
# scripts/reference/experiments/user_run_minutes.py — run minutes of a user and of an account in a QOS, as 24.05 and later enforce them (limits.md §13).
"""Jobs are asked for one after the other, and some go on running: whether each runs, waits and with which Reason, or is refused. Needs a Slurm of 24.05 or later in front of PATH:
asked of 22.05 nobody waits. About a minute."""
import sys

from lab import Tally, lab

CONF = """\
SelectType=select/cons_tres
SelectTypeParameters=CR_Core_Memory
SchedulerType=sched/backfill
PriorityType=priority/multifactor
PriorityCalcPeriod=60
DefMemPerCPU=1000
AccountingStorageEnforce=associations,limits,qos
AccountingStorageTRES=gres/gpu
GresTypes=gpu
NodeName=n1 CPUs=200 RealMemory=640000 Gres=gpu:16
PartitionName=all Nodes=n1 Default=YES MaxTime=INFINITE State=UP
PartitionName=own Nodes=n1 MaxTime=INFINITE State=UP QOS=part
"""
GRES = "NodeName=n1 Name=gpu File=/dev/nvidia[0-15]\n"
ACCOUNTS = """\
add qos both MaxTRESRunMinsPU=cpu=1200 MaxTRESRunMinsPA=cpu=2000
add qos strict MaxTRESRunMinsPU=cpu=1200 Flags=DenyOnLimit
add qos each MaxTRESRunMinsPU=mem=200000,node=20,gres/gpu=40,billing=5000
add qos all MaxTRESRunMinsPA=mem=200000,node=20,gres/gpu=40
add qos twice MaxTRESRunMinsPU=cpu=1200 UsageFactor=2
add qos part MaxTRESRunMinsPU=cpu=600
add account red
add account blue
add user ada,abe Account=red QOS=normal,both,strict,each,all,twice
add user bea,bob Account=blue QOS=normal,both,strict,each,all,twice
"""
# who, QOS, options, what becomes of it, and whether it stays
CASES = [
    ("ada", "both", "-n10 -t 100", "runs", True), ("ada", "both", "-n10 -t 21", "waits MaxCpuRunMinsPerUser", False), ("ada", "both", "-n10 -t 20", "runs", True),
    ("abe", "both", "-n10 -t 83", "waits MaxCpuRunMinsPerAccount", False), ("abe", "both", "-n10 -t 80", "runs", True), ("abe", "both", "-n10 -t 300", "waits MaxCpuRunMinsPerAccount", False),
    ("ada", "normal", "-n10 -t 300", "runs", False), ("bea", "both", "-n10 -t 121", "waits MaxCpuRunMinsPerUser", False), ("bea", "both", "-n10 -t 120", "runs", False),
    ("bea", "strict", "-n10 -t 121", "refused", False), ("bea", "strict", "-n10 -t 120", "runs", True), ("bea", "strict", "-n10 -t 20", "waits MaxCpuRunMinsPerUser", False),
    ("bea", "each", "-n1 -N1 -t 21", "waits MaxNodeRunMinsPerUser", False), ("bea", "each", "-n20 -t 11", "waits MaxMemoryRunMinsPerUser", False), ("bea", "each", "-n1 --gpus=8 -t 6", "waits MaxGRESRunMinsPerUser", False),
    ("bea", "each", "-n1 --mem=1 -c38 -t 19", "runs", False), ("bea", "all", "-n1 -N1 -t 21", "waits MaxNodeRunMinsPerAccount", False), ("bea", "all", "-n20 -t 11", "waits MaxMemoryRunMinsPerAccount", False),
    ("bea", "all", "-n1 --gpus=8 -t 6", "waits MaxGRESRunMinsPerAccount", False), ("bob", "twice", "-n10 -t 110", "runs", True), ("bob", "twice", "-n1 -t 10", "waits MaxCpuRunMinsPerUser", False),
    ("bob", "normal", "-p own -n10 -t 61", "waits MaxCpuRunMinsPerUser", False), ("bob", "normal", "-p own -n10 -t 60", "runs", False), ("bob", "strict", "-p own -n10 -t 61", "refused", False),
    ("bob", "both", "-p own -n10 -t 61", "waits MaxCpuRunMinsPerUser", False), ("bob", "both", "-n10", "waits MaxCpuRunMinsPerAccount", False),
]  # fmt: skip


def main():
    tally = Tally()
    with lab(CONF, GRES, ACCOUNTS) as one:
        for who, qos, words, expected, stays in CASES:
            number = one.sub(f"--uid={who} --qos={qos} {words}")
            told = "refused"
            if number.isdigit():
                one.until(lambda: one.job(number).get("JobState") == "RUNNING" or "RunMins" in one.job(number).get("Reason", ""), 90)
                job = one.job(number)
                told = "runs" if job.get("JobState") == "RUNNING" else f"waits {job.get('Reason')}"
                if not stays:
                    one.out(f"scancel {number}")
                    one.until(lambda: one.job(number).get("JobState") not in ("RUNNING", "COMPLETING"), 60)
                    one.rest(10)
            tally.note(f"{who} {qos:6} {words}", told, expected)
    return tally.close()


if __name__ == "__main__":
    sys.exit(main())
