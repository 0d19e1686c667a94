// tests/unit/controller/event_lines.hpp — what an observer saw, as lines `seconds what who detail`.
#pragma once

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <vector>

#include "sim/controller/observer.hpp"

namespace rehearse::test {

/// Times are seconds after the controller's start.
class EventLines : protected Observer {
 public:
  static constexpr std::int64_t kStart = 1'800'000'000;

  /// Those that hold the word.
  [[nodiscard]] std::vector<std::string> lines(const std::string& word) const {
    std::vector<std::string> some;
    for (const std::string& line : seen_) {
      if (line.find(word) != std::string::npos) some.push_back(line);
    }
    return some;
  }
  /// When each of them was said.
  [[nodiscard]] std::vector<std::int64_t> seconds_of(const std::string& word) const {
    std::vector<std::int64_t> seconds;
    for (const std::string& line : lines(word)) seconds.push_back(std::stoll(line));
    return seconds;
  }
  /// When the first of them was; a test in which none was has failed.
  [[nodiscard]] std::int64_t second_of(const std::string& word) const {
    const std::vector<std::int64_t> seconds = seconds_of(word);
    if (!seconds.empty()) return seconds.front();
    ADD_FAILURE() << "no line says '" << word << "'";
    return -1;
  }
  bool keeps_plans = true;  ///< jobs show what backfill planned, all of it
  /// The Reason with which a job was submitted, and those that it was given later.
  std::map<std::uint32_t, std::vector<std::string>> reasons;
  std::map<std::uint32_t, std::string> told;  ///< the last of them as squeue prints it
  /// Called at whatever the observer is told.
  std::function<void(const Cluster&)> at_each_event;

 protected:
  void watch(const Cluster& cluster) { watched_ = &cluster; }
  [[nodiscard]] const std::vector<std::string>& all() const { return seen_; }

 private:
  [[nodiscard]] bool asks_for_plans() const override { return keeps_plans; }
  void say(SlurmTime now, const std::string& what) {
    seen_.push_back(fmt::format("{} {}", epoch_seconds(now) - kStart, what));
    look();
  }
  void look() {
    if (at_each_event) at_each_event(*watched_);
  }
  void job_suspended(const Job& /*job*/, SlurmTime /*now*/) override { look(); }
  void job_resumed(const Job& /*job*/, SlurmTime /*now*/) override { look(); }

  std::string nodes(const Job& job) const {
    std::string text;
    for (const NodeShare& share : job.allocation.nodes) {
      text += (text.empty() ? "" : ",") + watched_->names.text(watched_->nodes[share.node].name);
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
    say(now, fmt::format("node {} {}{}{}", watched_->names.text(node.name), words,
                         s.reason.empty() ? "" : " ", s.reason));
  }

  const Cluster* watched_ = nullptr;
  std::vector<std::string> seen_;
};

}  // namespace rehearse::test
