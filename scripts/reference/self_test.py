#!/usr/bin/env python3
# scripts/reference/self_test.py — what of the recorder can be told without a Slurm: names, words, times, accounts.
import pathlib
import random
import signal
import subprocess
import sys
import tempfile
import time
import unittest

sys.dont_write_bytecode = True
HERE = pathlib.Path(__file__).resolve().parent
sys.path[:0] = [str(HERE), str(HERE / "scenarios")]

import accounts  # noqa: E402
import clock  # noqa: E402
import conf_edits  # noqa: E402
import conf_lines  # noqa: E402
import drive  # noqa: E402
import outages  # noqa: E402
import ports  # noqa: E402
import recording  # noqa: E402
import sacct_jobs  # noqa: E402
import scenario  # noqa: E402
import site_conf  # noqa: E402
import site_folder  # noqa: E402
import submissions  # noqa: E402
from failure import Failure, InputFailure  # noqa: E402
from hostlist import expand  # noqa: E402
from sbatch_words import Words  # noqa: E402
from times import seconds  # noqa: E402

COLUMNS = {"Partition": "gpu", "Account": "a", "QOS": "n", "Timelimit": "1-00:00:00",
           "ReqTRES": "billing=1,cpu=8,gres/gpu:a100=4,gres/gpu=4,mem=32G,node=2"}


def written(text):
    folder = tempfile.TemporaryDirectory()
    path = pathlib.Path(folder.name) / "file"
    path.write_text(text, encoding="utf-8")
    return folder, path


