# bench/macro/workload.py — a synthetic GPU site of any size, as files that a site folder has.
"""Jobs ask for whole GPUs (1 to `widest`, of 256 two thirds of them one or two), a node holds eight. Arrivals are
Poisson with a day cycle, scaled so that the work offered over the span of arrivals is `load` of the
machine. Run times are log-normal, 60 s to 24 h; the limit is the run time times 1.05 to 5, rounded up
to a usual class. Users follow a Zipf law, eight to an account. Nothing is taken from anyone's trace.
"""
import array
import collections.abc
import dataclasses
import itertools
import math
import pathlib
import random

LIMITS = [300, 600, 1800, 3600, 7200, 14400, 28800, 43200, 86400, 172800]
SIZES = {1: 45, 2: 20, 4: 12, 8: 10, 16: 6, 32: 3.5, 64: 2, 128: 1, 256: 0.5}
EPOCH = 1_735_689_600  # 2025-01-01T00:00:00Z


@dataclasses.dataclass(frozen=True)
class Case:
    """One synthetic site: sizes, and how much is asked of it."""

    jobs: int
    nodes: int = 128
    load: float = 0.87
    accounts: int = 8
    seed: int = 1
    widest: int = 256  # GPUs of the largest job
    sockets: int = 1  # of a node; GPUs of several stand beside the cores of theirs
    by_job: bool = False  # --gpus=N, on as many nodes as in the other form, instead of GPUs by node


@dataclasses.dataclass(frozen=True)
class Job:
    number: int
    submit: int  # seconds since EPOCH
    gpus: int
    run: int
    limit: int
    user: int  # 0 …, eight to an account


class Jobs(collections.abc.Sequence):
    """Jobs by submission, a column an attribute: 20 bytes a job, as there may be ten million."""

    def __init__(self, shapes, times):
        self.gpus, self.run, self.limit, self.user = shapes
        self.submit = times

    def __len__(self):
        return len(self.submit)

    def __getitem__(self, i):
        return Job(i + 1, self.submit[i], self.gpus[i], self.run[i], self.limit[i], self.user[i])


def jobs_of(case):
    """The jobs of a case by submission; the same for the same case."""
    chance = random.Random(case.seed)
    users = range(case.accounts * 8)
    by_user = list(itertools.accumulate(1.0 / (rank + 1) for rank in users))
    sizes = [size for size in SIZES if size <= min(case.nodes * 8, case.widest)]
    by_size = list(itertools.accumulate(SIZES[size] for size in sizes))
    shapes, work = [array.array("i") for _ in range(4)], 0
    for _ in range(case.jobs):
        gpus = chance.choices(sizes, cum_weights=by_size)[0]
        run = int(min(86400, max(60, chance.lognormvariate(math.log(2400), 1.4))))
        asked = run * chance.uniform(1.05, 5.0)
        limit = next((each for each in LIMITS if each >= asked), LIMITS[-1])
        user = chance.choices(users, cum_weights=by_user)[0]
        for column, value in zip(shapes, (gpus, run, limit, user)):
            column.append(value)
        work += gpus * run
    span = work / (case.nodes * 8 * case.load)
    times = array.array("i")
    while len(times) < case.jobs:  # thinned: 0.4 to 1.6 of the mean over the day
        at = chance.uniform(0, span)
        if chance.random() * 1.6 < 1.0 - 0.6 * math.cos(2 * math.pi * at / 86400):
            times.append(int(at))
    return Jobs(shapes, array.array("i", sorted(times)))


def duration(seconds):
    days, rest = divmod(seconds, 86400)
    clock = f"{rest // 3600:02}:{rest // 60 % 60:02}:{rest % 60:02}"
    return f"{days}-{clock}" if days else clock


def gpus_of(case, nodes):
    """Lines of gres.conf."""
    if case.sockets == 1:
        yield f"NodeName={nodes} Name=gpu File=/dev/nvidia[0-7]\n"
        return
    each = 8 // case.sockets
    for first in range(0, 8, each):
        here = f"[{first}-{first + each - 1}]"
        yield f"NodeName={nodes} Name=gpu File=/dev/nvidia{here} Cores={here[1:-1]}\n"


def write_site(case, jobs, folder):
    """slurm.conf (multifactor, Fair Tree, backfill every 30 s, limits on), gres.conf, accounts, jobs."""
    folder = pathlib.Path(folder)
    folder.mkdir(parents=True, exist_ok=True)
    width = len(str(case.nodes))
    nodes = f"n[{1:0{width}}-{case.nodes}]"
    (folder / "slurm.conf").write_text(f"""ClusterName=bench
SlurmctldHost=ctl
MaxJobCount=1000000
SchedulerType=sched/backfill
SchedulerParameters=bf_continue,bf_interval=30,bf_window=2880,bf_resolution=60,bf_max_job_test=1000
SelectType=select/cons_tres
SelectTypeParameters=CR_Core
GresTypes=gpu
PriorityType=priority/multifactor
PriorityDecayHalfLife=7-0
PriorityMaxAge=7-0
PriorityWeightAge=1000
PriorityWeightFairshare=10000
PriorityWeightJobSize=1000
AccountingStorageType=accounting_storage/slurmdbd
AccountingStorageEnforce=associations,limits,qos
AccountingStorageTRES=gres/gpu
NodeName={nodes} Sockets={case.sockets} CoresPerSocket={8 // case.sockets} ThreadsPerCore=1 RealMemory=1000 Gres=gpu:8
PartitionName=gpu Nodes=ALL Default=YES MaxTime=7-0 DefaultTime=1:00:00
""")
    (folder / "gres.conf").write_text("".join(gpus_of(case, nodes)))
    (folder / "site.yaml").write_text('slurm_version: "22.05"\ntime_zone: UTC\n')
    tree = ["Cluster - 'bench':Fairshare=1:QOS='normal'", "Parent - 'root'",
            "User - 'root':DefaultAccount='root':AdminLevel='Administrator':Fairshare=1"]
    most = case.nodes * 7  # one account never holds the whole machine
    for account in range(case.accounts):
        tree.append(f"Account - 'a{account}':Description='a':Organization='o':"
                    f"Fairshare={account % 8 + 1}:GrpTRES=gres/gpu={most}")
    for account in range(case.accounts):
        tree.append(f"Parent - 'a{account}'")
        tree += [f"User - 'u{user}':DefaultAccount='a{account}':Fairshare=1"
                 for user in range(account * 8, account * 8 + 8)]
    (folder / "assoc.dump").write_text("\n".join(tree) + "\n")
    with open(folder / "sacct.txt", "w") as out:
        out.write("JobID|User|Account|Partition|QOS|Submit|Start|End|Elapsed|Timelimit|State|ExitCode|NNodes|NCPUS|"
                  f"ReqTRES{'|SubmitLine' if case.by_job else ''}\n")
        for job in jobs:
            nodes, cpus = (job.gpus + 7) // 8, job.gpus
            asked = f"cpu={cpus},node={nodes},billing={cpus},gres/gpu={job.gpus}"
            begin, end = EPOCH + job.submit, EPOCH + job.submit + job.run
            out.write(f"{job.number}|u{job.user}|a{job.user // 8}|gpu|normal|{begin}|{begin}|{end}|"
                      f"{duration(job.run)}|{duration(job.limit)}|COMPLETED|0:0|{nodes}|{cpus}|{asked}"
                      f"{f'|sbatch -N{nodes} -n{cpus} --gpus={job.gpus} x.sh' if case.by_job else ''}\n")
