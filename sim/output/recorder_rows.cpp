// sim/output/recorder_rows.cpp — one row from one job record, and the rarer things that are kept.
#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "sim/output/array_indexes.hpp"
#include "sim/output/cluster_facts.hpp"
#include "sim/output/recorder.hpp"

namespace rehearse {
namespace {

/// GPUs asked for: the tracked gres/gpu of the request vector, else what the options say.
std::uint32_t gpus_wanted(const Job& job, const Request& request, const Cluster& cluster) {
  if (const auto gpu = cluster.tres.find("gres/gpu")) {
    const std::size_t at = index_of(*gpu);
    if (at < job.request_tres.size()) return static_cast<std::uint32_t>(job.request_tres[at]);
  }
  std::uint64_t sum = 0;
  for (const GresRequest& gres : request.gres) {
    if (cluster.names.text(gres.name) != "gpu") continue;
    sum += gres.per_job > 0    ? gres.per_job
           : gres.per_node > 0 ? gres.per_node * request.min_nodes
                               : gres.per_task * request.num_tasks.value_or(1);
  }
  return static_cast<std::uint32_t>(sum);
}

/// `3-9%2`, the tasks that wait at the end, as squeue brackets them.
std::string array_text(const Job& job) {
  if (!job.is_array_meta() || job.spec->extras == nullptr) return {};
  const JobExtras& extras = *job.spec->extras;
  std::set<std::uint32_t> tasks;
  for (const auto at : job.pending_tasks) tasks.insert(extras.array[at].index);
  std::string text = array_indexes_text(tasks);
  if (extras.array_max_running > 0) text += fmt::format("%{}", extras.array_max_running);
  return text;
}

/// What accounting keeps. Loops look at the pairs of a job that may start from the highest number
/// to the lowest, which is the record's when accounting first hears of it, mostly (priority.md
/// §4.3).
std::uint32_t priority_of_record(const Job& job) {
  const bool is_looked_at =
      job.partitions.size() > 1 && !job.is_array_meta() && job.begin && *job.begin <= job.submit;
  const auto& numbers = job.partition_priority;
  return !is_looked_at || numbers.empty() ? job.priority
                                          : *std::min_element(numbers.begin(), numbers.end());
}

}  // namespace

/// For who is split off in time it would be asked in vain, and an array has many.
void Recorder::tell_waiting_tasks(const Job& job, std::uint32_t row) {
  if (!job.is_array_meta()) return;
  result_.runs.array_text[row] = code_of(result_.names.text, array_text(job));
}

/// Slurm moves the start to the end of CONFIGURING where nodes had to be powered up.
void Recorder::job_configured(const Job& job, SlurmTime now) {
  advance(now);
  const std::uint32_t row = open_of(job).row;
  result_.runs.configuring_s[row] =
      static_cast<std::uint32_t>(epoch_seconds(*job.start) - result_.runs.start[row]);
  result_.runs.start[row] = epoch_seconds(*job.start);
}

void Recorder::job_cleaned(const Job& job, SlurmTime now) {
  const std::uint32_t row = open_of(job).row;
  if (epoch_seconds(now) <= result_.runs.end[row]) return;
  result_.completing.run.push_back(row);
  result_.completing.end.push_back(epoch_seconds(now));
}

/// sacct: the old size ends as RESIZING, and a row with the new one begins, submitted now.
void Recorder::job_resized(const Job& job, const Allocation& before, SlurmTime now) {
  advance(now);
  OpenWait& open = open_of(job);
  RunColumns& runs = result_.runs;
  const std::uint32_t old = open.row;
  runs.end[old] = epoch_seconds(now);
  runs.state[old] = kStateResizing;
  for (const NodeShare& share : before.nodes) use_node(share, -1);
  parts_.left(job, now);
  const bool stands = suspended_.contains(old);
  if (stands) close_suspension(job, before, old, now);
  if (!stands) series_.add(Follow::JobsRunning, -1);
  open.row = add_row(job);
  runs.submit[open.row] = runs.eligible[open.row] = runs.start[open.row] = epoch_seconds(now);
  runs.restarts[open.row] = static_cast<std::uint16_t>(job.restarts + 1);  // not its first row
  runs.state[open.row] = static_cast<std::uint8_t>(JobState::Running);
  runs.started_by[open.row] = static_cast<std::uint8_t>(job.started_by);
  runs.partition[open.row] = static_cast<std::uint16_t>(job.partition);
  parts_.note(job, open.row);
  parts_.runs(job, open.row, now);
  hold(job, open.row);
  for (const NodeShare& share : job.allocation.nodes) use_node(share, 1);
  series_.add(Follow::JobsRunning, 1);
  if (stands) job_suspended(job, now);
}

std::uint32_t Recorder::add_row(const Job& job) {
  RunColumns& runs = result_.runs;
  runs.job_id.push_back(static_cast<std::uint32_t>(job.id));
  runs.array_job.push_back(static_cast<std::uint32_t>(job.array_job));
  runs.array_task.push_back(job.array_task ? static_cast<std::int32_t>(*job.array_task) : -1);
  const JobExtras* extras = job.spec->extras.get();
  const bool is_het = extras != nullptr && extras->het_leader != JobId{};
  runs.het_job.push_back(is_het ? static_cast<std::uint32_t>(extras->het_leader) : 0);
  runs.het_offset.push_back(is_het ? static_cast<std::int32_t>(extras->het_offset) : -1);
  runs.tasks.push_back(job.is_array_meta() ? static_cast<std::uint32_t>(job.pending_tasks.size())
                                           : 1);
  for (auto* column :
       {&runs.job_name, &runs.user, &runs.account, &runs.requested_partitions, &runs.association,
        &runs.limit_min, &runs.constraints, &runs.requested_cpus, &runs.requested_nodes,
        &runs.requested_gpus, &runs.requested_tres, &runs.tres_per_node}) {
    column->push_back(0);
  }
  runs.requested_memory_mib.push_back(0);
  runs.partition.push_back(0);
  runs.qos.push_back(0);
  runs.array_text.push_back(0);
  runs.submit.push_back(epoch_seconds(job.submit));
  runs.eligible.push_back(seconds_or_none(job.begin));
  runs.accrue.push_back(seconds_or_none(job.accrue));
  runs.start.push_back(kNoTime);
  runs.end.push_back(kNoTime);
  runs.suspended_s.push_back(0);
  runs.kept_s.push_back(0);
  runs.configuring_s.push_back(0);
  runs.state.push_back(static_cast<std::uint8_t>(JobState::Pending));
  runs.started_by.push_back(static_cast<std::uint8_t>(StartedBy::Nobody));
  runs.exit_code.push_back(0);
  runs.restarts.push_back(static_cast<std::uint16_t>(job.restarts));
  for (auto* column : {&runs.cpus, &runs.nodes, &runs.gpu_milli, &runs.held_tres, &runs.node_list,
                       &runs.factor_tres}) {
    column->push_back(0);
  }
  runs.memory_mib.push_back(0);
  for (auto* column :
       {&runs.factor_age, &runs.factor_assoc, &runs.factor_fair_share, &runs.factor_job_size,
        &runs.factor_partition, &runs.factor_qos, &runs.factor_nice}) {
    column->push_back(0);
  }
  runs.priority.push_back(0);
  runs.priority_recorded.push_back(priority_of_record(job));
  runs.reason.push_back(static_cast<std::uint16_t>(Reason::None));
  runs.split_from.push_back(kNoRow);
  const auto row = static_cast<std::uint32_t>(runs.size() - 1);
  describe(job, row);
  parts_.note(job, row);
  return row;
}

/// What an update may change.
void Recorder::describe(const Job& job, std::uint32_t row) {
  RunColumns& runs = result_.runs;
  ResultNames& names = result_.names;
  const NamePool& texts = cluster_->names;
  const JobSpec& spec = *job.spec;
  runs.job_name[row] = code_of(names.job_name, texts.text(spec.name));
  runs.user[row] = code_of(names.user, texts.text(spec.user));
  // The account in force may be the user's default.
  const NameId account =
      job.association ? cluster_->accounts.associations[*job.association].account : spec.account;
  runs.account[row] = code_of(names.account, texts.text(account));
  std::string partitions;
  for (const PartitionId each : job.partitions) {
    partitions += (partitions.empty() ? "" : ",") + texts.text(cluster_->partitions[each].name);
  }
  runs.requested_partitions[row] = code_of(names.partition_list, partitions);
  runs.partition[row] =
      static_cast<std::uint16_t>(job.partitions.empty() ? job.partition : job.partitions.front());
  runs.qos[row] = job.qos ? static_cast<std::uint16_t>(*job.qos) : UINT16_MAX;
  runs.association[row] = job.association ? static_cast<std::uint32_t>(*job.association) : kNoRow;
  runs.limit_min[row] = !job.time_limit ? kLimitNone
                        : *job.time_limit == kUnlimited
                            ? kLimitUnlimited
                            : static_cast<std::uint32_t>(job.time_limit->count());
  describe_request(job, row);
}

void Recorder::describe_request(const Job& job, std::uint32_t row) {
  RunColumns& runs = result_.runs;
  const Request& request = cluster_->request_of(job);
  const TresVector& wanted = job.request_tres;
  const auto amount = [&](TresIndex which, std::uint64_t otherwise) {
    return index_of(which) < wanted.size() ? wanted[index_of(which)] : otherwise;
  };
  runs.constraints[row] =
      code_of(result_.names.constraints, cluster_->names.text(request.features));
  runs.requested_cpus[row] = static_cast<std::uint32_t>(amount(TresTable::kCpu, request.min_cpus));
  runs.requested_nodes[row] =
      static_cast<std::uint32_t>(amount(TresTable::kNode, request.min_nodes));
  runs.requested_memory_mib[row] = amount(TresTable::kMem, 0);
  runs.requested_gpus[row] = gpus_wanted(job, request, *cluster_);
  runs.requested_tres[row] =
      wanted.empty() ? 0 : held_.tres(wanted, *cluster_, result_.names.tres_set);
  runs.tres_per_node[row] =
      code_of(result_.names.text,
              tres_per_node_text(request, cluster_->names, cluster_->inputs.site.slurm_version));
}

/// The row of a pending job, or of one that runs, becomes what it is now.
void Recorder::job_changed(const Job& job, SlurmTime now) {
  if (open_.size() <= index_of(job.index)) return;
  const OpenWait& open = open_of(job);
  RunColumns& runs = result_.runs;
  if (open.tasks == 0) {  // it runs: its limit and its name are all that may have changed
    runs.limit_min[open.row] = !job.time_limit ? kLimitNone
                               : *job.time_limit == kUnlimited
                                   ? kLimitUnlimited
                                   : static_cast<std::uint32_t>(job.time_limit->count());
    runs.job_name[open.row] = code_of(result_.names.job_name, cluster_->names.text(job.spec->name));
    return;
  }
  advance(now);
  const auto wanted = [&] {
    return std::int64_t{runs.requested_gpus[open.row]} * 1000 * open.tasks;
  };
  series_.add(Follow::GpusWanted, -wanted());
  describe(job, open.row);
  parts_.look(job, now);
  series_.add(Follow::GpusWanted, wanted());
}

void Recorder::job_suspended(const Job& job, SlurmTime now) {
  advance(now);
  const std::uint32_t row = open_of(job).row;
  SuspensionColumns& suspensions = result_.suspensions;
  suspended_[row] = suspensions.size();
  suspensions.run.push_back(row);
  suspensions.begin.push_back(epoch_seconds(now));
  suspensions.end.push_back(kNoTime);
  suspensions.lends_cores.push_back(job.suspension.lends_cores ? 1 : 0);
  if (job.suspension.lends_cores) lend_cores(job.allocation, -1);
  result_.runs.state[row] = static_cast<std::uint8_t>(JobState::Suspended);
  series_.add(Follow::JobsRunning, -1);
}

void Recorder::job_resumed(const Job& job, SlurmTime now) {
  advance(now);
  const std::uint32_t row = open_of(job).row;
  close_suspension(job, job.allocation, row, now);
  result_.runs.state[row] = static_cast<std::uint8_t>(JobState::Running);
  series_.add(Follow::JobsRunning, 1);
}

/// The row's suspended time is what the controller counts.
void Recorder::close_suspension(const Job& job, const Allocation& held, std::uint32_t row,
                                SlurmTime until) {
  result_.runs.suspended_s[row] = static_cast<std::uint32_t>(job.suspension.total.count());
  const auto open = suspended_.find(row);
  if (open == suspended_.end()) return;
  result_.suspensions.end[open->second] = epoch_seconds(until);
  if (result_.suspensions.lends_cores[open->second] != 0) lend_cores(held, 1);
  suspended_.erase(open);
}

void Recorder::job_rejected(const JobSpec& spec, std::string_view message, SlurmTime now) {
  RejectionColumns& rejections = result_.rejections;
  const NamePool& texts = cluster_->names;
  rejections.time.push_back(epoch_seconds(now));
  rejections.job_id.push_back(static_cast<std::uint32_t>(spec.id));
  rejections.user.push_back(code_of(result_.names.user, texts.text(spec.user)));
  rejections.account.push_back(code_of(result_.names.account, texts.text(spec.account)));
  rejections.requested_partitions.push_back(
      code_of(result_.names.partition_list, texts.text(spec.partitions)));
  rejections.message.push_back(code_of(result_.names.text, message));
}

void Recorder::priorities_recomputed(const Cluster& cluster, SlurmTime now) {
  parts_.look_at_all(cluster, now);
  if (cluster.conf.priority.type == PriorityType::Multifactor) note_shares(cluster, now);
}

void Recorder::note_shares(const Cluster& cluster, SlurmTime now) {
  FormerShareColumns& former = result_.former_shares;
  for (const Association& each : cluster.accounts.associations) {
    const std::pair<std::int64_t, double> present{each.shares ? std::int64_t{*each.shares} : -1,
                                                  each.shares_norm};
    const std::size_t at = index_of(each.id);
    if (at >= shares_.size()) shares_.push_back(present);  // of the first tick, or new
    if (shares_[at] == present) continue;
    former.association.push_back(static_cast<std::uint32_t>(at));
    former.end.push_back(epoch_seconds(now));
    former.shares.push_back(shares_[at].first);
    former.shares_norm.push_back(shares_[at].second);
    shares_[at] = present;
  }
}

bool Recorder::asks_for_shares(SlurmTime now) const {
  return cluster_->conf.priority.type == PriorityType::Multifactor &&
         (fair_share_next_ == kNoTime || epoch_seconds(now) >= fair_share_next_);
}

void Recorder::shares_told(const Cluster& cluster, std::span<const ShareFactors> shares,
                           SlurmTime now) {
  const std::int64_t time = epoch_seconds(now);
  fair_share_next_ = time + fair_share_period_.count();
  FairShareColumns& kept = result_.fair_share;
  for (const Association& each : cluster.accounts.associations) {
    const ShareFactors& shown = shares[index_of(each.id)];
    kept.time.push_back(time);
    kept.association.push_back(static_cast<std::uint32_t>(each.id));
    kept.raw_usage.push_back(static_cast<double>(each.usage.raw));
    kept.usage_norm.push_back(static_cast<double>(shown.usage_norm));
    kept.usage_effective.push_back(static_cast<double>(shown.usage_effective));
    kept.level_fs.push_back(static_cast<double>(shown.level_fs));
    kept.fair_share.push_back(shown.fair_share);
  }
  constexpr Seconds kFarthest{3600};
  const std::size_t most =
      fair_share_period_ < kFarthest ? options_.fair_share_rows : options_.fair_share_rows_most;
  if (kept.size() > most) thin_fair_share();
}

void Recorder::hour_passed(const LoopCounts& counts, SlurmTime hour) {
  LoopColumns& kept = result_.loops_by_hour;
  const bool changed = kept.size() == 0 || kept.main_passes.back() != counts.main_passes ||
                       kept.backfill_cycles.back() != counts.backfill_cycles;
  if (!changed) return;
  kept.time.push_back(epoch_seconds(hour));
  kept.main_passes.push_back(counts.main_passes);
  kept.main_records.push_back(counts.main_records);
  kept.backfill_cycles.push_back(counts.backfill_cycles);
}

void Recorder::settings_changed(const Cluster& cluster, SlurmTime now) {
  FormerSettingColumns& former = result_.former_settings;
  former.end.push_back(epoch_seconds(now));
  former.weight_age.push_back(settings_.weight_age);
  former.weight_assoc.push_back(settings_.weight_assoc);
  former.weight_fairshare.push_back(settings_.weight_fairshare);
  former.weight_job_size.push_back(settings_.weight_job_size);
  former.weight_partition.push_back(settings_.weight_partition);
  former.weight_qos.push_back(settings_.weight_qos);
  former.max_job_factor.push_back(settings_.max_priority_job_factor);
  former.weight_tres.push_back(code_of(result_.names.text, settings_.weight_tres));
  former.max_age_s.push_back(settings_.max_age_s);
  former.tick_s.push_back(settings_.tick_s);
  former.fair_tree.push_back(settings_.fair_tree ? 1 : 0);
  former.calculate_running.push_back(settings_.calculate_running ? 1 : 0);
  former.incr_only.push_back(settings_.incr_only ? 1 : 0);
  former.accrue_always.push_back(settings_.accrue_always ? 1 : 0);
  settings_ = priority_facts_of(cluster);
  parts_.settings_changed();
}

/// Drops every other sample and doubles the period: a year of a large site stays small.
void Recorder::thin_fair_share() {
  FairShareColumns& kept = result_.fair_share;
  const Seconds tick{cluster_->conf.priority.calc_period};
  fair_share_period_ = 2 * std::max(fair_share_period_, tick);
  std::size_t to = 0;
  bool keeps = false;
  for (std::size_t from = 0; from < kept.size(); ++from) {
    if (from == 0 || kept.time[from] != kept.time[from - 1]) keeps = !keeps;
    if (!keeps) continue;
    kept.time[to] = kept.time[from];
    kept.association[to] = kept.association[from];
    for (auto* column : {&kept.raw_usage, &kept.usage_norm, &kept.usage_effective, &kept.level_fs,
                         &kept.fair_share}) {
      (*column)[to] = (*column)[from];
    }
    ++to;
  }
  kept.time.resize(to);
  kept.association.resize(to);
  for (auto* column : {&kept.raw_usage, &kept.usage_norm, &kept.usage_effective, &kept.level_fs,
                       &kept.fair_share}) {
    column->resize(to);
  }
}

void Recorder::gpus_withheld(NodeId node, std::uint32_t milli, SlurmTime now) {
  advance(now);
  count_available(node, -1);
  withheld_[index_of(node)] = milli;
  count_available(node, 1);
}

}  // namespace rehearse
