# tests/journeys/export.py — a result in the forms of other tools, read back by what reads those forms.
import csv
import gzip
import io
import json
import lzma
import os
import re
import shutil
import subprocess

from compare import CONF as CROWDED, make_crowd
from journey import main, rehearse

JOBS = 240


def make_result(folder, jobs=JOBS):
    """Two days of a crowded cluster with a cancelled job that never ran, and its result."""
    site = make_crowd(folder, "crowd", jobs=jobs)
    with open(site / "sacct.txt", "a", encoding="utf-8") as file:
        file.write("9001|9001|ann|astro|batch|normal|2025-01-01T03:00:00|None|2025-01-01T03:00:30|0|30|CANCELLED|0:0|1|2|"
                   "billing=2,cpu=2,gres/gpu=8,node=1|\n")
    out = folder / "out.h5"
    rehearse("run", site, "-o", out, check=0)
    return site, out


def exported(out, form, *options):
    return rehearse("export", out, "--format", form, *options, check=0).stdout


def table(text):
    return list(csv.DictReader(io.StringIO(text)))


def starts_of(out):
    return {row["job_id"]: row["start"] for row in table(exported(out, "csv"))}


def test_names_that_are_no_utf8_are_written_byte_by_byte(folder):
    site = make_crowd(folder, "crowd", jobs=3)
    rows = (site / "sacct.txt").read_bytes().splitlines()
    names = (b"na\xef", b"na\xee", "na\u00ef".encode())
    named = [rows[0] + b"|JobName", *(row + b"|" + name for row, name in zip(rows[1:], names))]
    (site / "sacct.txt").write_bytes(b"\n".join(named) + b"\n")
    rehearse("run", site, "-o", folder / "o.h5", check=0)
    seen = sorted(row["job_name"] for row in table(exported(folder / "o.h5", "csv")))
    assert seen == ["na\\xEE", "na\\xEF", "na\u00ef"], seen


def test_csv_has_a_row_a_job_and_its_waits_add_up(folder):
    _, out = make_result(folder)
    rows = table(exported(out, "csv"))
    assert len(rows) == JOBS + 1 and len({row["job_id"] for row in rows}) == JOBS + 1
    stamp = lambda text: int(text[8:10]) * 86400 + int(text[11:13]) * 3600 + int(text[14:16]) * 60 + int(text[17:19])
    ran = [row for row in rows if row["start"]]
    assert all(stamp(row["start"]) - stamp(row["submit"]) == int(row["wait_s"]) for row in ran)
    assert all(int(row["requested_gpus"]) == float(row["gpus"]) for row in ran) and len(ran) == JOBS
    never = [row for row in rows if not row["start"]]
    assert [row["state"] for row in never] == ["CANCELLED"] and never[0]["wait_s"] == "", never


def test_sacct_text_read_by_our_own_reader_replays_to_itself(folder):
    site, out = make_result(folder)
    text = folder / "jobs.txt.xz"
    rehearse("export", out, "--format", "sacct", "-o", text, check=0)
    assert lzma.open(text, "rt").readline().strip().split("|")[:6] == ["JobID", "JobIDRaw", "Cluster", "Partition", "QOS", "Account"]
    rehearse("run", site, "--jobs", text, "-o", folder / "again.h5", check=0)
    assert starts_of(folder / "again.h5") == starts_of(out)


def test_sacct_for_xdmod_has_no_header_and_utc(folder):
    site, out = make_result(folder, jobs=6)
    (site / "site.yaml").write_text("time_zone: America/New_York\n")
    rehearse("run", site, "-o", out, check=0)
    local, utc = (exported(out, "sacct", *more).splitlines() for more in ((), ("-n", "--utc")))
    assert len(local) == len(utc) + 1 and all(row.count("|") == 25 for row in local + utc)
    assert local[1].split("|")[10] == "2025-01-01T00:00:00" and utc[0].split("|")[10] == "2025-01-01T05:00:00"


def test_swf_read_by_our_own_importer_gives_the_same_jobs(folder):
    _, out = make_result(folder)
    swf = folder / "out.swf"
    rehearse("export", out, "--format", "swf", "-o", swf, check=0)
    lines = [line.split() for line in swf.read_text().splitlines() if not line.startswith(";")]
    assert all(len(line) == 18 for line in lines) and len(lines) == JOBS + 1
    submits = [int(line[1]) for line in lines]
    assert submits == sorted(submits) and submits[0] == 0
    rehearse("import", "swf", swf, "-o", folder / "back", check=0)
    back = lzma.open(folder / "back" / "sacct.txt.xz", "rt").read().splitlines()
    head = back[0].split("|")
    read = {}
    for line in back[1:]:
        row = dict(zip(head, line.split("|")))
        read[row["JobID"]] = row
    rows = table(exported(out, "csv"))
    assert len(read) == len(rows), (len(read), len(rows))
    for row in rows:
        other = read[row["job_id_raw"]]
        assert other["Submit"] == row["submit"] and other["State"].split()[0] == row["state"], (row, other)
        assert other["End"] == row["end"], (row, other)
        if row["start"]:
            assert other["Start"] == row["start"] and int(other["NCPUS"]) == int(row["requested_cpus"]), (row, other)


