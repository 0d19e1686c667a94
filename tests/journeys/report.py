# tests/journeys/report.py — the page of a run as text: it is whole, asks nobody, and no name breaks out of it.
# What it looks like is the question of tests/report, in a browser.
import html
import re

from compare import make_crowd
from first_run import make_site
from journey import main, rehearse
from sweep import make_study

EVIL = "<script>alert(1)</script>"
JOBS = 400


def make_page(folder, *options):
    out = folder / "out.h5"
    rehearse("run", make_crowd(folder, "crowd", jobs=JOBS), "-o", out, check=0)
    rehearse("report", out, "-o", folder / "page.html", *options, check=0)
    return (folder / "page.html").read_text(encoding="utf-8")


def test_the_page_asks_no_host_for_anything(folder):
    page = make_page(folder)
    policy = re.search(r'Content-Security-Policy content="([^"]*)"', page).group(1)
    assert policy.startswith("default-src 'none'; script-src '") and "unsafe-eval" not in policy
    tags = re.sub(r"<script>.*?</script>|<pre>.*?</pre>|<style>.*?</style>", "", page, flags=re.S)
    assert not re.search(r"""(src|href|action)\s*=\s*["']?(https?:)?//""", tags)
    assert page.count("<script") <= 2


def test_the_same_run_gives_the_same_page(folder):
    first = make_page(folder)
    rehearse("report", folder / "out.h5", "-o", folder / "again.html", check=0)
    assert (folder / "again.html").read_text(encoding="utf-8") == first


def test_the_figures_of_the_page_are_those_of_the_run(folder):
    page = html.unescape(make_page(folder))
    summary = rehearse("compare", folder / "out.h5", folder / "out.h5", "-P", check=0).stdout
    mean = next(row.split("|") for row in summary.splitlines() if "|wait_mean|" in row and row.startswith("all"))
    seconds = float(mean[4])
    words = f"{seconds:.0f}s" if seconds < 100 else f"{seconds / 60:.0f}m" if seconds < 6000 else f"{seconds / 3600:.1f}h"
    assert seconds > 600 and f"A job waits {words} on average" in page, words
    for word in ("Open replay", "What is missing: the site folder", "rehearse run", "Who waits longest?"):
        assert word in page, word


def test_a_name_that_is_a_script_stays_a_name(folder):
    site = make_site(folder)
    text = (site / "sacct.txt").read_text().replace("|ann|ml|", f"|{EVIL}|</script><img src=x onerror=alert(2)>|")
    (site / "sacct.txt").write_text(text)
    rehearse("run", site, "-o", folder / "out.h5", check=0)
    page = rehearse("report", folder / "out.h5", "-o", "-", check=0).stdout
    ours = page[:page.rfind("<script>")]  # behind it stands the script that draws
    assert EVIL not in ours and "<img" not in ours and "</script><img" not in page
    assert html.escape(EVIL) in page


def test_a_sweep_shows_how_the_figures_move(folder):
    rehearse("sweep", make_study(folder), "-o", folder / "moves.sqlite", check=0)
    rehearse("run", folder / "mine", "-o", folder / "out.h5", check=0)
    assert "What it hangs on" not in rehearse("report", folder / "out.h5", "-o", "-", check=0).stdout
    page = html.unescape(rehearse("report", folder / "out.h5", "--sensitivity", folder / "moves.sqlite", "-o", "-", check=0).stdout)
    assert "What it hangs on" in page and "9 points of a sweep" in page
    table = page[page.index('id="sensitivity-table"'):]
    rows = [re.findall("<td[^>]*>([^<]*)</td>", row) for row in table[:table.index("</table>")].split("<tr")[2:]]
    waits = {(row[1], row[2]): row[3:] for row in rows if row[0] == "mean wait from submission"}
    assert set(waits) == {("nodes", "1"), ("nodes", "2"), ("nodes", "3"), ("size", "0"), ("size", "1000"), ("size", "100000")}, waits
    order = [row[1] for row in rows if row[0] == "mean wait from submission"]
    assert order[0] == "nodes", "what matters most stands first"
    assert all(row[0] == "3" for row in waits.values()), waits
    done = rehearse("report", folder / "out.h5", "--sensitivity", folder / "out.h5", "-o", "-", check=3)
    assert "is not a registry" in done.stderr, done.stderr
    assert "does not exist" in rehearse("report", folder / "out.h5", "--sensitivity", folder / "no", "-o", "-", check=3).stderr


