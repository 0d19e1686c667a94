# scripts/reference/scenarios/drawn_rules.py — kinds of days about rules that sites rarely set: sharing, specialised cores, doors of partitions, defaults by GPU, minutes, what an admin changes of sites.
"""As those of drawn_wishes.py, a kind here takes nothing from the draws of the others."""
from drawn_wishes import replaced

PARAMETERS = ("bf_window_linear={300,900}", "bf_max_job_user_part={2,4,8}", "sched_max_job_start={2,5}", "batch_sched_delay={0,10,20}", "sched_min_interval={500000,2000000}", "bf_node_space_size={200,1000}",
              "bf_yield_sleep=100000", "preempt_strict_order", "reduce_completing_frag", "bf_job_part_count_reserve={1,2,5}", "bf_max_job_assoc={3,8}", "bf_max_job_start={3,8}", "bf_min_age_reserve={60,900}",
              "bf_one_resv_per_job", "bf_running_job_reserve", "bf_busy_nodes", "partition_job_depth={3,8}", "default_queue_depth={5,15}", "defer", "max_array_tasks=50", "spec_cores_first", "disable_job_shrink", "bf_continue", "pack_serial_at_end", "assoc_limit_stop", "bf_resolution={30,120,600}")


def drawn_from(rng, texts, count):
    """So many of the texts; of {1,2} one."""
    chosen = []
    for text in rng.sample(texts, count):
        head, _, rest = text.partition("{")
        chosen.append(head + rng.choice(rest.rstrip("}").split(",")) if rest else text)
    return chosen


def with_words(lines, words_of):
    """The lines with what `words_of` gives for a partition's, or a node's, name behind them."""
    return [line + words_of.get(line.split()[0].partition("=")[2], "") if line.startswith(("PartitionName=", "NodeName=")) else line for line in lines]


# Settings.
def parameters(rng, lines, _):
    """Eight words of SchedulerParameters, most of them rare."""
    return replaced(lines, SchedulerParameters=",".join([f"bf_interval={rng.choice((20, 30, 60))}", *drawn_from(rng, PARAMETERS, 8)]))


def shares(rng, lines, _):
    """Each partition shares in another way, without gang."""
    ways = rng.sample((" OverSubscribe=FORCE:2", " OverSubscribe=YES:3", " OverSubscribe=EXCLUSIVE", " OverSubscribe=NO", " OverSubscribe=YES"), 3)
    return with_words([line.replace(" OverSubscribe=YES:2", "") for line in lines], dict(zip(("all", "part", "quick"), ways)))


def special(rng, lines, nodes):
    """Cores and memory kept for the system, local disks, boards."""
    out = []
    for line in lines:
        if line.startswith("NodeName="):
            line += rng.choice((f" CoreSpecCount={rng.choice((1, 2, 3))}", f" CoreSpecCount={rng.choice((2, 4))} MemSpecLimit=8000", " MemSpecLimit=16000", f" CpuSpecList=0-{rng.choice((1, 3))}"))
            line += f" TmpDisk={rng.choice((20000, 100000, 400000))}"
        out.append(line)
    return out


def doors(rng, lines, nodes):
    """Partitions that are not open to all: an alternate, a door for accounts and QOS, one for reservations, node sets."""
    first = nodes[0]
    lines = with_words(lines, {"part": rng.choice((" DenyAccounts=mill", " AllowAccounts=lab,port", " Alternate=all", " DenyQos=normal", " Hidden=YES")), "quick": " Alternate=part" + rng.choice(("", " DenyAccounts=port"))})
    memory = " DefMemPerCPU=800"
    return ["NodeSet=kin Feature=" + first.name + "kind", *lines, f"PartitionName=kin Nodes=kin MaxTime=3:00:00 State=UP PriorityTier=3 Alternate=all{memory}", f"PartitionName=lent Nodes={nodes[-1].list()} MaxTime=8:00:00 State=UP PriorityTier=1 ReqResv=YES{memory}"]


def by_card(rng, lines, nodes):
    """CPUs and memory that GPUs bring: of the cluster, and otherwise in each partition."""
    out = [line for line in lines if not line.startswith("DefMem")]
    out = [" ".join(word for word in line.split() if not word.startswith(("DefMemPerCPU", "MaxMemPerCPU"))) if line.startswith("PartitionName=") else line for line in out]
    ways = (f" DefCpuPerGPU={rng.choice((2, 3, 4))} DefMemPerGPU={rng.choice((4000, 9000))}", f" DefCpuPerGPU={rng.choice((1, 5))}", f" DefMemPerGPU={rng.choice((2500, 12000))} DefMemPerCPU=900", " DefMemPerNode=6000", f" DefMemPerGPU=7000 MaxMemPerNode={rng.choice((48000, 64000))}")
    names = [line.split()[0].partition("=")[2] for line in out if line.startswith("PartitionName=")]
    out = with_words(out, dict(zip(names, rng.sample(ways, len(names)))))
    return [*rng.choice(([], ["DefCpuPerGPU=3", "DefMemPerGPU=5000"], ["DefMemPerCPU=1500"], ["DefMemPerCPU=700", "DefCpuPerGPU=2"])), *out]