def test_perfetto_has_spans_counters_and_names_and_no_two_jobs_on_one_gpu(folder):
    _, out = make_result(folder)
    trace = json.loads(exported(out, "perfetto"))
    events = trace["traceEvents"]
    assert {event["ph"] for event in events} == {"X", "C", "M"}
    assert sum(event["ph"] == "X" for event in events) >= JOBS
    by_thread = {}
    for event in events:
        if event["ph"] == "X":
            by_thread.setdefault((event["pid"], event["tid"]), []).append((event["ts"], event["ts"] + event["dur"]))
    assert len(by_thread) == 32, "four nodes of eight GPUs, each a thread"
    for spans in by_thread.values():
        spans.sort()
        assert all(a[1] <= b[0] for a, b in zip(spans, spans[1:]))
    held = sum(end - begin for spans in by_thread.values() for begin, end in spans) / 1e6
    rows = [row for row in table(exported(out, "csv")) if row["start"]]
    assert held == sum(int(row["run_s"]) * float(row["gpus"]) for row in rows)
    names = {event["args"]["name"] for event in events if event.get("name") == "process_name"}
    assert {"n1", "n2", "n3", "n4"} < names


def check_openmetrics(text):
    """The rules of outputs.md §12; returns the values of each series by time."""
    assert text.endswith("# EOF\n") and "\n\n" not in text and "\r" not in text
    series, family, seen = {}, None, set()
    for line in text.splitlines()[:-1]:
        if line.startswith("#"):
            word, name = line.split()[1:3]
            assert word in ("HELP", "TYPE") and (word == "TYPE" or name not in seen), line
            family, seen = name, seen | {name}
            continue
        found = re.fullmatch(r"([A-Za-z_]\w*)((?:\{.*\})?) (-?[\d.e+]+) (\d+)", line)
        assert found and found[1] == family, line
        values = series.setdefault(found[1] + found[2], [])
        assert not values or values[-1][0] < int(found[4]), line
        values.append((int(found[4]), float(found[3])))
    return series


def test_openmetrics_keeps_the_rules_and_tells_the_schedule(folder):
    _, out = make_result(folder)
    series = check_openmetrics(exported(out, "openmetrics", "--step", "60", "--devices"))
    running, busy = dict(series["slurm_queue_running"]), dict(series["slurm_gpus_alloc"])
    by_account = [dict(values) for name, values in series.items() if name.startswith("slurm_account_jobs_running{")]
    by_node = [dict(values) for name, values in series.items() if name.startswith("slurm_node_gres_used{")]
    by_device = [dict(values) for name, values in series.items() if name.startswith("DCGM_FI_DEV_GPU_UTIL{")]
    assert len(by_account) == 3 and len(by_node) == 4 and len(by_device) == 32 and max(running.values()) > 4
    for at in running:
        assert running[at] == sum(each[at] for each in by_account)
        assert busy[at] == sum(each[at] for each in by_node) == sum(each[at] for each in by_device) / 100


def test_openmetrics_of_some_series_is_the_same_for_those(folder):
    _, out = make_result(folder)
    whole = check_openmetrics(exported(out, "openmetrics", "--step", "600", "--devices"))
    kinds = {"partition": "slurm_partition_", "account": "slurm_account_", "user": "slurm_user_", "node": "slurm_node_", "gpu": "DCGM_"}
    of = {kind: {name for name in whole if name.startswith(begins)} for kind, begins in kinds.items()}
    cluster = set(whole).difference(*of.values())
    assert all(of.values()) and len(cluster) > 20
    for kinds in ("cluster", "partition,account", "user", "node", "cluster,gpu"):
        wanted = cluster.union(*(of[kind] for kind in kinds.split(",") if kind in of))
        assert check_openmetrics(exported(out, "openmetrics", "--step", "600", "--series", kinds)) == {name: whole[name] for name in wanted}, kinds
    assert "--series: 'nodes' is no kind" in rehearse("export", out, "-f", "openmetrics", "--series", "nodes", check=2).stderr


