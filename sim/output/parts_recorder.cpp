// sim/output/parts_recorder.cpp — a mark of all parts tells whether any has changed.
#include "sim/output/parts_recorder.hpp"

#include <fmt/format.h>

#include <cmath>
#include <utility>

#include "sim/core/fingerprint.hpp"

namespace rehearse {
namespace {

std::int32_t rounded(double factor) {
  return static_cast<std::int32_t>(std::llrint(factor));
}

void add(Fingerprint& mark, double part) {
  mark.add(static_cast<std::uint64_t>(std::llrint(part)));
}

/// The record has the terms of one of its partitions, now this one, now that one (priority.md §5).
/// A number that was set by hand has none.
bool waits_in_several(const Job& job) {
  return job.partitions.size() > 1 && job.is_pending() && !job.held && !job.direct_priority;
}

/// The record's number is that of the partition that a loop looked at last (priority.md §5).
std::uint32_t priority_in(const Job& job, PartitionId partition) {
  if (job.priority == 0 || job.partition_priority.size() != job.partitions.size()) {
    return job.priority;
  }
  for (std::size_t i = 0; i < job.partitions.size(); ++i) {
    if (job.partitions.size() > 1 && job.partitions[i] == partition) {
      return job.partition_priority[i];
    }
  }
  return job.priority;
}

}  // namespace

void PartsRecorder::begin(const Cluster& cluster, Result& result) {
  cluster_ = &cluster;
  result_ = &result;
  terms_.emplace(cluster);
  tres_.assign(terms_->tres_count(), 0);
}

void PartsRecorder::settings_changed() {
  terms_->settings_changed();
  tres_.assign(terms_->tres_count(), 0);
}

std::uint64_t PartsRecorder::mark_of(const Job& job) {
  const PriorityFactors& factors = job.factors;
  Fingerprint mark;
  for (const double part : {factors.assoc, factors.job_size, factors.qos}) add(mark, part);
  mark.add(static_cast<std::uint64_t>(factors.nice));
  if (!waits_in_several(job)) {
    add(mark, factors.partition);
    for (const double term : factors.tres) add(mark, term);
    return mark.value();
  }
  for (const PartitionId each : job.partitions) {
    mark.add(static_cast<std::uint64_t>(each));
    add(mark, terms_->of_partition(each));
    terms_->of_tres(job, each, &tres_);
    for (const double term : tres_) add(mark, term);
  }
  return mark.value();
}

std::uint32_t PartsRecorder::tres_code(const std::vector<double>& terms) {
  std::string text;
  for (std::size_t i = 0; i < terms.size(); ++i) {
    if (rounded(terms[i]) == 0) continue;
    text += fmt::format("{}{}={}", text.empty() ? "" : ",",
                        cluster_->tres.name(id_at<TresIndex>(i)), rounded(terms[i]));
  }
  return code_of(result_->names.text, text);
}

PartsRecorder::Parts PartsRecorder::parts_of(const Job& job, PartitionId partition) {
  const PriorityFactors& factors = job.factors;
  Parts parts{rounded(factors.assoc),
              rounded(factors.job_size),
              rounded(factors.partition),
              rounded(factors.qos),
              static_cast<std::int32_t>(factors.nice),
              0};
  if (!waits_in_several(job)) {
    parts.tres = tres_code(factors.tres);
    return parts;
  }
  parts.in_partition = rounded(terms_->of_partition(partition));
  terms_->of_tres(job, partition, &tres_);
  parts.tres = tres_code(tres_);
  return parts;
}

PartsRecorder::Parts PartsRecorder::noted(std::uint32_t row) const {
  const RunColumns& runs = result_->runs;
  return {runs.factor_assoc[row], runs.factor_job_size[row], runs.factor_partition[row],
          runs.factor_qos[row],   runs.factor_nice[row],     runs.factor_tres[row]};
}

void PartsRecorder::put(const Parts& parts, std::uint32_t row) {
  RunColumns& runs = result_->runs;
  runs.factor_assoc[row] = parts.assoc;
  runs.factor_job_size[row] = parts.job_size;
  runs.factor_partition[row] = parts.in_partition;
  runs.factor_qos[row] = parts.qos;
  runs.factor_nice[row] = parts.nice;
  runs.factor_tres[row] = parts.tres;
}

void PartsRecorder::note(const Job& job, std::uint32_t row) {
  if (waits_in_several(job)) terms_->partitions_changed();
  put(parts_of(job, PartitionId{result_->runs.partition[row]}), row);
  note_end_of_wait(job, row);
}

void PartsRecorder::note_end_of_wait(const Job& job, std::uint32_t row) {
  RunColumns& runs = result_->runs;
  runs.priority[row] = priority_in(job, PartitionId{runs.partition[row]});
  runs.factor_age[row] = rounded(job.factors.age);
  runs.factor_fair_share[row] = rounded(job.factors.fair_share);
}

void PartsRecorder::take_others(const Job& job, Open& open) {
  open.others.clear();
  if (!waits_in_several(job)) return;
  for (const PartitionId each : job.partitions) {
    const auto partition = static_cast<std::uint16_t>(each);
    if (partition == open.partition) continue;
    open.others.push_back({partition, parts_of(job, each)});
  }
}

void PartsRecorder::open(const Job& job, std::uint32_t row, bool runs, SlurmTime now) {
  const std::size_t index = index_of(job.index);
  if (at_.size() <= index) at_.resize(index + 1, kNoRow);
  if (at_[index] != kNoRow) close(at_[index]);
  at_[index] = static_cast<std::uint32_t>(open_.size());
  open_.push_back(
      {job.index, row, runs, result_->runs.partition[row], epoch_seconds(now), mark_of(job), {}});
  if (!runs) take_others(job, open_.back());
}

void PartsRecorder::close(std::size_t at) {
  at_[index_of(open_[at].job)] = kNoRow;
  if (at + 1 < open_.size()) {
    open_[at] = std::move(open_.back());
    at_[index_of(open_[at].job)] = static_cast<std::uint32_t>(at);
  }
  open_.pop_back();
}

void PartsRecorder::waits(const Job& job, std::uint32_t row, SlurmTime now) {
  if (cluster_->conf.priority.type != PriorityType::Multifactor) return;
  open(job, row, false, now);
}

void PartsRecorder::runs(const Job& job, std::uint32_t row, SlurmTime now) {
  if (cluster_->conf.priority.calculate_running) open(job, row, true, now);
}

void PartsRecorder::left(const Job& job, SlurmTime now) {
  const std::size_t index = index_of(job.index);
  if (at_.size() <= index || at_[index] == kNoRow) return;
  if (job.partitions.size() <= 1) look(job, now);
  const Open& open = open_[at_[index]];
  if (!open.runs && job.has_started()) {
    // Its row will say of the partition in which it starts, and no longer of the one that it had.
    const auto starts = static_cast<std::uint16_t>(job.partition);
    const std::int64_t end = epoch_seconds(now);
    if (open.partition != starts) keep(open, {open.partition, noted(open.row)}, end);
    for (const InPartition& other : open.others) {
      if (other.partition != starts) keep(open, other, end);
      if (other.partition == starts) put(other.parts, open.row);
    }
  } else {
    for (const InPartition& other : open.others) keep(open, other, kNoTime);
  }
  close(at_[index]);
}

void PartsRecorder::keep(const Open& open, const InPartition& was, std::int64_t end) {
  if (end != kNoTime && open.since >= end) return;
  PartsColumns& kept = result_->priority_parts;
  kept.run.push_back(open.row);
  kept.partition.push_back(was.partition);
  kept.begin.push_back(open.since);
  kept.end.push_back(end);
  kept.assoc.push_back(was.parts.assoc);
  kept.job_size.push_back(was.parts.job_size);
  kept.in_partition.push_back(was.parts.in_partition);
  kept.qos.push_back(was.parts.qos);
  kept.nice.push_back(was.parts.nice);
  kept.tres.push_back(was.parts.tres);
}

void PartsRecorder::changed(const Job& job, Open& open, SlurmTime now) {
  const std::int64_t time = epoch_seconds(now);
  if (open.runs) {
    // /jobs keeps the parts at the start: those that follow stand beside it, the last to its end.
    if (!open.others.empty()) keep(open, open.others.front(), time);
    open.others = {{open.partition, parts_of(job, job.partition)}};
  } else {
    keep(open, {open.partition, noted(open.row)}, time);
    for (const InPartition& other : open.others) keep(open, other, time);
    open.partition = result_->runs.partition[open.row];
    note(job, open.row);
    take_others(job, open);
  }
  open.since = time;
}

void PartsRecorder::look(const Job& job, SlurmTime now) {
  const std::size_t index = index_of(job.index);
  if (at_.size() <= index || at_[index] == kNoRow) return;
  Open& open = open_[at_[index]];
  const std::uint64_t mark = mark_of(job);
  if (mark == open.mark) return;
  open.mark = mark;
  changed(job, open, now);
}

void PartsRecorder::look_at_all(const Cluster& cluster, SlurmTime now) {
  terms_->partitions_changed();
  for (const Open& open : open_) look(cluster.jobs[open.job], now);
}

}  // namespace rehearse
