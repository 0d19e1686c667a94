#!/usr/bin/env python3
# scripts/reference/experiments/edited_conf.py — slurm.conf edited while slurmctld runs: which lines does `scontrol reconfigure` let take hold?
"""Six small nodes. Each question: a line of slurm.conf is another, scontrol reconfigure, and what a job or scontrol then tells.
What the text says: lifecycle.md §12.2.
"""
import re
import sys

from lab import Tally, lab

CONF = """ClusterName=lab
SelectType=select/cons_tres
SelectTypeParameters=CR_Core_Memory
PriorityType=priority/multifactor
PriorityCalcPeriod=1
PriorityWeightJobSize=1000
PriorityWeightAge=0
PriorityMaxAge=1-0
PriorityFavorSmall=NO
AccountingStorageType=accounting_storage/slurmdbd
AccountingStorageEnforce=limits,qos
SchedulerParameters=bf_interval=30,sched_interval=60
DefMemPerCPU=100
MaxArraySize=11
MaxJobCount=10000
EnforcePartLimits=NO
JobRequeue=1
KillWait=30
OverTimeLimit=0
MinJobAge=300
Licenses=tool:1
NodeName=n[1-6] CPUs=4 Sockets=1 CoresPerSocket=4 RealMemory=4000 Weight=1
PartitionName=part Nodes=n[1-6] Default=YES MaxTime=1-0 State=UP
PartitionName=other Nodes=n[1-6] MaxTime=1-0 State=UP
"""
ACCOUNTS = """add account a
add user root account=a
"""


def edit(one, key, value):
    """The line of this key is `value`, from the next reconfiguration on; `value` may be a whole line of a record."""
    path = one.cluster.work / "slurm.conf"
    text = path.read_text()
    line = f"{key}={value}"
    changed, count = re.subn(rf"(?m)^{re.escape(key)}=.*$", lambda _: line, text)
    path.write_text(changed if count else f"{text.rstrip()}\n{line}\n")


def node_lines(one, find, put):
    path = one.cluster.work / "slurm.conf"
    path.write_text(path.read_text().replace(find, put))


def reconfigure(one):
    said = one.out("scontrol reconfigure")
    one.rest(4)
    return said


def priority(one, number):
    return one.job(number)["Priority"]


def gone(one, *ids):
    one.out("scancel " + " ".join(i for i in ids if i.isdigit()))
    one.rest(35)


def held_nodes(one):
    """All cores are taken."""
    number = one.sub("-N6 -n24 --mem=0")
    one.until(lambda: one.job(number).get("JobState") == "RUNNING", 60)
    return number


def weights(one, tally):
    holder = held_nodes(one)
    first = one.sub("-N1 -n1")
    one.rest(70)
    before = priority(one, first)
    edit(one, "PriorityWeightJobSize", "5000")
    reconfigure(one)
    tally.note("a weight x 5: a pending job's priority at once |", "as before" if priority(one, first) == before else priority(one, first), "as before")
    second = one.sub("-N1 -n1")
    one.rest(1)
    tally.note("a job that comes then has it by the new weight |", str(int(priority(one, second)) > 3 * int(before)), "True")
    one.rest(70)
    tally.note("after a tick |", str(int(priority(one, first)) > 3 * int(before)), "True")
    edit(one, "PriorityFavorSmall", "YES")
    reconfigure(one)
    one.rest(70)
    tally.note("PriorityFavorSmall=YES, after a tick: nearly the whole weight |", str(int(priority(one, first)) > 4000), "True")
    edit(one, "PriorityFavorSmall", "NO")
    edit(one, "PriorityWeightJobSize", "0")
    edit(one, "PriorityWeightAge", "86400")
    edit(one, "PriorityMaxAge", "0-1")
    reconfigure(one)
    one.rest(70)
    had = int(priority(one, first))
    one.rest(61)
    tally.note("PriorityMaxAge=1h, PriorityWeightAge=86400: gained in a minute |", str(1300 < int(priority(one, first)) - had < 3000), "True")
    edit(one, "PriorityCalcPeriod", "5")
    reconfigure(one)
    one.rest(65)
    told = []
    for _ in range(7):
        told.append(int(priority(one, first)))
        one.rest(60)
    tally.note("PriorityCalcPeriod=5: values in seven minutes |", str(len(set(told))), "2")
    print(told)
    edit(one, "PriorityCalcPeriod", "1")
    reconfigure(one)
    one.rest(310)
    told = []
    for _ in range(4):
        told.append(int(priority(one, first)))
        one.rest(60)
    tally.note("PriorityCalcPeriod=1 again, five minutes later: values in four |", str(len(set(told))), "4")
    print(told)
    gone(one, holder, first, second)