def test_openmetrics_tells_the_state_of_each_node_and_partition(folder):
    site = make_crowd(folder, "crowd", jobs=JOBS, conf=CROWDED.replace("PartitionName=batch Nodes=ALL", "PartitionName=few Nodes=n[1-2]\nPartitionName=batch Nodes=ALL"))
    (site / "events.csv").write_text("time,command\n2025-01-01T06:00:00,scontrol update NodeName=n1 State=DRAIN Reason=fan\n"
                                     "2025-01-01T12:00:00,scontrol update NodeName=n1 State=RESUME\n"
                                     "2025-01-01T18:00:00,scontrol update NodeName=n4 State=DOWN Reason=psu\n")
    out = folder / "states.h5"
    rehearse("run", site, "-o", out, check=0)
    series = {name: dict(values) for name, values in check_openmetrics(exported(out, "openmetrics", "--step", "1800")).items()}
    states = ("alloc", "down", "drain", "fail", "idle", "maint", "mix", "other")
    times = list(series["slurm_nodes_total"])
    for at in times:
        assert sum(series[f"slurm_nodes_{state}"][at] for state in states) == 4 == series["slurm_nodes_total"][at]
        assert sum(series[f'slurm_partition_nodes_{state}{{partition="few"}}'][at] for state in states) == 2
        named = [name for name in series if name.startswith("slurm_node_status{") and at in series[name]]
        assert len(named) == 4, "every node has one status, and no sample of another"
        for part, whole in (("cpu_total", 64), ("mem_total", 4 * 64000)):
            of_nodes = [values[at] for name, values in series.items() if name.startswith(f"slurm_node_{part}{{") and at in values]
            assert len(of_nodes) == 4 and sum(of_nodes) == whole, (part, of_nodes)
        for part in ("alloc", "idle", "other"):
            of_nodes = [values[at] for name, values in series.items() if name.startswith(f"slurm_node_cpu_{part}{{") and at in values]
            assert len(of_nodes) == 4 and sum(of_nodes) == series[f"slurm_cpus_{part}"][at], (part, of_nodes)
        for what, whole in (("cpus", 64), ("gpus", 32)):
            assert sum(series[f"slurm_{what}_{part}"][at] for part in ("alloc", "idle", "other")) == whole == series[f"slurm_{what}_total"][at]
            assert sum(series[f'slurm_partition_{what}_{part}{{partition="few"}}'][at] for part in ("allocated", "idle", "other")) == whole / 2
    drained = [at for at in times if series["slurm_nodes_drain"][at] == 1]
    assert max(drained) - min(drained) == 6 * 3600 - 1800 and not any(series["slurm_nodes_drain"][at] for at in times if at not in drained)
    late = max(times)
    assert series["slurm_nodes_down"][late] == 1 and series['slurm_node_status{node="n4",status="down"}'][late] == 1
    assert series['slurm_partition_nodes_down{partition="few"}'][late] == 0 and series["slurm_gpus_other"][late] == 8


def test_openmetrics_of_suspended_and_ended_jobs(folder):
    """One job of a node's 16 CPUs, which an admin suspends for an hour, another that runs there meanwhile, and one that is cancelled."""
    site = folder / "one"
    site.mkdir()
    (site / "slurm.conf").write_text("ClusterName=one\nSelectType=select/cons_tres\nSelectTypeParameters=CR_Core\nMinJobAge=300\nNodeName=n1 CPUs=16 RealMemory=64000\n"
                                     "PartitionName=batch Nodes=n1 Default=YES MaxTime=1-0 State=UP\n")
    (site / "sacct.txt").write_text("JobID|User|Account|Partition|Submit|Start|End|Elapsed|Timelimit|ReqTRES|AllocTRES|State\n"
                                    "1|ann|ml|batch|2025-01-01T00:00:00|2025-01-01T00:00:00|2025-01-01T01:00:00|01:00:00|02:00:00|cpu=16,node=1|cpu=16,node=1|COMPLETED\n"
                                    "2|bob|ds|batch|2025-01-01T00:30:00|2025-01-01T00:30:00|2025-01-01T00:40:00|00:10:00|02:00:00|cpu=4,node=1|cpu=4,node=1|COMPLETED\n")
    (site / "events.csv").write_text("time,command\n2025-01-01T00:20:00,scontrol suspend 1\n2025-01-01T01:20:00,scontrol resume 1\n2025-01-01T02:30:00,scontrol update NodeName=n1 State=DRAIN Reason=end\n")
    out = folder / "one.h5"
    printed = rehearse("run", site, "-o", out, check=0).stdout
    series = {name: dict(values) for name, values in check_openmetrics(exported(out, "openmetrics", "--step", "60")).items()}
    first = min(series["slurm_queue_running"])
    minute = lambda number: first + 60 * number + 60  # the run begins a minute before its first job
    at = lambda name, number: series[name][minute(number)]
    assert at("slurm_queue_suspended", 25) == at('slurm_account_jobs_suspended{account="ml"}', 25) == at('slurm_user_jobs_suspended{user="ann"}', 25) == 1
    assert at('slurm_account_jobs_running{account="ml"}', 25) == at('slurm_account_cpus_running{account="ml"}', 25) == at('slurm_partition_jobs_running{partition="batch"}', 25) == 0
    assert at("slurm_cpus_alloc", 10) == 16 and at("slurm_cpus_alloc", 25) == 0 and at("slurm_cpus_alloc", 35) == 4 and at("slurm_cpus_alloc", 85) == 16
    assert at("slurm_nodes_alloc", 10) == at("slurm_nodes_idle", 25) == at("slurm_nodes_mix", 35) == at("slurm_nodes_alloc", 85) == 1
    assert at('slurm_node_cpu_alloc{node="n1",status="mixed"}', 35) == 4 and minute(25) not in series['slurm_node_cpu_alloc{node="n1",status="mixed"}']
    assert at("slurm_queue_completed", 39) == 0 and at("slurm_queue_completed", 42) == 1 and at("slurm_queue_completed", 50) == 0, "known for MinJobAge"
    assert re.search(r"CPU    \[[#.]+\] +\d\d\.\d %", printed), printed


