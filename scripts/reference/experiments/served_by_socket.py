#!/usr/bin/env python3
# scripts/reference/experiments/served_by_socket.py — whether the CPUs of a socket serve GPUs of --gpus beside the other socket (gres.md §3.3).
"""One node of 2 × 20 cores with four GPUs at each socket, of which two jobs leave so many cores and GPUs as a case names, with five CPUs a GPU by DefCpuPerGPU and by --cpus-per-gpu, and with two.
Printed: how many CPUs of either socket a job gets, `-` if it waits, and whether the text says so. About ten minutes."""
import sys

from lab import Tally, hold, lab, numbers, release

CONF = """\
SelectType=select/cons_tres
SelectTypeParameters=CR_Core_Memory
SchedulerType=sched/backfill
SchedulerParameters=bf_interval=-1,sched_interval=4
PriorityType=priority/basic
GresTypes=gpu
DefMemPerCPU=100
{default}
NodeName=v1 Sockets=2 CoresPerSocket=20 ThreadsPerCore=1 RealMemory=150000 Gres=gpu:v100:8
PartitionName=train Nodes=v1 Default=YES MaxTime=INFINITE State=UP
"""
GRES = "NodeName=v1 Name=gpu Type=v100 File=/dev/nvidia[0-3] Cores=0-19\nNodeName=v1 Name=gpu Type=v100 File=/dev/nvidia[4-7] Cores=20-39\n"
ASKED = ("--gpus=2", "--gpus=3", "--gpus=2 -n2", "--gres=gpu:2", "--gres=gpu:3", "-N1 --gpus=2", "--gpus=2 -n1", "--gpus=2 --ntasks-per-node=1")
# (cores and GPUs free of the first socket and of the second; what the text says of ASKED with five CPUs a GPU; of the first four with two)
CASES = [
    ((2, 2), (8, 1), "- - - 2+8 - - - -", "2+2 2+4 2+2 2+2"),
    ((6, 2), (4, 1), "- - - 6+4 - - - -", "4+0 3+3 4+0 4+0"),
    ((8, 1), (2, 2), "- - - 8+2 - - - -", "2+2 4+2 2+2 2+2"),
    ((5, 2), (8, 1), "5+5 - 5+5 5+5 - 5+5 5+5 5+5", "2+2 3+3 2+2 2+2"),
    ((3, 2), (12, 1), "0+10 - 0+10 3+7 3+12 0+10 - -", "2+2 3+3 2+2 2+2"),
    ((3, 1), (12, 2), "0+10 - 0+10 0+10 3+12 0+10 0+10 0+10", "0+4 3+3 0+4 0+4"),
    ((4, 1), (11, 2), "0+10 - 0+10 0+10 4+11 0+10 0+10 0+10", "0+4 3+3 0+4 0+4"),
    # With one task a socket without a free core serves none.
    ((0, 2), (10, 1), "0+10 - 0+10 0+10 - 0+10 - -", "0+4 0+6 0+4 0+4"),
    # No GPU free at the second socket, whose cores are of no use where the first serves one; where it serves none both do together, one task or not.
    ((2, 2), (12, 0), "2+8 - 2+8 2+8 - 2+8 2+8 2+8", "- - - 2+2"),
    ((5, 2), (10, 1), "5+5 5+10 5+5 5+5 5+10 5+5 5+5 5+5", "2+2 3+3 2+2 2+2"),
]  # fmt: skip


def held(one, sockets):
    """The ids of the jobs that leave these cores and GPUs of the sockets, and no others."""
    ids = []
    for first, (cores, gpus) in zip((0, 20), sockets):
        ids += hold(one, [f"--gres=gpu:{4 - gpus} -c {20 - cores} --gres-flags=enforce-binding -t 100"])
        shown = one.job(ids[-1])
        left = [20 - len(numbers(shown["CPU_IDs"])), 4 - len(numbers(shown["GRES"].partition("IDX:")[2].strip(")")))]
        if left != [cores, gpus] or min(numbers(shown["CPU_IDs"])) != first:
            raise SystemExit(f"held otherwise: {shown['CPU_IDs']} {shown['GRES']}")
    return ids


def ask(one, words):
    number = one.sub(words + " -t 50")
    runs = one.until(lambda: one.job(number).get("JobState") == "RUNNING", 14)
    cpus = numbers(one.job(number)["CPU_IDs"]) if runs else []
    release(one, [number])
    return f"{sum(each < 20 for each in cpus)}+{sum(each >= 20 for each in cpus)}" if runs else "-"


def main():
    tally = Tally()
    for default, option, which in (("DefCpuPerGPU=5", "", 2), ("", " --cpus-per-gpu=5", 2), ("DefCpuPerGPU=2", "", 3)):
        with lab(CONF.format(default=default), GRES) as one:
            for case in CASES:
                ids = held(one, case[:2])
                for words, told in zip(ASKED, case[which].split()):
                    tally.note(f"{default:14} {case[0]} {case[1]!s:7} {words + option:46}", ask(one, words + option), told)
                release(one, ids)
    return tally.close()


if __name__ == "__main__":
    sys.exit(main())
