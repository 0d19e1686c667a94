# scripts/reference/scenarios/drawn_kinds.py — what each kind of day adds to a site that drawn.py draws: jobs, QOS, tiers, events.


def fractions_of(nodes):
    """How much of the cluster one CPU, and one GPU, is."""
    return 1 / sum(group.count * group.cpus() for group in nodes), 1 / max(1, sum(group.count * group.gpus for group in nodes))


def packing(dice, nodes):
    tasks, cpus = dice.choice((1, 2, 3, 4, 6, 8, 12, 24)), dice.choice((1, 1, 2, 3, 5))
    smallest = min(group.cpus() for group in nodes)
    cpu, _ = fractions_of(nodes)
    kind = dice.random()
    if kind < 0.35:
        words, share = f"-n{tasks}", tasks
    elif kind < 0.5:
        tasks = min(tasks, max(1, smallest // (2 * cpus)))
        words, share = f"-n{tasks} -c{cpus}", tasks * cpus
    elif kind < 0.65:
        each = min(tasks, smallest // 2)
        words, share = f"-N{dice.choice((1, 2, 2, 3))} --ntasks-per-node={each}", 2 * each
    elif kind < 0.75:
        words, share = f"-N1-{dice.choice((2, 3, 4))} -n{4 * tasks}", 4 * tasks
    elif kind < 0.82:
        words, share = "-N1 --exclusive", smallest
    elif kind < 0.9:
        words, share = dice.choice((f"-n{tasks} --ntasks-per-socket=2", f"-n{tasks} --ntasks-per-core=1", f"-n{tasks} -m cyclic", f"-n{tasks} --hint=nomultithread", f"-N2 -n{2 * tasks} -m plane=2")), tasks
    else:
        words, share = f"-c{dice.choice((4, 7, 12, 16))}", 8
    words += dice.choice(("", "", "", f" --mem={dice.choice((2000, 8000, 20000))}", f" --mem-per-cpu={dice.choice((700, 1500, 3000))}", " -s", f" -C {dice.choice(nodes).name}kind"))
    return words, share * cpu


def gpus(dice, nodes):
    cards = [group for group in nodes if group.kind == "gpus"]
    group, most = dice.choice(cards), min(group.gpus for group in cards)
    count = dice.choice((1, 1, 1, 2, 2, min(4, most), most))
    cpu, gpu = fractions_of(nodes)
    if len(cards) < len(nodes) and dice.random() < 0.25:
        tasks = dice.choice((2, 4, 8, 16))
        return f"-n{tasks} --mem-per-cpu={dice.choice((500, 1000))}", tasks * cpu
    cores = dice.choice((1, 2, 2, 3))
    words, share = dice.choice(((f"-N1 --gres=gpu:{count} -c{cores * count}", 1), (f"--gres=gpu:{group.model}:{count} -c{dice.choice((2, 4))}", 1), (f"--gpus={count} -n{count} -c{cores}", 1), (f"-G {group.model}:{count} -N1 -c{cores}", 1),
                                (f"-n{count} --gpus-per-task=1 -c{cores}", 1), (f"-N2 --gpus-per-node={count} --ntasks-per-node={count}", 2), (f"--gpus={count} --cpus-per-gpu={cores}", 1), (f"-N2 --gres=gpu:{count} -n4", 2), (f"-N1 --gres=gpu:{count} --mem-per-gpu={dice.choice((2000, 6000))} -n2", 1)))
    words += dice.choice(("", "", f" --mem={dice.choice((4000, 12000))}", f" -C {group.name}kind") if "mem" not in words else ("", ""))
    return words, share * count * gpu


def fractions(dice, nodes):
    group = dice.choice(nodes)
    count = dice.choice((1, 1, 1, 2, 3))
    if group.kind == "slices":
        profile = dice.choice(group.types)
        words = dice.choice((f"--gres=gpu:{profile}:{count} -c2", f"-N1 --gpus={profile}:{count} -c4", f"-n{count} --gpus-per-task={profile}:1", f"--gres=gpu:{profile}:1,gpu:{group.types[0]}:1 -c2", f"--gres=gpu:{count} -c2"))
        share = 0.04 * count
    elif group.kind in ("mps", "shard") and dice.random() < 0.7:
        part = dice.choice((1, 1, 2, 4) if group.kind == "shard" else (10, 25, 40, 100))
        words, share = f"--gres={group.kind}:{part}{dice.choice((' -c2', ' -n2', ' -c4', ' -N1 -n4'))}", part / (group.units * group.count) / 2
    else:
        words = dice.choice((f"--gres=gpu:{group.model}:{count} -c{2 * count}", f"-G {group.model}:{count} -N1", f"-N1 --gpus-per-node={min(count, 2)} -c4"))
        share = count / (group.gpus * group.count) / 2
    return words + dice.choice(("", " --mem=4000", " --mem=10G", f" -C {group.name}kind")), share


def arrays(dice, words, share):
    kind = dice.random()
    if kind < 0.25:
        tasks, spec = dice.choice(((4, "0-3"), (8, "1-8%2"), (6, "0-10:2"), (10, "0-9%4"), (5, "2,3,5,7,11%1"), (12, "1-12%6")))
        words, share = f"{words} -a {spec}", share * tasks
    if 0.15 < kind < 0.5:
        words += " -d " + dice.choice(("afterok:@1", "afterok:@2:@5", "afterany:@1", "afterany:@3:@4", "afternotok:@2", "after:@1", "after:@2+4", "aftercorr:@1", "singleton -J chain", "singleton -J other", "afterok:@1?afterany:@4", "afterok:@3,after:@1"))
        words += dice.choice(("", "", " --kill-on-invalid-dep=yes"))
    elif kind > 0.88:
        words += dice.choice((" --begin=now+10minutes", " --nice=200", " --nice=2000", " --hold", " --time-min=3", " --no-requeue"))
    return words, share, 1 if dice.random() < 0.15 else 0


def limited(rng, types, users):
    """QOS that limit; what may be limited depends on whether there are GPUs."""
    unit = "gres/gpu" if types else "cpu"
    few, many = ((2, 3, 4), (6, 8)) if types else ((16, 24, 40), (64, 96))
    limits = (f"MaxTRESPerUser={unit}={rng.choice(many)}", f"MaxTRESPerAccount={unit}={rng.choice(many)}", f"GrpTRES={unit}={rng.choice(many)}", f"MaxTRESPerJob={unit}={rng.choice(few)}", f"MaxJobsPerUser={rng.choice((2, 4))}", f"MaxJobsPerAccount={rng.choice((5, 8))}",
              f"GrpJobs={rng.choice((6, 10))}", f"MaxSubmitJobsPerUser={rng.choice((8, 15))}", f"MaxWall={rng.choice((30, 120))}", f"GrpTRESRunMins={unit}={rng.choice((200, 400))}", f"GrpTRESMins={unit}={rng.choice((300, 900))}", f"MinTRESPerJob={unit}={min(few)}", f"MaxTRESPerNode={unit}={rng.choice(few)}", "UsageFactor=0.5", "UsageFactor=2")
    flags = ("", "", " Flags=DenyOnLimit", " Flags=NoReserve", " Flags=NoDecay", " Flags=OverPartQOS")
    names = ("bronze", "silver", "gold")
    lines = [f"add qos {name} Priority={priority} {' '.join(rng.sample(limits, rng.randint(1, 3)))}{rng.choice(flags)}" for name, priority in zip(names, (10, 100, 900))]
    lines += [f"modify account lab set {rng.choice((f'GrpTRES={unit}={max(many)}', 'GrpJobs=8', f'GrpTRESRunMins={unit}={400 if types else 4000}'))}",
              f"modify account port set {rng.choice(('MaxJobs=4', f'MaxTRESPerJob={unit}={max(few)}', 'MaxSubmitJobs=12', 'MaxWall=90'))}",
              f"modify user {','.join(users)} set qos=normal,bronze,silver,gold defaultqos={rng.choice(names[:2])}"]
    return "\n".join(lines) + "\n"


def weighed(rng, _, users):
    return f"""\
add qos lo Priority={rng.choice((5, 50))}
add qos hi Priority={rng.choice((200, 500))}
modify account lab set priority={rng.choice((20, 60))}
modify account port set priority=40
modify user {','.join(users)} set qos=normal,lo,hi defaultqos=normal
"""


def preempting(rng, types, users):
    """Three QOS of which the higher preempt the lower, each in its own way."""
    ways = ("", " PreemptMode=requeue", " PreemptMode=cancel", " PreemptMode=cancel GraceTime=90", " PreemptMode=requeue PreemptExemptTime=00:03:00", " GraceTime=45")
    return f"""\
add qos low Priority=1{rng.choice(ways)}
add qos mid Priority={rng.choice((20, 100))}{rng.choice(ways)}
add qos top Priority=1000{rng.choice(('', ' MaxJobsPerUser=3', f' GrpTRES={"gres/gpu=12" if types else "cpu=120"}'))}
modify qos mid set Preempt=low
modify qos top set Preempt={rng.choice(('low,mid', 'mid', 'low'))}
modify user {','.join(users)} set qos=low,mid,top defaultqos=mid
"""


def by_qos(rng):
    return ["PreemptType=preempt/qos", f"PreemptMode={rng.choice(('REQUEUE', 'CANCEL', 'REQUEUE'))}", *rng.choice(([], ["PreemptExemptTime=00:02:00"], ["JobRequeue=0"]))]


def by_partition(rng):
    return ["PreemptType=preempt/partition_prio", f"PreemptMode={rng.choice(('REQUEUE', 'CANCEL'))}", *rng.choice(([], ["PreemptExemptTime=00:01:00"]))]


def by_gang(rng):
    return ["PreemptType=preempt/partition_prio", "PreemptMode=SUSPEND,GANG", f"SchedulerTimeSlice={rng.choice((30, 60, 180))}"]


def tiers(rng):
    modes = (" PreemptMode=REQUEUE", " PreemptMode=CANCEL", " PreemptMode=CANCEL GraceTime=60", " PreemptMode=REQUEUE GraceTime=30", "")
    return [f"PartitionName=low Nodes=ALL Default=YES MaxTime=1-0 DefaultTime=60 State=UP PriorityTier=1 DefMemPerCPU=500{rng.choice(modes)}", f"PartitionName=mid Nodes=ALL MaxTime=12:00:00 State=UP PriorityTier=3 PriorityJobFactor=4 DefMemPerCPU=500{rng.choice(modes)}",
            f"PartitionName=top Nodes=a[1-2] MaxTime=2:00:00 State=UP PriorityTier=7 PriorityJobFactor=9 DefMemPerCPU=500{rng.choice((' PreemptMode=OFF', ''))}"]


def stopped_tiers(rng):
    return [f"PartitionName=low Nodes=ALL Default=YES MaxTime=1-0 DefaultTime=60 State=UP PriorityTier=1 DefMemPerCPU=500 OverSubscribe=FORCE:{rng.choice((1, 2))}",
            f"PartitionName=mid Nodes=ALL MaxTime=12:00:00 State=UP PriorityTier=4 DefMemPerCPU=500 OverSubscribe=FORCE:1{rng.choice((' PreemptMode=REQUEUE', ' PreemptMode=SUSPEND', ' PreemptMode=CANCEL'))}",
            "PartitionName=top Nodes=a[1-2] MaxTime=2:00:00 State=UP PriorityTier=9 DefMemPerCPU=500 PreemptMode=OFF OverSubscribe=FORCE:1"]


def outage(rng, nodes):
    first, last = f"{nodes[0].name}1", f"{nodes[-1].name}{nodes[-1].count}"
    at = rng.randint(1500, 2500)
    return [(at, f"scontrol update NodeName={first} State=DRAIN Reason=fan"), (at + rng.randint(600, 1800), f"scontrol update NodeName={first} State=RESUME"),
            (at + 900, f"scontrol update NodeName={last} State={rng.choice(('DOWN', 'FAIL'))} Reason=gpu"), (at + 2400, f"scontrol update NodeName={last} State=RESUME"),
            (at + 300, f"scontrol create reservation ReservationName=service StartTime=now+{rng.choice((2400, 3600))} Duration={rng.choice((20, 40))} Users=root Flags=MAINT,IGNORE_JOBS Nodes={nodes[0].name}2"),
            (at + 500, f"scontrol create reservation ReservationName=course StartTime=now+{rng.choice((900, 1800))} Duration=50 Accounts=lab {rng.choice(('NodeCnt=1', f'Nodes={nodes[-1].name}1', 'NodeCnt=2'))} Flags={rng.choice(('FLEX', 'IGNORE_JOBS', 'MAGNETIC,IGNORE_JOBS'))}")]


def array_changes(rng, _):
    return [(1200, "scontrol release {j7}"), (1800, "scontrol hold {j25}"), (2600, "scontrol release {j25}"), (3100, "scancel {j40}"), (3700, "scontrol update JobId={j55} ArrayTaskThrottle=2"), (4400, "scontrol requeue {j60}"), (9000, "scontrol release {j25}")]


JOBS_OF = {"packing": packing, "gpus": gpus, "fractions": fractions, "arrays": arrays}
QOS_OF = {"qos": limited, "preempt_qos": preempting, "weights": weighed}
PREEMPTION_OF = {"preempt_qos": by_qos, "preempt_part": by_partition, "suspend": by_gang}
TIERS_OF = {"preempt_part": tiers, "suspend": stopped_tiers}
EVENTS_OF = {"outage": outage, "arrays": array_changes}
