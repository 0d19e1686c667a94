#!/usr/bin/env python3
# scripts/check_style.py — what the house style bans, by file and line.
"""usage: check_style.py [ROOT]      prints file:line: error: …, exit 1 where there is one
       check_style.py --self-test proves that each rule can fail
"""
import pathlib
import re
import sys
import tempfile

# What must not stand in sim/ and models/: (pattern, its name, use instead, what may).
CODE_BANS = [
    (r"\b(system_clock|steady_clock|high_resolution_clock|gettimeofday|clock_gettime|localtime(_r)?|"
     r"gmtime(_r)?|mktime)\b|\b(std::)?time\s*\(\s*(nullptr|NULL|0|&)|\bclock\s*\(\s*\)",
     "a wall clock", "simulated time (the engine's now)", ("sim/app/",)),
    (r"\b(std::)?(s?rand|rand_r|drand48)\s*\(|\brandom_device\b|\b(std::)?(mt19937(_64)?|minstd_rand0?|"
     r"default_random_engine)\b", "the library's chance", "Rng (sim/core/rng.hpp)", ()),
    (r"\bstd::\w+_distribution\b", "std::*_distribution", "Rng (its results are the same everywhere)", ()),
    (r"\bunordered_(multi)?(map|set)\b", "unordered_*", "a sorted vector, std::map or an id-indexed vector", ()),
    (r"\bstd::hash\b", "std::hash", "Fingerprint (sim/core/fingerprint.hpp)", ()),
    (r"\bfloat\b", "float", "double for weights and statistics, integers for all else", ()),
    (r"\b(shared_ptr|make_shared|weak_ptr)\b", "shared_ptr", "unique_ptr to own, a reference to use", ()),
    (r"^\s*(inline\s+)?(static|thread_local)\s+(?!(inline\s+)?(const|constexpr|constinit)\b)[^()]*[;={]",
     "a mutable static", "a member of what owns it", ()),
    (r"\b(getenv|secure_getenv|setlocale)\b|\bstd::locale\b", "the environment", "an option or site.yaml",
     ("sim/app/",)),
    (r"\busing\s+namespace\s+std\s*;", "using namespace std", "names", ()),
]
# Nor in tests/: cases run side by side, each in a process of its own.
TEST_BANS = [
    (r"\btemp_directory_path\b|\bTempDir\s*\(|\b(tmpnam|tempnam)\b", "a shared folder",
     "ScratchFolder (tests/unit/scratch_folder.hpp)", ("tests/unit/scratch_folder.hpp",)),
]
BANS = {"sim": CODE_BANS, "models": CODE_BANS, "tests": TEST_BANS}
BANS = {top: [(re.compile(pattern), *rest) for pattern, *rest in bans] for top, bans in BANS.items()}
TODO = re.compile(r"\b(TODO|FIXME|XXX)\b(?!\(#\d+\))")
# A type of namespace rehearse: at the start of a line, with its body.
TYPE = re.compile(r"^(?:class|struct|enum class|enum) (\w+)[^;]*\{")
LENGTHS = {".hpp": 200, ".cpp": 400}
# One word of an enumeration, a line each by clang-format: a long list is still one idea.
ENUMERATOR = re.compile(r"^ +[A-Z]\w*,$")
CODE = ("sim", "models", "workloads")
OPENING_FOLDERS = CODE + ("tests", "bench", "scripts")
# The texts that say what Slurm does; code cites their sections: `limits.md §6.4`, `priority.md §2, §5`.
REFERENCE = ("sim/sched/reference", "models")
CITING = (".cpp", ".hpp", ".py", ".md", ".yaml", ".case", ".txt")
SECTION = r"§\s*\d+(?:\.\d+)*(?:\s*[–-]\s*§?\s*\d+(?:\.\d+)*)?"
CITED = re.compile(rf"(?:\b([a-z][a-z-]*\.md)`?\s+)?({SECTION}(?:(?:,|;|\s+and|\s+or)?\s+{SECTION})*)")
NUMBER = re.compile(r"\d+(?:\.\d+)*")
HEADING = re.compile(r"^#+ (\d+(?:\.\d+)*)[. ]", re.M)
PAGES = ("sim", "models", "workloads", "configs", "results", "tests", "bench", "scripts")
LINK = re.compile(r"\]\(([^)#\s]+)(?:#[\w-]*)?\)")
COMMENT_MARK = re.compile(r"(?<=\n)[ \t]*(?://[/!<]*|#)")
LITERAL = re.compile(r'R"(\w*)\(.*?\)\1"|"(?:\\.|[^"\\\n])*"|(?<![0-9a-fA-F])\'(?:\\.|[^\'\\\n])\'|//[^\n]*|/\*.*?\*/',
                     re.S)


