# tests/journeys/imports.py — other people's logs become a site's jobs; what the log lacks is asked for by its option.
from first_run import COLUMNS, make_site

from journey import main, rehearse


def test_a_text_without_header_is_given_its_columns(folder):
    site = make_site(folder)
    rows = (site / "sacct.txt").read_text().splitlines(keepends=True)[1:]
    (site / "sacct.txt").write_text("".join(rows))
    said = rehearse("check", site, check=3).stderr
    assert "the header line is missing" in said and "rehearse import sacct FILE --columns" in said, said
    bare = (site / "sacct.txt").rename(folder / "bare.txt")
    text = rehearse("import", "sacct", bare, "--columns", COLUMNS.replace("|", ","), "-o", site, check=0).stdout
    assert "3  rows copied" in text and "GPU-hours" not in text, text
    assert "jobs that can never run: 0" in rehearse("check", site, check=0).stdout


def test_another_delimiter(folder):
    site = make_site(folder)
    rows = (site / "sacct.txt").read_text().splitlines(keepends=True)[1:]
    (site / "sacct.txt").unlink()
    (folder / "bare.txt").write_text("".join(rows).replace("|", ";"))
    rehearse("import", "sacct", folder / "bare.txt", "--columns", COLUMNS.replace("|", ","), "--delimiter", ";", "-o", site, check=0)
    assert "3  jobs" in rehearse("check", site, check=0).stdout


def test_columns_that_are_too_few_are_told(folder):
    (folder / "bare.txt").write_text("1|2025-01-01T00:00:00|60\n")
    said = rehearse("import", "sacct", folder / "bare.txt", "--columns", "JobID,Elapsed", "-o", folder / "new", check=3).stderr
    assert "has no column Submit" in said and not (folder / "new").exists(), said


def test_the_delimiter_at_the_end_of_sacct_p_is_no_column(folder):
    site = make_site(folder)
    text = (site / "sacct.txt").read_text()
    (site / "sacct.txt").write_text(text.replace("\n", "|\n"))
    done = rehearse("check", site, check=0)
    assert "sacct" not in done.stderr and "3  jobs" in done.stdout, done.stderr


def test_exports_that_were_joined_have_their_header_again(folder):
    site = make_site(folder)
    head, *rows = (site / "sacct.txt").read_text().splitlines(keepends=True)
    (site / "sacct.txt").write_text(head + rows[0] + head + rows[1] + rows[2] + head)
    text = rehearse("check", site, check=0).stdout
    assert "3  rows read" in text and "3  jobs" in text, text


def test_columns_that_are_not_there_are_told_with_what_follows(folder):
    site = make_site(folder)
    assert "no column" not in rehearse("check", site, check=0).stdout
    (site / "sacct.txt").write_text("JobID|Submit\n1|2025-01-01T00:00:00\n")
    text = rehearse("check", site, check=0).stdout
    for name in ("User", "Account", "Partition", "ReqTRES or AllocTRES", "Timelimit", "State", "Elapsed or Start"):
        assert f"note  no column {name}: " in text, (name, text)


def test_the_zone_that_nobody_told_is_told(folder):
    site = make_site(folder)
    told = "note  times without a zone are taken for UTC: time_zone in site.yaml"
    assert told in rehearse("check", site, check=0).stdout
    (site / "site.yaml").write_text("time_zone: Europe/Oslo\n")
    assert "without a zone" not in rehearse("check", site, check=0).stdout
    (site / "site.yaml").unlink()
    (site / "sacct.txt").write_text("JobID|Submit|Start|End\n1|1735689600|1735689600|1735690200\n")
    assert "without a zone" not in rehearse("check", site, check=0).stdout


def test_rows_of_another_cluster_are_told_with_its_name(folder):
    site = make_site(folder)
    head, *rows = (site / "sacct.txt").read_text().splitlines()
    (site / "sacct.txt").write_text("\n".join([head + "|Cluster", rows[0] + "|mine", rows[1] + "|other", rows[2] + "|third"]) + "\n")
    text = rehearse("check", site, check=0).stdout
    assert "note  jobs are read of cluster 'mine', those of 'other' are not (ClusterName in slurm.conf)" in text, text


def test_a_header_without_rows_is_told(folder):
    assert "sacct.txt: warning: no row of it is a job" in rehearse("run", make_site(folder, rows=0), check=0).stderr


def test_enforced_accounts_that_nobody_knows_are_told(folder):
    site = make_site(folder)
    with open(site / "slurm.conf", "a", encoding="utf-8") as file:
        file.write("AccountingStorageType=accounting_storage/slurmdbd\nAccountingStorageEnforce=associations\n")
    said = rehearse("check", site, check=0).stderr
    assert "none is known: all jobs are refused" in said and "sacctmgr dump" in said, said
    assert "none is known" not in rehearse("check", site, "--set", "AccountingStorageEnforce=none", check=0).stderr


def test_a_format_that_is_none_is_told_what_was_meant(folder):
    (folder / "a.swf").write_text("")
    assert "did you mean 'philly'?" in rehearse("import", "phily", folder / "a.swf", "-o", folder / "new", check=3).stderr
    assert "known are acme, eagle" in rehearse("import", "xml", folder / "a.swf", "-o", folder / "new", check=3).stderr


def test_swf_names_the_option_that_it_needs(folder):
    (folder / "a.swf").write_text("; Version: 2.2\n1 0 0 10 4 -1 -1 4 20 -1 1 1 1 -1 1 1 -1 -1\n")
    said = rehearse("import", "swf", folder / "a.swf", "-o", folder / "new", check=3).stderr
    assert "--processors-per-node" in said, said
    rehearse("import", "swf", folder / "a.swf", "--processors-per-node", "4", "-o", folder / "new", check=0)


if __name__ == "__main__":
    main(globals())
