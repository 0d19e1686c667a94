# scripts/reference/scenarios/drawn_wishes.py — kinds of days that drawn.py lays over others: settings that replace drawn ones, words behind a job's, what an admin changes.
"""A kind here takes nothing from the draws of the others: the days that were drawn before it stay as they are."""


# Settings: lines of slurm.conf in, lines out.
def replaced(lines, **values):
    """The lines with these keys set so."""
    return [line for line in lines if line.split("=")[0] not in values] + [f"{key}={value}" for key, value in values.items()]


def linear(rng, lines, _):
    parameters = rng.choice(("CR_Memory", "CR_Memory", ""))
    lines = [line for line in replaced(lines, SelectType="select/linear", GresTypes="gpu") if not line.startswith("SelectTypeParameters=")]
    return lines + ([f"SelectTypeParameters={parameters}"] if parameters else [])


def builtin(rng, lines, _):
    return replaced(lines, SchedulerType="sched/builtin", SchedulerParameters=rng.choice(("sched_interval=30", "default_queue_depth=20", "partition_job_depth=10,sched_interval=60", "assoc_limit_stop")))


def basic(_, lines, __):
    return [line for line in replaced(lines, PriorityType="priority/basic") if not line.startswith(("PriorityWeight", "PriorityMaxAge", "PriorityFlags", "PriorityFavor"))]


def tree(rng, lines, _):
    return [*lines, "TopologyPlugin=topology/tree", *rng.choice(([], [], ["TopologyParam=TopoOptional"]))]


def licences(rng, lines, _):
    licensed = [f"Licenses=solver:{rng.choice((4, 8))},mesh:{rng.choice((6, 12))},lab"]
    return [line + ",bf_licenses" if line.startswith("SchedulerParameters=") and rng.random() < 0.5 else line for line in lines] + licensed


def gang(rng, lines, _):
    """Time slices, beside what preempts if anything does."""
    mode = next((line.partition("=")[2].removesuffix(",GANG") + "," for line in lines if line.startswith("PreemptMode=")), "")
    lines = replaced(lines, PreemptMode=f"{mode}GANG", SchedulerTimeSlice=rng.choice((30, 60, 120)))
    count = rng.choice((2, 2, 3))
    sharing = {"PartitionName=all": f" OverSubscribe=FORCE:{count}", "PartitionName=part": rng.choice((" OverSubscribe=FORCE:2", " OverSubscribe=YES:2", "")), "PartitionName=quick": ""}
    return [line.replace(" OverSubscribe=YES:2", "") + sharing.get(line.split()[0], "") for line in lines]


def owned(rng, lines, _):
    """A partition of nodes that users have whole or for themselves, one that spreads, ways to be bound to limits."""
    kind = rng.choice((" ExclusiveUser=YES", " OverSubscribe=EXCLUSIVE", " LLN=YES", " MaxMemPerNode=40000", " MinNodes=2", " DefMemPerNode=9000"))
    drop = " DefMemPerCPU" if "PerNode" in kind else None
    out = []
    for line in lines:
        if line.startswith("PartitionName=part"):
            words = [word for word in line.split() if not drop or not word.startswith(("DefMemPerCPU", "MaxMemPerCPU"))]
            line = " ".join(words) + kind
        out.append(line)
    return out + rng.choice(([], ["EnforcePartLimits=ALL"], ["EnforcePartLimits=ANY"], ["JobRequeue=0"], ["CompleteWait=20"]))


SETTINGS_OF = {"linear": linear, "builtin": builtin, "basic": basic, "tree": tree, "licences": licences, "gang": gang, "owned": owned}


def topology(rng, nodes):
    """A leaf for each kind of nodes, the largest kind's in two, under one or two switches."""
    leaves, number = [], 0
    for group in nodes:
        halves = [group.list()] if group.count < 4 else [f"{group.name}[1-2]", f"{group.name}[3-{group.count}]"]
        for names in halves:
            number += 1
            leaves.append(f"SwitchName=s{number} Nodes={names}")
    if number > 2 and rng.random() < 0.5:
        return "\n".join([*leaves, "SwitchName=left Switches=s[1-2]", f"SwitchName=right Switches=s{'3' if number == 3 else f'[3-{number}]'}", "SwitchName=core Switches=left,right"]) + "\n"
    return "\n".join([*leaves, f"SwitchName=core Switches=s[1-{number}]"]) + "\n"


