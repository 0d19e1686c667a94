#!/usr/bin/env python3
# scripts/reference/experiments/reconfigure.py — what `scontrol reconfigure` leaves of what scontrol changed (lifecycle.md §12.2), and which features sbatch refuses (scheduling.md §5.4).
import re
import sys

from lab import lab

CONF = """\
SelectType=select/cons_tres
SelectTypeParameters=CR_Core
SchedulerType=sched/backfill
PriorityType=priority/basic
SchedulerParameters=sched_interval=50000,bf_interval=-1
NodeName=s[1-2] CPUs=4 RealMemory=4000 Feature=slow Weight=1
NodeName=f[1-2] CPUs=4 RealMemory=4000 Feature=fast Weight=9
PartitionName=all Nodes=ALL Default=YES MaxTime=INFINITE State=UP
PartitionName=some Nodes=s1 MaxTime=60 State=UP
"""
REFUSED = "Invalid feature specification"
WORDS = [("-n1 -C none", REFUSED), ("-n1 -C 'fast|none'", REFUSED), ("-n1 -C 'fast&&slow'", REFUSED),
         ("-n1 --prefer='fast|none'", "Invalid preferred feature specification")]  # fmt: skip
AFTER = "MaxTime=01:00:00 State=UP PriorityTier=1 Weight=9 AvailableFeatures=fast ActiveFeatures=fast State=IDLE+DRAIN"


def shown(one, kind, name, *keys):
    text = one.out(f"scontrol -o show {kind} {name}")
    value = {key: re.search(rf"(?<![A-Za-z]){key}=(\S*)", text) for key in keys}
    return " ".join(f"{key}={found[1] if found else '-'}" for key, found in value.items())


def main():
    wrong = 0
    with lab(CONF) as one:
        for words, refusal in WORDS:
            found = one.sub(words)
            wrong += not found.endswith(refusal)
            print(f"{words}: {found}", flush=True)
        one.out("scontrol update partitionname=some maxtime=5 state=down prioritytier=7")
        one.out("scontrol update nodename=f1 weight=3 features=fast,new state=drain reason=x")
        for when in ("changed", "reconfigured"):
            if when == "reconfigured":
                one.out("scontrol reconfigure")
                one.rest(60)
            found = shown(one, "partition", "some", "MaxTime", "State", "PriorityTier") + " " + shown(one, "node", "f1", "Weight", "AvailableFeatures", "ActiveFeatures", "State")
            print(f"{when}: {found}")
    wrong += found != AFTER
    print(f"{wrong} answers are not as the text says")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
