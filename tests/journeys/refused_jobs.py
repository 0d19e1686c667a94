# tests/journeys/refused_jobs.py — jobs that this cluster refuses: every verb says which, and why.
import json

from first_run import TRES, make_site

from journey import main, rehearse

BIG = "billing=1,cpu=1,gres/gpu=4,node=1"
MESSAGE = "Requested node configuration is not available"


def make_refusing_site(folder):
    """Beside three jobs that run: two that ask for four GPUs of two, and one for a partition that is not there."""
    site = make_site(folder)
    with open(site / "sacct.txt", "a", encoding="utf-8") as file:
        for job in (8, 9):
            file.write(f"{job}|{job}|ann|ml|batch|normal|2025-01-01T01:00:00|2025-01-01T01:00:00|2025-01-01T01:01:00|60|20|COMPLETED|"
                       f"0:0|1|1|{BIG}|{BIG}\n")
        file.write(f"10|10|ann|ml|old|normal|2025-01-01T01:00:00|2025-01-01T01:00:00|2025-01-01T01:01:00|60|20|COMPLETED|0:0|1|1|"
                   f"{TRES}|{TRES}\n")
    return site


def test_run_counts_them_by_message(folder):
    text = rehearse("run", make_refusing_site(folder), check=0).stdout
    # Jobs that slurmctld refuses as jobs it keeps as FAILED; a partition that is not there makes none.
    assert "SUBMISSIONS REFUSED (2 of the jobs above, 1 that never were jobs)" in text, text
    assert f"2  {MESSAGE} (first: job 8)" in text, text
    assert "1  Invalid partition name specified (first: job 10)" in text, text


def test_a_run_without_any_says_nothing_of_it(folder):
    assert "REFUSED" not in rehearse("run", make_site(folder), check=0).stdout


def test_check_tells_what_the_first_asks_for_and_that_it_ran(folder):
    site = make_refusing_site(folder)
    text = rehearse("check", site, check=0).stdout
    assert "asks for cpu=1,mem=32000M,node=1,gres/gpu=4 a node: 4 gpu a node, none has more than 2)" in text, text
    assert "3  of these ran when they were recorded" in text, text
    told = json.loads(rehearse("check", site, "--json", check=0).stdout)["impossible_jobs"]
    assert [(each["jobs"], each["ran"]) for each in told] == [(2, 2), (1, 1)], told


def test_check_tells_what_the_nodes_lack(folder):
    site = make_site(folder)
    (site / "slurm.conf").write_text((site / "slurm.conf").read_text().replace("CR_Core\n", "CR_Core_Memory\n"))
    head = (site / "sacct.txt").read_text().splitlines()[0] + "|SubmitLine"
    asked = {"-N3": "3 nodes, there are 1", "-N1 -n9": "9 CPUs a node, none has more than 8", "-n9": "9 CPUs, all nodes there have 8",
             "--mem=64G": "64.0G of memory a node, none has more than 31.2G", "-N1 -n4 --mem-per-cpu=10G": "40.0G of memory a node, none has more than 31.2G",
             "--gres=gpu:h100:1": "no node there has gpu:h100", "-N1 --gpus=3": "3 gpu a node, none has more than 2"}
    for words, lacks in asked.items():
        (site / "sacct.txt").write_text(f"{head}\n1|1|ann|ml|batch|normal|2025-01-01T00:01:00|2025-01-01T00:01:00|2025-01-01T00:11:00|600|20|COMPLETED|"
                                        f"0:0|1|1|cpu=1,node=1|cpu=1,node=1|sbatch {words} x.sh\n")
        text = rehearse("check", site, check=0).stdout
        assert f": {lacks})" in text, (words, text)


def test_explain_gives_the_message(folder):
    rehearse("run", make_refusing_site(folder), "-o", folder / "out.h5", check=0)
    assert f"(FAILED): refused, {MESSAGE}" in rehearse("explain", folder / "out.h5", "8", check=0).stdout
    assert "Invalid partition name" in rehearse("explain", folder / "out.h5", "10", check=3).stderr


