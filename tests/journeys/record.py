# tests/journeys/record.py — `rehearse record` tells what it cannot record before anything is started.
import shutil

from journey import main, rehearse

SITE = {
    "slurm.conf": "NodeName=n1 CPUs=4\nPartitionName=p Nodes=n1 Default=YES\n",
    "jobs.csv": "submit_s,user,runtime_s,args\n0,nobody,10,-n1 -t 1\n",
}


def refused(folder, files, *words, code=3):
    """What is said of a site with these files; nothing is written."""
    site = folder / "site"
    shutil.rmtree(site, ignore_errors=True)
    site.mkdir()
    for name, text in {**SITE, **files}.items():
        if text is not None:
            (site / name).write_text(text)
    told = rehearse("record", site, "-o", folder / "out", *words, check=code).stderr
    assert "error: " in told and "Traceback" not in told, told
    assert not (folder / "out").exists()
    return told


def test_help_tells_what_it_needs(_):
    told = rehearse("record", "--help", check=0).stdout
    for word in ("root", "slurmctld", "slurmd", "slurmdbd", "munge", "mariadb-server", "gcc"):
        assert word in told, word


def test_a_key_that_cannot_be_played_is_an_error_with_its_line(folder):
    told = refused(folder, {"slurm.conf": SITE["slurm.conf"] + "JobSubmitPlugins=lua\n"})
    assert "slurm.conf:3: error: JobSubmitPlugins=lua" in told and "hint:" in told, told


def test_devices_that_are_detected_cannot_be_recorded(folder):
    told = refused(folder, {"gres.conf": "AutoDetect=nvml\n"})
    assert "gres.conf:1: error: AutoDetect=nvml" in told and "hint:" in told, told


def test_a_job_table_without_a_column_is_an_error(folder):
    assert "no column runtime_s" in refused(folder, {"jobs.csv": "submit_s,user,args\n"})


def test_an_unknown_job_name_is_an_error_with_its_line(folder):
    rows = SITE["jobs.csv"] + "1,nobody,10,--dependency=afterok:{gone}\n"
    assert "jobs.csv:3: error: no earlier job has the name 'gone'" in refused(folder, {"jobs.csv": rows})


def test_accounts_that_are_enforced_must_be_there(folder):
    told = refused(folder, {"slurm.conf": SITE["slurm.conf"] + "AccountingStorageEnforce=limits\n"})
    assert "accounts are enforced" in told and "assoc.dump" in told, told


def test_jobs_without_a_submit_line_are_an_error(folder):
    sacct = "JobID|User|Submit|Elapsed|State\n1|nobody|2025-01-01T00:00:00|00:00:10|COMPLETED\n"
    assert "no column SubmitLine" in refused(folder, {"jobs.csv": None, "sacct.txt": sacct})


def test_a_rate_that_is_none_is_a_usage_error(folder):
    assert "--rate 0" in refused(folder, {}, "--rate", "0", code=2)


def test_an_output_that_is_there_is_not_written_over(folder):
    (folder / "there").mkdir()
    assert "is there already" in rehearse("record", folder, "-o", folder / "there", check=2).stderr


if __name__ == "__main__":
    main(globals())
