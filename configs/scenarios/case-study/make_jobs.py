#!/usr/bin/env python3
# configs/scenarios/case-study/make_jobs.py — one day of training and inference on 32 GPUs, as sacct tells it.
#
#   make_jobs.py SEED LOAD whole|mig FILE
import datetime
import math
import pathlib
import random
import sys

GPUS, CORES_A_GPU, MEMORY_A_GPU, DAY = 32, 8, 60000, 86400
BEGIN = datetime.datetime(2027, 2, 1, 0, 0, 0)
TRAINING_SHARE = 0.7  # of the GPU time asked for, counted in whole GPUs
COLUMNS = ("JobIDRaw|JobID|JobName|User|Account|Partition|QOS|Submit|Eligible|Start|End|Timelimit|State|ExitCode|"
           "NNodes|ReqCPUS|ReqMem|ReqTRES|SubmitLine")


def clock(seconds):
    return f"{seconds // 3600:02}:{seconds % 3600 // 60:02}:{seconds % 60:02}"


def drawn(chance, load):
    """Jobs as (submit [s], name, user, account, GPUs, run time [s], limit [min])."""
    jobs = []
    for account, share, users in (("training", TRAINING_SHARE, 6), ("serving", 1 - TRAINING_SHARE, 6)):
        left = load * share * GPUS * DAY
        while left > 0:
            if account == "training":
                gpus = chance.choices((1, 2, 4, 8), (45, 25, 20, 10))[0]
                runtime = chance.lognormvariate(math.log(2.5 * 3600), 0.9)
            else:
                gpus, runtime = 1, chance.lognormvariate(math.log(1200), 0.8)
            runtime = int(min(max(runtime, 60), 20 * 3600))
            # More of it by day than by night: a cosine with its peak at 15:00.
            while True:
                at = chance.randrange(DAY)
                if chance.random() < (1 + 0.6 * math.cos((at / 3600 - 15) / 24 * 2 * math.pi)) / 1.6:
                    break
            limit = -(-int(runtime * chance.uniform(1.2, 3)) // 600) * 10
            user = f"{account[0]}{chance.randrange(users)}"
            jobs.append((at, f"{account}-{len(jobs)}", user, account, gpus, runtime, limit))
            left -= gpus * runtime
    return sorted(jobs)


def row(number, job, site):
    submit, name, user, account, gpus, runtime, limit = job
    at = BEGIN + datetime.timedelta(seconds=submit)
    stamp, end = at.isoformat(), (at + datetime.timedelta(seconds=runtime)).isoformat()
    cores, memory = gpus * CORES_A_GPU, gpus * MEMORY_A_GPU
    partition = "gpu"
    if site == "mig":
        partition = "train" if account == "training" else "infer"
    if site == "mig" and account == "serving":  # a slice takes the part of a node that is its own
        cores, memory = 2, MEMORY_A_GPU // 4
    tres = f"billing={cores},cpu={cores},gres/gpu={gpus},mem={memory}M,node=1"
    line = f"sbatch -J {name} -p {partition} -N1 -n1 -c {cores} --gres=gpu:{gpus} --mem={memory} -t {limit} job.sh"
    return (f"{number}|{number}|{name}|{user}|{account}|{partition}|normal|{stamp}|{stamp}|{stamp}|{end}|{clock(limit * 60)}|"
            f"COMPLETED|0:0|1|{cores}|{memory}M|{tres}|{line}")


def main():
    seed, load, site, file = int(sys.argv[1]), float(sys.argv[2]), sys.argv[3], sys.argv[4]
    jobs = drawn(random.Random(seed), load)
    text = [COLUMNS] + [row(number, job, site) for number, job in enumerate(jobs, 1)]
    pathlib.Path(file).write_text("\n".join(text) + "\n")


if __name__ == "__main__":
    main()
