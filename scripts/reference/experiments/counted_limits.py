#!/usr/bin/env python3
# scripts/reference/experiments/counted_limits.py — for how many CPUs a job of counted features counts in limits that waits for nodes (scheduling.md §5.4).
"""Eight nodes of twelve cores, a1 to a4 with `old`, two of which are free in half, b1 to b4 with `new`; a user may have 54 CPUs and has 48 to 54 of them. Printed: the
Reason of a job whose terms have nodes, which are too few for all of it, after a pass; and whether it is as the text says. About a minute."""
import re
import sys

from lab import Tally, hold, lab, release

CONF = """\
SelectType=select/cons_tres
SelectTypeParameters=CR_Core_Memory
SchedulerType=sched/backfill
SchedulerParameters=bf_interval=-1
PriorityType=priority/basic
DefMemPerCPU=2000
AccountingStorageEnforce=associations,limits,qos
NodeName=a[1-4] Sockets=2 CoresPerSocket=6 ThreadsPerCore=1 RealMemory=40000 Feature=old
NodeName=b[1-4] Sockets=2 CoresPerSocket=6 ThreadsPerCore=1 RealMemory=40000 Feature=new
PartitionName=all Nodes=a[1-4],b[1-4] Default=YES MaxTime=INFINITE State=UP
"""
ACCOUNTS = "add account x\nadd user root account=x\nmodify qos normal set MaxTRESPU=cpu=54\n"
HELD = [f"-w {nodes} -N2 --ntasks-per-node=6" for nodes in ("a1,a2", "a1,a2", "a3,a4", "b2,b3")]
MORE = ("", "-w b4 -n3", "-w b4 -n1", "-w b4 -n1", "-w b4 -n1")
# (options, the CPUs of the last term that has nodes, or where the first has none those asked for)
ASKED = [
    ("-N2 -n24 -C [old*2]", 2), ("-N3 -n36 -C [old*1&new*2]", 2), ("-N3 -n36 -C [old*2&new*1]", 1), ("-N4 -n48 -C [old*2&new*2]", 2),
    ("-N3 -n36 -C [old*1&new*1]", 1), ("-N3 -n36 -C [old*3]", 36),
]  # fmt: skip


def ask(one, words):
    job = one.sub(words + " -t 30")
    one.rest(8)
    shown = one.job(job)
    release(one, [job])
    return shown["Reason"] if shown["JobState"] == "PENDING" else shown["NodeList"]


def main():
    tally = Tally()
    with lab(CONF, "", ACCOUNTS) as one:
        hold(one, [f"{words} -t 60" for words in HELD])
        for more in MORE:
            if more:
                hold(one, [f"{more} -t 60"])
            used = int(re.search(r"cpu=54\((\d+)\)", one.out("scontrol show assoc_mgr flags=qos"))[1])
            for words, cpus in ASKED:
                tally.note(f"{used} of 54 | {words:26} |", ask(one, words), "Resources" if used + cpus <= 54 else "QOSMaxCpuPerUserLimit")
    return tally.close()


if __name__ == "__main__":
    sys.exit(main())
