#!/usr/bin/env python3
# configs/scenarios/hardware-errors/make_jobs.py — writes sacct.txt: two long trainings among small jobs.
import datetime
import pathlib
import random

SEED, DAYS, GPUS_A_NODE, CORES_A_GPU, MEMORY_A_GPU = 79, 2, 8, 8, 60000
BEGIN = datetime.datetime(2027, 2, 1, 6, 0, 0)
COLUMNS = ("JobIDRaw|JobID|JobName|User|Account|Partition|QOS|Submit|Eligible|Start|End|Timelimit|State|ExitCode|"
           "NNodes|ReqCPUS|ReqMem|ReqTRES|SubmitLine")


def clock(seconds):
    return f"{seconds // 3600:02}:{seconds % 3600 // 60:02}:{seconds % 60:02}"


def row(number, name, user, submit, runtime, limit_min, gpus):
    at = BEGIN + datetime.timedelta(seconds=submit)
    stamp, end = at.isoformat(), (at + datetime.timedelta(seconds=runtime)).isoformat()
    cores, memory = gpus * CORES_A_GPU, gpus * MEMORY_A_GPU
    tres = f"billing={cores},cpu={cores},gres/gpu={gpus},mem={memory}M,node=1"
    line = f"sbatch -J {name} -N1 -n1 -c {cores} --gres=gpu:{gpus} --mem={memory} -t {limit_min} job.sh"
    return (f"{number}|{number}|{name}|{user}|lab|gpu|normal|{stamp}|{stamp}|{stamp}|{end}|{clock(limit_min * 60)}|COMPLETED|0:0|"
            f"1|{cores}|{memory}M|{tres}|{line}")


def main():
    chance = random.Random(SEED)
    jobs = [(0, "train-a", "ada", 26 * 3600, 40 * 60, 8), (60, "train-b", "bob", 28 * 3600, 40 * 60, 8)]
    at = 120
    while at < DAYS * 86400:
        gpus = chance.choice((1, 1, 2, 2, 4, 4, 8))
        runtime = chance.randrange(1200, 4 * 3600)
        jobs.append((at, f"small-{len(jobs) - 1}", chance.choice(("cy", "dan", "eve")), runtime,
                     -(-runtime * 3 // 2 // 600) * 10, gpus))
        at += chance.randrange(300, 3000)
    text = [COLUMNS] + [row(number, name, user, submit, runtime, limit, gpus)
                        for number, (submit, name, user, runtime, limit, gpus) in enumerate(jobs, 1)]
    (pathlib.Path(__file__).parent / "sacct.txt").write_text("\n".join(text) + "\n")


if __name__ == "__main__":
    main()
