#!/usr/bin/env python3
# scripts/reference/experiments/requeued_tres.py — the TRES that a requeued job ranks by: those of its request, or those that its run had (priority.md §3.8).
"""Four nodes of 16 CPUs, eight cores, with four GPUs. Each job is requeued from its run and after its end, once on drained nodes. Compared are sprio's columns
of TRES (19 characters of them). Twelve minutes."""
import re
import sys

from lab import Tally, lab

CONF = """\
SelectType=select/cons_tres
SelectTypeParameters={parameters}
SchedulerType=sched/backfill
SchedulerParameters=sched_interval=10,bf_interval=30
PriorityType=priority/multifactor
PriorityWeightTRES=CPU=1000,Mem=1000,Node=1000,GRES/gpu=1000,license/m=1000
PriorityWeightJobSize=1000
PriorityCalcPeriod=1
Licenses=m:10
GresTypes=gpu
AccountingStorageTRES=gres/gpu,license/m
NodeName=c[1-4] Sockets=1 CoresPerSocket=8 ThreadsPerCore=2 RealMemory=10000 Gres=gpu:4
PartitionName=batch Nodes=c[1-4] State=UP Default=YES MaxTime=240 DefaultTime=30
PartitionName=two Nodes=c[1-2] State=UP MaxTime=240 DefaultTime=30
"""
GRES = "NodeName=c[1-4] Name=gpu File=/dev/nvidia[0-3]\n"
ACCOUNTS = "add account a\nadd user lou account=a\n"
# what is asked for; as it ranks before; after its end under CR_Core, under CR_Core_Memory
JOBS = [
    ("-n1", "cpu=16,mem=250,node=", "cpu=31,node=250", "cpu=31,mem=250,node="),
    ("-n3 --gres=gpu:1", "cpu=47,mem=250,node=", "cpu=62,node=250,gres", "cpu=62,mem=250,node="),
    ("-N1 --exclusive", "cpu=16,mem=250,node=", "cpu=250,node=250,gre", "cpu=250,mem=250,node"),
    ("-n1 -L m:2", "cpu=16,mem=250,node=", "cpu=31,node=250,lice", "cpu=31,mem=250,node="),
    ("-p batch,two -n1", "cpu=31,mem=500,node=", "cpu=62,node=500", "cpu=62,mem=500,node="),
    ("-n5 -c2 --mem=100", "cpu=156,mem=2,node=2", "cpu=156,node=250", "cpu=156,mem=2,node=2"),
    ("-N1-2 -n1 --mem-per-cpu=10", "cpu=16,mem=0,node=25", "cpu=31,node=250", "cpu=31,mem=0,node=25"),
]  # fmt: skip


def terms(one, number):
    return one.out(f"sprio -l -j {number}").split()[-1]


def drain(one, state):
    one.out(f"scontrol update NodeName=c[1-4] State={state} Reason=asked")


def ranks(one, words, after_its_end):
    """Its terms while the nodes are drained, before its run and when it has been requeued."""
    drain(one, "DRAIN")
    number = one.sub(f"{words} --requeue --uid=lou", 20 if after_its_end else 1000)
    one.rest(40)
    before = terms(one, number)
    drain(one, "RESUME")
    running = lambda: "JobState=RUNNING" in one.out(f"scontrol -o show job {number}")  # noqa: E731
    one.until(running, 100)
    drain(one, "DRAIN")
    if after_its_end:
        one.until(lambda: not running(), 100)
        one.rest(10)
    one.out(f"scontrol requeue {number}")
    one.rest(200)
    after = terms(one, number)
    one.out(f"scancel {number}")
    return re.sub(r"\s+", " ", before), re.sub(r"\s+", " ", after)


def main():
    tally = Tally()
    for at, parameters in enumerate(("CR_Core", "CR_Core_Memory")):
        with lab(CONF.format(parameters=parameters), GRES, sacctmgr=ACCOUNTS) as one:
            for words, asked, *ended in JOBS:
                for after_its_end in (False, True):
                    told = ended[at] if after_its_end else asked
                    tally.note(f"{parameters} {words} {'after its end' if after_its_end else 'from its run'} |", " ".join(ranks(one, words, after_its_end)), f"{asked} {told}")
    return tally.close()


if __name__ == "__main__":
    sys.exit(main())