# Words behind those of a job: (dice, its words, nodes) in, words out.
def wished(dice, words, nodes):
    """Which nodes, which sockets, which tasks: what sbatch's manual has beside the counts."""
    first, last = nodes[0], nodes[-1]
    kinds = [f"{group.name}kind" for group in nodes]
    wishes = [f" -x {first.name}1", f" -x {last.name}[1-2]", f" -w {last.name}{dice.randint(1, last.count)}", " --exclusive=user", " --contiguous", f" --mincpus={dice.choice((4, 8))}", f" --prefer={dice.choice(kinds)}", " --spread-job",
              " --use-min-nodes", " -O", " --sockets-per-node=1", f" --cores-per-socket={dice.choice((4, 8, 10))}", " --threads-per-core=1", f" --ntasks-per-node={dice.choice((1, 2, 4))}", " --mem=0", " --time-min=4",
              f" --deadline=now+{dice.choice((40, 90))}minutes", f" --nice={dice.choice((50, 300))}", " -s", " --exclusive", " --core-spec=1", f" -m {dice.choice(('block:cyclic', 'cyclic:block', 'block:block,Pack', 'arbitrary', '*:*,NoPack'))}", " -B 1:4:1", " --hint=compute_bound", " --hint=multithread"]
    if " -C " not in words:
        wishes += [f" -C '{'|'.join(kinds)}'", f" -C '[{'|'.join(kinds)}]'", f" -C {dice.choice(kinds)}&fast", " -C fast|old"]
        if "-N" not in words and "--gpus" not in words and "-G" not in words and "gres" not in words and len(kinds) > 1:
            wishes += [f" -N2 -n8 -C '[{kinds[0]}*1&{kinds[1]}*1]'", f" -N3 -n6 -C '[{kinds[0]}*2&{kinds[1]}*1]'"]
    if "gpu" in words and "mps" not in words:
        wishes += [" --gres-flags=enforce-binding", " --gres-flags=disable-binding", " --gpu-bind=single:1", " --gpu-bind=closest", " --gpu-freq=low"]
        if "cpus-per" not in words and " -c" not in words:
            wishes += [" --cpus-per-gpu=2", " --cpus-per-gpu=5"]
        if "--mem" not in words:
            wishes += [" --mem-per-gpu=3000", " --mem-per-gpu=20G"]
    return words + (dice.choice(wishes) if dice.random() < 0.6 else "")


def switched(dice, words, _):
    return words + (dice.choice((" --switches=1", " --switches=1@10:00", " --switches=2", " --switches=1@2:00")) if dice.random() < 0.3 else "")


def licensed(dice, words, _):
    return words + (" -L " + dice.choice(("solver:1", "solver:2", "solver:3", "mesh:3", "mesh:5,solver:1", "lab")) if dice.random() < 0.4 else "")


def joined(dice, words, nodes):
    """One in four is the first component of a heterogeneous job."""
    if dice.random() > 0.25 or " -a " in words or "--exclusive" in words:
        return words
    others = [f"-n{dice.choice((1, 2, 4))} -C {group.name}kind" + (f" --gres=gpu:{dice.choice((1, 1, 2))}" if group.gpus and dice.random() < 0.7 else "") for group in nodes]
    return " : ".join([words, *dice.sample(others, dice.choice((1, 1, min(2, len(others)))))])


def booked(dice, words, _):
    return words + (f" --reservation={dice.choice(('first', 'second', 'first,second', 'third', 'part'))}" if dice.random() < 0.25 else "")


WORDS_OF = {"wishes": wished, "tree": switched, "licences": licensed, "het": joined, "booked": booked}


