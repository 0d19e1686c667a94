// tests/unit/controller/run_site.hpp — a slurm.conf, some jobs and commands, run to their end: what
// an observer saw, as lines `seconds what who detail`.
#pragma once

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "sim/config/time_zone.hpp"
#include "sim/controller/controller.hpp"

namespace rehearse::test {

/// Times are seconds after the controller's start.
class RunSite final : private Observer, private JobSource {
 public:
  static constexpr std::int64_t kStart = 1'800'000'000;

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
    Controller controller(*cluster_, *this, commands_, *this);
    if (recorded) controller.follow_clock(*recorded);
    controller.run();
    return seen_;
  }

  /// Lines of `seen` that hold all of `words`.
  [[nodiscard]] std::vector<std::string> lines(const std::string& word) const {
    std::vector<std::string> some;
    for (const std::string& line : seen_) {
      if (line.find(word) != std::string::npos) some.push_back(line);
    }
    return some;
  }
  [[nodiscard]] Cluster& cluster() { return *cluster_; }
  bool recalls = true;      ///< Cluster::recalls
  bool keeps_plans = true;  ///< jobs show what backfill planned, all of it
  std::optional<RecordedClock> recorded;
  /// The Reason with which a job was submitted, and those that it was given later.
  std::map<std::uint32_t, std::vector<std::string>> reasons;
  std::map<std::uint32_t, std::string> told;  ///< the last of them as squeue prints it
  /// Called at whatever the observer is told.
  std::function<void(const Cluster&)> at_each_event;

 private:
  [[nodiscard]] bool asks_for_plans() const override { return keeps_plans; }
  const JobSpec* next() override {
    if (specs_.empty()) return nullptr;
    given_.push_back(std::move(specs_.back()));
    specs_.pop_back();
    return &given_.back();
  }
  void say(SlurmTime now, const std::string& what) {
    seen_.push_back(fmt::format("{} {}", epoch_seconds(now) - kStart, what));
    look();
  }
  void look() {
    if (at_each_event) at_each_event(*cluster_);
  }
  void job_suspended(const Job& /*job*/, SlurmTime /*now*/) override { look(); }
  void job_resumed(const Job& /*job*/, SlurmTime /*now*/) override { look(); }

  std::string nodes(const Job& job) const {
    std::string text;
    for (const NodeShare& share : job.allocation.nodes) {
      text += (text.empty() ? "" : ",") + cluster_->names.text(cluster_->nodes[share.node].name);
    }
    return text;
  }
  void reason_changed(const Job& job, SlurmTime /*now*/) override {
    const auto id = static_cast<std::uint32_t>(job.id);
    reasons[id].emplace_back(to_text(job.reason));
    told[id] = job.reason_text.empty() ? reasons[id].back() : job.reason_text;
    std::replace(told[id].begin(), told[id].end(), ' ', '_');
  }
  void job_submitted(const Job& job, SlurmTime now) override {
    reason_changed(job, now);
    if (job.restarts == 0) return;
    say(now, fmt::format("requeued {} begin {}", static_cast<std::uint32_t>(job.id),
                         epoch_seconds(*job.begin) - kStart));
  }
  void job_rejected(const JobSpec& spec, std::string_view why, SlurmTime now) override {
    say(now, fmt::format("reject {} {}", static_cast<std::uint32_t>(spec.id), why));
  }
  void job_started(const Job& job, SlurmTime now) override {
    say(now, fmt::format("start {} {}", static_cast<std::uint32_t>(job.id), nodes(job)));
  }
  void job_cancelled(const Job& job, SlurmTime now) override {
    say(now, fmt::format("cancel {} {}", static_cast<std::uint32_t>(job.id), to_text(job.state)));
  }
  void command_refused(std::string_view command, std::string_view why, SlurmTime now) override {
    say(now, fmt::format("refuse {}: {}", command, why));
  }
  void job_configured(const Job& job, SlurmTime now) override {
    say(now, fmt::format("configured {}", static_cast<std::uint32_t>(job.id)));
  }
  void job_resized(const Job& job, const Allocation& /*before*/, SlurmTime now) override {
    say(now, fmt::format("resized {} {}", static_cast<std::uint32_t>(job.id), nodes(job)));
  }
  void job_ended(const Job& job, bool /*requeued*/, SlurmTime now) override {
    say(now, fmt::format("end {} {}", static_cast<std::uint32_t>(job.id), to_text(job.state)));
  }
  void node_changed(const Node& node, SlurmTime now) override {
    const NodeState& s = node.state;
    std::string words;
    const auto add = [&](bool is, std::string_view word) {
      if (is) words += (words.empty() ? "" : "+") + std::string(word);
    };
    add(s.down, "DOWN");
    add(s.drain, "DRAIN");
    add(s.fail, "FAIL");
    add(s.no_respond, "NOT_RESPONDING");
    add(s.powering_down, "POWERING_DOWN");
    add(s.powered_down, "POWERED_DOWN");
    add(s.powering_up, "POWERING_UP");
    if (words.empty()) words = "UP";
    say(now, fmt::format("node {} {}{}{}", cluster_->names.text(node.name), words,
                         s.reason.empty() ? "" : " ", s.reason));
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
  std::vector<std::string> seen_;
};

}  // namespace rehearse::test