def test_jobs_beyond_a_limit_by_themselves_are_told_and_counted_at_the_end(folder):
    site = make_site(folder)
    (site / "slurm.conf").write_text((site / "slurm.conf").read_text() + "AccountingStorageType=accounting_storage/slurmdbd\n"
                                     "AccountingStorageEnforce=limits\nAccountingStorageTRES=gres/gpu\n")
    (site / "assoc.dump").write_text("Cluster - 'mine'\nParent - 'root'\nAccount - 'ml'\nParent - 'ml'\nUser - 'ann':DefaultAccount='ml'\n")
    for limit, reason in (("MaxTRESPU|", "QOSMaxGRESPerUser"), ("GrpTRES|", "QOSGrpGRES")):
        (site / "qos.txt").write_text(f"Name|{limit}\nnormal|gres/gpu=1|\n")
        text = rehearse("check", site, check=0).stdout
        assert f"3  partition batch, QOS normal: asks for more than a limit allows at all, and pends for ever ({reason})" in text, text
        text = rehearse("run", site, check=0).stdout
        assert f"STILL PENDING AT THE END (3 jobs, by their last Reason)\n       3  {reason} (first: job 1)" in text, text
    # Not where an admin changes limits in the course of the run: they may fit then.
    (site / "events.csv").write_text("time,command\n2025-01-01T00:30:00,sacctmgr -i modify qos normal set GrpTRES=gres/gpu=2\n")
    assert "jobs that can never run: 0" in rehearse("check", site, check=0).stdout
    (site / "events.csv").unlink()
    (site / "qos.txt").write_text("Name|MaxTRESPU|\nnormal|gres/gpu=2|\n")
    assert "jobs that can never run: 0" in rehearse("check", site, check=0).stdout
    assert "STILL PENDING" not in rehearse("run", site, check=0).stdout


def make_limited_site(folder, qos, submit_lines):
    """Jobs of these lines, components of one heterogeneous job where there are two to a line, under a QOS table."""
    site = make_site(folder)
    (site / "slurm.conf").write_text((site / "slurm.conf").read_text() + "AccountingStorageType=accounting_storage/slurmdbd\n"
                                     "AccountingStorageEnforce=limits\nAccountingStorageTRES=gres/gpu\n")
    (site / "assoc.dump").write_text("Cluster - 'mine'\nParent - 'root'\nAccount - 'ml'\nParent - 'ml'\nUser - 'ann':DefaultAccount='ml'\n")
    (site / "qos.txt").write_text(qos)
    head = (site / "sacct.txt").read_text().splitlines()[0] + "|SubmitLine"
    rows = []
    for line in submit_lines:
        first = len(rows) + 1
        for offset, words in enumerate(line.split(" : ")):
            name = f"{first}+{offset}" if " : " in line else str(first)
            gpus = words.rpartition("=")[2] if "--gpus" in words else "0"
            tres = f"billing=1,cpu=1,gres/gpu={gpus},node=1"
            rows.append(f"{len(rows) + 1}|{name}|ann|ml|batch|normal|2025-01-01T00:01:00|2025-01-01T00:01:00|2025-01-01T00:11:00|600|20|COMPLETED|0:0|1|1|{tres}|{tres}|sbatch {line} x.sh")
    (site / "sacct.txt").write_text("\n".join([head, *rows]) + "\n")
    return site


def widen(site):
    """A second node."""
    conf = (site / "slurm.conf").read_text().replace("NodeName=n1 ", "NodeName=n[1-2] ").replace("Nodes=n1 ", "Nodes=n[1-2] ")
    (site / "slurm.conf").write_text(conf)


