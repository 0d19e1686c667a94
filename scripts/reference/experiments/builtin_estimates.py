#!/usr/bin/env python3
# scripts/reference/experiments/builtin_estimates.py — which pending jobs sched/builtin estimates, and what their JOBSIZE goes by then (priority.md §3.4).
"""Two nodes of one partition that a job has whole, and 60 jobs of a GPU with four CPUs that wait for them; a job that is held, one with a dependency, one with a begin time, an array and one that waits
for a licence in another partition. Every job asks for --cpus-per-gpu=4; priorities are of JOBSIZE alone: 644 by one CPU, 703 by four. Printed: how many are shown with a start, and with which priority, after two minutes. A minute."""
import sys

from lab import Tally, lab

CONF = """\
SelectType=select/cons_tres
SelectTypeParameters=CR_CPU_Memory
SchedulerType=sched/builtin
PriorityType=priority/multifactor
PriorityWeightJobSize=5000
PriorityCalcPeriod=1
GresTypes=gpu
Licenses=solver:4
NodeName=b[1-2],c[1-2] Sockets=1 CoresPerSocket=32 ThreadsPerCore=1 RealMemory=192000 Gres=gpu:l40s:4
PartitionName=part Nodes=b[1-2] MaxTime=INFINITE Default=YES State=UP DefMemPerCPU=1000
PartitionName=other Nodes=c[1-2] MaxTime=INFINITE State=UP DefMemPerCPU=1000
"""
GRES = "NodeName=b[1-2],c[1-2] Name=gpu Type=l40s File=/dev/nvidia[0-3]\n"
ONE = "--gpus=1 --cpus-per-gpu=4 -t 10"


def starts(one, words):
    one.until(lambda: one.job(words).get("JobState") == "RUNNING", 30)
    return words


def main():
    tally = Tally()
    with lab(CONF, gres=GRES) as one:
        first = starts(one, one.sub("-n1 -L solver:4 -t 60"))
        starts(one, one.sub("-p other --exclusive -N2 -t 30"))
        licensed = one.sub(f"-L solver:1 -p part {ONE}")
        many = [one.sub(f"-p other {ONE}") for _ in range(60)]
        others = [one.sub(f"{more} -p other {ONE}") for more in ("-H", f"-d afterany:{first}", "--begin=now+1hour", "-a 0-3")]
        one.rest(120)
        shown = {line.split()[0].split("_")[0]: line.split()[1:] for line in one.out("squeue -h -t PD -o '%i %S %Q'").splitlines()}
        tally.note("waits for a licence: priority", shown[licensed][1], "703")
        tally.note("of 60 that wait for nodes, with a start", sum(shown[each][0] != "N/A" for each in many), 50)
        tally.note("… and with the priority of four CPUs", sum(shown[each][1] == "703" for each in many), 50)
        tally.note("held, dependency, begin time, array: priorities", " ".join(shown[each][1] for each in others), "0 644 644 644")
    return tally.close()


if __name__ == "__main__":
    sys.exit(main())
