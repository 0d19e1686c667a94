# scripts/reference/failure.py — what can go wrong, as one line, a hint and an exit code.
"""Exit codes are those of every verb: 0 ok, 1 failed, 2 usage, 3 bad input, 130 interrupted."""
FAILED, USAGE, BAD_INPUT, INTERRUPTED = 1, 2, 3, 130


class Failure(Exception):
    """Ends the recording: `what` in one line, `hint` what to do about it, `code` the exit code."""

    def __init__(self, what, hint="", code=FAILED):
        super().__init__(what)
        self.what, self.hint, self.code = what, hint, code


class InputFailure(Failure):
    """A file of the site is wrong: `where` is file:line:column, or as much of it as is known."""

    def __init__(self, where, what, hint=""):
        super().__init__(f"{where}: error: {what}", hint, BAD_INPUT)


class Interrupted(Failure):
    """SIGINT or SIGTERM came."""

    def __init__(self):
        super().__init__("interrupted: nothing is left running, and no recording is written", "", INTERRUPTED)
