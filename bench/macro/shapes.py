#!/usr/bin/env python3
# bench/macro/shapes.py — one day of jobs, asked for in the ways that sites ask: which of them is dear?
"""  bench/macro/shapes.py BINARY [BINARY …] [--jobs N] [--shape NAME]…

The synthetic site of run.py (128 nodes of eight GPUs, load 1.2) with one thing changed: what nodes are, how they are
selected, or what sbatch was told. Each line is a shape: the CPU time of one run of each binary, over that of `plain` by
the first, and the schedule's fingerprint. A dear shape may just have a longer queue (`--exclusive` takes a whole node for
one GPU): compare the columns of `queue`. Two binaries that print other fingerprints decide otherwise.
"""
import argparse
import pathlib
import random
import re
import tempfile

import run
import workload

NODES = 128
TWO_SOCKETS = ("Sockets=1 CoresPerSocket=8", "Sockets=2 CoresPerSocket=4")
LARGE = [("Sockets=1 CoresPerSocket=8 ThreadsPerCore=1 RealMemory=1000",
          "Sockets=2 CoresPerSocket=32 ThreadsPerCore=1 RealMemory=256000"),
         ("CR_Core\n", "CR_Core_Memory\nDefMemPerCPU=2000\n")]
TYPED = [("Gres=gpu:8\n", "Gres=gpu:a100:8\n"), ("NodeName=n[001-128]", "NodeName=n[001-064]"),
         ("PartitionName=gpu", "NodeName=n[065-128] Sockets=1 CoresPerSocket=8 RealMemory=1000 Gres=gpu:h100:8 Weight=10\nPartitionName=gpu")]
SHARDS = [("GresTypes=gpu", "GresTypes=gpu,shard"), ("Gres=gpu:8", "Gres=gpu:8,shard:64")]
APART = [*LARGE, ("NodeName=n[001-128]", "NodeName=n[001-088] Sockets=2 CoresPerSocket=32 RealMemory=256000\nNodeName=n[089-128]"),
         ("PartitionName=gpu Nodes=ALL Default=YES", "PartitionName=cpu Nodes=n[001-088] Default=YES MaxTime=7-0\nPartitionName=gpu Nodes=n[089-128]")]
PARTS = [("PartitionName=gpu", "PartitionName=a Nodes=n[001-064] MaxTime=7-0\n"
          "PartitionName=b Nodes=n[033-128] MaxTime=7-0 PriorityJobFactor=10\nPartitionName=gpu")]
LOW = [("PartitionName=gpu", "PreemptType=preempt/partition_prio\nPreemptMode=REQUEUE\n"
        "PartitionName=low Nodes=ALL PriorityTier=1 MaxTime=7-0\nPartitionName=gpu PriorityTier=2")]


def conf(*changes):
    def change(text):
        for old, new in changes:
            assert old in text, old
            text = text.replace(old, new, 1)
        return text
    return change


def by_node(gpus, nodes, chance):
    return f"-N{nodes} -n{gpus} --gres=gpu:{min(gpus, 8)}"


def like_a_university(gpus, nodes, chance):
    """CPU jobs of all sizes beside GPU jobs, on nodes of 64 cores."""
    if gpus <= 2:
        return chance.choice([f"-n1 -c{chance.choice([1, 2, 4, 8])} --mem={chance.choice([2, 8, 16, 64])}G",
                              f"--gres=gpu:{gpus} -c{8 * gpus} --mem={32 * gpus}G",
                              f"-n{chance.choice([1, 4, 16, 32, 64])} --mem-per-cpu=2G"])
    return chance.choice([f"-N{nodes} --gpus-per-node={min(gpus, 8)} --ntasks-per-node=8 -c8",
                          f"-N{nodes} --ntasks-per-node=64 --exclusive", f"-n{8 * gpus} --mem-per-cpu=1G"])


def apart(gpus, nodes, chance):
    """The same, where nodes with GPUs and nodes without have partitions of their own."""
    asked = like_a_university(gpus, nodes, chance)
    return f"{asked} -p {'gpu' if 'gpu' in asked else 'cpu'}"


def named(gpus, nodes, chance):
    """One in ten names a node."""
    node = f" -w n{chance.randint(1, NODES):03}" if chance.random() < 0.1 else ""
    return by_node(gpus, nodes, chance) + node


