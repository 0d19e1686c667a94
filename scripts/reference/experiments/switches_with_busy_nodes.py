#!/usr/bin/env python3
# scripts/reference/experiments/switches_with_busy_nodes.py — where a job of whole nodes with --switches is planned, with and without bf_busy_nodes (scheduling.md §6.6).
"""Two leaf switches of four nodes each, of which some nodes are held whole for 30 to 120 minutes; only backfill looks at the queue. Printed: where a job
runs, or for when (in tens of minutes) and where it is planned, or that it has no START_TIME, and whether that is as the text says. Some four minutes."""
import sys

from lab import Tally, hold, lab, plan_of, release

CONF = """\
SelectType=select/cons_tres
SelectTypeParameters=CR_Core
TopologyPlugin=topology/tree
SchedulerType=sched/backfill
SchedulerParameters=sched_interval=-1,bf_interval=5,defer,bf_resolution=60,max_switch_wait=3600{busy}
PriorityType=priority/basic
NodeName=n[1-8] CPUs=4
PartitionName=all Nodes=n[1-8] Default=YES OverSubscribe={sharing} MaxTime=INFINITE State=UP
"""
TREE = "SwitchName=s0 Nodes=n[1-4]\nSwitchName=s1 Nodes=n[5-8]\nSwitchName=top Switches=s[0-1]\n"
ASKED = ("-N4 --switches=1@50:00", "-N3 --switches=1@50:00", "-N4")
# (minutes for which nodes are held; what the text says of ASKED without bf_busy_nodes; and with it)
CASES = [
    ({1: 100, 5: 50}, ("50 n[5-8]", "runs n[2-4]", "runs n[2-4,6]"), ("-", "runs n[2-4]", "runs n[2-4,6]")),
    ({1: 100, 2: 120, 5: 50, 6: 40}, ("50 n[5-8]", "40 n[6-8]", "runs n[3-4,7-8]"), ("-", "-", "runs n[3-4,7-8]")),
    ({1: 100, 2: 120, 5: 50, 6: 40, 7: 30}, ("50 n[5-8]", "40 n[6-8]", "30 n[3-4,7-8]"), ("30 n[3-4,7-8]", "-", "30 n[3-4,7-8]")),
    ({1: 100, 2: 120, 3: 30, 5: 50, 6: 40}, ("50 n[5-8]", "40 n[6-8]", "30 n[3-4,7-8]"), ("30 n[3-4,7-8]", "-", "30 n[3-4,7-8]")),
]  # fmt: skip
# Of a job that had four free nodes on two leaves, once there are three: as it came out, twice each.
AGAIN = {"EXCLUSIVE": "-, then -; another 30 n[3-4,7-8]", "NO": "-, then 30 n[3-4,7-8]; another 50 n[3-4,7-8]"}


def ask_all(one, tally, what, cases, asked, wait):
    """Each case: nodes held for minutes, and what the text says of each of `asked`, which is given so many seconds."""
    for held, answers in cases:
        ids = hold(one, [f"-w n{node} -N1 --exclusive -t {minutes}" for node, minutes in held.items()])
        base = one.cluster.clock.now()
        shown = " ".join(f"n{node}:{minutes}" for node, minutes in held.items())
        for words, told in zip(asked, answers):
            job = one.sub(f"{words} --exclusive -t 20")
            one.rest(wait)
            tally.note(f"{what} | {shown} | {words:22} |", plan_of(one, job, base), told)
            release(one, [job])
        release(one, ids)


def ask_again(one):
    """A job that had four free nodes on two leaves, once there are three; and one beside it that comes then."""
    base = one.cluster.clock.now()
    ids = hold(one, [f"-w n{node} -N1 --exclusive -t {minutes}" for node, minutes in CASES[1][0].items()])
    first = one.sub(f"{ASKED[0]} --exclusive -t 20")
    one.rest(14)
    before = plan_of(one, first, base)
    ids += hold(one, ["-w n7 -N1 --exclusive -t 30"])
    second = one.sub(f"{ASKED[0]} --exclusive -t 20")
    one.rest(20)
    answer = f"{before}, then {plan_of(one, first, base)}; another {plan_of(one, second, base)}"
    release(one, [first, second, *ids])
    return answer


def main():
    tally = Tally()
    for sharing in ("EXCLUSIVE", "NO"):
        for busy in ("", ",bf_busy_nodes"):
            with lab(CONF.format(busy=busy, sharing=sharing), topology=TREE) as one:
                what = f"{sharing:9} {busy[1:]:13}"
                ask_all(one, tally, what, [(held, with_busy if busy else without) for held, without, with_busy in CASES], ASKED, 14)
                if busy:
                    tally.note(f"{what} | four free, then three | {ASKED[0]:22} |", ask_again(one), AGAIN[sharing])
    return tally.close()


if __name__ == "__main__":
    sys.exit(main())
