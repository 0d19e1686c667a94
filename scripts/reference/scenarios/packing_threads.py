#!/usr/bin/env python3
# scripts/reference/scenarios/packing_threads.py — cores, threads, sockets and memory, as in `packing` with the words that it lacks: by socket, by core, by least CPUs, on named nodes, for one user.
from scenario import ENFORCED, Scenario, main

CONF = f"""\
GresTypes=gpu
SchedulerType=sched/backfill
SchedulerParameters=bf_interval=30,bf_resolution=60
SelectType=select/cons_tres
SelectTypeParameters=CR_Core_Memory
PriorityType=priority/multifactor
PriorityWeightAge=1000
PriorityWeightFairshare=100000
PriorityWeightQOS=5000
PriorityDecayHalfLife=7-0
PriorityCalcPeriod=5
AccountingStorageTRES=billing
{ENFORCED}
NodeName=n[01-05] Sockets=2 CoresPerSocket=12 ThreadsPerCore=2 RealMemory=96000 Feature=thin
NodeName=s[01-02] Sockets=4 CoresPerSocket=6 ThreadsPerCore=2 RealMemory=192000 Feature=quad Weight=5
NodeName=f[01-02] Sockets=2 CoresPerSocket=20 ThreadsPerCore=1 RealMemory=512000 Feature=fat Weight=10
PartitionName=cpu Nodes=ALL Default=YES MaxTime=1-0 DefMemPerCPU=1000 MaxMemPerCPU=8000 State=UP
PartitionName=excl Nodes=n[01-03],s01 MaxTime=4:00:00 State=UP OverSubscribe=EXCLUSIVE
PartitionName=node Nodes=n[03-05],f01 MaxTime=8:00:00 DefMemPerNode=24000 MaxMemPerNode=90000 State=UP
"""
ACCOUNTS = """\
add account ml Fairshare=40
add account plat Fairshare=30
add account ds Fairshare=20
add user alice,ann Account=ml
add user bob,ben Account=plat
add user carol,cy Account=ds
"""
USERS = ("alice", "ann", "bob", "ben", "carol", "cy")


def draw(rng):
    tasks = rng.choice((1, 1, 2, 3, 4, 6, 8, 12, 16, 24, 30, 48, 72))
    kind = rng.random()
    if kind < 0.12:
        words, share = rng.choice(("-p excl -N1", "-p excl -N2 -n 8", "-p excl -N1-2 -n 20", "-p excl -n 50", "-p excl -N2 --ntasks-per-node=4 -c 3")), 0.16
    elif kind < 0.24:
        words, share = f"-p node -n {tasks} {rng.choice(('', '-N1' if tasks < 24 else '', '-N2' if tasks > 1 else '', '--mem=60000', '-c 2', '--mem=0'))}", tasks / 330
    else:
        small = min(tasks, 12)
        words = rng.choice((f"-n {tasks}", f"-n {tasks} -c 3", f"-n {tasks} --ntasks-per-core=1", f"-n {tasks} --hint=nomultithread", f"-n {tasks} --threads-per-core=1", f"-n {max(2, small)} --ntasks-per-socket={max(1, small // 2)} -N1", f"-n {small} --ntasks-per-socket=2", f"-N2 -n {max(2, tasks)}", f"-N1-3 -n {max(3, tasks)}",
                            f"-N3 --ntasks-per-node={rng.choice((2, 4, 7))} -c {rng.choice((1, 2, 3))}", f"-n {small} --cores-per-socket=12 -c 2", f"-n {small} --sockets-per-node=4", f"-n {small} -B 2:6:2", f"-n {small} --mincpus=16", f"-n {tasks} --mem-per-cpu=3000", f"-n {small} --mem-per-cpu=12000", f"-n {small} --mem={rng.choice((20000, 60000, 90000, 150000))}",
                            f"-n {small} -c 5 --mem=30000", f"-n {small} --exclusive", f"-n {small} --exclusive=user", f"-n {tasks} -C thin", f"-n {tasks} -C 'quad|fat'", f"-n {small} -C '[thin|quad]' -N2" if small > 1 else "-n 1 -C '[thin|quad]'", f"-N2 -C 'thin*1&fat*1' -n {max(2, small)}", f"-n {tasks} --contiguous", f"-n {small} -w s01", f"-n {small} -w n0[1-2] -N2" if small > 1 else "-n 1 -w n04",
                            f"-n {tasks} -x n0[1-3]", f"-n {tasks} --spread-job", f"-n {small} --use-min-nodes", f"-n {small} -m cyclic", f"-n {max(2, small)} -m block -N2", f"-n {max(4, small)} -N2 -m plane=2", f"-n {small} -O -c 2", f"--mincpus=20 -N2", f"-n {small} -S 2"))
        share = tasks / 330
    extra = rng.random()
    if extra < 0.06:
        words, share = f"{words} -a 1-{rng.choice(('4', '6%2'))}", share * 4
    elif extra < 0.1:
        words += f" --nice={rng.choice((50, 5000))}"
    return words, share


main(Scenario(510003, CONF, draw, accounts=ACCOUNTS, jobs=185, window=7800, load=1.2, users=USERS))