# What changes in slurm.conf, GRES lines instead of the usual one (of nodes), and options of sbatch.
SHAPES = {
    "plain": (conf(), None, None),
    "submit-line": (conf(), None, by_node),
    "university": (conf(*LARGE), "{n} Name=gpu File=/dev/nvidia[0-3] Cores=0-31\n{n} Name=gpu File=/dev/nvidia[4-7] Cores=32-63\n",
                   like_a_university),
    "apart": (conf(*APART), "NodeName=n[089-128] Name=gpu File=/dev/nvidia[0-3] Cores=0-31\n"
              "NodeName=n[089-128] Name=gpu File=/dev/nvidia[4-7] Cores=32-63\n", apart),
    "tasks": (conf(*LARGE), None, lambda gpus, nodes, chance: f"-n{4 * gpus} -c2"),
    "exclusive": (conf(), None, lambda gpus, nodes, chance: f"-N{nodes} --exclusive"),
    "range": (conf(), None, lambda gpus, nodes, chance: f"-N{max(1, nodes // 2)}-{2 * nodes} --gres=gpu:{min(gpus, 8)}"),
    "named": (conf(), None, named),
    "excluded": (conf(), None, lambda *job: f"{by_node(*job)} -x n{job[2].randint(1, NODES):03}"),
    "per-gpu": (conf(*LARGE), None, lambda gpus, nodes, chance:
                f"-N{nodes} --gpus-per-node={min(gpus, 8)} --cpus-per-gpu={chance.choice([4, 6, 8])} --mem-per-gpu=30G"),
    "types": (conf(*TYPED), "NodeName=n[001-064] Name=gpu Type=a100 File=/dev/nvidia[0-7]\n"
              "NodeName=n[065-128] Name=gpu Type=h100 File=/dev/nvidia[0-7]\n", lambda gpus, nodes, chance:
              f"-N{nodes} -n{gpus} --gres=gpu:{chance.choice(['', 'a100:', 'h100:'])}{min(gpus, 8)}"),
    "shards": (conf(*SHARDS), "{n} Name=gpu File=/dev/nvidia[0-7]\n{n} Name=shard Count=64\n", lambda gpus, nodes, chance:
               f"--gres=shard:{chance.choice([1, 2, 4])} -c1" if gpus < 3 else by_node(gpus, nodes, chance)),
    "partitions": (conf(*PARTS), None, lambda *job: f"{by_node(*job)} -p {job[2].choice(['gpu', 'a,b', 'b,gpu', 'a'])}"),
    "preemption": (conf(*LOW), None, lambda *job: f"{by_node(*job)} -p {job[2].choice(['gpu', 'low', 'low'])}"),
    "threads": (conf(("ThreadsPerCore=1", "ThreadsPerCore=2")), None, None),
    "sockets": (conf(TWO_SOCKETS, ("CR_Core", "CR_Socket")), None, None),
    "least-loaded": (conf(("Default=YES", "Default=YES LLN=YES")), None, None),
    "linear": (conf(("select/cons_tres\nSelectTypeParameters=CR_Core", "select/linear")), None, None),
    "shared": (conf(("Default=YES", "Default=YES OverSubscribe=FORCE:2")), None, None),
    "may-share": (conf(("Default=YES", "Default=YES OverSubscribe=YES:4")), None, None),
    "cons-res": (conf(("cons_tres", "cons_res")), None, None),
    "stop-at-limits": (conf(("bf_continue", "bf_continue,assoc_limit_stop")), None, None),
}


def with_options(table, options):
    """The column SubmitLine beside what the rows say; the seed is of the shape alone."""
    chance = random.Random(1)
    head, *rows = table.splitlines()
    names = head.split("|")
    lines = [f"{head}|SubmitLine"]
    for row in rows:
        cells = dict(zip(names, row.split("|")))
        gpus = int(re.search(r"gres/gpu=(\d+)", cells["ReqTRES"])[1])
        lines.append(f"{row}|sbatch {options(gpus, int(cells['NNodes']), chance)} -t {cells['Timelimit']} --wrap x")
    return "\n".join(lines) + "\n"


def write(shape, jobs, site):
    changed, gres, options = SHAPES[shape]
    case = workload.Case(jobs, nodes=NODES, load=1.2)
    workload.write_site(case, workload.jobs_of(case), site)
    path = site / "slurm.conf"
    path.write_text(changed(path.read_text()))
    if gres:
        (site / "gres.conf").write_text(gres.replace("{n}", f"NodeName=n[001-{NODES}]"))
    if options:
        (site / "sacct.txt").write_text(with_options((site / "sacct.txt").read_text(), options))


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("binary", type=pathlib.Path, nargs="+")
    parser.add_argument("--jobs", type=int, default=3000)
    parser.add_argument("--shape", action="append", choices=SHAPES, help="this one alone")
    asked = parser.parse_args()
    print(f"{'shape':16}{'queue':>8}" + f"{'x plain':>9}  {'schedule':16}" * len(asked.binary))
    first = None
    for shape in asked.shape or SHAPES:
        with tempfile.TemporaryDirectory() as folder:
            site = pathlib.Path(folder) / "site"
            write(shape, asked.jobs, site)
            line = ""
            for binary in asked.binary:
                seconds, _, fingerprint, queue = run.run_ours(binary.resolve(), site, pathlib.Path(folder) / "out.h5")
                first = first or seconds
                line += f"{seconds / first:>9.2f}  {fingerprint:16}"
            print(f"{shape:16}{queue:>8.0f}{line}", flush=True)


if __name__ == "__main__":
    main()
