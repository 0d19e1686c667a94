# tests/config_errors/sacct_is_a_folder/make.py — a folder of the name of a file
import pathlib
import sys

(pathlib.Path(sys.argv[1]) / "sacct.txt").mkdir()
