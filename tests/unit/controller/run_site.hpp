// tests/unit/controller/run_site.hpp — a slurm.conf, some jobs and commands, run to their end.
#pragma once

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <deque>
#include <memory>
#include <optional>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "sim/config/time_zone.hpp"
#include "sim/controller/controller.hpp"
#include "tests/unit/controller/event_lines.hpp"

namespace rehearse::test {

/// Times are seconds after the controller's start.
class RunSite final : public EventLines, private JobSource {
 public:
  explicit RunSite(const std::string& conf, SlurmVersion version = {}) {
    inputs_.slurm_conf = parse_slurm_conf("ClusterName=c\nSlurmctldHost=h\n" + conf, "slurm.conf",
                                          ".", {}, found_, version);
    inputs_.site.slurm_version = version;
    AssociationConf& root = inputs_.accounting.associations.emplace_back();
    root.account = "root";
    root.qos = {"normal"};
    inputs_.accounting.qos.emplace_back().name = "normal";
    inputs_.site.controller.started_at = from_epoch_seconds(kStart);
  }

  SiteInputs& inputs() { return inputs_; }
  SiteConf& site() { return inputs_.site; }
  AccountingConf& accounting() { return inputs_.accounting; }

  /// A batch job on `nodes` whole nodes of one CPU each, unless changed.
  JobSpec& job(std::uint32_t id, std::int64_t at, std::int64_t runtime, const Request& request) {
    JobSpec& spec = specs_.emplace_back();
    spec.id = JobId{id};
    spec.user = names_.intern("root");
    spec.submit = Time{from_epoch_seconds(kStart + at)};
    spec.run.runtime = Seconds{runtime};
    spec.run.last_second = Duration{0};
    spec.time_limit = Minutes{60};
    spec.request = requests_.intern(request);
    return spec;
  }
  JobSpec& job(std::uint32_t id, std::int64_t at, std::int64_t runtime, std::uint32_t nodes = 1) {
    Request request;
    request.min_nodes = request.min_cpus = nodes;
    request.max_nodes = nodes;
    return job(id, at, runtime, request);
  }
  NamePool& names() { return names_; }

  void command(std::int64_t at, const std::string& text) {
    const std::string stamp = fmt::format("{}", at);
    lines_.push_back(
        {stamp, text, {"events.csv", static_cast<std::uint32_t>(lines_.size() + 2), 1}});
    at_.push_back(at);
  }

  /// Findings about the commands, as `line:col: error: what`.
  [[nodiscard]] std::vector<std::string> findings() {
    std::vector<std::string> texts;
    for (const Diagnostic& finding : found_.all()) {
      if (finding.where.file == "events.csv") texts.push_back(to_text(finding));
    }
    return texts;
  }

  /// Reads the commands without running anything.
  void understand() {
    cluster_ = std::make_unique<Cluster>(inputs_, names_, requests_, found_);
    std::vector<AdminCommand> lines = lines_;
    for (std::size_t i = 0; i < lines.size(); ++i) {
      lines[i].time_text = TimeZone::utc().print(from_epoch_seconds(kStart + at_[i]));
    }
    commands_ = understand_commands(lines, *cluster_, names_, found_);
  }

  std::vector<std::string> run() {
    understand();
    for (const Diagnostic& finding : found_.all()) {
      if (finding.severity == Severity::Error) ADD_FAILURE() << to_text(finding);
    }
    std::stable_sort(specs_.begin(), specs_.end(), [](const JobSpec& a, const JobSpec& b) {
      return std::tuple(a.submit, a.id) > std::tuple(b.submit, b.id);  // taken from the back
    });
    cluster_->recalls = recalls;
    watch(*cluster_);
    Controller controller(*cluster_, *this, commands_, *this);
    if (recorded) controller.follow_clock(*recorded);
    controller.run();
    return all();
  }

  [[nodiscard]] Cluster& cluster() { return *cluster_; }
  bool recalls = true;  ///< Cluster::recalls
  std::optional<RecordedClock> recorded;

 private:
  const JobSpec* next() override {
    if (specs_.empty()) return nullptr;
    given_.push_back(std::move(specs_.back()));
    specs_.pop_back();
    return &given_.back();
  }

  SiteInputs inputs_;
  NamePool names_;
  RequestTable requests_;
  Diagnostics found_;
  std::vector<JobSpec> specs_;
  std::deque<JobSpec> given_;
  std::vector<AdminCommand> lines_;
  std::vector<std::int64_t> at_;
  std::vector<AdminCommandAt> commands_;
  std::unique_ptr<Cluster> cluster_;
};

}  // namespace rehearse::test
