# tests/report/in_a_browser.py — pages made and opened: drawn, answered, filtered, printed to nobody.
"""Makes three pages (a run of a small site whose names are scripts, a comparison, a run of 100,000 jobs) and
opens them in Chromium (page_test.mjs)."""
import os
import pathlib
import subprocess
import sys
import tempfile

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "journeys"))
from compare import COLUMNS, CONF as CROWDED, make_crowd, stamp  # noqa: E402
from journey import ROOT, rehearse  # noqa: E402

JOBS = 100_000
CONF = """ClusterName=large
SlurmctldHost=ctl
SelectType=select/cons_tres
SelectTypeParameters=CR_Core
GresTypes=gpu
NodeName=n[001-064] CPUs=64 RealMemory=512000 Gres=gpu:h100:8
PartitionName=batch Nodes=ALL Default=YES MaxTime=1-0
"""


def make_late(site):
    """Recorded starts that are not the submissions, and two names that are scripts."""
    lines = (site / "sacct.txt").read_text().splitlines()
    rows = [line.split("|") for line in lines[1:]]
    for i, row in enumerate(rows):
        row[7], row[6] = row[6], row[6][:14] + "00:00"
        if i % 3 == 0:
            row[2], row[3] = "<script>alert(1)</script>", "</script><script>window.broken=1</script>"
    (site / "sacct.txt").write_text("\n".join([lines[0]] + ["|".join(row) for row in rows]) + "\n")


def make_large(folder):
    """A month of 100,000 jobs of one GPU that hardly wait."""
    site = folder / "large"
    site.mkdir()
    (site / "slurm.conf").write_text(CONF)
    rows = [COLUMNS]
    tres = "billing=1,cpu=1,gres/gpu=1,node=1"
    for i in range(JOBS):
        at, length = i * 2_500_000 // JOBS, 1800 + i * 7919 % 14400
        rows.append(f"{i + 1}|{i + 1}|u{i % 97}|a{i % 13}|batch|normal|{stamp(at)}|{stamp(at)}|{stamp(at + length)}|{length}|"
                    f"300|COMPLETED|0:0|1|1|{tres}|{tres}")
    (site / "sacct.txt").write_text("\n".join(rows) + "\n")
    return site


def main():
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        site = make_crowd(folder, "crowd", jobs=400, conf=CROWDED.replace("bf_window=2880", "bf_window=2880,allow_zero_lic"))
        rehearse("compare", site, "--set-b", "PriorityWeightFairshare=0", "--html", folder / "compare.html", check=0)
        make_late(site)
        rehearse("run", site, "-o", folder / "run.h5", check=0)
        rehearse("report", folder / "run.h5", "--site", site, "-o", folder / "run.html", check=0)
        rehearse("run", make_large(folder), "-o", folder / "large.h5", check=0)
        rehearse("report", folder / "large.h5", "-o", folder / "large.html", check=0)
        size = (folder / "large.html").stat().st_size
        assert size < 4_000_000, f"the page of {JOBS} jobs has {size} bytes"
        pages = [folder / page for page in ("run.html", "compare.html", "large.html")]
        done = subprocess.run(["node", ROOT / "tests/report/page_test.mjs", *pages, *sys.argv[1:]], check=False, timeout=300,
                              env={**os.environ, "HOME": str(folder)})
        sys.exit(done.returncode)


if __name__ == "__main__":
    main()