def without_comments_and_text(source):
    """The code alone, line for line: comments and literals become blanks."""
    return LITERAL.sub(lambda found: re.sub(r"[^\n]", " ", found.group()), source)


def banned(path, source):
    """(line, what) of everything in `source` that section 2 bans in `path`."""
    bans = BANS.get(path.split("/")[0], [])
    for number, line in enumerate(without_comments_and_text(source).splitlines(), 1):
        for pattern, name, instead, allowed in bans:
            if pattern.search(line) and not path.startswith(allowed or ("\0",)):
                yield number, f"{name} is banned here, use {instead}"


def opening_error(path, lines):
    """Why the file's first line is not its opening line, or none."""
    if lines and lines[0].startswith("#!"):
        lines = lines[1:]
    mark = "//" if path.endswith((".cpp", ".hpp")) else "#"
    first = lines[0] if lines else ""
    if first.startswith(f"{mark} {path} — ") and len(first) > len(f"{mark} {path} — "):
        return None
    return f"the first line must be '{mark} {path} — the idea in a sentence'"


def check_file(path, source):
    """(line, what) of every error of one file."""
    top, suffix = path.split("/")[0], pathlib.PurePath(path).suffix
    lines = source.splitlines()
    error = opening_error(path, lines)
    if error:
        yield 1, error
    if suffix not in LENGTHS:
        return
    yield from banned(path, source)
    length = sum(not ENUMERATOR.match(line) for line in lines)
    if top in CODE and length > LENGTHS[suffix]:
        yield LENGTHS[suffix] + 1, f"{length} lines, more than {LENGTHS[suffix]}: two ideas, split it"
    for number, line in enumerate(lines, 1):
        if TODO.search(line):
            yield number, "a TODO needs an issue: TODO(#12)"


def readme_errors(root):
    """Each folder has a README.md of at most forty lines."""
    folders = [p for top in CODE for p in sorted([root / top, *(root / top).glob("*/")]) if p.is_dir()]
    for folder in folders:
        path = (folder / "README.md").relative_to(root).as_posix()
        if not any(f.suffix in LENGTHS for f in folder.rglob("*")):
            continue
        if not (folder / "README.md").is_file():
            yield f"{path}:1: error: missing: what lives here, what it may include, how to add one, Decisions"
        elif len((folder / "README.md").read_text(encoding="utf-8").splitlines()) > 40:
            yield f"{path}:41: error: a folder's README.md has at most 40 lines"


def link_errors(root):
    """Each link of a page to a file or folder of the project leads there."""
    for file in sorted([*root.glob("*.md"), *(file for top in PAGES for file in (root / top).rglob("*.md"))]):
        for number, line in enumerate(file.read_text(encoding="utf-8").splitlines(), 1):
            for target in LINK.findall(line):
                if not re.match(r"\w+:", target) and not (file.parent / target).exists():
                    yield f"{file.relative_to(root).as_posix()}:{number}: error: the link to '{target}' leads nowhere"


def twice_defined(root):
    """One name is one type: two of a name in one program are undefined behaviour, told by no tool."""
    first = {}
    for top in CODE:
        for file in sorted((root / top).rglob("*.hpp")):
            path = file.relative_to(root).as_posix()
            for number, line in enumerate(file.read_text(encoding="utf-8").splitlines(), 1):
                found = TYPE.match(line)
                if not found:
                    continue
                if found.group(1) in first:
                    yield f"{path}:{number}: error: '{found.group(1)}' is defined in {first[found.group(1)]} already"
                first.setdefault(found.group(1), f"{path}:{number}")


