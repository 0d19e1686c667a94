#!/usr/bin/env python3
# scripts/reference/scenarios/sockets_shared.py — CR_Socket without memory, a partition with LLN and one with OverSubscribe=YES, topology/tree, weights and features that an admin changes.
from scenario import ACCOUNTS, ENFORCED, FAIR_SHARE, Scenario, main

CONF = f"""\
SchedulerType=sched/backfill
SchedulerParameters=bf_interval=30,bf_resolution=60
SelectType=select/cons_tres
SelectTypeParameters=CR_Socket
TopologyPlugin=topology/tree
{FAIR_SHARE}
{ENFORCED}
NodeName=s[01-06] Sockets=2 CoresPerSocket=8 ThreadsPerCore=2 RealMemory=96000 Feature=old Weight=1
NodeName=t[01-06] Sockets=2 CoresPerSocket=12 ThreadsPerCore=1 RealMemory=192000 Feature=new,fast Weight=10
PartitionName=main Nodes=ALL Default=YES MaxTime=1-0 State=UP
PartitionName=lln Nodes=s[01-06] MaxTime=8:00:00 State=UP LLN=YES
PartitionName=share Nodes=t[01-06] MaxTime=4:00:00 State=UP OverSubscribe=YES:2
"""
TOPOLOGY = "SwitchName=l1 Nodes=s[01-03]\nSwitchName=l2 Nodes=s[04-06]\nSwitchName=l3 Nodes=t[01-06]\nSwitchName=top Switches=l[1-3]\n"
EVENTS = ((2500, "scontrol update NodeName=t[01-02] Weight=1"), (4000, "scontrol update NodeName=s01 AvailableFeatures=old,fast ActiveFeatures=old,fast"), (6000, "scontrol update NodeName=s[01-06] Weight=20"))


def draw(rng):
    part = rng.choice(("main", "main", "main", "lln", "share"))
    tasks = rng.choice((1, 2, 4, 8, 12, 16, 24))
    nodes = rng.choice((2, 2, 3, 4))
    words = rng.choice((f"-n{tasks}", f"-n{tasks} -N1", f"-c {tasks}", f"-N{nodes} -n{nodes * 4}", f"-N{nodes} --ntasks-per-node=8", f"-n{tasks} --hint=nomultithread", f"-n{tasks} --ntasks-per-core=1", f"-N{nodes} --exclusive" if part == "main" else f"-n{tasks}"))
    share = (nodes if "-N" in words and "-N1" not in words else 1) * max(0.5, tasks / 16) / 12
    words = f"-p {part} {words}"
    if part == "share" and rng.random() < 0.6:
        words += " -s"
    if part == "main":
        words += rng.choice(("", "", "", "", " -C fast", " -C old", " --switches=1@10"))
    if rng.random() < 0.08:
        return words + " -a 1-6", share * 6
    return words, share


main(Scenario(918216, CONF, draw, accounts=ACCOUNTS, topology_conf=TOPOLOGY, jobs=150, window=9000, load=1.2, events=EVENTS))
