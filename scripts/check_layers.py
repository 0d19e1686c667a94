#!/usr/bin/env python3
# scripts/check_layers.py — includes go down, never up, never sideways; a library stays on its floor.
"""Checks every #include of sim/, models/ and workloads/ against the two tables below.

usage: check_layers.py [ROOT]      prints file:line: error: …, exit 1 where there is one
       check_layers.py --self-test proves that each rule can fail
"""
import pathlib
import re
import sys
import tempfile

# The house. A room may include itself and every room of a lower floor; equal floors are strangers.
FLOORS = {
    "sim/core": 0,
    "sim/config": 1,
    "sim/cluster": 2,
    "sim/sched/reservations": 2.5,
    "sim/sched": 3,
    "models": 3,
    "sim/controller": 4,
    "workloads": 5,
    "sim/output": 5,
    "sim/study": 6,
    "sim/app": 7,
}

ANYWHERE = ("",)
SYSTEM = ("sim/output", "sim/study", "sim/app", "workloads")
# A third-party header's prefix, and the paths that may include it. What is not listed is refused.
LIBRARIES = {
    "fmt/": ANYWHERE,
    "yaml-cpp/": ("sim/config/",),
    "hdf5": ("sim/output/",),
    "H5": ("sim/output/",),
    "sqlite3.h": ("sim/output/", "sim/study/registry"),
    "archive": ("workloads/", "sim/output/text_file.cpp"),
    "tbb/": ("sim/study/",),
    "oneapi/": ("sim/study/",),
    "CLI/": ("sim/app/",),
    "spdlog/": ("sim/study/", "sim/app/"),
    "nlohmann/": ("workloads/", "sim/output/", "sim/study/", "sim/app/"),
    "boost/": (),  # a .cpp file, or one of the headers below
    "date/": (),  # a .cpp file
    "unistd.h": SYSTEM, "poll.h": SYSTEM,
    "sys/": SYSTEM,
    "fcntl.h": SYSTEM,
    "cxxabi.h": ("sim/core/",),
}
IN_SOURCES = ("boost/", "date/")
IN_HEADERS = {"boost/": ("sim/core/bitset.hpp",)}

INCLUDE = re.compile(r'^\s*#\s*include\s*([<"])([^>"]+)[>"]')
STANDARD = re.compile(r"^[a-z_]+$")  # <vector>; C's headers are <cstdint>, never <stdint.h>


def room_of(path):
    """The room that `path` lies in, or none."""
    rooms = [room for room in FLOORS if path.startswith(room + "/")]
    return max(rooms, key=len, default=None)


def library_error(path, header):
    """Why `path` may not include the third-party `header`, or none."""
    if STANDARD.match(header):
        return None
    for prefix, places in LIBRARIES.items():
        if not header.startswith(prefix):
            continue
        if prefix in IN_SOURCES and path.endswith(".cpp"):
            return None
        if path in IN_HEADERS.get(prefix, ()):
            return None
        if any(path.startswith(place) for place in places):
            return None
        where = ", ".join(places) or "a .cpp file"
        return f"<{header}> is included in {where} only"
    return f"<{header}> is in no table: add its library to scripts/check_layers.py, with its floor"


def include_error(root, path, header):
    """Why `path` may not include the project's own `header`, or none."""
    if not (root / header).is_file():
        return f'"{header}" is not a file: includes are written from the root'
    here, there = room_of(path), room_of(header)
    if there is None:
        return f'"{header}" belongs to no room that {here} may include'
    if there == here or FLOORS[there] < FLOORS[here]:
        return None
    direction = "sideways" if FLOORS[there] == FLOORS[here] else "up"
    return f'"{header}" goes {direction}: {here} is floor {FLOORS[here]}, {there} floor {FLOORS[there]}'


