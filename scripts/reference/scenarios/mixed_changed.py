#!/usr/bin/env python3
# scripts/reference/scenarios/mixed_changed.py — A100, H100 and CPU nodes as in `mixed`, with the ways to ask for GPUs, nodes and time that it lacks, and jobs that are changed while they wait.
from scenario import ENFORCED, Scenario, main

CONF = f"""\
GresTypes=gpu
SchedulerType=sched/backfill
SchedulerParameters=bf_interval=30,bf_resolution=60
SelectType=select/cons_tres
SelectTypeParameters=CR_Core_Memory
Licenses=matlab:8,ansys:3
PriorityType=priority/multifactor
PriorityWeightAge=1000
PriorityWeightFairshare=20000
PriorityWeightPartition=10000
PriorityWeightJobSize=500
PriorityDecayHalfLife=7-0
PriorityCalcPeriod=5
AccountingStorageTRES=gres/gpu,gres/gpu:a100,gres/gpu:h100
{ENFORCED}
NodeName=a[01-03] Sockets=2 CoresPerSocket=24 ThreadsPerCore=2 RealMemory=512000 Gres=gpu:a100:4 Feature=a100,nvlink Weight=10
NodeName=h[01-02] Sockets=2 CoresPerSocket=48 ThreadsPerCore=1 RealMemory=1000000 Gres=gpu:h100:8 Feature=h100,nvlink Weight=50
NodeName=c[01-03] Sockets=2 CoresPerSocket=16 ThreadsPerCore=1 RealMemory=192000 Feature=cpu,old Weight=1
PartitionName=all Nodes=ALL Default=YES MaxTime=1-0 DefMemPerCPU=2000 State=UP PriorityJobFactor=1
PartitionName=a100 Nodes=a[01-03] MaxTime=12:00:00 State=UP PriorityJobFactor=5 DefMemPerCPU=2000
PartitionName=h100 Nodes=h[01-02] MaxTime=6:00:00 State=UP PriorityJobFactor=10 DefMemPerCPU=4000
PartitionName=debug Nodes=a01,h01,c01 MaxTime=30 State=UP PriorityTier=10 PriorityJobFactor=20 DefMemPerCPU=2000
"""
GRES = ("NodeName=a[01-03] Name=gpu Type=a100 File=/dev/nvidia[0-1] Cores=0-23\nNodeName=a[01-03] Name=gpu Type=a100 File=/dev/nvidia[2-3] Cores=24-47\n"
        "NodeName=h[01-02] Name=gpu Type=h100 File=/dev/nvidia[0-7]\n")
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
    kind = rng.random()
    if kind < 0.68:
        gpus = rng.choice((1, 1, 1, 2, 2, 3, 4, 4, 6, 8, 12))
        node = min(gpus, 4)
        words = rng.choice((f"--gpus={gpus} -n {max(1, gpus // 2)} -c 4", f"--gpus={gpus} -n 1 -c 4", f"--gpus-per-task=1 -n {gpus} -c 4", f"--gpus-per-task=2 -n {max(1, gpus // 2)} -c 3", f"--ntasks-per-gpu=2 --gpus={gpus} -c 2",
                            f"--gpus-per-socket={min(gpus, 2)} --sockets-per-node=2 -N1 -n 8", f"--gres=gpu:{node} -N1 -c 8", f"--gres=gpu:{node} -N2 -n 4 -c 2", f"--gpus={gpus} --mem-per-gpu=30000 -n {node}",
                            f"--gpus-per-node={node} -N1 --mem-per-gpu=20000 --cpus-per-gpu=4", f"--gpus={gpus} --cpus-per-gpu=3", f"--gpus={gpus} -N{1 if gpus < 4 else 2} -n {max(2, gpus)} --ntasks-per-node={max(2, gpus) if gpus < 4 else max(1, gpus // 2)}",
                            f"--gres=gpu:{node} --gres-flags=enforce-binding -n {node} -c 4", f"--gpus-per-node={node} -N1 -n 2 --mem=100000", f"--gpus={gpus} --cores-per-socket=16 -n 4", f"--gres=gpu:{node} --exclusive -N1"))
        where = rng.choice((" -p all", " -p all", " -p all", " -p a100", " -p h100", " -p a100,h100", " -p a100,all", " -p h100,a100", " -p all -C a100", " -p all -C h100", " -p all -C 'a100|h100'", " -p all -C nvlink", " -p all -C '[a100|h100]'"))
        if gpus > 12 or ("a100" in where and "h100" not in where and gpus > 8):
            where = " -p all"
        share = gpus / 28
    elif kind < 0.8:
        words, where, share = rng.choice(("-N1 --gres=gpu:1 -c 2", "-n 8", "-N1 --gpus=2 -n 2", "-c 16", "-N2 -n 4")), f" -p debug -t {rng.choice((10, 15, 30))}", 0.02
    else:
        cpus = rng.choice((1, 4, 16, 32, 64, 96))
        words = rng.choice((f"-n {cpus}", f"-n {cpus} -c 2", f"-N2 -n {max(2, cpus)}", f"-n {cpus} --mem-per-cpu=1500", f"-c {min(cpus, 32)} --mem=60000", f"-n {cpus} --exclusive", f"-n {cpus} -x a[01-03],h01", f"-n {min(32, cpus)} -w c02", f"-n {cpus} -L matlab:2", f"-n {cpus} -C cpu"))
        where, share = " -p all", cpus / 500
    extra = rng.random()
    words += where
    if extra < 0.06:
        words, share = f"{words} -a 0-{rng.choice(('3', '7%2', '5%3'))}", share * 4
    elif extra < 0.10:
        words += rng.choice((" --dependency=afterok:@1", " --dependency=afterany:@2", " --dependency=singleton -J one", " --dependency=after:@1+5"))
    elif extra < 0.15:
        words += f" --nice={rng.choice((100, 2000))}"
    elif extra < 0.19:
        words += rng.choice((" --begin=now+10minutes", " --begin=now+4minutes"))
    elif extra < 0.25 and " -t" not in words:
        words += f" -t {rng.choice((120, 180))} --time-min={rng.choice((20, 45))}"
    elif extra < 0.32:
        words += rng.choice((" -L ansys:1", " -L matlab:3,ansys:1", " -L matlab:4"))
    elif extra < 0.36:
        words += " -x h02" if "h100" not in words else " -x h01"
    return words, share, 1 if rng.random() < 0.05 else 0


EVENTS = tuple(sorted([(600 + 340 * k, f"scontrol {word}") for k, word in enumerate((
    "update JobId={j6} Nice=500", "update JobId={j10} TimeLimit=20", "update JobId={j14} Partition=all", "update JobId={j19} NumNodes=2", "update JobId={j23} Features=nvlink", "update JobId={j29} TimeLimit=+30",
    "update JobId={j34} Priority=20000", "hold {j39}", "update JobId={j44} NumCPUs=8", "release {j39}", "update JobId={j53} ExcNodeList=a01", "update JobId={j58} StartTime=now+900", "top {j64}",
    "update PartitionName=debug State=DOWN", "update PartitionName=debug State=UP", "update JobId={j80} ReqNodeList=h02", "update JobId={j84} Partition=a100,h100", "update NodeName=a02 Weight=100"))]
    + [(900 + 500 * k, f"scancel {{j{8 + 9 * k}}}") for k in range(10)]))
main(Scenario(510001, CONF, draw, accounts=ACCOUNTS, gres_conf=GRES, jobs=150, window=7600, load=1.2, users=USERS, events=EVENTS))