class Recorder(unittest.TestCase):
    def test_a_host_list_keeps_zeros_and_order(self):
        self.assertEqual(expand("n[08-10,3],x"), ["n08", "n09", "n10", "n3", "x"])
        self.assertEqual(expand("r[1-2]n[1-2]"), ["r1n1", "r1n2", "r2n1", "r2n2"])

    def test_each_host_is_a_node_of_its_own_on_this_machine(self):
        folder, path = written("NodeName=n[1-2] CPUs=4 NodeAddr=10.0.0.[1-2] \\\n  RealMemory=9\nSlurmUser=slurm\n"
                               "PartitionName=p Nodes=ALL AllocNodes=login # a comment\n")
        with folder:
            conf = site_conf.read_slurm_conf(path)
        self.assertEqual(conf.dropped, ["SlurmUser", "AllocNodes"])
        text = site_conf.for_one_machine(conf, [7, 8], {})
        self.assertIn("NodeName=n2 NodeHostname=localhost NodeAddr=127.0.0.1 Port=8 CPUs=4 RealMemory=9\n", text)
        self.assertIn("PartitionName=p Nodes=ALL\n", text)
        self.assertNotIn("10.0.0", text)
        self.assertIn("NodeName=n[1-2] CPUs=4 RealMemory=9\n", conf.as_recorded())

    def test_devices_of_one_file_and_of_several_are_made_below_a_folder(self):
        with tempfile.TemporaryDirectory() as folder:
            text = site_conf.with_devices(["Name=gpu Type=a File=/dev/nvidia[0-1] Cores=0-3",
                                           "Name=gpu Type=1g.5gb MultipleFiles=/dev/nvidia2,/dev/nvidia-caps3"], pathlib.Path(folder))
            self.assertEqual(text, f"Name=gpu Type=a File={folder}/dev/nvidia[0-1] Cores=0-3\n"
                                   f"Name=gpu Type=1g.5gb MultipleFiles={folder}/dev/nvidia2,{folder}/dev/nvidia-caps3\n")
            self.assertEqual(sorted(path.name for path in pathlib.Path(folder, "dev").iterdir()),
                             ["nvidia-caps3", "nvidia0", "nvidia1", "nvidia2"])

    def test_a_partition_without_its_qos_keeps_the_lists_of_qos(self):
        line = "PartitionName=long Nodes=n[1-2] AllowQos=a,b QOS=part MaxTime=60\npartitionname=x qos=y\n"
        self.assertEqual(site_conf.without_partition_qos(line),
                         "PartitionName=long Nodes=n[1-2] AllowQos=a,b MaxTime=60\npartitionname=x\n")

    def test_quoted_values_keep_their_spaces(self):
        folder, path = written('PartitionName=p TRESBillingWeights="CPU=1.0, Mem=0.25G"\n')
        with folder:
            self.assertEqual(conf_lines.read(path)[0].value("tresbillingweights"), "CPU=1.0, Mem=0.25G")

    def test_an_absolute_include_is_the_folder_s_own_copy(self):
        folder, path = written("Include /etc/nowhere/conf.d/more.conf\n")
        with folder:
            (path.parent / "conf.d").mkdir()
            (path.parent / "conf.d" / "more.conf").write_text("PartitionName=p\n")
            self.assertEqual([line.text for line in conf_lines.read(path)], ["PartitionName=p"])

    def test_output_and_script_are_left_out_of_a_submit_line(self):
        words = Words("sbatch --parsable --uid=bob -D / -o /dev/null -N2 -t 5 --wrap sleep 317; exit 0")
        self.assertEqual(words.kept(), [("nodes", ["-N2"]), ("time", ["-t", "5"])])
        self.assertTrue(words.is_whole)

    def test_what_a_script_says_is_taken_from_the_columns(self):
        self.assertEqual(
            sacct_jobs.arguments({**COLUMNS, "SubmitLine": "sbatch -J x --wait job.sh -N 9"}),
            ["--partition=gpu", "--account=a", "--qos=n", "--time=1-00:00:00", "--nodes=2", "--ntasks=8",
             "--mem=16384", "--gres=gpu:a100:2"])

    def test_srun_lines_are_whole(self):
        line = "srun --mpi=pmix -n 4 --pty -t 10 bash"
        self.assertEqual(sacct_jobs.arguments({**COLUMNS, "SubmitLine": line}), ["-n", "4", "-t", "10"])

    def test_components_of_a_heterogeneous_job_are_submitted_together(self):
        line = "sbatch --parsable -o /dev/null -n1 -t 9 : -p gpu -n2 --wrap sleep 5; exit 0"
        self.assertEqual(sacct_jobs.arguments({**COLUMNS, "SubmitLine": line}), ["-n1", "-t", "9", ":", "-p", "gpu", "-n2"])

    def test_dependencies_name_jobs_and_not_numbers(self):
        line = "sbatch --dependency=afterok:12:13 -n1 --wrap x"
        self.assertEqual(sacct_jobs.arguments({**COLUMNS, "SubmitLine": line}),
                         ["--dependency=afterok:{j12}:{j13}", "-n1"])
        self.assertEqual(submissions.with_names("afterok:{j12}:{j13}", {"j12": "1"}), "afterok:1:{j13}")

    def test_admin_commands_name_jobs_too(self):
        self.assertEqual(submissions.with_placeholders("scancel 12 13_4"), "scancel {j12} {j13}_4")
        self.assertEqual(submissions.with_placeholders("scontrol update JobId=7 Nice=10"),
                         "scontrol update JobId={j7} Nice=10")
        self.assertEqual(submissions.with_placeholders("scontrol update NodeName=n2 State=DOWN"),
                         "scontrol update NodeName=n2 State=DOWN")

    def test_what_cannot_be_carried_out_is_told_before_the_day_begins(self):
        jobs = [submissions.Submission(5, "u", [], 5, name="first"), submissions.Submission(50, "u", [], 5, name="last")]
        good = 'at_s,command\n9,scontrol suspend {first}\n60,"scontrol create reservation Users=u Flags=FLEX,MAINT"\n'
        folder, path = written(good + "61,scancel {last}_3\n")
        with folder:
            found = submissions.read_scenario_events(path, jobs)
        self.assertEqual([event.at for event in found], [9, 60, 61])
        self.assertEqual(submissions.with_names(found[2].command, {"last": "12"}), "scancel 12_3")
        for wrong, why in (("9,scancel {last}", "no job submitted by then"), ("9,reboot", "'reboot' is not carried out"),
                           ("9,", "'' is not carried out"), ("9,scancel 'x", "no closing quotation")):
            folder, path = written(f"at_s,command\n{wrong}\n")
            with folder, self.assertRaisesRegex(InputFailure, why):
                submissions.read_scenario_events(path, jobs)
        folder, path = written("submit_s,user,runtime_s,args\n-5,u,9,-n1\n")
        with folder, self.assertRaisesRegex(InputFailure, "before the start"):
            submissions.read_jobs_csv(path)
        with self.assertRaisesRegex(Failure, "between 1 and 65535"):
            ports.free_run(8, 65530)

    def test_nodes_crash_and_boot_in_turn(self):
        def days(*commands):
            return [submissions.AdminCommand(at, command) for at, command in enumerate(commands)]

        self.assertFalse(outages.check(days("scontrol suspend 3"), {"n2"}))
        self.assertTrue(outages.check(days("node crash n[2-3]", "slurmd up n3", "node boot n2"), {"n2", "n3"}))
        for commands, why in ((("node boot n2",), "slurmd of n2 is up"), (("slurmd down n9",), "there is no node 'n9'"),
                              (("node crash n2", "slurmd down n2"), "slurmd of n2 is down"), (("node down n2",), "not known")):
            with self.assertRaisesRegex(InputFailure, why):
                outages.check(days(*commands), {"n2"})

    def test_slurm_conf_is_edited_by_keys_words_and_records(self):
        text = "SchedulerParameters=bf_window=60,defer\nNodeName=n[1-2] CPUs=4 Weight=1\nPartitionName=p Nodes=n1 MaxTime=1:00\n"
        for change, line in (("SchedulerParameters+=bf_window=90", "SchedulerParameters=defer,bf_window=90"),
                             ("SchedulerParameters-=defer", "SchedulerParameters=bf_window=60"),
                             ("KillWait=5", "KillWait=5"), ("NodeName=n[1-2]:Weight=7", "NodeName=n[1-2] CPUs=4 Weight=7"),
                             ("PartitionName=p:MaxTime=2:00", "PartitionName=p Nodes=n1 MaxTime=2:00"),
                             ("PartitionName=p:State=DOWN", "PartitionName=p Nodes=n1 MaxTime=1:00 State=DOWN")):
            self.assertIn(line, conf_edits.edited(text, change).splitlines())
        for change, why in (("KillWait", "not KEY=VALUE"), ("NodeName=n1:Weight=2", "no NodeName line of slurm.conf is of n1 alone"),
                            ("PartitionName=q:State=UP", "is of q alone")):
            with self.assertRaisesRegex(InputFailure, why):
                conf_edits.edited(text, change)

    def test_where_nodes_die_the_time_to_miss_them_is_the_sites(self):
        folder, path = written("NodeName=n1 CPUs=4\nSlurmdTimeout=120\n")
        with folder:
            conf = site_conf.read_slurm_conf(path)
        self.assertIn("SlurmdTimeout=3600\n", site_conf.for_one_machine(conf, [7], {}))
        conf.nodes_die = True
        text = site_conf.for_one_machine(conf, [7], {})
        self.assertIn("SlurmdTimeout=120\n", text)
        self.assertIn("ReturnToService=0\n", text)
        conf.nodes_die, conf.values["returntoservice"] = False, "2"
        self.assertIn("ReturnToService=2\n", site_conf.for_one_machine(conf, [7], {}))
        conf.values["returntoservice"] = "0"
        self.assertIn("ReturnToService=1\n", site_conf.for_one_machine(conf, [7], {}))
        conf.nodes_die = True
        self.assertIn("SlurmdTimeout=120\n", conf.as_recorded())

    def test_scenarios_name_jobs_by_how_far_back_they_are(self):
        self.assertEqual(scenario.with_jobs("-n1 --dependency=afterok:@1:@9", 4), "-n1 --dependency=afterok:{j3}:{j0}")
        self.assertEqual(scenario.with_jobs("-n1 --dependency=afterok:@1 -J x", 0), "-n1 -J x")
        self.assertEqual(scenario.with_jobs("-N2 --switches=1@3 -d after:@1+10", 4), "-N2 --switches=1@3 -d after:{j3}+10")
        self.assertEqual(scenario.with_limit("-n1 : -n2", 60, random.Random(3)).count(" -t "), 2)

    def test_a_recording_with_commands_is_read_from_its_sacct(self):
        with tempfile.TemporaryDirectory() as folder:
            root = pathlib.Path(folder)
            self.assertFalse(site_folder.is_scenario(root))
            (root / "jobs.csv").write_text("submit_s,user,runtime_s,args\n")
            (root / "events.csv").write_text("at_s,command\n")
            self.assertTrue(site_folder.is_scenario(root))
            (root / "events.csv").write_text("time,command\n")
            self.assertFalse(site_folder.is_scenario(root))

    def test_a_command_that_changed_some_tasks_only_is_an_event(self):
        self.assertTrue(recording.carried_out(0, ""))
        self.assertTrue(recording.carried_out(1, "92_1: Job has already finished\n92_3-5: No error"))
        self.assertTrue(recording.carried_out(1, "90_1: Job has already finished\n90_2: Job is no longer pending execution", names_all=False))
        self.assertFalse(recording.carried_out(1, "92_1-5: Job has already finished"))
        refused = "slurm_update error: Invalid node state specified"
        self.assertTrue(recording.carried_out(1, refused, command="scontrol update NodeName=c[1-3] State=RESUME"))
        self.assertTrue(recording.carried_out(1, refused, command="scontrol update State=RESUME nodename=c1,c4"))
        self.assertFalse(recording.carried_out(1, refused, command="scontrol update NodeName=c3 State=RESUME"))
        self.assertFalse(recording.carried_out(1, "Invalid", command="scontrol update PartitionName=p Nodes=c[1-3]"))
        self.assertTrue(recording.carried_out(1, "Job is pending execution", command="scontrol requeue 27,22"))
        self.assertTrue(recording.carried_out(1, "Invalid", command="scontrol update JobId=21,25 Nice=5"))
        self.assertFalse(recording.carried_out(1, "Invalid", command="scontrol requeue 27"))
        self.assertFalse(recording.carried_out(1, "Invalid", command="scontrol update JobId=21 NumNodes=2 Comment=3,4x"))
        self.assertFalse(recording.carried_out(1, "scontrol: error: Invalid duration Duration=+20.  No reservation update.\nslurm_update error: No error"))

        self.assertTrue(recording.carried_out(1, "Requested partition configuration not available now for job 97", command="scontrol update JobId=97 Nice=500"))

    def test_what_no_one_can_start_is_not_waited_for(self):
        self.assertTrue(drive.may_start("RUNNING", "None"))
        self.assertTrue(drive.may_start("PENDING", "BeginTime"))
        self.assertFalse(drive.may_start("PENDING", "QOSMaxGRESPerJob"))
        self.assertFalse(drive.may_start("RESV_DEL_HOLD", "Reservation course was deleted"))
        self.assertFalse(drive.may_start("SUSPENDED", "None"))

    def test_spans_are_seconds(self):
        self.assertEqual([seconds("1-02:03:04"), seconds("03:04"), seconds("UNLIMITED")], [93784, 184, None])

    def test_what_a_limit_ended_runs_into_it_again(self):
        row = {"JobID": "1", "Elapsed": "00:05:00", "State": "TIMEOUT", "ExitCode": "0:0"}
        self.assertEqual(sacct_jobs.truth(row, {}), (sacct_jobs.FOREVER, 0))
        self.assertEqual(sacct_jobs.truth({**row, "State": "FAILED", "ExitCode": "3:0"}, {}), (300, 3))
        self.assertEqual(sacct_jobs.truth(row, {"1": (400.0, 0)}), (400.0, 0))

    def test_tasks_of_an_array_may_run_differently(self):
        job = submissions.Submission(0, "u", [], 5, 0, "", {1: (7, 2)})
        self.assertEqual(job.script("work"), "s=5 e=0; case $SLURM_ARRAY_TASK_ID in 1) s=7 e=2;; esac; work $s; exit $e")
        self.assertEqual([job.truth(1), job.truth(2)], [(7, 2), (5, 0)])

    def test_elapsed_is_without_the_time_suspended(self):
        row = {"JobID": "1", "Elapsed": "00:05:00", "Suspended": "00:10:00", "State": "COMPLETED", "ExitCode": "0:0"}
        self.assertEqual(sacct_jobs.truth(row, {}), (300, 0))

    def test_work_stands_still_while_it_is_stopped(self):
        with tempfile.TemporaryDirectory() as folder:
            program = pathlib.Path(folder) / "work"
            clock.build("work.c", program)
            began = time.monotonic()
            job = subprocess.Popen([program, "1"], start_new_session=True)
            for pause, number in ((0.5, signal.SIGTSTP), (0.1, signal.SIGSTOP), (0.8, signal.SIGCONT)):
                time.sleep(pause)
                job.send_signal(number)
            self.assertEqual(job.wait(60), 0)
            self.assertGreaterEqual(time.monotonic() - began, 1 + 0.8)
            self.assertEqual(subprocess.run([program, "soon"], capture_output=True, check=False).returncode, 2)

    def test_a_qos_that_preempts_another_is_told_so_after_both_exist(self):
        folder, path = written("Name|Priority|Preempt|MaxTRESPU\nhigh|9|low|gres/gpu=2\nlow|0||\n")
        with folder:
            made = accounts.qos_commands(path)
        self.assertEqual(made, [["add", "qos", "high"], ["add", "qos", "low"],
                                ["modify", "qos", "high", "set", "Priority=9", "MaxTRESPerUser=gres/gpu=2"],
                                ["modify", "qos", "high", "set", "Preempt=low"]])

    def test_a_recording_of_another_release_says_so(self):
        with tempfile.TemporaryDirectory() as folder:
            out = pathlib.Path(folder)
            recording.write_version(out, "slurm-wlm 22.05.8\n")
            self.assertFalse((out / "site.yaml").exists())
            recording.write_version(out, "slurm 23.11.11\n")
            self.assertEqual((out / "site.yaml").read_text(), 'slurm_version: "23.11"\n')

    def test_a_limit_that_sacctmgr_shows_only_when_asked_is_made_too(self):
        folder, path = written("Name|MaxTRESRunMinsPU|Descr\nhigh|cpu=9|theirs\n")
        with folder:
            self.assertEqual(accounts.qos_commands(path)[1], ["modify", "qos", "high", "set", "MaxTRESRunMinsPU=cpu=9"])

    def test_a_column_of_qos_that_no_option_sets_is_not_left_out_in_silence(self):
        folder, path = written("Name|MaxDreams\nhigh|9\n")
        with folder, self.assertRaisesRegex(InputFailure, "MaxDreams"):
            accounts.qos_commands(path)


if __name__ == "__main__":
    unittest.main()
