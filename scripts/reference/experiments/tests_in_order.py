#!/usr/bin/env python3
# scripts/reference/experiments/tests_in_order.py — what a job is told that fails several tests: at its submission and in a pass (limits.md §1.3, §6.2, scheduling.md §4.2).
"""QOS low may have no job, or one, which runs. Printed is the Reason of a new job before any pass, of one that was not over the limit when it was submitted after a pass, and of one that loses its QOS and gets it back. About
four minutes."""
import sys

from lab import Tally, hold, lab, release

CONF = """\
SelectType=select/cons_tres
SelectTypeParameters=CR_Core
SchedulerType=sched/backfill
PriorityType=priority/basic
Licenses=tool:4
AccountingStorageEnforce=associations,limits,qos
SchedulerParameters=bf_interval=-1{more}
NodeName=n[1-2] Sockets=1 CoresPerSocket=8 ThreadsPerCore=1 RealMemory=64000
PartitionName=all Nodes=n[1-2] Default=YES MaxTime=1-0 State=UP
PartitionName=day Nodes=n[1-2] MaxTime=60 State=UP
PartitionName=long Nodes=n[1-2] MaxTime=1-0 State=UP PriorityTier=5
"""
ACCOUNTS = "add qos low\nadd account red\nadd user di Account=red QOS=normal,low\nadd user ada Account=red\n"
OVER = "QOSGrpJobsLimit"
# (options, the Reason after the submission)
SUBMITTED = [("-n1", OVER), ("-n1 --begin=now+500", OVER), ("-n1 --array=1-3", OVER), ("-n1 -d afterany:1", "Dependency"), ("-n1 -H", "JobHeldUser"), ("-n1 -t 2-0", "PartitionConfig"), ("-N3 -n3", "PartitionConfig"),
             ("-p day -n1 -t 100", "PartitionConfig"), ("-p day,long -n1 -t 100", OVER)]  # fmt: skip
# (options, what is done before the pass, the Reason after it, what the next job is told)
DOWN = "Nodes_required_for_job_are_DOWN,_DRAINED_or_reserved_for_jobs_in_higher_priority_partitions"
PASSED = [("-n1", "", OVER, "None"), ("-N2 -n2", "scontrol update NodeName=n2 State=DRAIN Reason=x", DOWN, "Priority"), ("-n1 -L tool:4", "", "Licenses", "None")]


def limit(one, jobs):
    one.out(f"sacctmgr -i modify qos low set GrpJobs={jobs}")
    one.rest(6)


def passed(one, words, before):
    """The Reasons of a job of QOS low and of the next one, after a pass in which the first was over its limit for the first time."""
    limit(one, -1)
    holders = hold(one, ["--uid=di -q low -n1 -t 100 -L tool:2"])
    number = one.sub(f"--uid=di -q low -t 10 --begin=now+40 {words}")
    if before:
        one.out(before)
    limit(one, 1)
    following = one.sub("--uid=di -n1 -t 10 --begin=now+40")
    one.until(lambda: one.job(number).get("Reason") != "BeginTime", 150)
    told = one.job(number).get("Reason"), one.job(following).get("Reason")
    release(one, [*holders, number, following])
    one.out("scontrol update NodeName=n2 State=RESUME")
    one.rest(10)
    return told


def main():
    tally = Tally()
    with lab(CONF.format(more=",sched_interval=-1"), sacctmgr=ACCOUNTS) as one:
        one.sub("--uid=ada -n1")
        limit(one, 0)
        for words, told in SUBMITTED:
            tally.note(f"submitted {words:28}", one.job(one.sub(f"--uid=di -q low {words}")).get("Reason"), told)
    with lab(CONF.format(more=""), sacctmgr=ACCOUNTS) as one:
        for words, before, *told in PASSED:
            tally.note(f"passed {words:28}", list(passed(one, words, before)), told)
        limit(one, -1)
        holders = hold(one, ["--uid=ada -w n1 -n8", "--uid=ada -w n2 -n8"])
        number = one.sub("--uid=di -q low -n1")
        for qos, told in (("normal", "InvalidQOS"), ("normal,low", "Resources")):
            one.out(f"sacctmgr -i modify user di set qos={qos}")
            one.rest(70)
            tally.note(f"may use {qos:28}", one.job(number).get("Reason"), told)
        release(one, holders)
    return tally.close()


if __name__ == "__main__":
    sys.exit(main())
