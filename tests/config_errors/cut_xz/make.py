# tests/config_errors/cut_xz/make.py — an .xz stream that ends too early
import pathlib
import sys

site = pathlib.Path(sys.argv[1])
import lzma
import random

text = "".join(random.Random(1).choices("0123456789abcdef|", k=100_000))
(site / "sacct.txt.xz").write_bytes(lzma.compress(text.encode())[:20_000])
