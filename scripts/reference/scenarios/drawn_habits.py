# scripts/reference/scenarios/drawn_habits.py — kinds of days about what most GPU sites have: partitions that share GPU nodes by CPUs, each with a QOS of its own, nodes of two models, many nodes.
"""As those of drawn_wishes.py, a kind here takes nothing from the draws of the others."""
import re

from drawn_wishes import replaced

SECOND = ("a40", "l4", "p100", "1g.10gb", "2g.20gb")  # of a node of two models


def named(lines, name):
    return next(line for line in lines if line.startswith(f"PartitionName={name} "))


def times(kinds):
    """How many times the jobs of a small day."""
    return 3 if "large" in kinds else 1


def sized(kinds, nodes):
    """A large site has four times the nodes."""
    for group in nodes:
        group.count *= 4 if "large" in kinds else 1
    return nodes


# Settings.
def split(rng, lines, nodes):
    """The nodes of GPUs are also those of CPU jobs, which leave some CPUs to GPU jobs; a partition for short tries."""
    cards = [group for group in nodes if group.gpus or group.slices]
    least = min(group.cpus() for group in cards)
    memory = re.search(r"DefMemPerCPU=\d+", named(lines, "all"))
    memory = memory[0] if memory else "DefMemPerCPU=1000"
    kept = least // rng.choice((4, 2))
    lines = [line for line in lines if not line.startswith("PartitionName=")]
    return [*lines, f"PartitionName=all Nodes=ALL Default=YES MaxTime=1-0 DefaultTime=60 State=UP MaxCPUsPerNode={least - kept} QOS=part_all {memory}",
            f"PartitionName=part Nodes={','.join(group.list() for group in cards)} MaxTime=12:00:00 State=UP PriorityJobFactor={rng.choice((2, 10))} QOS=part_gpu {memory}" + rng.choice(("", f" DefCpuPerGPU={rng.choice((2, 4))}", " DefMemPerGPU=6000")),
            f"PartitionName=quick Nodes={cards[0].list()} MaxTime={rng.choice((30, 60))} State=UP PriorityTier={rng.choice((2, 5))} QOS=part_quick {memory}"]


def two_models(rng, lines, nodes):
    """Half the GPUs of these nodes are of a second model, or the first is cut."""
    for group in nodes:
        if group.kind == "gpus" and rng.random() < 0.8:
            before, group.second = group.conf(), rng.choice(SECOND)
            lines = [line.replace(before, group.conf()) for line in lines]
    more = sorted({group.second for group in nodes if group.second})
    tres = next(line for line in lines if line.startswith("AccountingStorageTRES=")).partition("=")[2]
    return replaced(lines, AccountingStorageTRES=",".join([tres, *(f"gres/gpu:{name}" for name in more)]))


SETTINGS = {"split": split, "two_models": two_models}


# Words behind those of a job, or in their place.
def where_it_belongs(dice, words, _):
    if " -p " in words or dice.random() < 0.25:
        return words
    card = "gpu" in words or "-G" in words
    return words + f" -p {dice.choice(('part', 'part', 'part,quick')) if card else dice.choice(('all', 'all', 'all,quick'))}"


def of_both(dice, words, nodes):
    """One GPU job in three asks for the second model, or for both."""
    mixed = [group for group in nodes if group.second]
    if not mixed or "gpu" not in words and "-G" not in words or dice.random() > 0.35:
        return words
    group = dice.choice(mixed)
    one, other, count = group.model, group.second, dice.choice((1, 1, 2))
    rest = " ".join(re.findall(r"-p \S+|--qos=\S+", words))
    return dice.choice((f"--gres=gpu:{one}:1,gpu:{other}:{count} -c4", f"--gres=gpu:{other}:{count} -c2", f"-G {other}:{count} -n{count} -c2", f"-N1 --gpus={one}:{count},{other}:1 -n2", f"-n{count} --gpus-per-task={other}:1 -c2", f"-N1 --gres=gpu:{min(3, group.gpus)} -c{dice.choice((3, 6))}", f"-N2 --gpus-per-node={other}:1 --ntasks-per-node=1",
                        f"--gpus={group.gpus // 2 + 1} -N1 -n4")) + (" " + rest if rest else "")


WORDS = {"split": where_it_belongs, "two_models": of_both}


# QOS of partitions, beside those of jobs.
def of_partitions(rng, types, _):
    few, many = rng.choice((2, 4)), rng.choice((6, 10))
    typed = f",gres/gpu:{rng.choice(types)}={few}" if types and rng.random() < 0.5 else ""
    return f"""\
add qos part_all {rng.choice(('MaxTRESPerUser=cpu=48', 'GrpTRES=cpu=96', 'MaxJobsPerUser=6', 'MaxTRESPerAccount=cpu=64'))}
add qos part_gpu MaxTRESPerUser=gres/gpu={many}{typed} {rng.choice(('', 'MaxSubmitJobsPerUser=30', 'MaxTRESPerJob=gres/gpu=8', 'MaxWall=6:00:00'))}
add qos part_quick MaxJobsPerUser={rng.choice((1, 2))} MaxTRESPerUser=gres/gpu={few},cpu=16 {rng.choice(('', 'MaxSubmitJobsPerUser=4', 'Flags=DenyOnLimit', 'GrpJobs=3'))}
"""


ACCOUNTS = {"split": of_partitions}
