# tests/config_errors/sacct_in_utf16/make.py — sacct text that a Windows program saved
import pathlib
import sys

file = pathlib.Path(sys.argv[1]) / "sacct.txt"
file.write_bytes(file.read_text().encode("utf-16"))