def spent(rng, lines, _):
    """Usage that never decays, or is reset each day; the sum of all, or the greatest."""
    reset = rng.choice(("DAILY", "NONE"))
    lines = replaced(lines, PriorityDecayHalfLife="0" if reset == "DAILY" else "0-1", PriorityUsageResetPeriod=reset, AccountingStorageEnforce=rng.choice(("associations,limits,qos", "safe,qos", "associations,limits,qos,safe")))
    return [line + (f' TRESBillingWeights="CPU={rng.choice((1.0, 2.0))},Mem={rng.choice((0.2, 0.5))}G"' if line.startswith("PartitionName=") and "Billing" not in line else "") for line in lines]


def cons_res(rng, lines, _):
    lines = replaced(lines, SelectType="select/cons_res", GresTypes="gpu")
    return [line for line in lines if not line.startswith(("DefCpuPerGPU", "DefMemPerGPU"))]


def fallible(rng, lines, _):
    """How long a node may be silent, and what becomes of its jobs."""
    return [*lines, "SlurmdTimeout=300", "BatchStartTimeout=300", f"ReturnToService={rng.choice((0, 1, 2))}", *rng.choice(([], ["JobRequeue=0"]))]


SETTINGS = {"parameters": parameters, "shares": shares, "special": special, "doors": doors, "by_card": by_card, "spent": spent, "cons_res": cons_res, "crash": fallible}


# Words behind those of a job.
def sharing(dice, words, _):
    return words + (dice.choice((" -s", " -s", " --exclusive", " --exclusive=user")) if dice.random() < 0.3 and "exclusive" not in words else "")


def specialised(dice, words, nodes):
    wish = dice.choice((" --core-spec=1", " --core-spec=3", " --tmp=50000", " --tmp=200G", " --threads-per-core=1", " --ntasks-per-core=1", " --mem=0", " --hint=nomultithread", " --exclusive", f" --mincpus={dice.choice((4, 12))}", " -B 1", " -O"))
    return words + (wish if dice.random() < 0.4 and not (" --mem" in words and "mem" in wish) and not ("hint" in words and "thread" in wish) and not ("hint" in words and "core" in wish) else "")


def at_doors(dice, words, _):
    if dice.random() < 0.3 and " -p " not in words:
        words += f" -p {dice.choice(('kin', 'kin,quick', 'lent', 'part,kin', 'lent --reservation=loan', 'all --reservation=loan'))}"
    return words


def carded(dice, words, _):
    wish = dice.choice((" --mem-per-gpu=4000", " --mem-per-gpu=11000", " --cpus-per-gpu=1", " --cpus-per-gpu=4", " --sockets-per-node=1 --gpus-per-socket=1", " --ntasks-per-gpu=2", " --gpu-bind=none", " --gres-flags=enforce-binding", " --exclusive", " --mem=0"))
    if "G" not in words and "gpu" not in words or dice.random() > 0.4:
        return words
    if "mem" in wish and "--mem" in words or "cpus-per" in wish and "cpus-per" in words or "ntasks-per-gpu" in wish and " -n" in words or "per-socket" in wish and "gpus-per-socket" in words:
        return words
    return words + wish


def restless(dice, words, _):
    return words + (dice.choice((" --no-requeue", " --requeue", " --no-kill", " --time-min=3", " --nice=100", " -N2 --no-kill" if " -N" not in words and "gpu" not in words else "")) if dice.random() < 0.35 else "")


WORDS = {"shares": sharing, "special": specialised, "doors": at_doors, "by_card": carded, "crash": restless}


# QOS.
def of_minutes(rng, types, users):
    """QOS and associations of which nearly all limits are of minutes."""
    unit, some = ("gres/gpu", (60, 120, 240)) if types else ("cpu", (600, 1500, 4000))
    limits = (f"MaxTRESMinsPerJob={unit}={rng.choice(some)}", f"GrpTRESRunMins={unit}={rng.choice(some) * 2}", f"GrpTRESMins={unit}={rng.choice(some) * 6}", f"GrpWall={rng.choice((300, 600))}", f"MaxTRESRunMinsPU={unit}={rng.choice(some)}", "UsageThreshold=0.4", f"MaxWall={rng.choice((30, 90))}",
              "UsageFactor=0", "UsageFactor=3", "LimitFactor=2", "GrpSubmitJobs=20", f"GrpTRESMins=billing={rng.choice((9000, 30000))}", "MaxJobsAccruePerUser=2", "MinPrioThres=200")
    flags = ("", " Flags=OverPartQOS", " Flags=DenyOnLimit", " Flags=NoDecay", " Flags=UsageFactorSafe", " Flags=PartitionTimeLimit")
    names = ("bronze", "silver", "gold")
    lines = [f"add qos {name} Priority={priority} {' '.join(rng.sample(limits, rng.randint(2, 4)))}{rng.choice(flags)}" for name, priority in zip(names, (10, 100, 900))]
    lines += [f"modify account lab set GrpTRESRunMins={unit}={max(some) * 2}", f"modify account port set {rng.choice((f'MaxTRESMins={unit}={min(some)}', 'GrpWall=400', f'GrpTRESMins={unit}={max(some) * 3}'))}", "modify user mia set MaxWall=60",
              f"modify user {','.join(users)} set qos=normal,bronze,silver,gold defaultqos={rng.choice(names)}"]
    return "\n".join(lines) + "\n"


