# tests/config_errors/run.py — each folder is a broken site, and what is said of it, to the byte.
"""A case is a folder whose name is the claim:

  expect.txt     stderr of `rehearse check SITE`, exactly; SITE stands for the path.
                 A line `[…]` stands for any lines.
  base           optional: the folder of bases/ that is copied first (default: minimal)
  exit           optional: the exit code (default: 3); 0 for what is only warned of
  remove         optional: files of the base that are removed, one a line
  make.py        optional: called with the site's folder, writes what cannot be kept in git
  NAME.append    optional: is appended to the site's file NAME
  anything else  is put into the site

usage: run.py [--accept CLAIM…] [CLAIM…]     REHEARSE_BINARY is the program
"""
import difflib
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
BINARY = os.environ.get("REHEARSE_BINARY", str(HERE.parent.parent / "build" / "dev" / "rehearse"))
OWN = {"expect.txt", "base", "exit", "remove", "make.py"}
BAD_INPUT = 3


def make_site(case, site):
    """The base with the case's files over it."""
    base = (case / "base").read_text().strip() if (case / "base").exists() else "minimal"
    shutil.copytree(HERE / "bases" / base, site)
    for name in (case / "remove").read_text().split() if (case / "remove").exists() else []:
        (site / name).unlink()
    for item in sorted(case.iterdir()):
        if item.name not in OWN:
            if item.suffix == ".append":
                with open(site / item.stem, "ab") as file:
                    file.write(item.read_bytes())
            elif item.is_dir():
                shutil.copytree(item, site / item.name)
            else:
                shutil.copyfile(item, site / item.name)
    if (case / "make.py").exists():
        subprocess.run([sys.executable, str(case / "make.py"), str(site)], check=True)


def actual_of(case):
    """(exit code, stderr with SITE for the path)."""
    with tempfile.TemporaryDirectory() as scratch:
        site = pathlib.Path(scratch) / "site"
        make_site(case, site)
        done = subprocess.run([BINARY, "check", str(site)], capture_output=True, text=True, errors="replace",
                              env={**os.environ, "NO_COLOR": "1"}, check=False)
        return done.returncode, done.stderr.replace(str(site), "SITE")


def matches(expected, actual):
    """Equal, but for `[…]` lines."""
    pattern = "".join(r"(?:.*\n)*?" if line == "[…]" else re.escape(line) + "\n"
                      for line in expected.splitlines())
    return re.fullmatch(pattern, actual) is not None


def run_case(case, accept):
    code, actual = actual_of(case)
    if accept:
        (case / "expect.txt").write_text(actual, encoding="utf-8")
        print(f"accepted {case.name} (exit {code})")
    expected = (case / "expect.txt").read_text(encoding="utf-8") if (case / "expect.txt").exists() else ""
    wanted = int((case / "exit").read_text()) if (case / "exit").exists() else BAD_INPUT
    if code != wanted:
        print(f"FAILED {case.name}: exit {code}, not {wanted}\n{actual[:2000]}")
        return False
    if not matches(expected, actual):
        print(f"FAILED {case.name}")
        print("\n".join(difflib.unified_diff(expected.splitlines(), actual[:20000].splitlines(), "expected", "actual",
                                             lineterm="", n=1)))
        return False
    return True


def main():
    arguments = sys.argv[1:]
    accept = bool(arguments) and arguments[0] == "--accept"
    wanted = arguments[1:] if accept else arguments
    cases = [HERE / name for name in wanted] or sorted(
        path for path in HERE.iterdir() if path.is_dir() and path.name not in ("bases", "__pycache__"))
    if accept and not wanted:
        print("run.py --accept needs the claims to accept", file=sys.stderr)
        return 2
    failed = sum(not run_case(case, accept) for case in cases)
    print(f"config errors: {len(cases)} cases, {failed} failed")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