# What an admin does: (rng, nodes) in, events out.
def changes(rng, nodes):
    """Twenty-five changes of jobs that mostly wait, of which some are refused."""
    first, last = nodes[0].name, nodes[-1].name
    texts = ["TimeLimit=15", "TimeLimit=120", "TimeLimit=+20", "TimeLimit=-5", "Partition=part", "Partition=all", "Partition=all,part", "NumNodes=2", "NumNodes=1-3", "NumTasks=6", "NumCPUs=8", "NumCPUs=4-12", "Nice=300", "Nice=-300", "Priority=5000", "Priority=100000", f"ExcNodeList={first}1",
             f"ReqNodeList={last}1", "MinMemoryNode=16000", "MinMemoryCPU=2500", "MinCPUsNode=8", f"Features={last}kind", "Features=", "StartTime=now+900", "Dependency=afterany:{other}", "Dependency=", "OverSubscribe=YES", "OverSubscribe=NO", "Contiguous=yes", "Deadline=now+3600", "Requeue=0",
             "Account=lab", "TimeMin=5", "ReservationName=first", "CPUsPerTask=3", "NtasksPerNode=2", "MinTmpDiskNode=0", "Switches=1", "Name=other", "Comment=x", "MailUser=x"]
    events = []
    for text in rng.sample(texts, 17):
        number = rng.randint(20, 120)
        events.append((43 * number + rng.randint(60, 800), f"scontrol update JobId={{j{number}}} " + text.replace("{other}", f"{{j{number - 3}}}")))
    for text in rng.sample(("hold", "uhold", "requeue", "requeuehold", "suspend", "top", "requeue"), 5):
        number = rng.randint(20, 120)
        at = 43 * number + rng.randint(60, 800)
        events.append((at, f"scontrol {text} {{j{number}}}"))
        if text in ("hold", "uhold", "requeuehold"):
            events.append((at + 700, f"scontrol release {{j{number}}}"))
        if text == "suspend":
            events.append((at + 400, f"scontrol resume {{j{number}}}"))
    for text in rng.sample((f"scontrol update NodeName={last}1 Weight=100", "scontrol update PartitionName=part MaxTime=30", "scontrol update PartitionName=quick PriorityTier=1", "scontrol update PartitionName=all MaxNodes=2", "scontrol update PartitionName=quick MaxTime=2:00:00",
                           "scontrol update PartitionName=part AllowAccounts=lab,port", "scontrol update PartitionName=part PriorityJobFactor=20", "sacctmgr -i modify account lab set Fairshare=30", "sacctmgr -i modify user mia set MaxJobs=3", "sacctmgr -i modify account port set GrpTRES=cpu=24", "scontrol reconfigure"), 4):
        events.append((rng.randint(1500, 6500), text))
    return events


def closed(rng, _):
    """Partitions that an admin closes in the three ways, and opens again."""
    events = []
    for name in ("all", "part", "quick"):
        at, state = rng.randint(1500, 5500), rng.choice(("DOWN", "DRAIN", "INACTIVE", "DRAIN"))
        events += [(at, f"scontrol update PartitionName={name} State={state}"), (at + rng.choice((300, 900, 1500)), f"scontrol update PartitionName={name} State=UP")]
    return events


def reservations(rng, nodes):
    """Four reservations that everyone may use in some way."""
    users = rng.choice(("Users=lea,lou,mia,max,pam,pit", "Accounts=east,west,lab,mill,port", "Users=lea,mia,pam", "Accounts=lab,port", "Accounts=-mill"))
    group, last = nodes[0], nodes[-1]
    specs = [f"Nodes={group.name}[1-2]", "NodeCnt=1", "NodeCnt=2", f"CoreCnt={rng.choice((6, 10))} Nodes={last.name}1", "TRES=cpu=12", f"NodeCnt=2 Features={last.name}kind", "NodeCnt=1 PartitionName=part", f"Nodes={last.name}{last.count}"]
    flags = ["", " Flags=FLEX", " Flags=MAGNETIC", " Flags=REPLACE", " Flags=REPLACE_DOWN", " Flags=ANY_NODES", " Flags=PURGE_COMP=00:04:00", " Flags=NO_HOLD_JOBS_AFTER", " Flags=DAILY", " Flags=HOURLY", " Flags=STATIC_ALLOC", " Flags=OVERLAP", " Flags=FLEX,MAGNETIC", " Flags=MAINT", " Flags=FIRST_CORES"]
    events = []
    for number, name in enumerate(("first", "second", "third", "part")):
        spec, flag = rng.choice(specs), rng.choice(flags)
        flag = f"{flag},IGNORE_JOBS" if flag and rng.random() < 0.6 else flag or rng.choice(("", " Flags=IGNORE_JOBS"))
        events.append((20 + 5 * number, f"scontrol create reservation ReservationName={name} StartTime=now+{rng.choice((10, 20, 40, 60))}minutes Duration={rng.choice((25, 40, 60))} {users} {spec}{flag}"))
    events.append((rng.randint(2500, 4500), f"scontrol update ReservationName=first Duration={rng.choice((30, 80))}"))
    events.append((rng.randint(4000, 6500), "scontrol delete ReservationName=second"))
    return events


TIERS = {"all": "low", "part": "mid", "quick": "top"}  # which partition of a day of tiers is meant
WISHED_EVENTS = {"changes": changes, "closed": closed, "booked": reservations}