def submissions(one, tally):
    edit(one, "DefMemPerCPU", "200")
    held = held_nodes(one)
    before = one.sub("-n2")
    reconfigure(one)
    after = one.sub("-n2")
    one.rest(65)
    memory = [re.search(r"mem=(\S+?),", one.out(f"scontrol -o show job {each}"))[1] for each in (before, after)]
    tally.note("DefMemPerCPU=200: of a job submitted before, and after |", " ".join(memory), "200M 400M")
    gone(one, held, before, after)
    edit(one, "MaxArraySize", "6")
    reconfigure(one)
    tally.note("MaxArraySize=6: --array=0-8 |", "refused" if not one.sub("--array=0-8").isdigit() else "taken", "taken")
    edit(one, "EnforcePartLimits", "ALL")
    reconfigure(one)
    tally.note("EnforcePartLimits=ALL: -t 3-0 |", "refused" if not one.sub("-t 3-0").isdigit() else "taken", "refused")
    edit(one, "EnforcePartLimits", "NO")
    edit(one, "MaxJobCount", "1")
    reconfigure(one)
    one.sub("-n1")
    tally.note("MaxJobCount=1: the next job |", "refused" if not one.sub("-n1").isdigit() else "taken", "refused")
    edit(one, "MaxJobCount", "10000")
    edit(one, "JobRequeue", "0")
    reconfigure(one)
    number = one.sub("-n1")
    tally.note("JobRequeue=0: Requeue of the next job |", one.job(number)["Requeue"], "0")
    edit(one, "JobRequeue", "1")
    edit(one, "MaxMemPerNode", "300")
    waits = one.sub("-n1 --mem=350 -H")
    reconfigure(one)
    tally.note("MaxMemPerNode=300: --mem=350 |", "refused" if not one.sub("-n1 --mem=350").isdigit() else "taken", "taken")
    one.out(f"scontrol release {waits}")
    one.rest(65)
    tally.note("a job of 350 from before |", one.job(waits)["JobState"] + " " + one.job(waits)["Reason"], "PENDING MaxMemPerLimit")
    one.out("scancel -u root")
    one.rest(40)


def running(one, tally):
    number = one.sub("-n1 -t 2")
    one.rest(5)
    edit(one, "OverTimeLimit", "3")
    reconfigure(one)
    one.rest(170)
    tally.note("OverTimeLimit=3: a job of two minutes after three |", one.job(number).get("JobState", number), "RUNNING")
    edit(one, "OverTimeLimit", "0")
    reconfigure(one)
    one.rest(50)
    tally.note("0 again, a minute later |", one.job(number)["JobState"], "TIMEOUT")
    edit(one, "MinJobAge", "60")
    reconfigure(one)
    one.rest(130)
    tally.note("MinJobAge=60: is it remembered after two minutes |", str("JobState" in one.job(number)), "False")
    first = one.sub("-n1 -L tool")
    second = one.sub("-n1 -L tool")
    one.rest(65)
    tally.note("one licence, two jobs: the second |", one.job(second)["JobState"], "PENDING")
    edit(one, "Licenses", "tool:2")
    reconfigure(one)
    one.rest(65)
    tally.note("Licenses=tool:2 |", one.job(second)["JobState"], "RUNNING")
    edit(one, "Licenses", "tool:1")
    reconfigure(one)
    one.out(f"scancel {first}")
    one.rest(10)
    third = one.sub("-n1 -L tool")
    one.rest(65)
    tally.note("tool:1 while both run, one ends: a third |", one.job(third)["JobState"], "PENDING")
    gone(one, second, third)


