#!/usr/bin/env python3
# scripts/reference/experiments/het_options.py — which options of one component of a heterogeneous job hold for the others (lifecycle.md §10.2).
"""Nothing starts. Of each line `scontrol show job` tells what its components have that a plain job has not, and that of the text stands beside it. A minute."""
import re
import sys

from lab import Tally, lab

CONF = """\
SelectType=select/cons_tres
SelectTypeParameters=CR_Core_Memory
SchedulerType=sched/backfill
SchedulerParameters=sched_interval=-1,bf_interval=-1
PriorityType=priority/basic
GresTypes=gpu
DefMemPerCPU=100
Licenses=lic:10
AccountingStorageEnforce=associations,qos
AllowSpecResourcesUsage=1
NodeName=n[1-4] Sockets=2 CoresPerSocket=8 ThreadsPerCore=2 RealMemory=64000 TmpDisk=10000 Gres=gpu:8 Feature=f
PartitionName=all Nodes=n[1-4] Default=YES MaxTime=INFINITE State=UP OverSubscribe=YES
PartitionName=two Nodes=n[1-4] MaxTime=INFINITE State=UP
"""
GRES = "NodeName=n[1-4] Name=gpu File=/dev/nvidia[0-7]\n"
ACCOUNTS = "add account red\nadd account blue\nadd qos hi\nadd user ada Account=red QOS=normal,hi DefaultQOS=normal\nadd user ada Account=blue QOS=normal,hi\n"
SHOWN = {"JobName", "Account", "QOS", "Reservation", "Prefer", "ExcNodeList", "ReqNodeList", "Dependency", "Deadline", "TimeLimit", "TimeMin", "Nice", "Requeue", "ReqB:S:C:T",
         "MinMemoryNode", "MinMemoryCPU", "Reboot", "KillOInInvalidDependent", "Comment", "Licenses", "Partition", "CPUs/Task", "Features", "OverSubscribe", "Contiguous", "TresPerNode",
         "NumTasks", "MemPerTres", "Switches", "MinTmpDiskNode"}  # fmt: skip
# Of an option given in the second of three components: all have it, the second and the third, or the second alone.
ALL = ["-J name", "-A blue", "--qos=hi", "--reservation=res", "--prefer=f", "-x n2", "-d afterany:{other}", "-t 33", "-t 50 --time-min=20", "--nice=77", "--no-requeue",
       "--mem=3000", "--reboot", "--kill-on-invalid-dep=yes", "--comment=c", "-H", "-b now+3600", "--priority=99", "--deadline=now+2days"]  # fmt: skip
LATER = ["--hint=nomultithread", "--hint=compute_bound"]
ALONE = ["-L lic:2", "-p two", "-c4", "-C f", "--exclusive", "--oversubscribe", "--contiguous", "--gres=gpu:2", "-n5", "--mem-per-cpu=300", "--mem-per-gpu=200 --gpus=1", "--switches=1@5",
         "--tmp=500", "--threads-per-core=1"]  # fmt: skip
# Several words on one line: what each component has.
MEM, NICE, OUT, LIMIT = "MinMemoryNode", "Nice", "ExcNodeList", "TimeLimit"
LINES = [
    ("--mem=1000 : : --mem=2000", MEM, "1000M 1000M 2000M"), (" : --mem=1000 : --mem=2000", MEM, "2000M 1000M 2000M"), (" : --mem=2000 : --mem=1000 :", MEM, "1000M 2000M 1000M 1000M"),
    ("--mem=1000 : --mem=0 :", MEM, "1000M 0 0"), ("--mem-per-cpu=300 : --mem=1000 :", MEM, "- 1000M 1000M"), (" : --nice=5 : --nice=9 : :", NICE, "9 5 9 9 9"),
    ("-t 10 : : -t 20 :", LIMIT, "00:10:00 00:10:00 00:20:00 00:20:00"), ("--qos=hi : -n1 : --qos=normal :", "QOS", "hi hi normal normal"), ("-x n1 : -x n2 :", OUT, "n1 n2 n2"),
    ("-w n3 : :", OUT, "(null) n3 n3"), (" : -w n3 : -x n1 :", OUT, "n[1,3] n1 n[1,3] n[1,3]"), ("-w n2 : -w n3 :", OUT, "n3 n2 n[2-3]"), ("-w n[2-3] -x n1 : -n2 :", OUT, "n1 n[1-3] n[1-3]"),
    ("--hint=nomultithread : --hint=multithread :", "ReqB:S:C:T", "0:0:*:1 0:0:*:* 0:0:*:*"), ("--no-requeue : --requeue :", "Requeue", "0 1 1"),
]  # fmt: skip


def told_of(one, line, count):
    """What the components have, or what sbatch said."""
    number = one.sub(f"--uid=ada {line}")
    if not number.isdigit():
        return number
    leader = int(number)
    rows = []
    for i in range(count):
        text = next(each for each in one.out(f"scontrol -o show job {leader + i}").splitlines() if each.startswith(f"JobId={leader + i} "))
        rows.append(dict(re.findall(r"(\S+?)=(.*?)(?= [A-Z]\S*=|$)", text)))
    one.out(f"scancel {leader}")
    return rows


def who_has_it(one, plain, words):
    rows = told_of(one, f": {words} : --wckey=y", 3)
    if isinstance(rows, str):
        return rows
    keys = SHOWN | ({"Priority"} if "-H" in words or "--priority" in words else set()) | ({"EligibleTime"} if "-b" in words else set())
    differ = ["".join(sorted(key for key in keys if row.get(key) != plain.get(key) and row.get(key, "").strip() != "(null)")) for row in rows]
    if not differ[1] or any(each not in ("", differ[1]) for each in differ):
        return str(differ)
    return {(True, True): "all", (False, True): "later", (False, False): "alone"}.get((differ[0] != "", differ[2] != ""), str(differ))


def main():
    tally = Tally()
    with lab(CONF, gres=GRES, sacctmgr=ACCOUNTS) as one:
        one.out("scontrol create reservation ReservationName=res StartTime=now+10 Duration=100 Nodes=n4 Users=ada")
        plain = told_of(one, "", 1)[0]
        other = one.sub("--uid=ada -n1")
        for told, options in (("all", ALL), ("later", LATER), ("alone", ALONE)):
            for words in options:
                tally.note(f"{words:40}", who_has_it(one, plain, words.format(other=other)), told)
        for line, key, told in LINES:
            rows = told_of(one, f"{line} --wckey=y", len(told.split()))
            got = rows if isinstance(rows, str) else " ".join(row.get(key, "-") for row in rows)
            tally.note(f"{line:44} {key}", got, told)
    return tally.close()


if __name__ == "__main__":
    sys.exit(main())
