#!/usr/bin/env python3
# scripts/reference/experiments/het_billing.py — what the components of a heterogeneous job are billed (priority.md §6.2).
"""Each job runs alone on three nodes of four GPUs and eight cores of two threads, in a partition that bills CPUs, memory and GPUs, by type too; then again with a component of one task
behind it. Printed: the billing of each component. About six minutes."""
import re
import sys

from lab import Tally, hold, lab, release

CONF = """\
SelectType=select/cons_tres
SelectTypeParameters={parameters}
SchedulerType=sched/backfill
SchedulerParameters=sched_interval=5,bf_interval=5
PriorityType=priority/{priority}
GresTypes=gpu
AccountingStorageType=accounting_storage/slurmdbd
AccountingStorageTRES=gres/gpu,gres/gpu:a100
{enforce}NodeName=a[1-3] Sockets=1 CoresPerSocket=8 ThreadsPerCore=2 RealMemory=64000 Gres=gpu:a100:4
PartitionName=all Nodes=ALL Default=YES MaxTime=INFINITE State=UP TRESBillingWeights="CPU=1,Mem=10G,GRES/gpu:a100=1000,GRES/gpu=10000"
"""
GRES = "NodeName=a[1-3] Name=gpu Type=a100 File=/dev/nvidia[0-3]\n"
SACCTMGR = "add qos few GrpTRES=cpu=6\nadd account x\nadd user amy DefaultAccount=x\nmodify user amy set QOS=normal,few\n"
ENFORCE = "AccountingStorageEnforce=associations,limits,qos\n"
# options; billing of a job with CR_Core, with CR_Core_Memory; as a component where limits are enforced and priority/multifactor keeps usage
CASES = [
    ("-n1 --mem=1024", 2, 12, 12),
    ("-n3 --mem-per-cpu=1024", 4, 44, 44),
    ("-n1 --gres=gpu:1 --mem=2048", 11002, 11022, 10022),
    ("-n1 --gres=gpu:a100:2 --mem=2048", 22002, 22022, 22022),
    ("-N1 --exclusive --mem=2048", 44016, 44036, 36),
    ("-N2 -n2 --mem=1024", 4, 24, 24),
    ("-n3 -c1 --ntasks-per-core=1 --mem-per-cpu=1024", 6, 66, 66),
]
LAST = (2, 12, 12)  # the component behind it
SITES = [("CR_Core", "multifactor", ENFORCE), ("CR_Core_Memory", "multifactor", ENFORCE), ("CR_CPU", "basic", ENFORCE), ("CR_Core", "multifactor", "")]


def billings(one, number):
    return [int(each) for each in re.findall(r" TRES=\S*billing=(\d+)", one.out(f"scontrol -o show job {number}"))]


def asked(one, words):
    number = one.sub(words)
    one.until(lambda: one.job(number).get("JobState") == "RUNNING", 90)
    got = billings(one, number)
    release(one, [number])
    return got


def main():
    tally = Tally()
    for parameters, priority, enforce in SITES:
        with lab(CONF.format(parameters=parameters, priority=priority, enforce=enforce), GRES, SACCTMGR) as one:
            for words, *told in CASES:
                if parameters == "CR_CPU":  # by task, not by core
                    continue
                alone = "Memory" in parameters
                together = 2 if enforce else alone
                head = f"{parameters:15}{priority:12}{'limits' if enforce else '-':7}{words}"
                tally.note(head, asked(one, f"-t 10 {words}"), [told[alone]])
                tally.note(f"{head} : -n1", asked(one, f"-t 10 {words} : -n1 --mem=1024"), [told[together], LAST[together]])
            if parameters == "CR_CPU":
                tally.note("priority/basic -n1 --mem=1024 : -n1", asked(one, "-t 10 -n1 --mem=1024 : -n1 --mem=1024"), [1, 1])
    with lab(CONF.format(parameters="CR_Core", priority="multifactor", enforce=ENFORCE), GRES, SACCTMGR) as one:
        held = hold(one, ["--uid=amy --qos=few -t 60 -n4"])
        number = one.sub("--uid=amy --qos=few -t 10 -n1 --mem=1024 : -n1 --mem=1024")
        one.until(lambda: "QOSGrpCpuLimit" in one.out(f"scontrol -o show job {number}"), 60)
        one.out(f"scontrol update jobid={number}+0 MinMemoryNode=4096")
        release(one, held)
        one.until(lambda: one.job(number).get("JobState") == "RUNNING", 90)
        tally.note("stopped by a limit of both, then --mem=4096 :", billings(one, number), [12, 12])
    return tally.close()


if __name__ == "__main__":
    sys.exit(main())
