#!/usr/bin/env python3
# scripts/reference/experiments/purge_comp.py — what keeps a reservation of PURGE_COMP from being idle (lifecycle.md §13).
"""r, of two minutes' PURGE_COMP, beside s: members of r alone and of both run in it, short and long, one waits. Prints from when on r was idle: two
minutes to three later it goes. About three minutes."""
import sys

from ends_together import CONF
from lab import Tally, lab

# members, for how long they run, and from when r is idle
CASES = [
    ([], 0, "begin"),
    (["-n1 -w n1 --reservation=r"], 60, "end"),
    (["-n1 -w n1 --reservation=r"], 200, "end"),
    (["-n1 -w n1 --reservation=r,s"], 60, "begin"),
    (["-n1 -w n1 --reservation=s,r"], 60, "begin"),
    (["-n1 -w n1 --reservation=r,s"], 400, "begin"),
    (["-n1 -w n2 --reservation=r,s"], 400, "begin"),
    (["-n4 -w n1 --reservation=r,s", "-n4 -w n1 --reservation=r,s"], 900, "never"),
]


def main():
    tally = Tally()
    with lab(CONF) as one:
        now = one.cluster.clock.now
        for members, seconds, told in CASES:
            one.out("scontrol create reservation ReservationName=r Users=root StartTime=now Duration=60 Nodes=n1 Flags=PURGE_COMP=00:02:00")
            one.out("scontrol create reservation ReservationName=s Users=root StartTime=now Duration=60 Nodes=n2")
            begin = now()
            one.rest(8)
            ids = [one.sub(words + " -t 60", seconds=seconds) for words in members]
            end, idle = None, "never"
            while now() - begin < 480 and idle == "never":
                if ids and end is None and one.job(ids[0]).get("JobState") == "COMPLETED":
                    end = now() - begin
                if not any(line.startswith("ReservationName=r ") for line in one.out("scontrol -o show reservation").splitlines()):
                    gone = now() - begin
                    idle = "begin" if 110 < gone < 200 else "end" if end and 110 < gone - end < 200 else f"? {gone:.0f} s"
                one.rest(4)
            tally.note(f"{'; '.join(members):64} {seconds:4} s, idle from its", idle, told)
            one.out("scancel -u root")
            one.rest(40)
            for name in "rs":
                one.out(f"scontrol delete ReservationName={name}")
            one.rest(5)
    return tally.close()


if __name__ == "__main__":
    sys.exit(main())
