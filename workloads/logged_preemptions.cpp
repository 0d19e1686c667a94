// workloads/logged_preemptions.cpp — the lines of victims, put together.
#include "workloads/logged_preemptions.hpp"

#include <algorithm>
#include <charconv>
#include <chrono>

#include "workloads/logged_job_id.hpp"

namespace rehearse {
namespace {

constexpr std::string_view kForWhom = " to reclaim resources for JobId=";

/// `6+1(7) …` after the `=`: 6. None: no component of a heterogeneous job.
std::optional<JobId> het_leader(std::string_view text) {
  std::uint32_t id = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), id);
  const auto read = static_cast<std::size_t>(end - text.data());
  if (error != std::errc{} || !text.substr(read).starts_with('+')) return std::nullopt;
  return JobId{id};
}

/// `4 to reclaim resources for JobId=11`, of a warning or a kill.
std::optional<LoggedPreemption> logged_preemption(std::string_view after, std::optional<Time> at) {
  const auto victim = logged_job_id(after);
  const std::size_t whom = after.find(kForWhom);
  if (!victim || !at || whom == std::string_view::npos) return std::nullopt;
  const auto preemptor = logged_job_id(after.substr(whom + kForWhom.size()));
  return LoggedPreemption{.at = *at,
                          .victim = *victim,
                          .preemptor = preemptor.value_or(JobId{}),
                          .requeued = after.substr(0, whom).ends_with("requeued")};
}

/// `… setting 30`: the number at the end.
Seconds span_before(std::string_view text) {
  const std::string_view number = text.substr(text.find_last_of(' ') + 1);
  std::int64_t seconds = 0;
  std::from_chars(number.data(), number.data() + number.size(), seconds);
  return Seconds{std::clamp<std::int64_t>(seconds, 0, 1'000'000'000)};
}

}  // namespace

std::optional<Time> note_scan(ControllerLog& log, std::optional<Time> at) {
  std::vector<Time>& scans = log.limit_scans;
  if (!at) return std::nullopt;
  if (scans.empty() || *at - scans.back() > Seconds{15}) scans.push_back(*at);
  return scans.back();
}

void LoggedPreemptions::preempted(std::string_view after, std::optional<Time> at) {
  if (const auto told = logged_preemption(after, at)) note(*told);
  const auto leader = het_leader(after);
  if (leader && at) together_[*leader] = *at;
}

void LoggedPreemptions::note(const LoggedPreemption& told) {
  // The kill at the end of its grace is nobody's decision; where it names nobody a scan for jobs
  // beyond their limits did it.
  std::vector<LoggedPreemption>& list = log_.preempted;
  const auto last = std::find_if(list.rbegin(), list.rend(), [&](const LoggedPreemption& each) {
    return each.victim == told.victim;
  });
  if (last != list.rend() && last->warned && !last->killed) {
    last->killed = true;
    if (told.preemptor == JobId{}) note_scan(log_, told.at);
    return;
  }
  list.push_back(told);
}

void LoggedPreemptions::warned(std::string_view before, std::string_view after,
                               std::optional<Time> at) {
  auto told = logged_preemption(after, at);
  if (!told) return;
  told->warned = true;
  told->grace = span_before(before);
  log_.preempted.push_back(*told);
}

void LoggedPreemptions::killed(std::string_view after, std::optional<Time> at) {
  const auto id = logged_job_id(after);
  if (id && at) kills_.push_back({*id, *at});
}

void LoggedPreemptions::cleaned(std::string_view after) {
  const auto leader = het_leader(after);
  const auto id = logged_job_id(after);
  if (!leader || !id) return;
  const auto at = together_.find(*leader);
  if (at == together_.end()) return;
  const bool told = std::any_of(log_.ended.rbegin(), log_.ended.rend(), [&](const auto& each) {
    return each.id == *id && each.at >= at->second;
  });
  if (!told) log_.ended.push_back({*id, at->second});
}

void LoggedPreemptions::close() {
  constexpr std::chrono::milliseconds kPass{500};
  for (LoggedPreemption& each : log_.preempted) {
    if (!each.warned || each.killed) continue;
    const auto kill = std::find_if(kills_.begin(), kills_.end(), [&](const LoggedInstant& other) {
      return other.id == each.victim && other.at >= each.at + each.grace;
    });
    if (kill == kills_.end()) continue;
    each.killed = true;
    const bool in_pass = std::any_of(
        log_.main_passes.begin(), log_.main_passes.end(),
        [&](const auto& pass) { return pass.at <= kill->at && kill->at <= pass.at + kPass; });
    const bool known = std::any_of(
        log_.limit_scans.begin(), log_.limit_scans.end(),
        [&](const Time& scan) { return std::chrono::abs(scan - kill->at) <= Seconds{15}; });
    if (!in_pass && !known) log_.limit_scans.push_back(kill->at);
  }
}

}  // namespace rehearse
