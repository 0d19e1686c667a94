#!/usr/bin/env python3
# scripts/reference/scenarios/chip.py — a chip designer: hundreds of licences, bf_licenses, big-memory nodes, CR_Memory pressure with whole and part nodes, QOS preemption with CANCEL by QOS and REQUEUE of the cluster, DenyQos, regressions as arrays, features by XOR, partitions by list with limits of the partition, kill_invalid_depend, --mem=0, -L of two kinds, an emulation node of FPGA gres with types.
from scenario import Scenario, main

CONF = """\
SchedulerType=sched/backfill
SchedulerParameters=bf_continue,bf_interval=25,bf_window=1440,bf_resolution=60,bf_licenses,bf_max_job_user=12,default_queue_depth=120,sched_interval=30,bf_hetjob_immediate,assoc_limit_stop
SelectType=select/cons_tres
SelectTypeParameters=CR_Core_Memory
GresTypes=gpu,fpga
Licenses=vcs:30,dc:6,icc:4,calibre:12
DefMemPerCPU=3000
DependencyParameters=kill_invalid_depend
EnforcePartLimits=ANY
PreemptType=preempt/qos
PreemptMode=REQUEUE
PriorityType=priority/multifactor
PriorityWeightAge=1500
PriorityWeightFairshare=5000
PriorityWeightJobSize=0
PriorityWeightQOS=8000
PriorityWeightAssoc=2000
PriorityWeightTRES=Mem=500,license/vcs=300
PriorityMaxAge=0-4
PriorityDecayHalfLife=0-8
PriorityCalcPeriod=1
AccountingStorageTRES=gres/gpu,gres/fpga,license/vcs,license/dc
AccountingStorageEnforce=associations,limits,qos
NodeName=e[01-10] Sockets=2 CoresPerSocket=8 ThreadsPerCore=1 RealMemory=128000 Feature=rhel7 Weight=10
NodeName=e[11-16] Sockets=2 CoresPerSocket=16 ThreadsPerCore=1 RealMemory=512000 Feature=rhel8 Weight=20
NodeName=m[1-3] Sockets=2 CoresPerSocket=16 ThreadsPerCore=1 RealMemory=1500000 Feature=rhel8,bigmem Weight=50
NodeName=z[1-2] Sockets=2 CoresPerSocket=8 ThreadsPerCore=1 RealMemory=256000 Gres=fpga:u250:4,fpga:vu19p:2 Feature=rhel7,emu Weight=60
NodeName=g1 Sockets=2 CoresPerSocket=16 ThreadsPerCore=1 RealMemory=256000 Gres=gpu:a100:4 Feature=rhel8 Weight=70
PartitionName=regress Nodes=e[01-16] Default=YES MaxTime=12:00:00 DefaultTime=30 State=UP PriorityJobFactor=1
PartitionName=synth Nodes=e[11-16],m[1-3] MaxTime=2-0 DefaultTime=120 State=UP MinNodes=1 MaxNodes=2 DefMemPerCPU=8000
PartitionName=bigmem Nodes=m[1-3] MaxTime=3-0 DefaultTime=120 State=UP DefMemPerNode=200000 DenyQos=regr
PartitionName=emu Nodes=z[1-2] MaxTime=08:00:00 DefaultTime=60 State=UP OverSubscribe=NO
PartitionName=ml Nodes=g1,m[1-3] MaxTime=08:00:00 DefaultTime=60 State=UP DefCpuPerGPU=6 DefMemPerGPU=50000
PartitionName=hot Nodes=e[01-16],m[1-3] MaxTime=01:00:00 DefaultTime=20 State=UP PriorityTier=3 AllowQos=hotfix
"""
GRES = "NodeName=z[1-2] Name=fpga Type=u250 File=/dev/nvidia[0-3] Cores=0-7\nNodeName=z[1-2] Name=fpga Type=vu19p File=/dev/nvidia[4-5] Cores=8-15\nNodeName=g1 Name=gpu Type=a100 File=/dev/nvidia[0-3]\n"
ACCOUNTS = """\
add account cpu Fairshare=50 Priority=50
add account soc Fairshare=30 Priority=30 GrpTRES=license/vcs=14
add account ip Fairshare=20 Priority=10 GrpTRES=mem=1200000
add account cad Fairshare=5 MaxJobs=8
add qos tapeout Priority=1000 MaxTRESPU=cpu=96 GrpJobs=10
add qos hotfix Priority=2000 MaxJobsPU=2 MaxSubmitJobsPerUser=4 Flags=DenyOnLimit
add qos regr Priority=10 MaxTRESPA=license/vcs=12 MaxJobsPU=20 UsageFactor=0.3
modify qos normal set Priority=200
modify qos regr set PreemptMode=CANCEL GraceTime=20
modify qos tapeout set Preempt=regr
modify qos hotfix set Preempt=regr,normal
add user cyra,cato,cody Account=cpu
add user sid,sofi,saul Account=soc
add user ines,ivo Account=ip
add user dora Account=cad
modify user cyra,cato,cody,sid,sofi,saul,ines,ivo,dora set qos=normal,regr,tapeout,hotfix defaultqos=normal
"""
USERS = ("cyra", "cato", "cody", "sid", "sofi", "saul", "ines", "ivo", "dora")


