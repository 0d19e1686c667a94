#!/usr/bin/env python3
# scripts/reference/experiments/stopped_arrays.py — when the tasks of arrays are planned that a QOS stops, with assoc_limit_stop (scheduling.md §8.8).
"""Eight equal nodes; a job on the first has all GPUs of GrpTRES of its QOS. Arrays of that QOS wait; their tasks last nine minutes. Printed: how many times nine minutes after the first
task of all the last task of the last array is planned, and on which nodes. About a minute and a half."""
import sys
from datetime import datetime, timedelta

from lab import Tally, hold, lab

CONF = """\
SelectType=select/cons_tres
SelectTypeParameters=CR_CPU
SchedulerType=sched/backfill
PriorityType=priority/basic
GresTypes=gpu
AccountingStorageEnforce=associations,limits,qos
AccountingStorageTRES=gres/gpu
SchedulerParameters=sched_interval=50000,bf_interval=30,assoc_limit_stop,defer
NodeName=c[1-8] Sockets=1 CoresPerSocket=16 ThreadsPerCore=1 RealMemory=64000 Gres=gpu:t4:8
PartitionName=all Nodes=c[1-8] Default=YES MaxTime=1-0 State=UP
"""
GRES = "NodeName=c[1-8] Name=gpu Type=t4 File=/dev/nvidia[0-7]\n"
ACCOUNTS = "add qos silver GrpTRES=gres/gpu=6\nadd account red\nadd user ada Account=red\nmodify user ada set QOS=normal,silver\n"
PUT_OFF = timedelta(seconds=500)  # the first of all, which nothing on the map puts off
TWO, ONE = "-N2 --gpus-per-node=1 --ntasks-per-node=1", "-N1 --gres=gpu:1"
CASES = [([f"{TWO} -a 0-9"], "5 c[3-4]"), ([f"{TWO} -a 0-9%4"], "5 c[3-4]"), ([f"{TWO} -a 0-3"], "2 c[3-4]"), ([f"{ONE} -a 0-9"], "5 c2"), ([f"{ONE} -a 0-15"], "8 c2"),
         ([f"{ONE} -a 0-1", f"{ONE} -a 0-3"], "1 c5"), ([f"{ONE} -a 0-1", f"{ONE} -a 0-5"], "1 c7")]  # fmt: skip


def planned(one, arrays):
    ids = [one.sub(f"--uid=ada --qos=silver -t 9 {words}") for words in arrays]
    one.rest(75)
    job, now = one.job(ids[-1]), datetime.fromisoformat(one.out("date +%FT%T"))
    one.out("scancel " + " ".join(ids))
    one.rest(20)
    late = datetime.fromisoformat(job["StartTime"]) - now - PUT_OFF
    return f"{round(late / timedelta(minutes=9))} {job.get('SchedNodeList')}"


def main():
    tally = Tally()
    with lab(CONF, gres=GRES, sacctmgr=ACCOUNTS) as one:
        hold(one, ["--uid=ada --qos=silver -n1 --gres=gpu:6 -t 600"])
        for arrays, told in CASES:
            tally.note(f"  {' and '.join(arrays):70}", planned(one, arrays), told)
    return tally.close()


if __name__ == "__main__":
    sys.exit(main())