def texts_of(root):
    """The sections of each text of the reference, by its file name."""
    files = [file for folder in REFERENCE for file in sorted((root / folder).glob("*.md"))]
    return {file.name: set(HEADING.findall(file.read_text(encoding="utf-8")))
            for file in files if file.name != "README.md"}


def wrong_citations(path, source, header, texts):
    """(line, what) of each section cited that is no heading of the reference. A section without the
    name of a text is of one that the file or its header names; in a text of the reference, of itself."""
    flat = COMMENT_MARK.sub(lambda mark: " " * len(mark.group()), source)
    itself = path.rsplit("/", 1)[1] if path.startswith(REFERENCE) else ""
    named = [itself] if itself in texts else [
        name for name in texts if re.search(rf"(?<![\w-]){re.escape(name)}", source + header)]
    for found in CITED.finditer(flat):
        name, sections = found.groups()
        line = flat.count("\n", 0, found.start(2)) + 1
        if name and name not in texts:
            yield line, f"{name} is no text of the reference ({REFERENCE[0]})"
        elif name or named:
            known = set().union(*(texts[each] for each in ([name] if name else named)))
            yield from ((line, f"§{number} is no heading of {name or ' or '.join(named)}")
                        for number in NUMBER.findall(sections) if number not in known)


def citation_errors(root):
    """Every section that code, tests and the texts themselves cite exists."""
    texts = texts_of(root)
    for top in (*OPENING_FOLDERS, "configs"):
        for file in sorted((root / top).rglob("*")):
            if file.suffix not in CITING or not file.is_file() or file.name == "check_style.py":
                continue
            path = file.relative_to(root).as_posix()
            source = file.read_text(encoding="utf-8", errors="replace")
            header = file.with_suffix(".hpp")
            header = header.read_text(encoding="utf-8") if header.is_file() else ""
            if "§" in source:
                yield from (f"{path}:{line}: error: {what}"
                            for line, what in wrong_citations(path, source, header, texts))


def check(root):
    """Every error as text, in the order of files and lines."""
    errors = []
    for top in OPENING_FOLDERS:
        for file in sorted((root / top).rglob("*")):
            is_script = file.suffix in (".py", ".sh") or file == root / "scripts" / "dev"
            if not file.is_file() or not (file.suffix in LENGTHS or is_script):
                continue
            path = file.relative_to(root).as_posix()
            source = file.read_text(encoding="utf-8")
            errors += [f"{path}:{line}: error: {what}" for line, what in check_file(path, source)]
    return errors + list(readme_errors(root)) + list(link_errors(root)) + list(twice_defined(root)) + list(citation_errors(root))


OPENING = "// sim/core/a.cpp — a sample.\n"
BAD = {  # a line of sim/core/a.cpp, and a part of what must be said of it
    "auto now = std::chrono::steady_clock::now();": "a wall clock",
    "const auto t = time(nullptr);": "a wall clock",
    "int x = std::rand();": "the library's chance",
    "std::random_device device;": "the library's chance",
    "std::normal_distribution<double> d;": "_distribution",
    "std::unordered_map<int, int> m;": "unordered_*",
    "auto h = std::hash<int>{}(1);": "std::hash",
    "float f = 0;": "float",
    "std::shared_ptr<int> p;": "shared_ptr",
    "  static int calls = 0;": "a mutable static",
    "static std::vector<int> all;": "a mutable static",
    "thread_local int depth{0};": "a mutable static",
    'auto home = std::getenv("HOME");': "the environment",
    "// TODO later": "a TODO needs an issue",
    "\n" * 400: "two ideas",
}
GOOD = [
    "// system_clock and float in a comment",
    'const char* text = "std::unordered_map<float>";',
    "static constexpr int kMost = 3;",
    "static int helper(int x);",
    "static const int kLeast = 3;",
    "// TODO(#12) with an issue",
    "double run_time(0);",
    "enum class Word {\n" + "  One,\n" * 500 + "};",
]


