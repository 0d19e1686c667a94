#!/usr/bin/env python3
# tests/fuzz/corpus.py — corpora between their text (corpus/TARGET.txt) and folders as libFuzzer has them.
"""usage: corpus.py seeds TARGET FOLDER     the corpus, and the repository's own examples, as files
       corpus.py keep TARGET FOLDER [BYTES] the files of FOLDER as the corpus, shortest first, to BYTES in all
       corpus.py words TARGET FILE          a dictionary: the words in the reader's source
       corpus.py add TARGET FILE NAME       FILE (a finding) to the corpus, under a comment
"""
import hashlib
import pathlib
import re
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
# Of each target: examples in the repository, and the sources whose words make its dictionary.
TARGETS = {
    "cgroup_conf": (["**/cgroup.conf"], ["sim/config/cgroup_conf.cpp"]),
    "compressed": (["workloads/samples/sacct/*.*z*"], []),
    "conditions": (["configs/studies/*.yaml"], ["sim/study/comparison/condition.cpp", "sim/study/comparison/figures.cpp",
                                                "sim/output/kpi/definitions.cpp"]),
    "controller_log": (["tests/data/recordings/*/slurmctld.log"], ["workloads/controller_log.cpp",
                                                                   "workloads/logged_reservations.cpp"]),
    "edited_conf": ([], ["sim/config/known_keys*.cpp", "sim/config/reconfiguration.cpp", "sim/config/slurm_conf*.cpp"]),
    "events_csv": (["configs/**/events.csv", "tests/**/events.csv"], ["sim/controller/*command*.cpp", "sim/controller/admin*.cpp", "sim/config/reconfiguration.cpp",
                                                                      "sim/config/reservation*.cpp"]),
    "generator": (["configs/generators/*.yaml"], ["workloads/generator/generator_keys.cpp"]),
    "gpu_catalogue": (["models/gpu/*.yaml"], ["models/gpu/catalogue_reader.cpp"]),
    "gres_conf": (["**/gres.conf"], ["sim/config/gres_conf.cpp"]),
    "hostlist": ([], []),
    "imports": (["workloads/samples/[!s]*/*.csv", "workloads/samples/*/*.json"], ["workloads/*.cpp"]),
    "reservations": (["**/reservations.txt"], ["sim/config/reservation*.cpp"]),
    "sacct_json": ([], ["workloads/json_rows.cpp", "workloads/sacct_columns.cpp"]),
    "sacct_text": (["workloads/samples/sacct/*.txt", "tests/data/recordings/*/sacct.txt"],
                   ["workloads/sacct_columns.cpp", "workloads/record_reader.cpp"]),
    "sacctmgr_dump": (["**/assoc.dump"], ["sim/config/sacctmgr_*.cpp", "sim/config/accounting_cell.cpp"]),
    "sacctmgr_tables": (["**/assoc.txt", "**/qos.txt", "**/usage.txt", "**/node_events.txt", "**/runtimes.csv"],
                        ["sim/config/qos_table.cpp", "sim/config/assoc_*.cpp", "sim/config/usage_table.cpp"]),
    "sdiag": (["**/sdiag.txt"], ["sim/config/sdiag_table.cpp"]),
    "site_folder": ([], ["sim/study/snapshot_files.cpp", "sim/study/load_site.cpp", "workloads/recorded_tables.cpp", "workloads/logged_*.cpp",
                         "workloads/sacct_columns.cpp"]),
    "site_yaml": (["configs/sites/*/site.yaml", "configs/scenarios/**/*.yaml", "tests/**/site.yaml"],
                  ["sim/config/*_keys.cpp", "sim/config/performance_conf.cpp"]),
    "slurm_conf": (["**/slurm.conf"], ["sim/config/known_keys*.cpp", "sim/config/slurm_conf*.cpp",
                                       "sim/config/scheduler_parameters.cpp"]),
    "study_yaml": (["configs/studies/*.yaml"], ["sim/study/study_conf.cpp"]),
    "submit_line": (["tests/data/submit_lines.txt"], ["sim/config/sbatch_*.cpp", "sim/controller/dependencies.cpp"]),
    "swf": (["workloads/samples/swf/*.swf"], ["workloads/swf.cpp"]),
    "topology_conf": (["**/topology.conf"], ["sim/config/topology_conf.cpp"]),
    "words": ([], ["sim/config/time_words.cpp", "sim/config/units.cpp", "sim/config/tres_text.cpp"]),
}
LONGEST = 1500  # bytes of a seed: long inputs make the fuzzer slow, not thorough


