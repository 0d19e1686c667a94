// tests/unit/sched/loops.cpp — the least of a controller that the loops need.
#include "tests/unit/sched/loops.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <stdexcept>

#include "sim/sched/allocated_nodes.hpp"
#include "tests/support/ask_request.hpp"

namespace rehearse::test {
namespace {

constexpr std::int64_t kDay = 86400;

std::string clock_text(SlurmTime at) {
  const std::int64_t seconds = epoch_seconds(at) % kDay;
  return fmt::format("{:02}:{:02}:{:02}", seconds / 3600, seconds / 60 % 60, seconds % 60);
}

}  // namespace

SlurmTime clock_time(std::string_view text) {
  const auto two = [&](std::size_t at) { return std::stoll(std::string(text.substr(at, 2))); };
  return from_epoch_seconds(1000 * kDay + two(0) * 3600 + two(3) * 60 + two(6));
}

Loops::Loops(std::size_t nodes, std::uint32_t cpus) {
  SlurmConf& conf = inputs.slurm_conf;
  conf.select_type = SelectType::ConsTres;
  conf.select_type_parameters.unit = ConsumableUnit::Core;
  for (std::size_t i = 1; i <= nodes; ++i) {
    NodeConf& node = conf.nodes.emplace_back();
    node.name = fmt::format("n{}", i);
    node.cpus = node.cores_per_socket = cpus;
  }
}

PartitionConf& Loops::partition(const std::string& name, const std::vector<std::string>& nodes) {
  PartitionConf& added = inputs.slurm_conf.partitions.emplace_back();
  added.name = name;
  added.nodes = nodes;
  return added;
}

void Loops::build() {
  if (inputs.slurm_conf.partitions.empty()) {
    std::vector<std::string> all;
    for (const NodeConf& one : inputs.slurm_conf.nodes) all.push_back(one.name);
    partition("batch", all);
  }
  cluster = std::make_unique<Cluster>(inputs, names, requests, found);
  for (const Diagnostic& finding : found.all()) {
    if (finding.severity == Severity::Error) ADD_FAILURE() << to_text(finding);
  }
  cluster->recalls = recalls_;
  limits_ = std::make_unique<Limits>(*cluster);
  select_ = make_select_plugin(*cluster);
  preemption_ = std::make_unique<Preemption>(*cluster, *select_, running_);
  weights = std::make_unique<SchedWeights>(cluster->nodes, cluster->requests);
  NodeSet all(cluster->nodes.size());
  all.set();
  weights->consider(all);
  choice =
      std::make_unique<NodeChoice>(*cluster, *limits_, *select_, preemption_.get(), weights.get());
  queue_ = std::make_unique<PendingQueue>(*cluster, *limits_, *this, preemption_.get());
  estimator_ =
      std::make_unique<Estimator>(*cluster, *select_, running_, preemption_.get(), weights.get());
  main_loop_ = std::make_unique<MainLoop>(*cluster, *limits_, *choice, *queue_, *this);
  backfill_ = std::make_unique<Backfill>(*cluster, *limits_, *choice, *queue_, *estimator_, *this);
}

Job& Loops::add(const Request& request, std::optional<Minutes> limit,
                const std::string& partition_name) {
  PartitionId partition{0};
  if (!partition_name.empty()) {
    partition = cluster->find_partition(names.intern(partition_name)).value();
  }
  JobSpec& spec = specs_.emplace_back();
  spec.request = requests.intern(request);
  Job& job = cluster->jobs.add();
  job.id = spec.id = JobId{next_id_++};
  job.spec = &spec;
  job.request = spec.request;
  job.partitions = {partition};
  job.partition = partition;
  job.priority = next_priority_--;
  job.time_limit = spec.time_limit = limit;
  job.request_tres = limits_->request_vector(job, cluster->partitions[partition]);
  return job;
}

Job& Loops::pending(std::string_view options, std::int64_t minutes, const std::string& partition) {
  Job& job = add(ask_request(options, names), Minutes{minutes}, partition);
  queue_->add(job);
  return job;
}

Job& Loops::array(std::uint32_t id, std::uint32_t tasks, std::uint32_t most,
                  std::string_view options, std::int64_t minutes) {
  Job& job = add(ask_request(options, names), Minutes{minutes}, "");
  next_id_ = std::max(id + 1, next_id_ - 1);
  job.id = job.array_job = JobId{id};
  job.pending_tasks = PendingTasks::first(tasks);
  JobSpec& spec = spec_of(job);
  spec.extras = std::make_unique<JobExtras>();
  spec.extras->array_max_running = most;
  for (std::uint32_t task = 0; task < tasks; ++task) {
    spec.extras->array.emplace_back().index = task + 1;
  }
  queue_->add(job);
  return job;
}

Job& Loops::running(std::string_view options, const std::vector<std::string>& where_to_run,
                    std::string_view end, const std::string& partition) {
  const Request request = ask_request(options, names);
  Job& job = add(request, Minutes{60}, partition);
  NodeSet candidates(cluster->nodes.size());
  for (const std::string& name : where_to_run) candidates.set(index_of(node(name)));
  const auto nodes = static_cast<std::uint32_t>(where_to_run.size());
  auto allocation = select_->place({.job = job,
                                    .request = cluster->request_of(job),
                                    .partition = cluster->partitions[job.partition],
                                    .ledger = cluster->ledger,
                                    .candidates = candidates,
                                    .min_nodes = nodes,
                                    .max_nodes = nodes,
                                    .req_nodes = nodes});
  if (!allocation) throw std::logic_error("this job does not fit there");
  now_ = clock_time(end) - Minutes{60};
  start(job, job.partition, std::move(*allocation), StartedBy::Main);
  return job;
}

void Loops::stop(Job& job) {
  running_.remove(job);
  cluster->ledger.give_back(job.allocation, job.partition);
  job.state = JobState::Completed;
  if (job.array_job != JobId{}) --running_tasks_[job.array_job];
}

PassResult Loops::pass(std::string_view at, PassDepth depth) {
  now_ = clock_time(at);
  return main_loop_->run(now_, depth);
}

CycleResult Loops::cycle(std::string_view at) {
  now_ = clock_time(at);
  return backfill_->run(now_);
}

std::string Loops::where(const Job& job) const {
  if (!job.is_running()) return "pending";
  std::string text;
  for (const NodeShare& share : job.allocation.nodes) {
    text += fmt::format("{}{}:{}", text.empty() ? "" : " ",
                        names.text(cluster->nodes[share.node].name), share.cpus);
  }
  return text;
}

std::string Loops::plan(const Job& job) const {
  if (!job.planned_start) return "none";
  std::string text = clock_text(*job.planned_start);
  for (std::size_t i = 0; i < job.planned_nodes.size(); ++i) {
    text += (i == 0 ? " " : ",") + names.text(cluster->nodes[job.planned_nodes[i]].name);
  }
  return text;
}

NodeId Loops::node(const std::string& name) const {
  return cluster->find_node(names.find(name).value()).value();
}

Job* Loops::start(Job& job, PartitionId partition, Allocation allocation, StartedBy by) {
  Job* rest = nullptr;
  if (job.is_array_meta()) {
    const ArrayTask& task = job.spec->extras->array[job.pending_tasks.next()];
    if (job.pending_tasks.size() > 1) {
      JobSpec& spec = specs_.emplace_back();  // records and specs stay side by side
      spec.request = job.request;
      rest = &cluster->jobs.add();
      const JobIndex index = rest->index;
      *rest = job;
      rest->index = index;
      rest->pending_tasks.drop_next();
      job.id = JobId{next_id_++};
    }
    job.array_task = task.index;
    job.pending_tasks.clear();
    ++running_tasks_[job.array_job];
    if (rest != nullptr) queue_->add(*rest);
  }
  queue_->left();
  job.state = JobState::Running;
  job.partition = partition;
  job.start = now_;
  job.end = now_ + job.time_limit.value();
  job.started_by = by;
  job.reason = Reason::None;
  job.allocation = std::move(allocation);
  job.allocated_nodes = nodes_of(job.allocation, cluster->nodes.size());
  cluster->ledger.take(job.allocation, partition);
  take_licenses(*cluster, job);
  running_.add(job);
  return rest;
}

void Loops::set_reason(Job& job, Reason reason, std::string_view text) {
  job.reason = reason;
  job.reason_text = text;
}

bool Loops::is_independent(Job& job, SlurmTime now) {
  if (!job.begin) job.begin = now;
  return true;
}

void Loops::preempt(Job& job, std::span<Job* const> victims) {
  for (Job* victim : victims) {
    victims_.push_back(victim->id);
    stop(*victim);
    victim->state = JobState::Preempted;
    for (const NodeShare& share : victim->allocation.nodes) {
      choice->set_completing(share.node, true);
    }
  }
  job.preempt_in_progress = true;
}

void Loops::hold(Job& job, Reason reason) {
  job.reason = reason;
  job.priority = 0;
  job.held = true;
  queue_->held(job);
}

void Loops::end_pending(Job& job, JobState state, Reason reason) {
  job.state = state;
  job.reason = reason;
  queue_->left();
}

std::uint32_t Loops::running_tasks(const Job& job) const {
  const auto running = running_tasks_.find(job.array_job);
  return running == running_tasks_.end() ? 0 : running->second;
}

}  // namespace rehearse::test
