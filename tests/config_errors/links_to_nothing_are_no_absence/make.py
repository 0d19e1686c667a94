# tests/config_errors/links_to_nothing_are_no_absence/make.py — links of a copied /etc/slurm, whose targets stayed behind.
import pathlib
import sys

site = pathlib.Path(sys.argv[1])
for name in ("assoc.dump", "cgroup.conf", "gres.conf", "qos.txt", "sdiag.txt", "topology.conf"):
    (site / name).unlink(missing_ok=True)
    (site / name).symlink_to("/nowhere/" + name)
