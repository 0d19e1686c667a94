// sim/controller/opening.cpp — a run that begins in the middle: submissions and starts of the past.
#include "sim/controller/opening.hpp"

#include <algorithm>
#include <set>
#include <utility>
#include <variant>

#include "sim/controller/controller.hpp"

namespace rehearse {
namespace {

/// What admins did to jobs before the opening is in the jobs as they stand.
bool acts_on_jobs(const AdminAction& action) {
  return std::holds_alternative<CancelJobs>(action) || std::holds_alternative<ActOnJobs>(action) ||
         std::holds_alternative<UpdateJobs>(action);
}

}  // namespace

/// Where a pass would put it, whatever limits and reservations say by now.
std::optional<Allocation> Takeover::place_anywhere(const Job& job, PartitionId partition) {
  Selection failure;
  const auto counts = c_.choice_.counts(job, partition, failure);
  if (!counts) return std::nullopt;
  NodeSet nodes = c_.choice_.configured(job, partition);
  nodes &= c_.choice_.available_nodes();
  return c_.select_->place({.job = job,
                            .request = c_.cluster_.request_of(job),
                            .partition = c_.cluster_.partitions[partition],
                            .ledger = c_.cluster_.ledger,
                            .candidates = nodes,
                            .min_nodes = counts->min,
                            .max_nodes = counts->max,
                            .req_nodes = counts->req});
}

/// The record of a run that has not been put in place; null: it was refused.
Job* Takeover::record_of(const OpeningRun& run) {
  Job* job = c_.pending_record(run.job);
  if (job == nullptr) return nullptr;
  job->reservation.reset();
  if (!job->reservations.empty()) job->reservation = job->reservations.front();
  return job;
}

bool Takeover::put_on_its_nodes(const OpeningRun& run) {
  Job* job = record_of(run);
  if (job == nullptr || run.nodes.empty()) return false;
  ForcedRun there;
  there.partition = run.partition;
  there.nodes = run.nodes;
  auto allocation = c_.place_on(*job, there, Controller::PlacedBeside::Others);
  if (!allocation) return false;
  begin(*job, run, std::move(*allocation));
  return true;
}

void Takeover::put_anywhere(const OpeningRun& run) {
  Job* job = record_of(run);
  if (job == nullptr) {
    counts_.refused.push_back(run.job);
    return;
  }
  auto allocation = place_anywhere(*job, run.partition);
  if (!allocation) {
    counts_.not_placed.push_back(run.job);
    return;
  }
  if (!run.nodes.empty()) ++counts_.placed_anew;
  begin(*job, run, std::move(*allocation));
}

void Takeover::begin(Job& job, const OpeningRun& run, Allocation allocation) {
  ++counts_.placed;
  start_ = run.start;
  c_.start(job, run.partition, std::move(allocation), StartedBy::Nobody);
  start_.reset();
}

/// Rows do not tell how a run shares its CPUs and GPUs out among its nodes. So runs of few nodes
/// come first: what is left of the nodes leads those of many to the shares that they had. Runs that
/// do not fit take what nobody else has.
void Takeover::put_in_place(const std::vector<OpeningRun>& running) {
  std::vector<const OpeningRun*> order;
  for (const OpeningRun& run : running) order.push_back(&run);
  std::stable_sort(order.begin(), order.end(), [](const OpeningRun* a, const OpeningRun* b) {
    return a->nodes.size() < b->nodes.size();
  });
  std::set<const OpeningRun*> placed;
  for (const OpeningRun* run : order) {
    if (put_on_its_nodes(*run)) placed.insert(run);
  }
  for (const OpeningRun& run : running) {
    if (!placed.contains(&run)) put_anywhere(run);
  }
}

void Takeover::carry_out() {
  if (opening_ == nullptr) return;
  is_on_ = true;
  c_.priority_->tick(c_.now(), {}, c_.queue_.pending());  // nobody is charged for the past
  c_.last_tick_ = c_.now();
  for (; c_.counts_.commands_done < c_.commands_.size(); ++c_.counts_.commands_done) {
    const AdminCommandAt& command = c_.commands_[c_.counts_.commands_done];
    if (command.at >= c_.now_) break;
    if (!acts_on_jobs(command.action)) c_.carry_out(command);
  }
  while (c_.next_spec_ != nullptr && c_.next_spec_->submit < c_.now_) {
    c_.submit(*std::exchange(c_.next_spec_, c_.source_.next()));
  }
  SlurmTime first = c_.now();
  for (const OpeningRun& run : opening_->running) first = std::min(first, run.start);
  put_in_place(opening_->running);
  c_.limits_.tick(c_.now(), first, c_.charged_);  // run time that is spent is committed no more
  is_on_ = false;
}

}  // namespace rehearse
