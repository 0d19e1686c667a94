#!/usr/bin/env python3
# scripts/reference/experiments/named_out_of_reach.py — what submission asks of a job with -w (lifecycle.md §2).
"""Told: where a node of -w is reserved for the job's time, down or drained, submission takes what could never run (GPUs of nodes without, more CPUs than the
nodes have), but not what a node lacks by itself (memory, --mincpus, -c). A job without -w is tested as ever, whatever is reserved. About three minutes."""
import sys

from lab import Tally, lab

CONF = """\
SelectType=select/cons_tres
SelectTypeParameters=CR_Core_Memory
SchedulerType=sched/backfill
SchedulerParameters=bf_interval=10,sched_interval=10
GresTypes=gpu
NodeName=g[1-2] Sockets=2 CoresPerSocket=8 ThreadsPerCore=2 RealMemory=1000 Gres=gpu:8
NodeName=c[1-3] Sockets=2 CoresPerSocket=8 ThreadsPerCore=2 RealMemory=1000 Feature=avx
PartitionName=all Nodes=c[1-3],g[1-2] MaxTime=INFINITE State=UP Default=YES
"""
GRES = "NodeName=g[1-2] Name=gpu File=/dev/nvidia[0-3] Cores=0-7\nNodeName=g[1-2] Name=gpu File=/dev/nvidia[4-7] Cores=8-15\n"
RESERVED = "scontrol create reservation ReservationName=r Users=root Flags=IGNORE_JOBS Duration=60 StartTime=now{when} Nodes={nodes}"
YES, NO = "taken", "refused"
C2 = [
    ("-n1 --gpus-per-task=1 -c2 -w c2 -t 60", YES), ("-n1 --gpus-per-task=1 -c2 -w c2 -t 10", NO), ("-n1 --gpus=1 -w c2 -t 60", YES),
    ("-n1 --gres=gpu:1 -w c2 -t 60", YES), ("-N1 -n40 -w c2 -t 60", YES), ("-N1 -n40 -w c2 -t 10", NO), ("-N1 -n1 --exclusive -w c2 --gpus=1 -t 60", YES),
    ("-N2 -n2 --gpus=2 -w c[1-2] -t 60", YES), ("-N2 -n80 -w c[1-2] -t 60", YES), ("-N2 -n80 -w c[1-2] -t 10", NO), ("-N2 -n80 -w c2 -x g[1-2] -t 60", YES),
    ("-N1 -n1 --mem=2000 -w c2 -t 60", NO), ("-N1 --mincpus=40 -w c2 -t 60", NO), ("-n1 -c40 -w c2 -t 60", NO), ("-n1 --gpus=1 -w c1 -t 60", NO),
    ("-n1 --gpus=1 -x g[1-2] -t 60", NO), ("-N1 -n40 -t 60", NO)]
ALL = [("-n1 --gpus=17 -t 60", NO), ("-N1 -n40 -t 60", NO), ("-n1 --gpus=1 -w c1 -t 60", YES)]
NOW = [("-n1 --gpus=1 -w c2 -t 5", YES), ("-N1 -n40 -w c2 -t 5", YES)]
C3 = [("-n1 --gpus=1 -w c3 -t 5", YES), ("-N1 -n40 -w c3 -t 5", YES), ("-N2 -n80 -w c[2-3] -t 5", YES), ("-n1 --mem=2000 -w c3 -t 5", NO), ("-N1 -n40 -t 5", NO)]


def ask(one, tally, state, jobs):
    for words, told in jobs:
        said = one.sub(words, 5)
        tally.note(f"{state:12} {words:46}", YES if said.isdigit() else NO, told)
        one.out("scancel -u root")


def main():
    tally = Tally()
    with lab(CONF, GRES, rate=40) as one:
        for nodes, when, jobs in (("c2", "+30minutes", C2), ("ALL", "+30minutes", ALL), ("c2", "", NOW)):
            one.out(RESERVED.format(when=when, nodes=nodes))
            ask(one, tally, f"{nodes} reserved", jobs)
            one.out("scontrol delete ReservationName=r")
        for state in ("DRAIN", "DOWN"):
            one.out(f"scontrol update NodeName=c3 State={state} Reason=x")
            ask(one, tally, f"c3 {state}", C3)
    return tally.close()


if __name__ == "__main__":
    sys.exit(main())
