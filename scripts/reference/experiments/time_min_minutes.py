#!/usr/bin/env python3
# scripts/reference/experiments/time_min_minutes.py — which minutes backfill holds against limits where it plans a job with others than its own: --time-min, NoReserve (scheduling.md §8.6, limits.md §6.4).
"""Nodes of four CPUs; each limit of 200 CPU minutes lets `-n4` have 50. Each question is asked alone, without preemption and with it, with `safe` and without. Printed: TimeLimit of what has started, or waits and its Reason;
then where n1 is held for twenty minutes and a job of both nodes waits: the nodes that it is planned on; and what TimeLimit an array has left when backfill has started a task of it. Five minutes."""
import sys

from lab import Tally, lab, release

CONF = """\
SelectType=select/cons_tres
SelectTypeParameters=CR_Core
SchedulerType=sched/backfill
SchedulerParameters=bf_interval=5,sched_interval=15{stop}
PriorityType=priority/multifactor
PriorityWeightQOS=1000
AccountingStorageEnforce=associations,{enforce},qos
{more}NodeName=n[1-2] Sockets=1 CoresPerSocket=4 ThreadsPerCore=1 RealMemory=64000
PartitionName=all Nodes=n[1-2] Default=YES MaxTime=INFINITE State=UP
"""
ACCOUNTS = """\
add account red
add qos run GrpTRESRunMins=cpu=200
add qos job MaxTRESMinsPerJob=cpu=200
add qos mins GrpTRESMins=cpu=200
add qos wall MaxWall=50
add qos free GrpTRESRunMins=cpu=200 Flags=NoReserve
add qos high Priority=100
add user di Account=red QOS=normal,run,job,mins,wall,free,high DefaultQOS=normal
add user eve Account=red GrpTRESRunMins=cpu=200 QOS=normal,free DefaultQOS=normal
add user flo Account=red MaxTRESMins=cpu=200 QOS=normal DefaultQOS=normal
"""
GROUP, JOB, WALL, MINUTES = "waits QOSGrpCPURunMinutesLimit", "waits QOSMaxCpuMinutesPerJobLimit", "waits QOSMaxWallDurationPerJobLimit", "waits QOSGrpCPUMinutesLimit"
LIMITED = (
    ("--uid=di --qos=run -t 100 --time-min=10", "00:10:00"),
    ("--uid=di --qos=run -t 100 --time-min=60", GROUP),
    ("--uid=di --qos=run -t 100", GROUP),
    ("--uid=di --qos=job -t 100 --time-min=10", "00:10:00"),
    ("--uid=di --qos=job -t 100 --time-min=60", JOB),
    ("--uid=di --qos=wall -t 100 --time-min=10", WALL),
    ("--uid=eve -t 100 --time-min=10", "00:10:00"),
    ("--uid=eve -t 100 --time-min=60", "waits AssocGrpCPURunMinutesLimit"),
    ("--uid=flo -t 100 --time-min=10", "00:10:00"),
    ("--uid=flo -t 100 --time-min=60", "waits AssocMaxCpuMinutesPerJobLimit"),
)
SAFE = (
    ("--uid=di --qos=mins -t 100 --time-min=10", "00:10:00"),
    ("--uid=di --qos=mins -t 100 --time-min=60", MINUTES),
    ("--uid=di --qos=run -t 100 --time-min=10", "00:10:00"),
)
FREE = (
    ("--uid=di --qos=free -t 100 --time-min=10", "01:40:00"),
    ("--uid=eve --qos=free -t 100 --time-min=10", "01:40:00"),
)
UNPREEMPTED = (("--uid=di --qos=free -t 100 --time-min=60", GROUP), ("--uid=di --qos=free -t 100", GROUP))
PREEMPTED = (("--uid=di --qos=free -t 100 --time-min=60", "01:40:00"), ("--uid=di --qos=free -t 100", "01:40:00"), ("--uid=di --qos=run -t 100", GROUP))
PLANS = (
    ("--uid=di --qos=run -t 100 --time-min=10", "n[1-2]"),
    ("--uid=di --qos=run -t 100 --time-min=60", "no plan"),
    ("--uid=di --qos=job -t 100 --time-min=10", "n[1-2]"),
)
STOPPING = (
    ("--uid=di --qos=wall -t 100 --time-min=10", "00:10:00"),
    ("--uid=di --qos=wall -t 100 --time-min=60", WALL),
    ("--uid=di --qos=run -t 100 --time-min=10", "00:10:00"),
    ("--uid=di --qos=run -t 100 --time-min=60", GROUP),
)
REQUEUE = "PreemptType=preempt/qos\nPreemptMode=REQUEUE\n"


def answer(one, words):
    number = one.sub(f"-n4 {words}")
    one.until(lambda: one.job(number).get("JobState") == "RUNNING", 45)
    job = one.job(number)
    release(one, [number])
    return job["TimeLimit"] if job.get("JobState") == "RUNNING" else f"waits {job.get('Reason')}"


def planned(one, words):
    held = [one.sub("--uid=di -w n1 -n4 -t 20")]
    one.until(lambda: one.job(held[0]).get("JobState") == "RUNNING", 40)
    number = one.sub(f"-N2 -n8 {words}")
    one.rest(25)
    nodes = one.job(number).get("SchedNodeList", "no plan")
    release(one, [number, *held])
    return nodes


def left(one):
    """TimeLimit of a task that backfill has started before a wide job, and of the array's rest."""
    held = [one.sub("--uid=di --qos=high -w n1 -n4 -t 25")]
    one.until(lambda: one.job(held[0]).get("JobState") == "RUNNING", 40)
    held.append(one.sub("--uid=di --qos=high -N2 -n8 -t 60"))
    one.rest(20)
    array = one.sub("--uid=di -a 0-2 -n4 -t 120 --time-min=10")
    one.until(lambda: "RUNNING" in one.out(f"scontrol -o show job {array}"), 60)
    one.rest(30)
    limits = [one.job(each).get("TimeLimit") for each in (f"{array}_0", f"{array}_1")]
    release(one, [*held, array])
    return ", ".join(limits)


def main():
    tally = Tally()
    plain = (*LIMITED, *FREE, *UNPREEMPTED)
    for enforce, more, stop, cases in (("limits", "", "", plain), ("safe", "", "", SAFE), ("limits", REQUEUE, "", (*FREE, *PREEMPTED, *LIMITED[:2])), ("limits", "", ",assoc_limit_stop", STOPPING)):
        with lab(CONF.format(enforce=enforce, more=more, stop=stop), sacctmgr=ACCOUNTS) as one:
            for words, told in cases:
                tally.note(f"{enforce}{stop}, {'with' if more else 'without'} preemption, {words} |", answer(one, words), told)
            if cases is plain:
                for words, told in PLANS:
                    tally.note(f"{words} | planned on", planned(one, words), told)
                tally.note("limits of a task that backfill starts, and of its array's rest |", left(one), "00:10:00, 02:00:00")
    return tally.close()


if __name__ == "__main__":
    sys.exit(main())