def test_components_without_a_node_for_each_are_told(folder):
    site = make_limited_site(folder, "Name|MaxTRESPU|\nnormal|gres/gpu=2|\n", ["--gpus=1 : --gpus=1"])
    text = rehearse("check", site, check=0).stdout
    assert "2  partition batch: components of a heterogeneous job have nodes of their own, need 2 and pend for ever: there are 1" in text, text
    assert "STILL PENDING AT THE END (2 jobs" in rehearse("run", site, check=0).stdout
    widen(site)
    assert "jobs that can never run: 0" in rehearse("check", site, check=0).stdout
    assert "STILL PENDING" not in rehearse("run", site, check=0).stdout


def test_components_that_are_over_a_limit_together_alone_are_told(folder):
    site = make_limited_site(folder, "Name|MaxTRESPU|\nnormal|gres/gpu=1|\n", ["--gpus=1 : --gpus=1"])
    widen(site)
    text = rehearse("check", site, check=0).stdout
    assert "2  partition batch, QOS normal: components of a heterogeneous job ask together for more than a limit allows at all, and pend for ever (QOSMaxGRESPerUser)" in text, text
    assert "STILL PENDING AT THE END (2 jobs" in rehearse("run", site, check=0).stdout
    (site / "qos.txt").write_text("Name|MaxTRESPU|\nnormal|gres/gpu=2|\n")
    assert "jobs that can never run: 0" in rehearse("check", site, check=0).stdout
    assert "STILL PENDING" not in rehearse("run", site, check=0).stdout


def test_least_times_that_sbatch_refuses_are_told(folder):
    site = make_limited_site(folder, "Name|Flags|\nnormal||\n", ["-t 10 --time-min=20", "-t 20 --time-min=10"])
    text = rehearse("check", site, check=0).stdout
    assert "1  partition batch: --time-min is above the job's limit or the partition's MaxTime, which sbatch refuses" in text, text
    assert "1  Invalid time-min specification" in rehearse("run", site, check=0).stdout


def test_jobs_above_maxtime_run_where_their_qos_lifts_it(folder):
    site = make_limited_site(folder, "Name|Flags|\nnormal||\n", ["-t 2-0"])
    assert "asks for more time than MaxTime" in rehearse("check", site, check=0).stdout
    (site / "qos.txt").write_text("Name|Flags|\nnormal|PartitionTimeLimit|\n")
    assert "jobs that can never run: 0" in rehearse("check", site, check=0).stdout
    assert "STILL PENDING" not in rehearse("run", site, check=0).stdout


def test_jobs_that_no_partition_lets_in_are_told_as_run_leaves_them(folder):
    site = make_limited_site(folder, "Name|Flags|\nnormal||\nnight||\n", ["--gpus=1", "--gpus=2"])
    conf = (site / "slurm.conf").read_text()
    for words, reason in (("AllowQos=night", "QOSNotAllowed"), ("DenyAccounts=ml", "AccountNotAllowed")):
        (site / "slurm.conf").write_text(conf.replace("PartitionName=batch ", f"PartitionName=batch {words} "))
        text = rehearse("check", site, check=0).stdout
        assert f"jobs that can never run: 2\n           2  partition batch, QOS normal: pends for ever ({reason}: Job's " in text, text
        text = rehearse("run", site, check=0).stdout
        assert f"STILL PENDING AT THE END (2 jobs, by their last Reason)\n       2  {reason} (first: job 1)" in text, text


def test_jobs_that_deny_on_limit_refuses_are_told_as_run_refuses_them(folder):
    site = make_limited_site(folder, "Name|MaxTRESPU|Flags|\nnormal|gres/gpu=1|DenyOnLimit|\n", ["--gpus=1", "--gpus=2"])
    words = "Job violates accounting/QOS policy (job submit limit, user's size and/or time limits)"
    text = rehearse("check", site, check=0).stdout
    assert f"1  partition batch, QOS normal: refused at submission: {words} (QOSMaxGRESPerUser)" in text, text
    text = rehearse("run", site, check=0).stdout
    assert f"1  {words} (first: job 2)" in text, text


