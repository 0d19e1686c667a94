#!/usr/bin/env python3
# scripts/reference/experiments/magnetic_untested.py — which jobs that no test has come to a pass starts in a magnetic reservation of fewer nodes than they would have elsewhere (scheduling.md §4.2 item 2).
"""c1 is reserved for the jobs' account, c[2-8] are held by others. A job comes over its account's limit, so that nothing tests it, and then the limit is lifted; or it comes below it. Printed: where it is after some passes (no cycle runs). A minute."""
import sys

from lab import Tally, hold, lab, release

CONF = """\
SelectType=select/cons_tres
SelectTypeParameters=CR_Core
SchedulerType=sched/backfill
PriorityType=priority/basic
SchedulerParameters=bf_interval=3000,sched_interval=10
AccountingStorageEnforce=associations,limits
NodeName=c[1-8] CPUs=8 RealMemory=8000
PartitionName=batch Nodes=c[1-8] Default=YES MaxTime=INFINITE State=UP
"""
ACCOUNTS = "add account red\nadd user di Account=red\n"
# words of the job, what is limited to nothing as it comes, where it is
CASES = [("-N1-2 -n2", "", "-"), ("-N1-2 -n2", "cpu", "-"), ("-N1-2 -n2", "node", "c1"), ("-N1-8 -n8", "", "-"), ("-N1-8 -n8", "cpu", "-"), ("-N1-8 -n8", "node", "c1"), ("-N1-2 -n1", "", "c1"), ("-N2 -n2", "node", "-"), ("-N1-2 -n2 -a 1-2", "", "-"),
         ("-N1-2 -n2 -a 1-2", "cpu", "-"), ("-N1-2 -n2 -a 1-2", "node", "c1"), ("-n9", "node", "-"), ("-N1-2 -n2 -H", "", "c1"), ("-N1-2 -n2 --begin=now+15", "", "-")]


def ask(one, words, over):
    if over:
        one.out(f"sacctmgr -i modify account red set GrpTRES={over}=0")
        one.rest(5)
    number = one.sub(f"--uid=di -t 30 {words}")
    one.rest(15)
    if over:
        one.out(f"sacctmgr -i modify account red set GrpTRES={over}=-1")
    if "-H" in words:
        one.out(f"scontrol release {number}")
    one.until(lambda: one.job(number).get("JobState") == "RUNNING", 60 if "begin" in words else 35)
    job = one.job(number)
    release(one, [number])
    return job["NodeList"] if job.get("JobState") == "RUNNING" else "-"


def main():
    tally = Tally()
    with lab(CONF, sacctmgr=ACCOUNTS) as one:
        held = hold(one, [f"--uid=root -w c{i} -n8 -t 100" for i in range(2, 9)])
        one.out("scontrol create reservation ReservationName=r Accounts=red StartTime=now Duration=1000 Nodes=c1 Flags=MAGNETIC")
        one.rest(10)
        for words, over, told in CASES:
            tally.note(f"{words}{f', over a limit on {over}s at first' if over else ''} |", ask(one, words, over), told)
        release(one, held)
    return tally.close()


if __name__ == "__main__":
    sys.exit(main())