def escaped(data):
    names = {ord("\n"): "\\n", ord("\t"): "\\t", ord("\r"): "\\r", ord("\\"): "\\\\"}
    line = "".join(names.get(b) or (chr(b) if 32 <= b < 127 else f"\\x{b:02x}") for b in data)
    return "\\x23" + line[1:] if line.startswith("#") else line


def unescaped(line):
    plain = {"n": b"\n", "t": b"\t", "r": b"\r", "\\": b"\\"}
    return b"".join(plain.get(m[1]) or bytes([int(m[2], 16)]) if m[1] or m[2] else m[0].encode()
                    for m in re.finditer(r"\\(?:([ntr\\])|x([0-9a-f]{2}))|[^\\]+", line))


def corpus_file(target):
    return ROOT / "tests/fuzz/corpus" / f"{target}.txt"


def corpus_lines(target):
    file = corpus_file(target)
    return file.read_text(encoding="ascii").splitlines() if file.exists() else []


def write(folder, data):
    (folder / hashlib.sha1(data).hexdigest()).write_bytes(data)


def seeds(target, folder):
    folder = pathlib.Path(folder)
    folder.mkdir(parents=True, exist_ok=True)
    for line in corpus_lines(target):
        if not line.startswith("# "):
            write(folder, unescaped(line))
    examples = [file for pattern in TARGETS[target][0] for file in sorted(ROOT.glob(pattern))
                if not file.relative_to(ROOT).parts[0].startswith("build") and file.is_file()]
    for file in examples:
        data = file.read_bytes()
        write(folder, data[:LONGEST])
        if target in ("submit_line", "conditions"):
            for line in data.splitlines()[:400]:
                write(folder, line)


def findings_of(target):
    """The comment and the line of each finding that is kept by hand."""
    lines = corpus_lines(target)
    return [(lines[i], lines[i + 1]) for i in range(len(lines) - 1) if lines[i].startswith("# ")]


def keep(target, folder, most="24000"):
    named = findings_of(target)
    inputs = sorted((file.read_bytes() for file in pathlib.Path(folder).iterdir()), key=lambda data: (len(data), data))
    lines, size = [], 0
    for data in inputs:
        line = escaped(data)
        size += len(line)
        if size > int(most):
            break
        lines.append(line)
    known = {line for _, line in named}
    text = [part for pair in named for part in pair] + [line for line in lines if line not in known]
    corpus_file(target).write_text("".join(line + "\n" for line in text), encoding="ascii")


def words(target, file):
    found = set()
    for pattern in TARGETS[target][1]:
        for source in ROOT.glob(pattern):
            found |= set(re.findall(r'"([A-Za-z_][A-Za-z0-9_=/.:-]{2,40})"', source.read_text(encoding="utf-8")))
    text = "# the words in the source of the reader\n" + "".join(f'"{word}"\n' for word in sorted(found))
    pathlib.Path(file).write_text(text, encoding="utf-8")


def add(target, file, name):
    line = escaped(pathlib.Path(file).read_bytes())
    text = [part for pair in [*findings_of(target), (f"# {name}", line)] for part in pair]
    rest = [each for each in corpus_lines(target) if each not in text]
    corpus_file(target).write_text("".join(each + "\n" for each in [*text, *rest]), encoding="ascii")


if __name__ == "__main__":
    verbs = {"seeds": seeds, "keep": keep, "words": words, "add": add}
    if len(sys.argv) < 4 or sys.argv[1] not in verbs or sys.argv[2] not in TARGETS:
        sys.exit(__doc__)
    verbs[sys.argv[1]](*sys.argv[2:])
