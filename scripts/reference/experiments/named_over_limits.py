#!/usr/bin/env python3
# scripts/reference/experiments/named_over_limits.py — the nodes of -w of a job that a limit stops before the selection (scheduling.md §4.4).
"""A job of -w n1 is over GrpJobs or MaxJobs, which are asked before the selection, or GrpTRES, asked after it, and another would have n1,
the first idle node. Told: it has n1 where the first job's Reason was that limit already (as it waits, or since its submission), n2 where the pass is the
first to find the limit: both were held and are let go together, whether it is reached before the pass or by starts of the same; over GrpTRES it is n2 in
each case. About two minutes."""
import sys

from lab import Tally, lab

CONF = """\
SelectType=select/cons_tres
SelectTypeParameters=CR_Core
SchedulerType=sched/backfill
SchedulerParameters=bf_interval=600,defer,batch_sched_delay=20,sched_interval=600
AccountingStorageType=accounting_storage/slurmdbd
AccountingStorageEnforce=associations,limits,qos
PriorityType=priority/multifactor
NodeName=n[1-4] CPUs=8 CoresPerSocket=8
PartitionName=p Nodes=ALL MaxTime=INFINITE State=UP Default=YES
"""
USERS = "add account a\nadd account b\nadd user root account=b\nadd user ann account=a\n"
LIMITS = {"modify account a set grpjobs=2": "n1", "modify user ann set maxjobs=2": "n1", "modify account a set grptres=cpu=4": "n2"}
ANN = "-t 10 --uid=ann"


def let_go(one, held, jobs):
    """The node of the last of these jobs, which are submitted together; `held`: and released together."""
    ids = [one.sub(("-H " if held else "") + words) for words in jobs]
    if held:
        one.rest(25)
        one.out("scontrol release " + " ".join(ids))
    one.rest(60)
    node = one.job(ids[-1]).get("NodeList")
    one.out("scancel " + " ".join(ids))
    one.rest(30)
    return node


def main():
    tally = Tally()
    two, over, other = [f"-w n4 -n1 {ANN}"] * 2, f"-n8 -w n1 {ANN}", "-n8 -t 10"
    for limit, known in LIMITS.items():
        with lab(CONF, "", f"{USERS}{limit}\n") as one:
            one.rest(5)
            tally.note(f"{limit}: reached in the pass", let_go(one, True, [*two, over, other]), "n2")
            running = [one.sub(words) for words in two]
            one.rest(60)
            tally.note("  none over it", let_go(one, False, [other]), "n1")
            tally.note("  found by the pass", let_go(one, True, [over, other]), "n2")
            tally.note("  since its submission", let_go(one, False, [over, other]), known)
            waiting = one.sub(over)
            one.rest(60)
            tally.note("  as it waits", let_go(one, False, [other]), known)
            one.out("scancel " + " ".join([waiting, *running]))
    return tally.close()


if __name__ == "__main__":
    sys.exit(main())
