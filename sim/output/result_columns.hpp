// sim/output/result_columns.hpp — every column of the result file: name, units, meaning, in one
// place.
//
// Writer and reader walk these lists; to add a column, add its member in result.hpp and a line
// here.
#pragma once

#include "sim/output/column_info.hpp"
#include "sim/output/result.hpp"

namespace rehearse {

/// Of /jobs: which job.
template <typename Runs, typename Use>
void for_each_identity_column(Runs& r, Use&& use) {
  using columns::kPlain;
  use({"job_id", "1", "Slurm job id (JobIDRaw)"}, r.job_id);
  use({"array_job", "1", "job id of the array; 0: not of an array"}, r.array_job);
  use({"array_task", "1", "array task index; -1: not a task"}, r.array_task);
  use({"het_job", "1", "job id of the heterogeneous job; 0: not a component"}, r.het_job);
  use({"het_offset", "1", "offset of the component; -1: not a component"}, r.het_offset);
  use({"tasks", "1", "jobs that this row stands for: above 1 for an array that never split"},
      r.tasks);
  use({"job_name", "1", "job name", kPlain, "/names/job_name"}, r.job_name);
  use({"user", "1", "user", kPlain, "/names/user"}, r.user);
  use({"account", "1", "account", kPlain, "/names/account"}, r.account);
  use({"constraints", "1", "features asked for (-C)", kPlain, "/names/constraints"}, r.constraints);
  use({"requested_partitions", "1", "partitions asked for", kPlain, "/names/partition_list"},
      r.requested_partitions);
  use({"array_text", "1", "tasks of an unsplit array that wait", kPlain, "/names/text"},
      r.array_text);
  use({"partition", "1", "partition, row of /partitions", kPlain, "/names/partition"}, r.partition);
  use({"qos", "1", "QOS, row of /qos", kPlain, "/names/qos", true}, r.qos);
  use({"association", "1", "association, row of /accounts", kPlain, "/accounts", true},
      r.association);
}

/// Of /jobs: what became of it and when.
template <typename Runs, typename Use>
void for_each_course_column(Runs& r, Use&& use) {
  using columns::kTime;
  use({"submit", "", "submission of this run; of a requeue: its clean-up", kTime}, r.submit);
  use({"eligible", "", "when it could first start: begin time, dependencies", kTime}, r.eligible);
  use({"accrue", "", "since when it gains priority by age", kTime}, r.accrue);
  use({"start", "", "start; none: never ran", kTime}, r.start);
  use({"end", "", "end; none: still pending or running", kTime}, r.end);
  use({"time_limit", "min", "time limit; 4294967295: UNLIMITED, 4294967294: none given"},
      r.limit_min);
  use({"suspended", "s", "time suspended"}, r.suspended_s);
  use({"kept", "s", "work of a requeued run that its next run went on from"}, r.kept_s);
  use({"configuring", "s", "time before start for which its nodes were powered up"},
      r.configuring_s);
  use({"state", "1", "state at the end of this row", ColumnKind::StateCode}, r.state);
  use({"started_by", "1", "the loop that started it", ColumnKind::LoopCode}, r.started_by);
  use({"exit_code", "1", "exit code; negative: the signal it died of"}, r.exit_code);
  use({"restarts", "1", "runs of this job before this one"}, r.restarts);
}

/// Of /jobs: what it asked for and held, its priority and its Reason.
template <typename Runs, typename Use>
void for_each_amount_column(Runs& r, Use&& use) {
  using columns::kPlain;
  use({"cpus", "1", "CPUs held"}, r.cpus);
  use({"nodes", "1", "nodes held"}, r.nodes);
  use({"gpus_milli", "0.001", "GPUs held, in thousandths"}, r.gpu_milli);
  use({"memory", "MiB", "host memory held"}, r.memory_mib);
  use({"requested_cpus", "1", "CPUs asked for"}, r.requested_cpus);
  use({"requested_nodes", "1", "nodes asked for"}, r.requested_nodes);
  use({"requested_gpus", "1", "GPUs asked for"}, r.requested_gpus);
  use({"requested_memory", "MiB", "host memory asked for"}, r.requested_memory_mib);
  use({"requested_tres", "1", "ReqTRES", kPlain, "/names/tres_set"}, r.requested_tres);
  use({"held_tres", "1", "AllocTRES", kPlain, "/names/tres_set"}, r.held_tres);
  use({"tres_per_node", "1", "GRES asked for of each node", kPlain, "/names/text"},
      r.tres_per_node);
  use({"node_list", "1", "nodes held, as a host list", kPlain, "/names/node_list"}, r.node_list);
  use({"priority", "1", "priority at the start, else the last known"}, r.priority);
  use({"priority_recorded", "1", "priority when accounting first had this row, as sacct tells"},
      r.priority_recorded);
  use({"priority_age", "1", "its part for age"}, r.factor_age);
  use({"priority_assoc", "1", "its part for the association"}, r.factor_assoc);
  use({"priority_fair_share", "1", "its part for fair-share"}, r.factor_fair_share);
  use({"priority_job_size", "1", "its part for job size"}, r.factor_job_size);
  use({"priority_partition", "1", "its part for the partition"}, r.factor_partition);
  use({"priority_qos", "1", "its part for the QOS"}, r.factor_qos);
  use({"nice", "1", "what nice takes off"}, r.factor_nice);
  use({"priority_tres", "1", "its parts for TRES", kPlain, "/names/text"}, r.factor_tres);
  use({"reason", "1", "Reason that sacct keeps; of a pending job the present one",
       ColumnKind::ReasonCode},
      r.reason);
  use({"split_from", "1", "row whose earlier waits are also this row's", kPlain, "/jobs", true},
      r.split_from);
}

/// Calls use(info, vector) for each column of /jobs.
template <typename Runs, typename Use>
void for_each_run_column(Runs& r, Use&& use) {
  for_each_identity_column(r, use);
  for_each_course_column(r, use);
  for_each_amount_column(r, use);
}

template <typename Feedback, typename Use>
void for_each_feedback_column(Feedback& f, Use&& use) {
  use({"recorded_submit", "", "first submission of the job in the record", ColumnKind::Instant},
      f.recorded_submit);
  use({"rule", "1",
       "what decided when it was submitted; 0: the record, 1: the end of another job and a think "
       "time, 2: the first job of its batch"},
      f.rule);
}

template <typename Waits, typename Use>
void for_each_wait_column(Waits& w, Use&& use) {
  use({"job", "1", "row of /jobs", ColumnKind::Plain, "/jobs"}, w.run);
  use({"reason", "1", "why it waited", ColumnKind::ReasonCode}, w.reason);
  use({"text", "1", "description that hides the reason", ColumnKind::Plain, "/names/text"}, w.text);
  use({"tasks", "1", "jobs that waited: tasks of an unsplit array"}, w.tasks);
  use({"begin", "", "begin of the interval", ColumnKind::Instant}, w.begin);
  use({"end", "", "end of the interval", ColumnKind::Instant}, w.end);
}

template <typename Holdings, typename Use>
void for_each_holding_column(Holdings& h, Use&& use) {
  use({"job", "1", "row of /jobs", ColumnKind::Plain, "/jobs"}, h.run);
  use({"node", "1", "row of /nodes", ColumnKind::Plain, "/names/node"}, h.node);
  use({"cpus", "1", "CPUs held of the node"}, h.cpus);
  use({"gpus_milli", "0.001", "GPUs held of the node, in thousandths"}, h.gpu_milli);
  use({"memory", "MiB", "memory held of the node"}, h.memory_mib);
  use({"devices", "1", "devices held, as scontrol -d show job", ColumnKind::Plain, "/names/text"},
      h.devices);
  use({"cuda_visible_devices", "1", "GPU indexes; 0, 1, … if cgroups constrain devices",
       ColumnKind::Plain, "/names/text"},
      h.cuda_visible);
}

template <typename Suspensions, typename Use>
void for_each_suspension_column(Suspensions& s, Use&& use) {
  use({"job", "1", "row of /jobs", ColumnKind::Plain, "/jobs"}, s.run);
  use({"begin", "", "since when it was suspended", ColumnKind::Instant}, s.begin);
  use({"end", "", "when it went on or ended; none: suspended at the end", ColumnKind::Instant},
      s.end);
  use({"lends_cores", "1", "1: its CPUs were free for others meanwhile"}, s.lends_cores);
}

template <typename Plans, typename Use>
void for_each_plan_column(Plans& p, Use&& use) {
  use({"job_id", "1", "job id, of an array that is not split its own"}, p.job_id);
  use({"begin", "", "since when the plan stood", ColumnKind::Instant}, p.begin);
  use({"end", "", "until when", ColumnKind::Instant}, p.end);
  use({"start", "", "when the job was to start", ColumnKind::Instant}, p.start);
  use({"node_list", "1", "on which nodes", ColumnKind::Plain, "/names/node_list"}, p.node_list);
}

template <typename Events, typename Use>
void for_each_event_column(Events& e, Use&& use) {
  use({"time", "", "when the node changed", ColumnKind::Instant}, e.time);
  use({"node", "1", "row of /nodes", ColumnKind::Plain, "/names/node"}, e.node);
  use({"state", "1", "what keeps the node from jobs; 0: nothing", ColumnKind::NodeFlags}, e.state);
  use({"text", "1", "the admin's reason", ColumnKind::Plain, "/names/text"}, e.text);
}

template <typename Rejections, typename Use>
void for_each_rejection_column(Rejections& j, Use&& use) {
  use({"time", "", "when it was refused", ColumnKind::Instant}, j.time);
  use({"job_id", "1", "job id in the trace"}, j.job_id);
  use({"user", "1", "user", ColumnKind::Plain, "/names/user"}, j.user);
  use({"account", "1", "account", ColumnKind::Plain, "/names/account"}, j.account);
  use({"requested_partitions", "1", "partitions asked for", ColumnKind::Plain,
       "/names/partition_list"},
      j.requested_partitions);
  use({"message", "1", "what sbatch prints", ColumnKind::Plain, "/names/text"}, j.message);
}

template <typename FairShare, typename Use>
void for_each_fair_share_column(FairShare& f, Use&& use) {
  use({"time", "", "priority tick", ColumnKind::Instant}, f.time);
  use({"association", "1", "row of /accounts", ColumnKind::Plain, "/accounts"}, f.association);
  use({"raw_usage", "s", "decayed billing-seconds (RawUsage)"}, f.raw_usage);
  use({"usage_norm", "1", "share of all usage (NormUsage)"}, f.usage_norm);
  use({"usage_effective", "1", "effective usage (EffectvUsage)"}, f.usage_effective);
  use({"level_fs", "1", "LevelFS; inf: no usage"}, f.level_fs);
  use({"fair_share", "1", "fair-share factor"}, f.fair_share);
}

/// Calls use(name, pool) for each pool of /names that the recorder fills.
template <typename Names, typename Use>
void for_each_name_pool(Names& n, Use&& use) {
  use("job_name", n.job_name);
  use("user", n.user);
  use("account", n.account);
  use("constraints", n.constraints);
  use("partition_list", n.partition_list);
  use("tres_set", n.tres_set);
  use("node_list", n.node_list);
  use("text", n.text);
}

}  // namespace rehearse
