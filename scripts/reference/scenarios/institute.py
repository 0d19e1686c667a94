#!/usr/bin/env python3
# scripts/reference/scenarios/institute.py — an institute's cluster: one task a core, blocks of cores, limits that block, planned jobs counted by partition, a node to its user.
from scenario import ENFORCED, Scenario, main

CONF = f"""\
SchedulerType=sched/backfill
SchedulerParameters=bf_interval=35,bf_resolution=120,assoc_limit_stop,bf_one_resv_per_job,bf_window_linear=60,bf_max_job_assoc=7,pack_serial_at_end,sched_max_job_start=4,bf_job_part_count_reserve=3,bf_max_job_start=6
SelectType=select/cons_tres
SelectTypeParameters=CR_Core_Memory,CR_ONE_TASK_PER_CORE,CR_CORE_DEFAULT_DIST_BLOCK
GresTypes=gpu
DefMemPerCPU=1800
PriorityType=priority/multifactor
PriorityFlags=DEPTH_OBLIVIOUS,NO_FAIR_TREE,CALCULATE_RUNNING
PriorityFavorSmall=YES
PriorityWeightAge=3000
PriorityWeightFairshare=8000
PriorityWeightJobSize=2500
PriorityWeightPartition=1500
PriorityWeightTRES=CPU=900,Mem=600,GRES/gpu=3000
PriorityMaxAge=0-3
PriorityDecayHalfLife=0-3
PriorityCalcPeriod=1
AccountingStorageTRES=gres/gpu
PreemptMode=OFF
{ENFORCED}
NodeName=h[1-6] Sockets=2 CoresPerSocket=6 ThreadsPerCore=2 RealMemory=64000 CoreSpecCount=2 MemSpecLimit=4000 Feature=hsw Weight=10
NodeName=i[1-4] Sockets=2 CoresPerSocket=12 ThreadsPerCore=2 RealMemory=128000 Feature=ice Weight=10
NodeName=k[1-2] Sockets=4 CoresPerSocket=4 ThreadsPerCore=1 RealMemory=256000 Gres=gpu:k80:4 Feature=gpu,fat Weight=40
PartitionName=main Nodes=h[1-6],i[1-4] Default=YES MaxTime=1-0 DefaultTime=30 State=UP PriorityJobFactor=5
PartitionName=own Nodes=h[4-6] MaxTime=1-0 State=UP ExclusiveUser=YES PriorityJobFactor=8
PartitionName=spread Nodes=i[1-4] MaxTime=8:00:00 State=UP LLN=YES MaxCPUsPerNode=32 PriorityJobFactor=3
PartitionName=fat Nodes=k[1-2],i[3-4] MaxTime=2-0 State=UP DefMemPerCPU=4000 MaxMemPerCPU=12000 PriorityJobFactor=5
"""
GRES = "NodeName=k[1-2] Name=gpu Type=k80 File=/dev/nvidia[0-3] Cores=0-7\n"
ACCOUNTS = """\
add account bio Fairshare=40 GrpTRES=cpu=150
add account geo Fairshare=40 GrpTRESRunMins=cpu=9000
add account lab Fairshare=20 parent=bio MaxTRES=cpu=64
add user una,uli Account=bio
add user vera,vito Account=geo
add user wanda,wim Account=lab
modify user wim set MaxJobs=4 GrpTRES=gres/gpu=3
"""
USERS = ("una", "uli", "vera", "vito", "wanda", "wim")


def draw(rng):
    kind = rng.random()
    if kind < 0.17:
        gpus = rng.choice((1, 1, 2, 3))
        asked = rng.choice((f"--gres=gpu:{gpus}", f"--gpus={gpus} -n{gpus}", f"--gpus-per-node={gpus} -N1 -n2", f"--gpus-per-task=1 -n{gpus}",
                            f"--gpus={gpus} --cpus-per-gpu=2", f"--gres=gpu:{gpus} --mem-per-gpu=9000"))
        words, share = f"-p fat {asked}", gpus / 14
    elif kind < 0.30:
        cpus = rng.choice((1, 2))
        words, share = f"-p fat -n{cpus} --mem-per-cpu={rng.choice((4000, 16000, 30000))}", cpus / 60
    elif kind < 0.42:
        words, share = f"-p own -n{rng.choice((1, 4, 10))}{rng.choice(('', ' -c2'))}", 0.06
    elif kind < 0.56:
        tasks = rng.choice((2, 8, 16, 30))
        words, share = f"-p spread -n{tasks}{rng.choice(('', ' -N2', ' --spread-job'))}", tasks / 130
    else:
        tasks = rng.choice((1, 1, 2, 3, 6, 12, 24, 30))
        words, share = f"{rng.choice(('', '-p main,spread ', '-p main,own '))}-n{tasks}", tasks / 130
        words += rng.choice(("", "", " -c2" if tasks <= 12 else "", " --ntasks-per-node=4" if tasks >= 12 else "", " --hint=nomultithread", " -C ice",
                             " --ntasks-per-socket=3" if tasks >= 6 else "", " --contiguous -N2" if tasks >= 2 else "", " -N1-3", " --exclusive" if tasks >= 12 else "",
                             " -m block:cyclic", " --threads-per-core=1", " -O" if tasks >= 6 else ""))
        words += rng.choice(("", "", f" --mem={rng.choice((3000, 20000, 50000))}", f" --mem-per-cpu={rng.choice((900, 3000))}"))
    extra = rng.random()
    if extra < 0.05:
        words, share = f"{words} -a 1-6%2", share * 6
    elif extra < 0.09:
        words += f" --dependency=afterok:@{rng.randint(1, 3)}"
    elif extra < 0.12:
        words += f" --nice={rng.choice((-50, 300))}"
    return words, share


main(Scenario(771904, CONF, draw, accounts=ACCOUNTS, gres_conf=GRES, jobs=130, window=6000, load=1.2, users=USERS))