def errors_of(files):
    with tempfile.TemporaryDirectory() as folder:
        root = pathlib.Path(folder)
        for path, text in {"sim/README.md": "", "sim/core/README.md": "", **files}.items():
            if text is None:
                continue
            (root / path).parent.mkdir(parents=True, exist_ok=True)
            (root / path).write_text(text, encoding="utf-8")
        return check(root)


def self_test():
    """Each rule fails where it must, and only there."""
    cases = [({"sim/core/a.cpp": OPENING + line + "\n"}, part) for line, part in BAD.items()]
    cases += [({"sim/core/a.cpp": OPENING + line + "\n"}, None) for line in GOOD]
    cases += [
        ({"sim/core/a.cpp": "int x;\n"}, "first line"),
        ({"scripts/a.py": "#!/usr/bin/env python3\n# another.py — no\n"}, "first line"),
        ({"scripts/a.py": "#!/usr/bin/env python3\n# scripts/a.py — yes.\n"}, None),
        ({"sim/core/a.cpp": OPENING, "sim/core/README.md": None}, "missing"),
        ({"sim/core/a.cpp": OPENING, "sim/core/README.md": "[b](b.md#x)"}, "leads nowhere"),
        ({"sim/core/a.cpp": OPENING, "sim/core/README.md": "[a](a.cpp#x), [up](../core), [top](#x), [out](https://a.org/b)"}, None),
        ({"sim/core/a.cpp": OPENING, "sim/core/README.md": "x\n" * 41}, "at most 40 lines"),
        ({"tests/unit/a.cpp": "// tests/unit/a.cpp — a case.\nauto at = testing::TempDir();\n"},
         "a shared folder"),
        ({"sim/app/README.md": "", "sim/app/a.cpp":
          "// sim/app/a.cpp — the roof.\nauto t = std::chrono::steady_clock::now();\n"}, None),
        ({"sim/core/a.hpp": "// sim/core/a.hpp — one.\nstruct A {};\n",
          "sim/core/b.hpp": "// sim/core/b.hpp — two.\nclass A final {};\n"}, "is defined in"),
        ({"sim/core/a.hpp": "// sim/core/a.hpp — one.\nstruct A {};\n",
          "sim/core/b.hpp": "// sim/core/b.hpp — two.\nstruct A;\n"}, None),
    ]
    text = {"sim/sched/reference/limits.md": "# Limits\n\n## 1. Objects\n\n### 1.1 Keys\n"}
    citations = [("limits.md §1.1", None), ("limits.md §1, §1.1", None), ("limits.md\n// §1.1", None),
                 ("limits.md §1–1.1", None), ("limits.md, and then §1.1", None), ("FIPS §9", None),
                 ("limits.md §1.2", "§1.2 is no heading of limits.md"),
                 ("limits.md §1, §7", "§7 is no heading"), ("limits.md §1–9", "§9 is no heading"),
                 ("limits.md\n// §4", "§4 is no heading"), ("limits.md, and then §4", "§4 is no heading"),
                 ("plans.md §1", "plans.md is no text")]
    cases += [({**text, "sim/core/a.cpp": OPENING + "// " + cited + "\n"}, part) for cited, part in citations]
    cases += [({"sim/sched/reference/limits.md": "## 1. Objects\n\nsee §2\n"}, "§2 is no heading")]
    failed = 0
    for files, part in cases:
        errors = errors_of(files)
        if (len(errors) != 1 or part not in errors[0]) if part else errors:
            failed += 1
            print(f"self-test {list(files.values())[-1][:80]!r}: expected {part!r}, got {errors}")
    print(f"self-test: {len(cases)} files, {failed} failed")
    return failed == 0


def main():
    if sys.argv[1:] == ["--self-test"]:
        return 0 if self_test() else 1
    root = pathlib.Path(sys.argv[1] if len(sys.argv) > 1 else pathlib.Path(__file__).parent.parent)
    errors = check(root)
    print("\n".join(errors) if errors else "style: nothing is banned")
    return 1 if errors else 0


if __name__ == "__main__":
    sys.exit(main())