def cycles(one):
    """When cycles of backfill began, in seconds of the accelerated clock."""
    times = re.findall(r"T(\d+):(\d+):([\d.]+)\].*_attempt_backfill: beginning", one.cluster.log().decode(errors="replace"))
    return [int(h) * 3600 + int(m) * 60 + float(s) for h, m, s in times]


def gaps_after(one, seconds):
    """Whole minutes between cycles, of those that begin in so many seconds from now; jobs keep coming and going."""
    before = len(cycles(one))
    for _ in range(int(seconds // 20)):
        one.sub("-n1", 10)
        one.rest(20)
    times = cycles(one)[max(before - 1, 0):]
    return [round(b - a) for a, b in zip(times, times[1:])]


def intervals(one, tally):
    edit(one, "SchedulerParameters", "bf_interval=30,sched_interval=60")
    reconfigure(one)
    gaps_after(one, 120)
    edit(one, "SchedulerParameters", "bf_interval=120,sched_interval=60")
    reconfigure(one)
    gaps = gaps_after(one, 400)
    print(gaps)
    tally.note("bf_interval 30 -> 120: the gap in between is the longer one |", str(gaps[0] > 100), "True")
    tally.note("the next are new |", str(min(gaps[1:]) > 100), "True")
    edit(one, "SchedulerParameters", "bf_interval=30,sched_interval=60")
    reconfigure(one)
    gaps = gaps_after(one, 300)
    print(gaps)
    tally.note("120 -> 30: the gap in between is the longer one |", str(gaps[0] > 100), "True")
    tally.note("the next are new |", str(max(gaps[1:]) < 60), "True")


def scheduler(one, tally):
    holder = one.sub("-N6 -n24 --mem=0 -t 120")
    one.until(lambda: one.job(holder).get("JobState") == "RUNNING", 60)
    edit(one, "SchedulerParameters", "bf_interval=30,sched_interval=60,bf_max_job_user=1")
    reconfigure(one)
    one.rest(35)
    ids = [one.sub("-N6 -n24 --mem=0 -t 60") for _ in range(3)]
    one.rest(70)
    plans = [one.out(f"squeue --start -h -j {i} -o %S").startswith("20") for i in ids]
    tally.note("bf_max_job_user=1: plans of three jobs |", str(sum(plans)), "1")
    edit(one, "SchedulerParameters", "bf_interval=30,sched_interval=60")
    reconfigure(one)
    one.rest(70)
    plans = [one.out(f"squeue --start -h -j {i} -o %S").startswith("20") for i in ids]
    tally.note("without it |", str(sum(plans)), "3")
    gone(one, *ids, holder)


def partitions(one, tally):
    path = one.cluster.work / "slurm.conf"
    path.write_text(path.read_text() + "PartitionName=late Nodes=n[1-2] MaxTime=1-0 State=UP\n")
    reconfigure(one)
    number = one.sub("-n1 -p late")
    one.rest(65)
    tally.note("a new partition: a job in it |", one.job(number).get("JobState", number), "RUNNING")
    waits = one.sub("-N3 -p late")
    path.write_text(path.read_text().replace("PartitionName=late", "#"))
    reconfigure(one)
    one.rest(65)
    tally.note("the partition is gone: a job that ran in it |", one.job(number).get("JobState", "-") + " " + one.job(number).get("Reason", "-"), "NODE_FAIL NodeDown")
    tally.note("one that waited for it |", one.job(waits).get("JobState", waits) + " " + one.job(waits).get("Reason", "-"), "NODE_FAIL NodeDown")
    node_lines(one, "Weight=1", "Weight=9")
    reconfigure(one)
    tally.note("Weight=9 |", re.search(r"Weight=(\d+)", one.out("scontrol show node n1"))[1], "9")
    one.out("sacctmgr -i modify user root set MaxJobs=0")
    edit(one, "AccountingStorageEnforce", "associations")
    reconfigure(one)
    number = one.sub("-n1")
    one.rest(65)
    tally.note("AccountingStorageEnforce without limits: a job over its user's MaxJobs=0 |", one.job(number).get("JobState", number), "PENDING")
    edit(one, "AccountingStorageEnforce", "limits,qos")
    reconfigure(one)
    one.out("sacctmgr -i modify user root set MaxJobs=-1")
    gone(one, number)


def restart(one, tally):
    one.out("scontrol update PartitionName=part MaxTime=10:00:00")
    one.out("scontrol update PartitionName=other State=DOWN")
    one.out("scontrol update NodeName=n1 Weight=5")
    one.out("scontrol update NodeName=n2 Features=big")
    one.cluster.controller.terminate()
    one.cluster.controller.wait(60)
    one.cluster.controller = one.cluster.processes.start([one.cluster.program("slurmctld"), "-D"], one.cluster.environment)
    one.cluster.wait(lambda: "is UP" in one.cluster.ask("scontrol", "ping").stdout, "slurmctld did not answer", one.cluster.controller)
    one.rest(10)
    shown = one.out("scontrol -o show partition part") + one.out("scontrol -o show node n1")
    tally.note("after a restart: MaxTime that scontrol told |", re.search(r"MaxTime=(\S+)", shown)[1], "1-00:00:00")
    tally.note("State of a partition that scontrol told |", re.search(r"State=(\S+)", one.out("scontrol -o show partition other"))[1], "UP")
    tally.note("Weight of a node that scontrol told |", re.search(r"Weight=(\d+)", shown)[1], "9")
    tally.note("Features of a node that scontrol told |", re.search(r"AvailableFeatures=(\S+)", one.out("scontrol -o show node n2"))[1], "(null)")


PREEMPTING = CONF.replace("DefMemPerCPU", "PreemptType=preempt/partition_prio\nPreemptMode=REQUEUE\nDefMemPerCPU").replace(
    "PartitionName=other Nodes=n[1-6]", "PartitionName=other Nodes=n[1-6] PriorityTier=5")


def taken(one, age):
    """What becomes of a job that has run for so long when a preemptor of all nodes comes."""
    victim = one.sub("-N6 -n24 --mem=0 -p part")
    one.until(lambda: one.job(victim).get("JobState") == "RUNNING", 60)
    one.rest(age)
    preemptor = one.sub("-N6 -n24 --mem=0 -p other")
    one.rest(75)
    told = one.job(victim)["JobState"]
    gone(one, victim, preemptor)
    return told


def preempting(tally):
    with lab(PREEMPTING, sacctmgr=ACCOUNTS) as one:
        tally.note("PreemptMode=REQUEUE: a victim |", taken(one, 5), "PENDING")
        edit(one, "PreemptMode", "CANCEL")
        reconfigure(one)
        tally.note("CANCEL |", taken(one, 5), "PREEMPTED")
        edit(one, "PreemptExemptTime", "0:10:00")
        reconfigure(one)
        tally.note("PreemptExemptTime=10min |", taken(one, 5), "RUNNING")


def main():
    tally = Tally()
    if len(sys.argv) < 2 or "preempting" in sys.argv[1:]:
        preempting(tally)
    with lab(CONF, sacctmgr=ACCOUNTS) as one:
        for part in (weights, submissions, running, scheduler, intervals, partitions, restart):
            if len(sys.argv) < 2 or part.__name__ in sys.argv[1:]:
                print(part.__name__)
                part(one, tally)
    return tally.close()


if __name__ == "__main__":
    sys.exit(main())
