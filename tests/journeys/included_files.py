# tests/journeys/included_files.py — a site whose slurm.conf is spread over several files, as most are.
from first_run import make_site

from journey import main, rehearse

PARTITION = "PartitionName=batch Nodes=n1 Default=YES MaxTime=1-0\n"


def make_spread_site(folder, include="Include conf.d/partitions.conf\n"):
    """The site of first_run with nodes, partitions and GPUs in files of their own."""
    site = make_site(folder)
    text = (site / "slurm.conf").read_text()
    node = next(line for line in text.splitlines(keepends=True) if line.startswith("NodeName="))
    (site / "conf.d").mkdir()
    (site / "conf.d" / "nodes.conf").write_text(node)
    (site / "conf.d" / "partitions.conf").write_text(PARTITION)
    (site / "conf.d" / "gpus.conf").write_text("NodeName=n1 Name=gpu Type=a100 File=/dev/nvidia[0-1]\n")
    (site / "gres.conf").write_text("include conf.d/gpus.conf\n")
    (site / "slurm.conf").write_text(text.replace(node, "include conf.d/nodes.conf\n").replace(PARTITION, include))
    return site


def schedule(text):
    return next(line for line in text.splitlines() if line.startswith("schedule fingerprint"))


def test_it_runs_as_if_it_were_one_file(folder):
    (folder / "one").mkdir()
    one = rehearse("run", make_site(folder / "one"), check=0).stdout
    spread = rehearse("run", make_spread_site(folder), "-o", folder / "out.h5", check=0).stdout
    assert schedule(one) == schedule(spread), spread


def test_info_names_every_file(folder):
    rehearse("run", make_spread_site(folder), "-o", folder / "out.h5", check=0)
    text = rehearse("info", folder / "out.h5", check=0).stdout
    for name in ("slurm.conf (slurm.conf)", "conf.d/nodes.conf (slurm.conf)", "conf.d/partitions.conf (slurm.conf)",
                 "gres.conf (gres.conf)", "conf.d/gpus.conf (gres.conf)"):
        assert name in text, (name, text)


def test_compare_finds_the_included_file_that_differs(folder):
    site = make_spread_site(folder)
    rehearse("run", site, "-o", folder / "a.h5", check=0)
    (site / "conf.d" / "gpus.conf").write_text("NodeName=n1 Name=gpu Type=a100 File=/dev/nvidia[0-1] Cores=0-7\n")
    rehearse("run", site, "-o", folder / "b.h5", check=0)
    text = rehearse("compare", folder / "a.h5", folder / "b.h5", check=0).stdout
    assert "conf.d/gpus.conf" in text and "Cores=0-7" in text, text


def test_a_file_may_be_included_twice(folder):
    site = make_spread_site(folder)
    (site / "conf.d" / "empty.conf").write_text("# nothing\n")
    with open(site / "slurm.conf", "a", encoding="utf-8") as file:
        file.write("Include conf.d/empty.conf\nInclude conf.d/empty.conf\n")
    rehearse("run", site, "-o", folder / "out.h5", check=0)
    assert rehearse("info", folder / "out.h5", check=0).stdout.count("empty.conf") == 1


def test_an_absolute_path_is_that_of_the_folder_s_own_copy(folder):
    """As `Include /etc/slurm/…` in a copy of /etc/slurm, wherever it is read."""
    elsewhere = folder / "etc" / "conf.d"
    elsewhere.mkdir(parents=True)
    (elsewhere / "partitions.conf").write_text("this is another machine's\n")
    site = make_spread_site(folder, f"Include {elsewhere}/partitions.conf\n")
    text = rehearse("check", site, check=0).stdout
    assert "1 partitions" in text, text
    (site / "conf.d" / "partitions.conf").rename(site / "partitions.conf")
    assert "1 partitions" in rehearse("check", site, check=0).stdout
    (site / "partitions.conf").unlink()
    assert "is not Key=Value" in rehearse("check", site, check=3).stderr


def test_an_absolute_path_that_is_nowhere_is_told_where_to_go(folder):
    site = make_spread_site(folder, "Include /etc/slurm-of-nobody/partitions.conf\n")
    (site / "conf.d" / "partitions.conf").unlink()
    said = rehearse("check", site, check=3).stderr
    assert "copy it into the folder, as partitions.conf" in said, said


def test_a_pattern_is_told_to_be_none(folder):
    said = rehearse("check", make_spread_site(folder, "Include conf.d/part*.conf\n"), check=3).stderr
    assert "an Include for each file" in said, said


if __name__ == "__main__":
    main(globals())
