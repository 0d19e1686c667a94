# tests/readers/made.py — a result file in a folder of its own, and skipping where a module is missing.
import pathlib
import subprocess
import sys
import tempfile

START = 1_800_000_000  # of the small result


def result_file():
    """The file that make_result (the first argument) writes; its folder lives as long as the process."""
    folder = tempfile.TemporaryDirectory()
    result_file.folders.append(folder)
    path = pathlib.Path(folder.name) / "small.h5"
    subprocess.run([sys.argv[1], str(path)], check=True)
    return path


result_file.folders = []


def need(*modules):
    """The modules, or exit 77: skipped."""
    try:
        return [__import__(module, fromlist=["_"]) for module in modules]
    except ImportError as missing:
        print(f"skipped: {missing}")
        sys.exit(77)
