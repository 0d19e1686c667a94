# scripts/reference/sbatch_words.py — a recorded command line as the sbatch options that matter to scheduling.
import shlex

# Options of sbatch, salloc and srun that take a value in the next word or after `=`.
LONG_WITH_VALUE = frozenset(
    """account acctg-freq array batch bb bbf begin bell chdir clusters cluster-constraint comment constraint container
    core-spec cores-per-socket cpu-freq cpus-per-gpu cpus-per-task deadline delay-boot dependency distribution error
    exclude export export-file extra-node-info get-user-env gid gpu-bind gpu-freq gpus gpus-per-node gpus-per-socket
    gpus-per-task gres gres-flags hint input job-name kill-on-invalid-dep licenses mail-type mail-user mcs-label mem
    mem-bind mem-per-cpu mem-per-gpu mincpus network nodefile nodelist nodes ntasks ntasks-per-core ntasks-per-gpu
    ntasks-per-node ntasks-per-socket open-mode output partition power prefer priority profile qos reservation
    sockets-per-node switches thread-spec threads-per-core time time-min tmp uid wait-all-nodes wckey wrap
    nice-value immediate mpi task-prolog task-epilog prolog epilog cpu-bind accel-bind bcast jobid kill-command
    """.split()
)
SHORT_WITH_VALUE = frozenset("A a b C c D d e F G i J L M m N n o p q S t w x".split())
LONG_OF_SHORT = {
    "A": "account", "a": "array", "C": "constraint", "c": "cpus-per-task", "D": "chdir", "d": "dependency",
    "e": "error", "G": "gpus", "i": "input", "J": "job-name", "N": "nodes", "n": "ntasks", "o": "output",
    "p": "partition", "q": "qos", "t": "time", "W": "wait", "Q": "quiet", "v": "verbose", "u": "unbuffered",
    "b": "begin", "M": "clusters", "H": "hold", "k": "no-kill", "s": "oversubscribe", "w": "nodelist",
    "x": "exclude", "L": "licenses", "F": "nodefile", "S": "core-spec", "m": "distribution", "l": "label",
}  # fmt: skip
# Where output goes, who hears of it, what runs: nothing of it is played here.
DROPPED = frozenset(
    """chdir comment container error export export-file get-user-env gid input mail-type mail-user open-mode output
    parsable quiet uid verbose wait wrap clusters wckey profile acctg-freq propagate test-only help usage version
    ignore-pbs batch bb bbf job-name unbuffered label mpi task-prolog task-epilog prolog epilog cpu-bind accel-bind
    bcast pty x11 bell no-bell no-shell immediate overlap jobid kill-command mem-bind gpu-bind gpu-freq cpu-freq power
    """.split()
)


class Words:
    """The options of a command line, in order: (long name or None, the words as they go to sbatch)."""

    def __init__(self, line):
        words = shlex.split(line) if balanced(line) else line.split()
        self.program = words[0].rpartition("/")[2] if words else ""
        self.options, self.has_script = [], False
        at = 1
        while at < len(words) and not self.has_script:
            at += self.take(words, at)
        self.is_whole = self.program in ("srun", "salloc") or any(name == "wrap" for name, _ in self.options)

    def take(self, words, at):
        """How many words the option at `at` is; the first that is none ends the options."""
        word = words[at]
        following = words[at + 1 : at + 2]
        if word.startswith("--"):
            name, equals, _ = word[2:].partition("=")
            joined = [] if equals or name not in LONG_WITH_VALUE else following
        elif word.startswith("-") and len(word) > 1:
            name = LONG_OF_SHORT.get(word[1], word[1])
            joined = following if word[1] in SHORT_WITH_VALUE and len(word) == 2 else []
        else:
            self.has_script = True
            return 1
        self.options.append((name, [word, *joined]))
        return 1 + len(joined)

    def names(self):
        return {name for name, _ in self.options}

    def kept(self):
        return [(name, words) for name, words in self.options if name not in DROPPED]


def components(line):
    """The command lines of a heterogeneous job's components (between lone colons); of any other job its own."""
    words = shlex.split(line) if balanced(line) else line.split()
    parts = [[]]
    for word in words:
        if word == ":":
            parts.append(words[:1])
        else:
            parts[-1].append(word)
    return [shlex.join(part) for part in parts]


def balanced(line):
    """sacct prints the words without their quotes: what is left of them may not pair up."""
    try:
        shlex.split(line)
    except ValueError:
        return False
    return True
