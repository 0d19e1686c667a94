#!/usr/bin/env python3
# scripts/reference/experiments/reserved_cores_later.py — which cores a reservation by CoreCnt= gets that begins in ten minutes (lifecycle.md §13).
"""Jobs of `-t 5`, which end before the reservation begins, or of `-t 60` hold cores; five forms of the command each. Prints the nodes. About four minutes."""
import re
import sys

from lab import Tally, hold, lab, release

CONF = """\
SelectType=select/cons_tres
SelectTypeParameters=CR_Core_Memory
PriorityType=priority/basic
NodeName=w[1-2] Sockets=2 CoresPerSocket=8 ThreadsPerCore=2 RealMemory=96000
NodeName=v[1-3] Sockets=2 CoresPerSocket=6 ThreadsPerCore=2 RealMemory=48000 Weight=4
PartitionName=main Nodes=w[1-2],v[1-3] Default=YES MaxTime=INFINITE State=UP DefMemPerCPU=1200
"""
FORMS = ["PartitionName=main CoreCnt=12 NodeCnt=1", "PartitionName=main CoreCnt=4 NodeCnt=1", "CoreCnt=12 NodeCnt=1", "PartitionName=main CoreCnt=12", "PartitionName=main NodeCnt=1"]
V = ["-w v1 -n4", "-w v2 -n4", "-w v3 -n4"]
W = ["-w w1 -n20", "-w w2 -n20"]
FULL = ["-w v1 -n24", "-w v2 -n24", "-w v3 -n24", "-w w1 -n32", "-w w2 -n32"]
ANY = ["v1"] * 5
# who holds cores, for how many minutes at most; the nodes by form
CASES = [([], 5, ANY), (V[:1], 5, ANY), (V[:1], 60, ["v2", "v1", "v2", "v[1-2]", "v2"]), (V, 5, ANY), (V, 60, ["w1", "v1", "w1", "v[1-2]", "w1"]), (V + W, 5, ANY), (FULL, 5, ANY)]


def main():
    tally = Tally()
    with lab(CONF) as one:
        for held, minutes, told in CASES:
            holders = hold(one, [f"{words} -t {minutes}" for words in held])
            for form, nodes in zip(FORMS, told):
                said = one.out(f"scontrol create reservation ReservationName=r Users=root StartTime=now+10minutes Duration=20 {form}")
                shown = re.search(r" Nodes=(\S+)", one.out("scontrol -o show reservation r"))
                tally.note(f"{len(held)} held for {minutes:2} min: {form:40}", shown[1] if shown else said, nodes)
                one.out("scontrol delete ReservationName=r")
            release(one, holders)
    return tally.close()


if __name__ == "__main__":
    sys.exit(main())
