# scripts/reference/times.py — instants and spans as sacct prints them.
import calendar
import re
import time

from failure import InputFailure


def epoch(text, where):
    """Epoch seconds of a local time; zones cancel out, as only differences are used."""
    try:
        return calendar.timegm(time.strptime(text[:19], "%Y-%m-%dT%H:%M:%S"))
    except (TypeError, ValueError) as error:
        raise InputFailure(where, f"'{text}' is not a time", "write 2025-03-01T12:00:00") from error


def seconds(text):
    """[D-]HH:MM:SS or MM:SS; none for UNLIMITED and its like."""
    match = re.fullmatch(r"(?:(\d+)-)?(?:(\d+):)?(\d+):(\d+)(?:\.\d+)?", text or "")
    if not match:
        return None
    days, hours, minutes, rest = (int(part or 0) for part in match.groups())
    return ((days * 24 + hours) * 60 + minutes) * 60 + rest