def test_a_job_without_the_reservation_that_its_partition_asks_for_is_told_apart_from_one_with_it(folder):
    site = make_limited_site(folder, "Name|Flags|\nnormal||\n", ["--gpus=1 --reservation=r", "--gpus=1"])
    (site / "slurm.conf").write_text((site / "slurm.conf").read_text().replace("PartitionName=batch ", "PartitionName=batch ReqResv=YES "))
    (site / "events.csv").write_text("time,command\n2025-01-01T00:00:30,scontrol create reservation ReservationName=r StartTime=now Duration=1:00:00 Nodes=ALL Users=ann\n")
    text = rehearse("check", site, check=0).stdout
    assert "jobs that can never run: 1\n           1  partition batch: refused at submission: " in text, text
    assert "(first: job 2" in text, text


def test_each_task_of_an_array_counts(folder):
    site = make_limited_site(folder, "Name|Flags|\nnormal||\n", ["--gpus=1"])
    lines = (site / "sacct.txt").read_text().splitlines()
    row = lines[1].replace("|1|ann", "|7_{}|ann").replace("--gpus=1 x.sh", "-a 1-3 --gpus=4 x.sh")
    rows = [row.replace("1|7_{}", f"{10 + task}|7_{task}") for task in (1, 2, 3)]
    (site / "sacct.txt").write_text("\n".join([*lines[:1], *rows]) + "\n")
    text = rehearse("check", site, check=0).stdout
    assert "jobs that can never run: 3" in text and "3  of these ran when they were recorded" in text, text


def test_an_array_of_too_many_tasks_is_told_as_run_refuses_it(folder):
    site = make_limited_site(folder, "Name|Flags|\nnormal||\n", ["--gpus=1"])
    (site / "slurm.conf").write_text((site / "slurm.conf").read_text() + "SchedulerParameters=max_array_tasks=2\n")
    lines = (site / "sacct.txt").read_text().splitlines()
    row = lines[1].replace("|1|ann", "|7_{}|ann").replace("--gpus=1 x.sh", "-a 1-3 --gpus=1 x.sh")
    (site / "sacct.txt").write_text("\n".join([lines[0], *(row.replace("1|7_{}", f"{10 + task}|7_{task}") for task in (1, 2, 3))]) + "\n")
    text = rehearse("check", site, check=0).stdout
    assert "3  an array refused at submission: Invalid job array specification (MaxArraySize=1001, max_array_tasks=2)" in text, text
    text = rehearse("run", site, check=0).stdout
    assert "Invalid job array specification (first: job 7)" in text, text


def test_run_tells_what_was_assumed_of_its_rows(folder):
    site = make_limited_site(folder, "Name|Flags|\nnormal||\n", ["--gpus=1", "--gpus=1"])
    lines = (site / "sacct.txt").read_text().splitlines()
    (site / "sacct.txt").write_text("".join(line.rpartition("|")[0] + "\n" for line in lines))
    text = rehearse("run", site, check=0).stderr
    assert "sacct.txt: 2 rows read, 2 of simulated jobs, assumed:\n           2  no SubmitLine: request from ReqTRES" in text, text


def test_run_and_compare_tell_admin_commands_that_slurmctld_refuses(folder):
    site = make_site(folder)
    assert "refused" not in rehearse("run", site, check=0).stderr
    (site / "events.csv").write_text("time,command\n2025-01-01T00:30:00,scontrol delete ReservationName=none\n2025-01-01T00:31:00,scontrol delete ReservationName=other\n")
    told = "warning: 2 admin commands were refused, first at 2025-01-01T00:30:00: scontrol delete ReservationName=none: "
    assert told in rehearse("run", site, check=0).stderr
    assert told.removeprefix("warning: ") in rehearse("compare", site, site, "--set-b", "PriorityWeightAge=7", check=0).stderr


def test_size_counts_each_once(folder):
    site = make_refusing_site(folder)
    text = rehearse("size", site, "--node-type", "a100", "--target", "mean_wait < 10h", "--max", "2", check=0).stdout
    assert "3 jobs never start" in text, text


if __name__ == "__main__":
    main(globals())
