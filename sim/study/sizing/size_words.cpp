// sim/study/sizing/size_words.cpp — the answer in a sentence, and what makes it less sure.
#include <fmt/format.h>

#include <algorithm>

#include "sim/output/kpi/idle_causes.hpp"
#include "sim/output/kpi/pending_time.hpp"
#include "sim/study/sizing/sizing.hpp"

namespace rehearse {
namespace {

std::string nodes_text(std::uint32_t count) {
  return count == 1 ? "1 node" : fmt::format("{} nodes", count);
}

std::string against_today(std::uint32_t count, std::uint32_t today) {
  if (count == today) return "as many as today";
  return fmt::format("{} {} than today's {}", count > today ? count - today : today - count,
                     count > today ? "more" : "fewer", today);
}

std::string cost_text(const SizeAnswer& answer, const TriedCount& tried) {
  if (!tried.cost_month) return {};
  return fmt::format(" All {:.0f} GPUs cost {:.0f}{}{} a month of {:.0f} h.", tried.gpus,
                     *tried.cost_month, answer.currency.empty() ? "" : " ", answer.currency,
                     kHoursOfMonth);
}

std::string draws_text(const TriedCount& tried, const SizeRequest& request) {
  return fmt::format("it holds in {:.1f} % of {} draws of its users", 100 * *tried.target.share,
                     request.draws.draws);
}

std::string why_no_draws(const SizeAnswer& answer, const SizeRequest& request) {
  std::size_t users = SIZE_MAX;
  bool has_users = false;
  for (const TargetFigure& each : answer.tried.back().target.figures) {
    if (each.users == 0) continue;
    users = std::min(users, each.users);
    has_users = true;
  }
  if (!has_users) return "figures of whole runs are in no draw of users";
  return fmt::format("{} {} too few to draw from (--min-users {})", users,
                     users == 1 ? "user is" : "users are", request.draws.users_min);
}

std::string found_text(const SizeAnswer& answer, const SizeRequest& request, std::uint32_t count) {
  const TriedCount& tried = answer.at(count);
  std::string text = fmt::format("{}, {}, {} the fewest", nodes_text(count),
                                 against_today(count, answer.today), count == 1 ? "is" : "are");
  if (!answer.search.has_draws()) {
    return text + fmt::format(
                      " of the {} with which the run itself meets {}; how sure that is "
                      "cannot be said: {}.",
                      answer.kind.text, request.target.text, why_no_draws(answer, request));
  }
  text += fmt::format(" of the {} that meet {} with {:g} % confidence: {}.", answer.kind.text,
                      request.target.text, 100 * request.confidence, draws_text(tried, request));
  const auto by_run = answer.search.by_run;
  if (by_run && *by_run < count) {
    text += fmt::format(" The run itself meets it with {} already.", nodes_text(*by_run));
  } else if (by_run && *by_run > count) {
    text +=
        fmt::format(" The run itself misses it there, and meets it with {}.", nodes_text(*by_run));
  } else if (!by_run || !tried.target.holds) {
    text += " The run itself misses it there.";
  }
  return text;
}

std::string not_found_text(const SizeAnswer& answer, const SizeRequest& request) {
  const TriedCount& last = answer.tried.back();
  std::string text = fmt::format("No count of the {} from {} to {} meets {}", answer.kind.text,
                                 answer.bounds.min, answer.bounds.max, request.target.text);
  if (!answer.search.has_draws()) return text + ".";
  text += fmt::format(" with {:g} % confidence", 100 * request.confidence);
  if (last.target.share) {
    text += fmt::format(": with {} {}", nodes_text(last.count), draws_text(last, request));
  }
  text += ".";
  if (answer.search.by_run) {
    text += fmt::format(" The run itself meets it with {}.", nodes_text(*answer.search.by_run));
  }
  return text;
}

}  // namespace

std::string size_sentence(const SizeAnswer& answer, const SizeRequest& request) {
  if (answer.tried.empty()) return "Interrupted before the first count had run.";
  const auto count = answer.search.answer();
  std::string text;
  if (!answer.search.is_complete) text = "Interrupted: of the counts that have run, ";
  if (!count) return text + not_found_text(answer, request);
  text += found_text(answer, request, *count) + cost_text(answer, answer.at(*count));
  const std::vector<std::uint32_t> misses = answer.search.misses_above();
  if (!misses.empty()) {
    text +=
        fmt::format(" But more is not always better here: it is missed with {}. Take a margin{}.",
                    fmt::join(misses, ", "), request.every ? "" : ", and try --every");
  }
  return text;
}

std::string limits_text(const Result& result, std::uint32_t count) {
  constexpr double kMuch = 0.5;
  std::uint64_t all = 0, limits = 0, most = 0;
  Reason first = Reason::None;
  for (const auto& [number, time] : pending_time(result)) {
    const auto reason = static_cast<Reason>(number);
    all += time.over;
    if (cause_of(reason) != GpuHours::Limits) continue;
    limits += time.over;
    if (time.over > most) first = reason;
    most = std::max(most, time.over);
  }
  const double share = all > 0 ? static_cast<double>(limits) / static_cast<double>(all) : 0;
  if (share < kMuch) return {};
  return fmt::format(
      "with {} {:.0f} % of the hours that jobs pend are for limits (most: {}), which no node lifts",
      nodes_text(count), share * 100, to_text(first));
}

void SizeStudy::add_doubts(SizeAnswer& answer) const {
  std::vector<std::string>& doubts = answer.doubts;
  if (!kind_.doubt.empty()) doubts.push_back(kind_.doubt);
  if (answer.baseline == nullptr) {
    doubts.push_back(
        "today's nodes were not run as they are, so that nothing tells how near the simulation is "
        "to the recorded waits: rehearse calibrate SITE");
  } else if (answer.baseline->verdict != BaselineVerdict::Good) {
    doubts.push_back(answer.baseline->sentence);
  }
  if (!held_by_limits_.empty()) doubts.push_back(held_by_limits_);
  if (answer.never_started > 0) {
    doubts.push_back(fmt::format("{} jobs never start, not even with {}: they are left out",
                                 answer.never_started, nodes_text(bounds_.max)));
  }
  if (answer.unrecorded > 0) {
    doubts.push_back(fmt::format(
        "{} {} with {}, cancelled before the start when recorded: "
        "nobody knows how long such jobs would have run, so they run to their time limit, and "
        "more nodes start more of them",
        answer.unrecorded, answer.unrecorded == 1 ? "job starts" : "jobs start",
        nodes_text(bounds_.max)));
  }
  const TriedCount* stuck = nullptr;
  const TriedCount* wrong = nullptr;
  for (const TriedCount& each : answer.tried) {
    if (each.target.cannot_run > 0) stuck = &each;
    if (!each.error.empty()) wrong = &each;
  }
  if (stuck != nullptr) {
    doubts.push_back(fmt::format(
        "with {} {} of the jobs that the target speaks of cannot run at all: that misses it",
        nodes_text(stuck->count), stuck->target.cannot_run));
  }
  if (wrong != nullptr) {
    doubts.push_back(
        fmt::format("with {} the site cannot be put together, which misses the "
                    "target: {}",
                    nodes_text(wrong->count), wrong->error));
  }
  const auto found = answer.search.answer();
  if (found && answer.at(*found).gave_up > 0) {
    doubts.push_back(fmt::format(
        "with {} {} jobs are cancelled while they wait: their wait counts as what it was by then",
        nodes_text(*found), answer.at(*found).gave_up));
  }
}

}  // namespace rehearse
