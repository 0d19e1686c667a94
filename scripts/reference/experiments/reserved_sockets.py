#!/usr/bin/env python3
# scripts/reference/experiments/reserved_sockets.py — what a socket of which some cores are reserved gives under CR_Socket (scheduling.md §9).
"""One node of four sockets with four cores each, of which a reservation has the first. Printed: the job's NumCPUs and CPU_IDs, or that it waits, and
what is not as the text says: the cores left of a socket serve, all its CPUs count, and one core is taken at each socket first."""
import sys

from lab import lab, numbers, ranges

CONF = """\
SchedulerType=sched/backfill
SchedulerParameters=sched_interval=50000,bf_interval=-1
PriorityType=priority/basic
SelectType=select/cons_tres
SelectTypeParameters=CR_Socket
NodeName=n1 Sockets=4 CoresPerSocket=4 ThreadsPerCore=1 RealMemory=1000
PartitionName=p Nodes=n1 Default=YES MaxTime=INFINITE State=UP
"""
TASKS = (1, 4, 5, 6, 7, 9, 10, 12, 14)


def expected(reserved, tasks):
    """NumCPUs and cores, of the sockets that the tasks are dealt to, one a socket in turn."""
    free = [[core for core in range(4 * at, 4 * at + 4) if core >= reserved] for at in range(4)]
    if tasks > sum(map(len, free)):
        return "waits"
    if tasks == 1:  # as it was answered; why not by one rule is not known
        used = [max(free, key=len)] if reserved < 4 else [next(each for each in free if each)]
    else:
        used = [each for each in free if each][:tasks]
    return f"{4 * len(used)} {ranges(sorted(core for each in used for core in each))}"


def main():
    wrong = 0
    with lab(CONF) as one:
        for reserved in (2, 6, 7, 10, 13):
            one.out(f"scontrol create reservation ReservationName=r Users=root StartTime=now Duration=600 Nodes=n1 CoreCnt={reserved}")
            one.rest(20)
            for tasks in TASKS:
                number = one.sub(f"-N1 -t 10 -n{tasks}")
                one.rest(12)
                job = one.job(number)
                answer = f"{job['NumCPUs']} {ranges(numbers(job['CPU_IDs']))}" if job.get("JobState") == "RUNNING" else "waits"
                same = answer == expected(reserved, tasks)
                wrong += not same
                print(f"{reserved:2} reserved, -n{tasks}: {answer}{'' if same else '   NOT ' + expected(reserved, tasks)}", flush=True)
                one.out(f"scancel {number}")
                one.rest(14)
            one.out("scontrol delete ReservationName=r")
            one.rest(10)
    print(f"{wrong} answers are not as the text says")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
