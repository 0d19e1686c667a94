# tests/journeys/first_minute.py — help, version, mistyped words: what a person does first.
import re

from journey import main, rehearse


def test_without_arguments_help_is_on_stderr_and_the_code_is_2(_):
    done = rehearse(check=2)
    assert done.stdout == "" and "check" in done.stderr and "run" in done.stderr


def test_help_lists_the_verbs_on_stdout(_):
    done = rehearse("--help", check=0)
    assert done.stderr == ""
    for verb in ("check", "run", "completion"):
        assert re.search(rf"^  {verb}\s+\S", done.stdout, re.M), verb
    assert not re.search(r"^  man\s", done.stdout, re.M), "man is hidden"


def test_every_listed_verb_has_help(_):
    listed = rehearse("--help", check=0).stdout.split("Subcommands:")[1]
    verbs = re.findall(r"^  (\w+)\s+\S", listed, re.M)
    assert len(verbs) >= 3
    for verb in verbs:
        text = rehearse(verb, "--help", check=0).stdout
        assert "Usage: rehearse " + verb in text, text


def test_a_mistyped_verb_is_told_what_was_meant(_):
    done = rehearse("chek", "configs/sites/philly", check=2)
    assert done.stderr == "rehearse: error: 'chek' is not a verb\n  hint: did you mean 'check'?\n"
    assert done.stdout == ""


def test_a_verb_that_is_nothing_like_any_points_to_help(_):
    done = rehearse("frobnicate", check=2)
    assert "rehearse --help lists the verbs" in done.stderr


def test_an_unknown_option_is_told_not_its_value(_):
    for words in (("--futures", "5"), ("--futures=5",), ("more", "--futures", "5")):
        assert "'--futures" in rehearse("forecast", "configs/sites/philly", *words, check=2).stderr
    assert "error: 'one' is too much" in rehearse("run", "configs/sites/philly", "one", "two", check=2).stderr


def test_a_mistyped_option_is_told_what_was_meant(_):
    done = rehearse("check", "--jsn", "configs/sites/fox", check=2)
    assert done.stderr == "rehearse check: error: '--jsn' is not an option\n  hint: did you mean '--json'?\n"


def test_a_number_below_its_bound_is_told_in_a_line(_):
    done = rehearse("run", "configs/sites/phillips", "--seed", "-4", check=2)
    assert "--seed: Value -4 is too small" in done.stderr and len(done.stderr) < 200, done.stderr


def test_a_missing_site_is_usage(_):
    assert "SITE" in rehearse("check", check=2).stderr


def test_version_is_one_line(_):
    done = rehearse("--version", check=0)
    assert re.fullmatch(r"rehearse \d+\.\d+\.\d+ \(\S+\)\n", done.stdout), done.stdout


def test_the_manual_page_has_every_verb_and_option_of_help(_):
    page = rehearse("man", check=0).stdout.replace("\\-", "-")
    verbs = re.findall(r"^  (\w+)\s+\S", rehearse("--help", check=0).stdout.split("Subcommands:")[1], re.M)
    for verb in verbs:
        assert f".SS {verb}\n" in page, verb
        for option in re.findall(r"^\s+(?:-\w,)?(--[\w-]+)", rehearse(verb, "--help", check=0).stdout, re.M):
            assert option in page, (verb, option)
    assert ".TH REHEARSE 1" in page


def test_what_help_says_to_stand_below_stands_there_and_in_the_manual(_):
    page = rehearse("man", check=0).stdout.replace("\\-", "-")
    verbs = re.findall(r"^  (\w+)\s+\S", rehearse("--help", check=0).stdout.split("Subcommands:")[1], re.M)
    promised = []
    for verb in verbs:
        help_text, of_page = rehearse(verb, "--help", check=0).stdout, page.partition(f".SS {verb}\n")[2].partition(".SS ")[0]
        for promise, kept in (("forms below", "KEY=VALUE of a change is\n"), ("one of those below", "Formats:\n")):
            if promise in help_text:
                promised.append(verb)
                assert help_text.count(kept) == 1 and of_page.count(kept) == 1, (verb, help_text)
    assert {"check", "run", "compare", "size", "tune", "forecast", "export"} <= set(promised), promised


def test_completion_knows_the_words_of_a_verb(folder):
    """Tables of show, formats of export and import, shells: each where it stands, and nowhere else."""
    import subprocess
    script = folder / "rehearse.bash"
    script.write_text(rehearse("completion", "bash", check=0).stdout)
    for words, offered, not_offered in ((["show", "out.h5", "sq"], "squeue", "sacct"), (["export", "out.h5", "-f", ""], "perfetto", "squeue"),
                                        (["export", "out.h5", "--format", "sa"], "sacct", "swf"), (["import", "ph"], "philly", "swf"),
                                        (["completion", ""], "zsh", "sacct"), (["show", "out.h5", "--a"], "--at", "squeue")):
        asked = f"source {script}; COMP_WORDS=(rehearse {' '.join(word or chr(39) * 2 for word in words)}); COMP_CWORD={len(words)}; _rehearse; " \
                "echo \"${COMPREPLY[*]}\""
        told = subprocess.run(["bash", "-c", asked], capture_output=True, text=True, check=True).stdout.split()
        assert offered in told and not_offered not in told, (words, told)
    assert "'3:word:(squeue " in rehearse("completion", "zsh", check=0).stdout
    assert "-s f -l format -x -a 'sacct " in rehearse("completion", "fish", check=0).stdout


def test_completion_knows_verbs_and_options(_):
    for shell in ("bash", "zsh", "fish"):
        text = rehearse("completion", shell, check=0).stdout
        assert "check" in text and "json" in text, shell
        assert not re.search(r"\bman\b", text), shell
    assert rehearse("completion", "tcsh", check=2).stdout == ""


def test_bash_completes(folder):
    import subprocess
    script = folder / "rehearse.bash"
    script.write_text(rehearse("completion", "bash", check=0).stdout)
    ask = (f"source {script}; COMP_WORDS=(rehearse ch); COMP_CWORD=1; _rehearse; echo \"${{COMPREPLY[*]}}\"; "
           "COMP_WORDS=(rehearse check --js); COMP_CWORD=2; _rehearse; echo \"${COMPREPLY[*]}\"")
    done = subprocess.run(["bash", "-c", ask], capture_output=True, text=True, check=True)
    assert done.stdout == "check\n--json\n", done


def test_a_closed_pipe_ends_it_in_silence(_):
    import subprocess
    from journey import BINARY, ROOT
    done = subprocess.run(["bash", "-c", f"'{BINARY}' man | head -n 1"], capture_output=True, text=True, cwd=ROOT,
                          check=True)
    assert done.stderr == "", done.stderr


if __name__ == "__main__":
    main(globals())
