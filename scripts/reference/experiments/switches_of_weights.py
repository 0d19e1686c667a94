#!/usr/bin/env python3
# scripts/reference/experiments/switches_of_weights.py — nodes of two weights under topology/tree: how many are taken of the lighter, which test --switches is asked of, since when it waits (scheduling.md §6.6).
"""c1, c[2-3] and f[1-2] are leaves, f of more weight. Each case: what is held (E: --exclusive, no candidate while it runs; F: full), and where jobs go; then
the seconds from submission to start of jobs that wait two minutes. Twelve minutes."""
import sys
from datetime import datetime

from lab import Tally, hold, lab, release

CONF = """\
SelectType=select/cons_tres
SelectTypeParameters=CR_Core
SchedulerType=sched/backfill
PriorityType=priority/basic
SchedulerParameters=sched_interval=5,bf_interval=-1
TopologyPlugin=topology/tree
NodeName=c[1-3] Sockets=1 CoresPerSocket=16 ThreadsPerCore=2 RealMemory=96000
NodeName=f[1-2] Sockets=2 CoresPerSocket=32 ThreadsPerCore=1 RealMemory=1000000 Weight=50 Feature=fat
NodeName=g1 Sockets=1 CoresPerSocket=4 ThreadsPerCore=1 RealMemory=8000
PartitionName=batch Nodes=c[1-3],f[1-2] State=UP Default=YES MaxTime=240
PartitionName=fat Nodes=f[1-2] State=UP
PartitionName=small Nodes=g1 State=UP
"""
TREE = "SwitchName=s1 Nodes=c1\nSwitchName=s2 Nodes=c[2-3]\nSwitchName=s3 Nodes=g1\nSwitchName=s4 Nodes=f[1-2]\nSwitchName=top Switches=s[1-4]\n"
ACCOUNTS = "add account a\nadd user lou account=a\nmodify user lou set MaxJobs=1\n"
E1, E2, F1, F2, F3 = "-N1 --exclusive -w c1", "-N1 --exclusive -w c2", "-N1 -n32 -w c1", "-N1 -n32 -w c2", "-N1 -n32 -w c3"
ONE, TWO = "-N2 -n8 --switches=1", "-N2 -n8 --switches=2"
CASES = [
    ([E1, E2, F3], [(ONE, "waits"), (TWO, "f[1-2]"), ("-N1 -n8 --switches=1", "f1"), ("-N2-3 -n8 --switches=1", "waits"), (f"{ONE} --exclusive", "f[1-2]"), (f"{ONE} --spread-job", "f[1-2]"), (f"{ONE} --contiguous", "f[1-2]"), (f"{ONE} -p fat", "f[1-2]")]),
    ([E1, F2, F3], [(ONE, "f[1-2]"), ("-N2-3 -n8 --switches=1", "f[1-2]")]),
    ([F1, E2, F3], [(ONE, "waits"), (f"{ONE} -C fat", "f[1-2]"), ("-N2 -n8", "f[1-2]"), (TWO, "f[1-2]")]),
    ([F1, F2, F3], [(ONE, "f[1-2]")]),
    ([E1, E2], [("-N1-3 -n8", "c3"), ("-N1-3 -n3 -w f1", "c3,f1"), ("-N1-3 -n24", "c3"), ("-N1-3 -n33", "c3,f[1-2]"), ("-N2-3 -n4", "c3,f[1-2]"), ("-N2-3 -n8 --switches=1", "waits")]),
    ([E1], [("-N1-4 -n4", "c[2-3]"), ("-N3-4 -n4", "c[2-3],f[1-2]"), ("-N2-4 -n80", "c[2-3],f[1-2]"), ("-N2-3 -n8 --switches=1", "c[2-3]"), ("-N2-4 -n8 --switches=1", "c[2-3]"), ("-N2-3 -n4 -w f2", "c[2-3],f2")]),
    ([], [("-N2-5 -n5", "c[1-3]"), ("-N3-5 -n5", "c[1-3]"), ("-N4-5 -n5", "c[1-3],f[1-2]"), ("-N1-2 -n96", "f[1-2]")]),
]  # fmt: skip


def waited(one, words, meanwhile=lambda number: None):
    """Whole minutes from its submission, or from the second run's eligibility, to its start; a pass is every five seconds."""
    number = one.sub(f"--switches=1@2 -N2 -n8 {words}")
    meanwhile(number)
    one.until(lambda: "JobState=RUNNING" in one.out(f"scontrol -o show job {number}"), 600)
    run = next(each for each in one.out(f"scontrol -o show job {number}").splitlines() if "JobState=RUNNING" in each)
    at = {key: datetime.fromisoformat(value) for key, _, value in (word.partition("=") for word in run.split()) if key in ("SubmitTime", "StartTime")}
    release(one, [number])
    return str(int((at["StartTime"] - at["SubmitTime"]).total_seconds()) // 10 * 10)


def later(one, command):
    def do(_):
        one.rest(100)
        one.out(command)

    return do


def main():
    tally = Tally()
    with lab(CONF, topology=TREE) as one:
        for held, jobs in CASES:
            holders = hold(one, held)
            for words, told in jobs:
                number = one.sub(words)
                one.rest(25)
                got = one.job(number).get("NodeList") or "waits"
                tally.note(f"{held} {words} |", "waits" if got == "(null)" else got, told)
                release(one, [number])
            release(one, holders)
    with lab(f"AccountingStorageEnforce=associations,limits\n{CONF}", topology=TREE, sacctmgr=ACCOUNTS) as one:
        hold(one, [E1, E2, F3])
        tally.note("alone |", waited(one, ""), "120")
        tally.note("-a 0-1 |", waited(one, "-a 0-1"), "120")
        tally.note("--begin=now+100 |", waited(one, "--begin=now+100"), "120")
        tally.note("-a 0-1 --begin=now+100 |", waited(one, "-a 0-1 --begin=now+100"), "120")
        first = one.sub("-p small -n1")
        tally.note("-d afterany |", waited(one, f"-d afterany:{first}", later(one, f"scancel {first}")), "120")
        tally.note("-H, released after 100 s |", waited(one, "-H", lambda number: (one.rest(100), one.out(f"scontrol release {number}"))), "220")
        tally.note("in a partition that is DOWN for 100 s |", waited(one, "", lambda _: (one.out("scontrol update PartitionName=batch State=DOWN"), later(one, "scontrol update PartitionName=batch State=UP")(_))), "120")
        one.out("scontrol update PartitionName=batch MaxTime=20")
        tally.note("beyond MaxTime for 100 s |", waited(one, "-t 60", later(one, "scontrol update PartitionName=batch MaxTime=240")), "220")
        for words in ("", "-a 0-1"):
            first = one.sub("--uid=lou -p small -n1")
            one.rest(15)
            tally.note(f"beyond MaxJobs for 100 s {words} |", waited(one, f"--uid=lou {words}", later(one, f"scancel {first}")), "220")
    return tally.close()


if __name__ == "__main__":
    sys.exit(main())