def draw(rng):
    kind = rng.random()
    if kind < 0.22:
        size = rng.choice((4, 6, 10, 12))
        return f"--qos=regr -n{rng.choice((1, 1, 2, 4))} -L vcs:{rng.choice((1, 1, 2))} -a 1-{size}" + rng.choice(("", "%3", "%6", "")) + rng.choice(("", "", " --mem=12G", " -C rhel7")), size * 2 / 300
    if kind < 0.5:
        cpus = rng.choice((1, 2, 4, 8, 16))
        words, share = rng.choice((f"-n{cpus} -L vcs:{rng.choice((1, 2, 4))}", f"-c{cpus} --mem={8 * cpus}G", f"-n{cpus} -N1 -L vcs:1,calibre:2", f"-c{cpus} -L calibre:{rng.choice((1, 2, 4))}", f"-n{cpus} --mem=100G -N1", f"-c{cpus} -C '[rhel7|rhel8]'", f"-n{2 * cpus} -C 'rhel8'", f"-N2 -n{2 * cpus} -C '[rhel7|rhel8]'", f"-n{cpus} --exclusive --mem=0")), cpus / 250
    elif kind < 0.68:
        cpus = rng.choice((4, 8, 16, 32))
        words, share = rng.choice(("-p synth ", "-p synth ", "-p synth,bigmem ", "-p bigmem ")) + rng.choice((f"-c{cpus} -L dc:1", f"-c{cpus} -L dc:2 --mem={12 * cpus}G", f"-n{cpus} -N1 -L icc:1", f"-c{cpus} --mem=400G", f"-n{cpus}", f"-N1 --exclusive -L icc:2", f"-c{cpus} -L dc:1,calibre:4")), cpus / 220
    elif kind < 0.77:
        words, share = "-p emu " + rng.choice(("--gres=fpga:u250:2", "--gres=fpga:1 -c2", "--gres=fpga:vu19p:1 -c4", "--gres=fpga:u250:4 -n8", "--gres=fpga:u250:1,fpga:vu19p:1", "--gres=fpga:vu19p:2 --exclusive", "--gres=fpga:3 -N1")), 0.03
    elif kind < 0.85:
        words, share = "-p ml " + rng.choice(("-G 1", "--gres=gpu:2", "-G a100:1 --mem=100G", "-n2 --gpus-per-task=1", "-c16 --mem=300G")), 0.03
    elif kind < 0.93:
        words, share = "-p hot --qos=hotfix " + rng.choice(("-n8 -L vcs:2", "-c16", "-n32 -N2", "-c8 --mem=300G", "-n4 -L dc:1")) + f" -t {rng.choice((10, 15, 25))}", 0.03
    else:
        return rng.choice(("-n4 -L vcs:1 : -p synth -n8 --mem=60G", "-c8 : -p emu --gres=fpga:1", "-n16 -L dc:1 : -n4")), 0.06
    extra = rng.random()
    if "--qos" not in words:
        words += rng.choice(("", "", "", "", " --qos=tapeout"))
    if extra < 0.2:
        words += f" -d {rng.choice(('afterok', 'afterany', 'afternotok', 'afterok'))}:@{rng.randint(1, 4)}"
    elif extra < 0.28:
        words += rng.choice((" --nice=100", " --no-requeue", " -J sta -d singleton", " --begin=now+5minutes", " -x e11", " --time-min=4"))
    return words, share, 1 if rng.random() < 0.08 else 0


EVENTS = ((1000, "scontrol update NodeName=m2 State=DRAIN Reason=dimm"), (1600, "scontrol create reservation ReservationName=tape Accounts=cpu StartTime=now+900 Duration=30 NodeCnt=2 PartitionName=synth Licenses=dc:2"), (2400, "scontrol update NodeName=m2 State=RESUME"), (2700, "sacctmgr -i modify account soc set GrpTRES=license/vcs=6"), (3500, "sacctmgr -i modify qos regr set MaxJobsPU=8"),
          (3900, "scontrol update NodeName=e[05-06] State=DOWN Reason=cooling"), (4700, "scontrol update NodeName=e[05-06] State=RESUME"), (5000, "scontrol hold {j95}"), (5400, "scontrol release {j95}"), (5700, "scontrol update JobId={j130} Licenses=vcs:1"), (6200, "scancel {j140}"))
main(Scenario(261134, CONF, draw, accounts=ACCOUNTS, gres_conf=GRES, jobs=180, window=7200, load=1.15, users=USERS, events=EVENTS))
