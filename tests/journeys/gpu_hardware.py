# tests/journeys/gpu_hardware.py — a site's GPUs as hardware: which models, which MIG layouts, what they
# drew and cost; and nothing of it where nothing is known.
import json
import shutil

from journey import ROOT, main, rehearse

BASE = ROOT / "tests" / "config_errors" / "bases" / "minimal"
MIG = "Gres=gpu:a100_3g.20gb:2,gpu:a100_1g.5gb:3"


def site_of(folder, gres, site_yaml="", gres_conf="AutoDetect=nvml\n"):
    """The minimal site with other GPUs."""
    site = folder / "site"
    shutil.copytree(BASE, site, dirs_exist_ok=True)
    conf = (BASE / "slurm.conf").read_text(encoding="utf-8").replace("Gres=gpu:a100:4", gres)
    (site / "slurm.conf").write_text(conf, encoding="utf-8")
    (site / "gres.conf").write_text(gres_conf, encoding="utf-8")
    (site / "site.yaml").write_text("time_zone: Europe/Oslo\n" + site_yaml, encoding="utf-8")
    return site


def layouts(text):
    return "mig:\n  layouts:\n" + "".join(f"    - {{nodes: 'n[1-2]', {line}}}\n" for line in text)


def test_check_says_which_model_each_device_is_and_why(folder):
    site = site_of(folder, "Gres=gpu:a100:2,gpu:v100:1,gpu:h100-sxm:1")
    text = rehearse("check", site, check=0).stdout
    assert "GPUs\n" in text and "4  a100-40 " in text and "node_hardware in site.yaml would tell" in text, text
    assert "2  unknown " in text and "2  h100-sxm " in text, text
    told = json.loads(rehearse("check", site, "--json", check=0).stdout)["gpus"]
    assert [(kind["devices"], kind["model"], kind["assumed"]) for kind in told] == [
        (4, "a100-40", True), (2, "", False), (2, "h100-sxm", False)], told


def test_check_tells_layouts_and_what_they_leave(folder):
    site = site_of(folder, MIG, layouts(["gpus: '0', layout: [3g.20gb, 3g.20gb]", "gpus: '1', layout: [3*1g.5gb]"]))
    text = rehearse("check", site, check=0).stdout
    assert "2  a100-40            3g.20gb:0,3g.20gb:4; of no instance: 1 compute, 0 memory slices, 24 SMs" in text, text
    bare = rehearse("check", site_of(folder, MIG), check=0).stdout
    assert "10  instances of which nothing tells what GPU they are on" in bare, bare


def test_check_judges_jobs_by_every_layout_of_the_run(folder):
    change = "mig:\n  changes:\n    - {nodes: n1, gpus: '0', layout: ['7*1g.5gb'], at: '08:00'}\n"
    site = site_of(folder, "Gres=gpu:a100-40:4", change)
    header = "JobID|User|Account|Partition|Submit|Start|End|Elapsed|Timelimit|State|ExitCode|NNodes|NCPUS|ReqTRES|AllocTRES|SubmitLine\n"
    rows = [f"{job}|ann|ml|batch|2025-01-01T{hour}:00:00|2025-01-01T{hour}:00:01|2025-01-01T{hour}:10:01|00:10:00|00:20:00|COMPLETED|0:0|1|1|cpu=1,node=1|"
            f"cpu=1,node=1|sbatch --gres=gpu:a100-40_{kind}:1 --wrap=x" for job, hour, kind in ((1, "07", "1g.5gb"), (2, "09", "1g.5gb"), (3, "09", "2g.10gb"))]
    (site / "sacct.txt").write_text(header + "\n".join(rows) + "\n", encoding="utf-8")
    (site / "slurm.conf").write_text((site / "slurm.conf").read_text().replace("AccountingStorageEnforce", "#"), encoding="utf-8")
    told = rehearse("check", site, check=0)
    assert "jobs that can never run: 1\n" in told.stdout and "first: job 3" in told.stdout, told.stdout
    assert "2 jobs ask for MIG instances that there are not when the run begins" in told.stderr, told.stderr
    assert "jobs 3, started 1, never started 2, rejected 2," in rehearse("run", site, check=0).stdout
    (site / "site.yaml").write_text((site / "site.yaml").read_text() + "  absent_types: wait\n", encoding="utf-8")
    assert "absent_types" not in rehearse("check", site, check=0).stderr
    assert "jobs 3, started 2," in rehearse("run", site, check=0).stdout


def test_a_model_of_the_sites_own_is_known(folder):
    site = site_of(folder, "Gres=gpu:v100:4", "gpu_models: [v100.yaml]\n")
    (site / "v100.yaml").write_text("name: v100\nsms: 80\nmemory_mib: 32768\nbandwidth_gb_s: 900\n", encoding="utf-8")
    assert "8  v100 " in rehearse("check", site, check=0).stdout


def test_energy_and_cost_are_told_where_they_are_known(folder):
    site = site_of(folder, "Gres=gpu:a100-40:4", "price_gpu_hour: 2\ncurrency: EUR\n")
    text = rehearse("run", site, check=0).stdout
    assert "energy of GPUs, assumed:" in text and "a useful GPU-hour cost" in text and "EUR" in text, text
    assert "of no MIG instance" not in text, text
    unknown = rehearse("run", site_of(folder, "Gres=gpu:4"), check=0).stdout
    assert "energy" not in unknown and "cost" not in unknown, unknown


def test_instances_count_by_their_sms(folder):
    site = site_of(folder, MIG, layouts(["gpus: '0', layout: [3g.20gb, 3g.20gb]", "gpus: '1', layout: [3*1g.5gb]"]))
    text = rehearse("run", site, check=0).stdout
    # Of 2 x 108 SMs 2 x 42 + 3 x 14 are in instances, thousandths rounded down: 388 + 388 + 3 x 129 of 2000.
    assert "41.9 % of no MIG instance" in text, text


def test_hardware_changes_no_schedule(folder):
    def fingerprint(site):
        text = rehearse("run", site, check=0).stdout
        return [line for line in text.splitlines() if "fingerprint" in line]

    plain = fingerprint(site_of(folder, MIG))
    told = fingerprint(site_of(folder, MIG, "node_hardware: {'n[1-2]': a100-40}\nprice_kwh: 0.3\n" +
                               layouts(["gpus: '0', layout: [3g.20gb, 3g.20gb]", "gpus: '1', layout: [3*1g.5gb]"])))
    assert plain == told and plain, (plain, told)


if __name__ == "__main__":
    main(globals())