def test_promtool_imports_it(folder):
    promtool = shutil.which("promtool")
    assert promtool, "promtool is of Debian's package prometheus: scripts/dev setup"
    _, out = make_result(folder, jobs=60)
    text = folder / "metrics.txt"
    rehearse("export", out, "--format", "openmetrics", "-o", text, check=0)
    done = subprocess.run([promtool, "tsdb", "create-blocks-from", "openmetrics", text, folder / "data"], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    listed = subprocess.run([promtool, "tsdb", "list", folder / "data"], capture_output=True, text=True, check=True).stdout
    assert len(listed.splitlines()) > 2, listed


def test_batsim_has_a_profile_for_every_job_and_its_table_the_schedule(folder):
    _, out = make_result(folder)
    workload = json.loads(exported(out, "batsim"))
    assert workload["nb_res"] == 4 and len(workload["jobs"]) == JOBS
    for job in workload["jobs"]:
        assert workload["profiles"][job["profile"]]["type"] == "delay" and job["res"] == 1
        assert workload["profiles"][job["profile"]]["delay"] <= job["walltime"]
    rows = table(exported(out, "batsim-jobs"))
    assert len(rows) == JOBS
    for row in rows:
        assert int(row["starting_time"]) == int(row["submission_time"]) + int(row["waiting_time"])
        assert int(row["finish_time"]) == int(row["starting_time"]) + int(row["execution_time"])
        assert int(row["allocated_resources"]) in range(4)


def test_names_of_compression_are_kept_and_bytes_are_the_same_tomorrow(folder):
    _, out = make_result(folder, jobs=12)
    plain = exported(out, "csv").encode()
    openers = {"gz": gzip.decompress, "xz": lzma.decompress,
               "zst": lambda data: subprocess.run(["zstd", "-dc"], input=data, capture_output=True, check=True).stdout}
    for end, read in openers.items():
        files = [folder / f"{name}.csv.{end}" for name in ("a", "b")]
        for file in files:
            rehearse("export", out, "--format", "csv", "-o", file, check=0)
        assert read(files[0].read_bytes()) == plain and files[0].read_bytes() == files[1].read_bytes(), end


def test_an_unknown_format_is_told_what_was_meant(folder):
    done = rehearse("export", folder / "none.h5", "--format", "perfeto", check=2)
    assert "there is no format 'perfeto'" in done.stderr and "did you mean 'perfetto'?" in done.stderr


def test_what_cannot_be_written_leaves_nothing(folder):
    _, out = make_result(folder, jobs=6)
    done = rehearse("export", out, "--format", "csv", "-o", folder / "nowhere" / "x.csv", check=1)
    assert "cannot be written" in done.stderr, done.stderr
    (folder / "taken").mkdir()
    rehearse("export", out, "--format", "csv", "-o", folder / "taken", check=1)
    assert not list(folder.glob("*.part"))
    assert "No space left" in rehearse("export", out, "--format", "csv", "-o", "/dev/full", check=1).stderr
    assert os.stat("/dev/full").st_rdev, "a device stays one"
    (folder / "cut.h5").write_bytes(out.read_bytes()[:5000])
    assert "cut.h5" in rehearse("export", folder / "cut.h5", "--format", "swf", check=3).stderr


if __name__ == "__main__":
    main(globals())
