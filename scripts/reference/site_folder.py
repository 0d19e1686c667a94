# scripts/reference/site_folder.py — a site folder as the recorder needs it: configuration, accounts, submissions, events.
from dataclasses import dataclass, field
from pathlib import Path

import accounts as accounts_module
import conf_edits
import outages
import sacct_jobs
import site_conf
import submissions as submissions_module
from failure import InputFailure

MOST_NODES = 256  # a slurmd each


@dataclass
class Site:
    root: Path
    conf: site_conf.SiteConf
    accounts: accounts_module.Accounts
    submissions: list
    events: list
    topology: str = ""
    notes: list = field(default_factory=list)  # what is played differently, in words


def read(root):
    """Every file, or the first that is wrong as a Failure."""
    root = Path(root)
    if not (root / "slurm.conf").is_file():
        raise InputFailure(root, "is not a site: it has no slurm.conf",
                           "SITE is a folder with slurm.conf, accounts and jobs.csv or sacct.txt")
    conf = site_conf.read_slurm_conf(root / "slurm.conf")
    if len(conf.nodes) > MOST_NODES:
        raise InputFailure(root / "slurm.conf", f"{len(conf.nodes)} nodes are more than {MOST_NODES}",
                           "record a part of the cluster: each node is a slurmd of its own here")
    if (root / "gres.conf").is_file():
        conf.gres = site_conf.read_gres_conf(root / "gres.conf")
    topology = ""
    if (root / "topology.conf").is_file():
        topology = (root / "topology.conf").read_text(encoding="utf-8")
    elif conf.values.get("topologyplugin", "").endswith("/tree"):
        raise InputFailure(root / "slurm.conf", "topology/tree needs a topology.conf, and there is none")
    accounts = accounts_module.read(root)
    enforced = conf.values.get("accountingstorageenforce", "none").lower()
    if enforced not in ("none", "0") and not accounts.commands and not accounts.dump:
        raise InputFailure(root, "accounts are enforced, and there are none",
                           "sacctmgr dump CLUSTER file=assoc.dump; or write sacctmgr.txt")
    site = Site(root, conf, accounts, [], [], topology=topology)
    read_jobs(site)
    return site


def is_scenario(root):
    """Whether jobs.csv tells the day. A recording has one too, but what an admin did there names sacct's instants and ids."""
    events = root / "events.csv"
    told_by_sacct = events.is_file() and events.read_text(encoding="utf-8").startswith("time,")
    return (root / "jobs.csv").is_file() and not told_by_sacct


def read_jobs(site):
    """jobs.csv of a scenario, else sacct.txt; events.csv in the form that belongs to it."""
    events = site.root / "events.csv"
    if is_scenario(site.root):
        site.submissions = submissions_module.read_jobs_csv(site.root / "jobs.csv")
        if events.is_file():
            site.events = submissions_module.read_scenario_events(events, site.submissions)
    else:
        recorded = sacct_jobs.read(site.root)
        site.submissions, site.events, site.notes = recorded.submissions, recorded.cancels, recorded.notes
        if events.is_file():
            site.events = site.events + submissions_module.read_site_events(events, recorded.start)
    conf_edits.check(site.events, site.root)
    site.conf.nodes_die = outages.check(site.events, {host for host, _ in site.conf.nodes})
    if not site.submissions:
        raise InputFailure(site.root, "there are no jobs")
