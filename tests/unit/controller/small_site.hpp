// tests/unit/controller/small_site.hpp — a small cluster and its jobs, simulated whole, with what
// happened told in order.
#pragma once

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <deque>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "sim/controller/controller.hpp"
#include "tests/support/ask_request.hpp"

namespace rehearse::test {

/// Nodes n0, n1 … of four cores; seconds count from an arbitrary full minute.
class SmallSite : public JobSource, public Observer {
 public:
  static constexpr std::int64_t kZero = 1'000'000'020;

  explicit SmallSite(std::size_t nodes) {
    SlurmConf& conf = inputs.slurm_conf;
    conf.select_type = SelectType::ConsTres;
    conf.select_type_parameters.unit = ConsumableUnit::Core;
    for (std::size_t i = 0; i < nodes; ++i) {
      NodeConf& node = conf.nodes.emplace_back();
      node.name = fmt::format("n{}", i);
      node.cpus = node.cores_per_socket = 4;
    }
  }

  /// Over all nodes.
  PartitionConf& partition(const std::string& name, std::uint32_t tier) {
    PartitionConf& added = inputs.slurm_conf.partitions.emplace_back();
    added.name = name;
    added.priority_tier = tier;
    for (const NodeConf& node : inputs.slurm_conf.nodes) added.nodes.push_back(node.name);
    return added;
  }

  /// In order of submission. Its program runs for `runtime`.
  JobSpec& job(std::int64_t submit, const std::string& partition_name, std::string_view options,
               Minutes limit, Seconds runtime) {
    JobSpec& spec = specs_.emplace_back();
    spec.id = JobId{static_cast<std::uint32_t>(specs_.size())};
    spec.partitions = names.intern(partition_name);
    spec.request = requests.intern(ask_request(options, names));
    spec.submit = Time{from_epoch_seconds(kZero + submit)};
    spec.time_limit = limit;
    spec.run.runtime = runtime;
    return spec;
  }

  void run() {
    cluster = std::make_unique<Cluster>(inputs, names, requests, found);
    for (const Diagnostic& finding : found.all()) {
      if (finding.severity == Severity::Error) ADD_FAILURE() << to_text(finding);
    }
    Controller controller(*cluster, *this, {}, *this);
    EXPECT_EQ(controller.run(), RunStatus::Complete);
  }

  /// Seconds since zero.
  [[nodiscard]] static std::int64_t at(std::optional<SlurmTime> when) {
    return when ? epoch_seconds(*when) - kZero : -1;
  }

  /// A run of a job, once it has ended.
  struct Run {
    std::uint32_t job = 0;
    std::int64_t submit = 0, begin = 0, start = 0, end = 0;
    JobState state = JobState::Pending;
    bool requeued = false;
  };
  /// A victim's warning.
  struct Warning {
    std::uint32_t victim = 0, preemptor = 0;
    std::int64_t at = 0;
  };
  std::vector<Run> runs;
  std::vector<Warning> warnings;

  [[nodiscard]] std::vector<Run> runs_of(std::uint32_t job) const {
    std::vector<Run> own;
    for (const Run& each : runs) {
      if (each.job == job) own.push_back(each);
    }
    return own;
  }

  SiteInputs inputs;
  NamePool names;
  RequestTable requests;
  Diagnostics found;
  std::unique_ptr<Cluster> cluster;

 protected:
  const JobSpec* next() override { return next_ == specs_.size() ? nullptr : &specs_[next_++]; }
  void job_ended(const Job& job, bool requeued, SlurmTime /*now*/) override {
    runs.push_back({static_cast<std::uint32_t>(job.id), at(whole_second(job.submit)), at(job.begin),
                    at(job.start), at(job.end), job.state, requeued});
  }
  void job_preempted(const Job& victim, const Job& preemptor, SlurmTime now) override {
    warnings.push_back(
        {static_cast<std::uint32_t>(victim.id), static_cast<std::uint32_t>(preemptor.id), at(now)});
  }

 private:
  std::deque<JobSpec> specs_;
  std::size_t next_ = 0;
};

}  // namespace rehearse::test
