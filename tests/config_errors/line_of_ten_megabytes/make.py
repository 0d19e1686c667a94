# tests/config_errors/line_of_ten_megabytes/make.py — one value of 10 MB
import pathlib
import sys

site = pathlib.Path(sys.argv[1])
with open(site / "slurm.conf", "a") as file:
    file.write("NoSuchKey=" + "x" * 10_000_000 + "\n")
