#!/usr/bin/env python3
# scripts/reference/experiments/core_spec_alone.py — where a job with --core-spec is one that asked for --exclusive (scheduling.md §6.3).
"""With AllowSpecResourcesUsage=YES and NO: what scontrol shows of it, the Reason of its submission beside busy nodes, a node of which a core is reserved, and a job that may preempt it. Four minutes."""
import sys

from lab import Tally, hold, lab, release

CONF = """\
SelectType=select/cons_tres
SelectTypeParameters=CR_CPU
SchedulerType=sched/backfill
SchedulerParameters=bf_interval=30
PriorityType=priority/basic
AllowSpecResourcesUsage={}
RebootProgram=/bin/true
AccountingStorageEnforce=associations
NodeName=k[1-2] CPUs=8 RealMemory=96000
"""
PREEMPTING = CONF + """\
PreemptType=preempt/partition_prio
PreemptMode=REQUEUE
PartitionName=low Nodes=k[1-2] Default=YES MaxTime=INFINITE State=UP PriorityTier=1
PartitionName=high Nodes=k[1-2] MaxTime=INFINITE State=UP PriorityTier=3
"""
CALM = CONF + """\
PartitionName=p Nodes=k[1-2] Default=YES MaxTime=INFINITE State=UP
PartitionName=shared Nodes=k[1-2] MaxTime=INFINITE State=UP OverSubscribe=YES:2
PartitionName=alone Nodes=k[1-2] MaxTime=INFINITE State=UP OverSubscribe=EXCLUSIVE
"""
ACCOUNTS = "add account red\nadd user ada Account=red\nadd user bob Account=red\n"
# OverSubscribe= of a job that is held and has not been tested: with YES, with NO
SHOWN = [
    ("-n1", "OK", "OK"), ("-n1 --exclusive", "NO", "NO"), ("-n1 --core-spec=1", "NO", "OK"), ("-n1 --core-spec=0", "NO", "OK"), ("-n1 --core-spec=1 --exclusive=user", "NO", "USER"),
    ("-n1 --core-spec=1 -p shared --oversubscribe", "YES", "YES"), ("-n1 --thread-spec=1", "NO", "OK"), ("-n1 --reboot", "NO", "NO"), ("-n1 --reboot --exclusive=user", "NO", "NO"),
]  # fmt: skip
# What an update makes of a held job, which is then tested beside a job on each node: with YES, with NO
UPDATED = [
    ("-n1", "", "runs OK", "runs OK"), ("-n1", "CoreSpec=1", "waits NO", "runs OK"), ("-n1 --core-spec=1", "OverSubscribe=YES", "waits NO", "runs YES"), ("-n1 --core-spec=1", "OverSubscribe=NO", "waits NO", "waits NO"),
    ("-n1 --exclusive", "OverSubscribe=YES", "runs YES", "runs YES"), ("-n1 --thread-spec=1", "", "waits NO", "runs OK"),
]  # fmt: skip
# The same beside jobs that share their nodes
SHARED = "-n1 -p shared --oversubscribe"
SHARING = [(SHARED, "", "runs YES", "runs YES"), (SHARED, "CoreSpec=1", "waits NO", "runs YES"), (f"{SHARED} --core-spec=1", "", "waits NO", "runs YES"), (f"{SHARED} --exclusive", "", "waits NO", "waits NO")]
# The Reason at once, beside a job on each node
REASONS = [("-n2", "None", "None"), ("-n2 --exclusive", "Resources", "Resources"), ("-n2 --core-spec=1", "Resources", "None"), ("-n2 --core-spec=0", "Resources", "None"), ("-n2 --reboot", "Resources", "Resources"), ("-n2 -p alone", "Resources", "Resources")]  # fmt: skip
# k1, of which a core is reserved
RESERVED = [("-w k1 -n2", "runs", "runs"), ("-w k1 -n2 --exclusive", "waits", "waits"), ("-w k1 -n2 --core-spec=1", "waits", "runs"), ("-w k1 -n2 --core-spec=0", "waits", "runs"), ("-w k1 -n2 --reboot", "waits", "waits")]  # fmt: skip
# ada's on k1 and k2, bob's on high: his node, and who was preempted
VICTIMS = [
    ("-n2", "-n2 --exclusive=user", "waits", "waits"), ("-n2 --core-spec=1", "-n2 --exclusive=user", "k1 1", "waits"), ("-n2 --core-spec=0", "-n2 --exclusive=user", "k1 1", "waits"),
    ("-n2 --core-spec=1 --exclusive=user", "-n2", "k1 1", "waits"), ("-n2", "-n2 --core-spec=1 --exclusive=user", "k1 1", "waits"),
]  # fmt: skip