def check(root):
    """Every error as text, in the order of files and lines."""
    errors = []
    for top in ("sim", "models", "workloads"):
        for file in sorted((root / top).rglob("*")):
            if file.suffix not in (".cpp", ".hpp"):
                continue
            path = file.relative_to(root).as_posix()
            if room_of(path) is None:
                errors.append(f"{path}:1: error: this folder is in no room of the house")
                continue
            for number, line in enumerate(file.read_text(encoding="utf-8").splitlines(), 1):
                found = INCLUDE.match(line)
                if not found:
                    continue
                form, header = found.groups()
                error = (library_error(path, header) if form == "<"
                         else include_error(root, path, header))
                if error:
                    errors.append(f"{path}:{number}: error: {error}")
    return errors


GOOD = {
    "sim/core/time.hpp": "#include <chrono>\n",
    "sim/core/bitset.hpp": "#include <boost/dynamic_bitset.hpp>\n",
    "models/gpu/mig.hpp": '#include "sim/core/time.hpp"\n#include <fmt/format.h>\n',
    "sim/sched/queue.cpp": '#include "sim/core/time.hpp"\n#include <boost/container/flat_map.hpp>\n',
    "sim/app/run.cpp": '#include "models/gpu/mig.hpp"\n#include <CLI/CLI.hpp>\n',
}
BAD = {  # one broken line, and a part of what must be said of it
    "up": ("sim/core/a.cpp", '#include "sim/sched/queue.hpp"', "goes up"),
    "sideways": ("sim/sched/a.cpp", '#include "models/gpu/mig.hpp"', "goes sideways"),
    "records and inputs": ("workloads/a.cpp", '#include "sim/output/kpi.hpp"', "goes sideways"),
    "not from the root": ("sim/sched/a.cpp", '#include "queue.hpp"', "is not a file"),
    "a test": ("sim/sched/a.cpp", '#include "tests/unit/a.hpp"', "belongs to no room"),
    "yaml above config": ("sim/cluster/a.cpp", "#include <yaml-cpp/yaml.h>", "sim/config/ only"),
    "hdf5 in study": ("sim/study/a.cpp", "#include <hdf5.h>", "sim/output/ only"),
    "boost in a header": ("sim/sched/a.hpp", "#include <boost/any.hpp>", "a .cpp file only"),
    "date in a header": ("workloads/a.hpp", "#include <date/tz.h>", "a .cpp file only"),
    "command line in study": ("sim/study/a.cpp", "#include <CLI/CLI.hpp>", "sim/app/ only"),
    "a stranger": ("sim/core/a.cpp", "#include <openssl/md5.h>", "in no table"),
    "a folder of no room": ("sim/misc/a.cpp", "", "in no room"),
}


def write(root, files):
    for path, text in files.items():
        (root / path).parent.mkdir(parents=True, exist_ok=True)
        (root / path).write_text(text, encoding="utf-8")


def self_test():
    """Each rule fails where it must, and only there."""
    extra = {"sim/sched/queue.hpp": "", "sim/output/kpi.hpp": "", "tests/unit/a.hpp": ""}
    failed = 0
    for name, (path, line, part) in {"the good tree": (None, "", ""), **BAD}.items():
        with tempfile.TemporaryDirectory() as folder:
            root = pathlib.Path(folder)
            write(root, {**GOOD, **extra, **({path: line + "\n"} if path else {})})
            errors = check(root)
        expected = 1 if path else 0
        if len(errors) != expected or (errors and part not in errors[0]):
            failed += 1
            print(f"self-test '{name}': expected {expected} error with '{part}', got {errors}")
    print(f"self-test: {len(BAD) + 1} trees, {failed} failed")
    return failed == 0


def main():
    if sys.argv[1:] == ["--self-test"]:
        return 0 if self_test() else 1
    root = pathlib.Path(sys.argv[1] if len(sys.argv) > 1 else pathlib.Path(__file__).parent.parent)
    errors = check(root)
    print("\n".join(errors) if errors else "layers: every include goes down")
    return 1 if errors else 0


if __name__ == "__main__":
    sys.exit(main())