def test_a_site_that_recorded_starts_is_held_against_them(folder):
    make_page(folder)
    rehearse("report", folder / "out.h5", "--site", folder / "crowd", "-o", folder / "held.html", check=0)
    page = html.unescape((folder / "held.html").read_text(encoding="utf-8"))
    assert "there are no waits to hold a run against" in page, "every job of the crowd starts at its submission"
    rows = (folder / "crowd" / "sacct.txt").read_text().splitlines()
    late = [re.sub(r"\|normal\|(2025-01-0\dT\d\d):(\d\d):(\d\d)\|\S+?\|", r"|normal|\1:00:00|\1:\2:\3|", row) for row in rows]
    (folder / "crowd" / "sacct.txt").write_text("\n".join(late) + "\n")
    done = rehearse("report", folder / "out.h5", "--site", folder / "crowd", "-o", folder / "held.html", check=3)
    assert "its jobs are not those" in done.stderr
    rehearse("run", folder / "crowd", "-o", folder / "out.h5", check=0)
    rehearse("report", folder / "out.h5", "--site", folder / "crowd", "-o", folder / "held.html", check=0)
    page = html.unescape((folder / "held.html").read_text(encoding="utf-8"))
    told = rehearse("calibrate", folder / "crowd", check=0).stdout
    assert "does not reproduce the recorded waits" in page and "does not reproduce the recorded waits" in " ".join(told.split())
    rehearse("run", folder / "crowd", "--set", "PriorityWeightFairshare=0", "-o", folder / "out.h5", check=0)
    rehearse("report", folder / "out.h5", "--site", folder / "crowd", "-o", folder / "held.html", check=0)
    assert "The run is not of the site as it is" in html.unescape((folder / "held.html").read_text(encoding="utf-8"))


def test_a_comparison_is_a_page_too(folder):
    site = make_crowd(folder, "crowd", jobs=JOBS)
    done = rehearse("compare", site, "--set-b", "PriorityWeightFairshare=0", "--html", folder / "page.html", check=0)
    page = html.unescape((folder / "page.html").read_text(encoding="utf-8"))
    assert done.stdout.split("\n", 1)[0][:40] in page, "the verdict of the terminal"
    for word in ("Who loses, who gains", "PriorityWeightFairshare", "what is different", "Under B"):
        assert word.lower() in page.lower(), word


def test_another_day_can_be_asked_for_and_one_outside_is_refused(folder):
    assert "2025-01-02: which job held which GPU" in make_page(folder, "--day", "2025-01-02")
    for wrong in ("2031-01-01", "tomorrow"):
        done = rehearse("report", folder / "out.h5", "--day", wrong, "-o", folder / "page.html", check=2)
        assert "is not a day of the run" in done.stderr and "it goes from 20" in done.stderr


def test_what_cannot_be_read_or_written_leaves_no_page(folder):
    (folder / "x.h5").write_text("")
    assert "x.h5" in rehearse("report", folder / "x.h5", "-o", folder / "page.html", check=3).stderr
    make_page(folder)
    assert "cannot be written" in rehearse("report", folder / "out.h5", "-o", folder / "no" / "page.html", check=1).stderr
    assert rehearse("report", folder / "out.h5", check=2).stdout == ""
    assert not list(folder.glob("*.part"))


if __name__ == "__main__":
    main(globals())