def oversubscribe(one, words):
    number = one.sub(f"-H {words}")
    shown = one.job(number).get("OverSubscribe", number)
    one.out(f"scancel {number}")
    return shown


def updated(one, words, update):
    number = one.sub(f"-H {words}")
    if update:
        one.out(f"scontrol update JobId={number} {update}")
    one.out(f"scontrol release {number}")
    runs = one.until(lambda: one.job(number).get("JobState") == "RUNNING", 70)
    shown = one.job(number).get("OverSubscribe", number)
    release(one, [number])
    return f"{'runs' if runs else 'waits'} {shown}"


def reason(one, words):
    number = one.sub(f"-t 900 {words}")
    shown = one.job(number).get("Reason", number)
    one.out(f"scancel {number}")
    one.rest(40)
    return shown


def beside_a_reserved_core(one, words):
    number = one.sub(f"-t 900 {words}")
    runs = one.until(lambda: one.job(number).get("JobState") == "RUNNING", 70)
    release(one, [number])
    return "runs" if runs else "waits"


def preempted(one, of_ada, of_bob):
    ids = [hold(one, [f"--uid=ada -p low -w k{node} {of_ada} -t 900"])[0] for node in (1, 2)]
    job = one.sub(f"--uid=bob -p high {of_bob} -t 900")
    one.until(lambda: one.job(job).get("JobState") == "RUNNING", 120)
    shown = one.job(job)
    gone = [str(at) for at, each in enumerate(ids, 1) if int(one.job(each).get("Restarts", 0))]
    release(one, [job, *ids])
    return " ".join([shown.get("NodeList") if shown.get("JobState") == "RUNNING" else "waits", *gone])


def main():
    tally = Tally()
    for told, usage in enumerate(("YES", "NO"), -2):
        with lab(CALM.format(usage), sacctmgr=ACCOUNTS) as one:
            for words, *shown in SHOWN:
                tally.note(f"{usage:3} shown: {words:55}", oversubscribe(one, words), shown[told])
            ids = hold(one, [f"-w k{node} {SHARED}" for node in (1, 2)])
            for words, update, *shown in SHARING:
                tally.note(f"{usage:3} sharing: {words:42} {update:18}", updated(one, words, update), shown[told])
            release(one, ids)
            ids = hold(one, [f"-w k{node} -n1" for node in (1, 2)])
            for words, update, *shown in UPDATED:
                tally.note(f"{usage:3} updated: {words:42} {update:18}", updated(one, words, update), shown[told])
            for words, *shown in REASONS:
                tally.note(f"{usage:3} reason: {words:54}", reason(one, words), shown[told])
            release(one, ids)
            print(one.out("scontrol create reservation ReservationName=r Users=ada StartTime=now Duration=9000 Nodes=k1 CoreCnt=1"), flush=True)
            for words, *shown in RESERVED:
                tally.note(f"{usage:3} reserved: {words:52}", beside_a_reserved_core(one, words), shown[told])
        with lab(PREEMPTING.format(usage), sacctmgr=ACCOUNTS) as one:
            for of_ada, of_bob, *shown in VICTIMS:
                tally.note(f"{usage:3} victims: {of_ada:36} {of_bob:36}", preempted(one, of_ada, of_bob), shown[told])
    return tally.close()


if __name__ == "__main__":
    sys.exit(main())