QOS = {"spent": of_minutes}


# What befalls nodes, and what an admin changes of the site.
def crashes(rng, nodes):
    """Two crashes, a silence that is short and one that is long, a node set DOWN."""
    first, last = nodes[0].name, nodes[-1].name
    end = nodes[-1].count
    a, b, c = sorted(rng.randint(900, 6000) for _ in range(3))
    return [(a, f"node crash {first}1"), (a + rng.choice((200, 700)), f"node boot {first}1"), (a + 2000, f"scontrol update NodeName={first}1 State=RESUME"), (b, f"slurmd down {last}{end}"), (b + rng.choice((120, 900)), f"slurmd up {last}{end}"),
            (b + 1500, f"scontrol update NodeName={last}{end} State=RESUME"), (c, f"node crash {first}2"), (c + 900, f"node boot {first}2"), (c + 1300, f"scontrol update NodeName={first}2 State=RESUME"), (c + 300, f"scontrol update NodeName={last}1 State=DOWN Reason=disk"), (c + 1500, f"scontrol update NodeName={last}1 State=RESUME")]


def site_changes(rng, nodes):
    """Twenty changes of partitions, nodes, reservations, accounts and QOS."""
    first, last = nodes[0], nodes[-1]
    texts = [f"scontrol update PartitionName=part Nodes={first.list()}", "scontrol update PartitionName=quick Nodes=ALL", "scontrol update PartitionName=all PriorityTier=4", "scontrol update PartitionName=part OverSubscribe=EXCLUSIVE", "scontrol update PartitionName=quick DenyAccounts=mill", "scontrol update PartitionName=part AllowQos=normal",
             "scontrol update PartitionName=all MaxTime=40", "scontrol update PartitionName=part MinNodes=2", "scontrol update PartitionName=all DefaultTime=5", "scontrol update PartitionName=part MaxCPUsPerNode=6", "scontrol update PartitionName=all DefMemPerCPU=2000", "scontrol update PartitionName=all PriorityJobFactor=30", "scontrol update PartitionName=part LLN=YES", "scontrol update PartitionName=part ExclusiveUser=YES",
             f"scontrol update NodeName={last.name}1 Weight=500", f"scontrol update NodeName={first.name}1 Weight=1", f"scontrol update NodeName={last.name}1 ActiveFeatures={last.name}kind,new", f"scontrol update NodeName={first.name}2 State=DRAIN Reason=x", f"scontrol update NodeName={last.name}1 State=DRAIN Reason=y",
             "sacctmgr -i modify account lab set GrpTRES=cpu=16", "sacctmgr -i modify account mill set MaxJobs=2", "sacctmgr -i modify account port set GrpJobs=3", "sacctmgr -i modify user mia set MaxSubmitJobs=4", "sacctmgr -i modify account east set Fairshare=80", "sacctmgr -i modify qos normal set MaxTRESPerUser=cpu=24", "sacctmgr -i modify qos normal set Priority=300",
             "sacctmgr -i modify qos normal set GrpJobs=12", "sacctmgr -i modify user lea set Fairshare=50", "sacctmgr -i modify account lab set GrpTRES=cpu=-1", "scancel -u max --state=PENDING", "scancel -p quick --state=RUNNING", "scancel -A port --state=PENDING", "scontrol reconfigure"]
    events = [(rng.randint(1200, 6800), text) for text in rng.sample(texts, 18)]
    at = rng.randint(600, 2500)
    events += [(at, f"scontrol create reservation ReservationName=loan StartTime=now+10minutes Duration=60 Accounts=lab,port NodeCnt=1 PartitionName=all Flags={rng.choice(('FLEX', 'MAGNETIC', 'IGNORE_JOBS', 'DAILY'))}"), (at + 900, f"scontrol update ReservationName=loan {rng.choice(('NodeCnt=2', 'Users=max Accounts=', 'Accounts+=mill', 'Flags+=FLEX', 'Duration=+20'))}"),
               (at + 1700, f"scontrol update ReservationName=loan {rng.choice(('EndTime=now+10minutes', 'Accounts-=lab', f'Nodes={last.name}1', 'Duration=40'))}"),
               (7000, f"scontrol update NodeName={first.name}2 State=RESUME"), (7000, f"scontrol update NodeName={last.name}1 State=RESUME")]
    return events


def loans(rng, nodes):
    return [(30, f"scontrol create reservation ReservationName=loan StartTime=now+{rng.choice((5, 15))}minutes Duration={rng.choice((90, 150))} Users=lea,lou,mia,max,pam,pit Nodes={nodes[-1].name}1 Flags=IGNORE_JOBS{rng.choice(('', ',FLEX', ',MAGNETIC'))}")]


EVENTS = {"crash": crashes, "site_changes": site_changes, "doors": loans}
