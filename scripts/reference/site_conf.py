# scripts/reference/site_conf.py — the site's slurm.conf and gres.conf, rewritten for one machine.
import re
from dataclasses import dataclass, field

import conf_keys
import conf_lines
import hostlist
from failure import InputFailure

# What a reader of a recording must know of the recorder's own settings: these change latencies and
# limits, and stand at the head of the recorded slurm.conf too.
TOLD = {
    "SlurmctldHost": "localhost",
    "ProctrackType": "proctrack/linuxproc",
    "TaskPlugin": "task/none",
    "JobAcctGatherType": "jobacct_gather/none",
    "ReturnToService": "1",  # a late slurmd's node comes back, one that an admin set DOWN does not
    "SlurmdParameters": "config_overrides",
    "SlurmdTimeout": "3600",
    "MessageTimeout": "600",
    "BatchStartTimeout": "600",
    "AccountingStorageType": "accounting_storage/slurmdbd",
}
# A slurmd that answers late must not count as dead, but where nodes die these are the site's own, else Slurm's.
OF_THE_SITE_WHERE_NODES_DIE = {"ReturnToService": "0", "SlurmdTimeout": "300", "BatchStartTimeout": "10"}
ALLOC_NODES = re.compile(r"\s+AllocNodes=\S+", re.I)  # submits come from this machine alone
NEVER_READY = re.compile(r"(DOWN|DRAIN|FAIL)", re.I)


@dataclass
class SiteConf:
    """The lines of slurm.conf that are handed on, and the nodes with the rest of their lines."""

    cluster: str = "recorded"
    lines: list = field(default_factory=list)  # text without the nodes
    nodes: list = field(default_factory=list)  # (host, its keys as text)
    not_ready: set = field(default_factory=set)  # hosts that the site itself starts out of service
    dropped: list = field(default_factory=list)  # keys that the recorder sets itself
    values: dict = field(default_factory=dict)  # lower-case key: the last value
    gres: list = field(default_factory=list)  # lines of gres.conf, File= as in the site
    nodes_die: bool = False

    def told(self):
        """The recorder's own settings that a reader of the recording must know."""
        if not self.nodes_die:
            comes_back = "2" if self.values.get("returntoservice") == "2" else TOLD["ReturnToService"]
            return {**TOLD, "ReturnToService": comes_back}
        return {**TOLD, **{key: self.values.get(key.lower(), default)
                           for key, default in OF_THE_SITE_WHERE_NODES_DIE.items()}}

    def as_recorded(self):
        """The slurm.conf of the recording: the site's own nodes, no ports and no paths."""
        head = ["# set by the recorder", f"ClusterName={self.cluster}", *(f"{k}={v}" for k, v in self.told().items())]
        return "\n".join([*head, "# the site", *self.lines]) + "\n"


def check_emulated(line):
    """A key that cannot be played here is an error, not a difference that nobody hears of."""
    why = conf_keys.REFUSED.get(line.key)
    value = (line.value(line.key) or "").lower()
    for key, start, reason in conf_keys.REFUSED_VALUES:
        if line.key == key and value.startswith(start):
            why = reason
    if why and value not in ("", "none", "(null)"):
        raise InputFailure(line.where, f"{line.pairs[0][0]}={value} cannot be recorded: {why}",
                           "take the line out of a copy of the site, and record that")


def read_slurm_conf(path):
    """The site's slurm.conf, split into what is handed on and what the recorder sets itself."""
    conf = SiteConf()
    for line in conf_lines.read(path):
        check_emulated(line)
        if line.key == "clustername":
            conf.cluster = line.value("clustername").lower()
        elif line.key in conf_keys.REPLACED:
            conf.dropped.append(line.pairs[0][0])
            conf.values[line.key] = line.pairs[0][1]
        elif line.key == "nodename":
            add_nodes(conf, line)
        else:
            if line.key == "downnodes":
                conf.not_ready |= set(expand_at(line, line.value("downnodes")))
            conf.lines.append(ALLOC_NODES.sub("", line.text))
            conf.dropped += ["AllocNodes"] if ALLOC_NODES.search(line.text) else []
            for name, value in line.pairs[:1]:
                conf.values[name.lower()] = value
    if not conf.nodes:
        raise InputFailure(path, "there is no NodeName line", "a cluster without nodes cannot be recorded")
    return conf


def add_nodes(conf, line):
    kept = " ".join(f"{k}={v}" for k, v in line.pairs[1:] if k.lower() not in conf_keys.REPLACED_ON_NODE)
    name, state = line.value("nodename"), line.value("state", "UNKNOWN")
    if state.upper().startswith(("CLOUD", "FUTURE")):
        raise InputFailure(line.where, f"State={state} cannot be recorded: the nodes do not exist yet",
                           "give the nodes that exist, without a state")
    conf.lines.append(f"NodeName={name} {kept}".rstrip())
    if name.upper() == "DEFAULT":
        return
    for host in expand_at(line, name):
        conf.nodes.append((host, len(conf.lines) - 1))
        if NEVER_READY.search(state):
            conf.not_ready.add(host)


def expand_at(line, name):
    try:
        return hostlist.expand(name)
    except ValueError as error:
        raise InputFailure(line.where, f"'{name}' is not a host list", "n[1-4,07], or names between commas") from error


def read_gres_conf(path):
    """The lines of gres.conf; detection by hardware that is not here is an error."""
    kept = []
    for line in conf_lines.read(path):
        detect = line.value("autodetect")
        if detect and detect.lower() not in ("off", "none"):
            raise InputFailure(line.where, f"AutoDetect={detect} cannot be recorded: the devices are not here",
                               "write them out: NodeName=n[1-4] Name=gpu Type=a100 File=/dev/nvidia[0-7]")
        kept.append(line.text)
    return kept


def for_one_machine(conf, ports, infrastructure):
    """The slurm.conf that the daemons read: each host on localhost, at a port of its own."""
    at_line = {}
    for (host, line), port in zip(conf.nodes, ports, strict=True):
        at_line.setdefault(line, []).append((host, port))
    text = [f"ClusterName={conf.cluster}", *(f"{k}={v}" for k, v in {**conf.told(), **infrastructure}.items())]
    for number, line in enumerate(conf.lines):
        if number not in at_line:
            text.append(line)
            continue
        keys = line.partition(" ")[2]
        text += [f"NodeName={host} NodeHostname=localhost NodeAddr=127.0.0.1 Port={port} {keys}"
                 for host, port in at_line[number]]
    return "\n".join(text) + "\n"


def with_devices(gres, folder):
    """gres.conf with every File= and MultipleFiles= below `folder`, where the files are made, empty."""

    def moved(match):
        key, files = match[1], match[2].strip("\"'")
        for name in hostlist.expand(files):
            device = folder / name.lstrip("/")
            device.parent.mkdir(parents=True, exist_ok=True)
            device.touch()
        return ",".join(f"{key}={folder}{part}" if i == 0 else f"{folder}{part}"
                        for i, part in enumerate(hostlist.split_outside_brackets(files)))

    return "".join(re.sub(r"\b(Files?|MultipleFiles)=(\S+)", moved, line, flags=re.I) + "\n" for line in gres)


def without_partition_qos(text):
    """The text of slurm.conf, and no partition has a QOS of its own."""
    return re.sub(r"(?im)^(\s*PartitionName=.*?)\s+QOS=\S+", r"\1", text)
