// sim/study/comparison/verdict.cpp — the one sentence that a person reads first.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "sim/study/comparison/comparison.hpp"

namespace rehearse {
namespace {

const Figure& mean_wait(const Comparison& value) {
  return value.figures.front();
}

/// By the waits of the jobs that started on both sides.
Verdict verdict_of_waits(const Comparison& value) {
  const JobPairs& pairs = value.pairs;
  if (pairs.pairs.empty()) return Verdict::NothingPaired;
  if (value.moved == 0) return Verdict::Same;
  if (pairs.paired_users < value.options.users_min || !mean_wait(value).sure.difference) {
    return Verdict::TooFewUsers;
  }
  if (mean_wait(value).is_worse()) return Verdict::Worse;
  if (mean_wait(value).is_better()) return Verdict::Better;
  const bool any = std::any_of(value.figures.begin(), value.figures.end(),
                               [](const Figure& each) { return each.sure.is_significant(); });
  return any ? Verdict::Mixed : Verdict::Unsure;
}

/// Jobs that start on both sides, at another second.
std::size_t moved_of_both(const Comparison& value) {
  return value.moved - value.pairs.started_only_a - value.pairs.started_only_b;
}

/// A side that leaves much out is called worse, if its other jobs wait longer, and never better.
Verdict verdict_of(const Comparison& value) {
  const Verdict waits = verdict_of_waits(value);
  if (waits == Verdict::NothingPaired) return waits;
  if (!value.a->result.complete || !value.b->result.complete) return Verdict::Partial;
  if (value.conf.other_outages && waits != Verdict::Same && waits != Verdict::TooFewUsers) {
    return Verdict::Unsure;
  }
  const bool any = value.left_out_a.jobs() + value.left_out_b.jobs() > 0;
  if (any && moved_of_both(value) == 0) return Verdict::LeavesOut;
  if (waits == Verdict::Same || waits == Verdict::TooFewUsers) return waits;
  const bool much_a = value.left_out_a.is_much();
  const bool much_b = value.left_out_b.is_much();
  if (much_a && !(waits == Verdict::Better && !much_b)) return Verdict::LeavesOut;
  if (much_b && !(waits == Verdict::Worse && !much_a)) return Verdict::LeavesOut;
  return waits;
}

/// What either side leaves out, a sentence each; of little only where nothing else differs.
std::string left_out_text(const Comparison& value) {
  std::string text;
  for (const auto& [side, left_out] :
       {std::pair{PairSide::B, &value.left_out_b}, {PairSide::A, &value.left_out_a}}) {
    const bool is_told =
        left_out->is_much() || (value.verdict == Verdict::LeavesOut && left_out->jobs() > 0);
    if (is_told) text += left_out_words(side, *left_out) + ". ";
  }
  return text;
}

/// Whose jobs they are, in the place of who gains and loses: waits alone would call him a winner.
std::string left_out_accounts(const Comparison& value) {
  if (value.groups[static_cast<std::size_t>(PairScope::Account)].size() < 2) return {};
  std::string text;
  for (const auto& [side, left_out] :
       {std::pair{'B', &value.left_out_b}, {'A', &value.left_out_a}}) {
    if (left_out->jobs() == 0) continue;
    text += fmt::format("{}Most of what {} leaves out is of account {}: {} job{}.",
                        text.empty() ? "" : " ", side, left_out->account, left_out->account_jobs,
                        left_out->account_jobs == 1 ? "" : "s");
  }
  return text;
}

/// `mean wait 5.1h -> 6.3h (+1.2h; 95 % interval +0.8h to +1.6h)`
std::string mean_wait_text(const Comparison& value) {
  const Figure& wait = mean_wait(value);
  std::string text = fmt::format("mean wait {} -> {} ({}", span_text(wait.a), span_text(wait.b),
                                 signed_span(wait.difference()));
  if (wait.sure.difference) {
    text += fmt::format("; {:.0f} % interval {} to {}", value.options.level * 100,
                        signed_span(wait.sure.difference->low),
                        signed_span(wait.sure.difference->high));
  }
  return text + ")";
}

std::string account_text(const GroupRow& row) {
  return fmt::format("{} over {} job{}", signed_span(row.wait.difference()), row.started,
                     row.started == 1 ? "" : "s");
}

/// The accounts at both ends, weighed by how much of the work is theirs; small ones apart.
std::string accounts_text(const Comparison& value) {
  const auto& accounts = value.groups[static_cast<std::size_t>(PairScope::Account)];
  if (accounts.size() < 2) return {};
  std::string text;
  const auto add = [&](std::string sentence) {
    text += (text.empty() ? "" : " ") + std::move(sentence);
  };
  const auto [loses, gains] = extremes_of(accounts, false);
  if (loses != nullptr)
    add(fmt::format("Account {} loses most: {}.", loses->name, account_text(*loses)));
  if (gains != nullptr)
    add(fmt::format("Account {} gains most: {}.", gains->name, account_text(*gains)));
  const GroupRow* const small = extremes_of(accounts, true).loses;
  if (small != nullptr) {
    add(fmt::format("Of the small accounts {} loses most: {}.", small->name, account_text(*small)));
  }
  return text;
}

std::string significant_names(const Comparison& value) {
  std::string names;
  for (const Figure& each : value.figures) {
    if (!each.sure.is_significant() || &each == &value.figures.front()) continue;
    std::string title(each.info->title);
    if (title.ends_with(" *")) title.resize(title.size() - 2);
    names += (names.empty() ? "" : ", ") + title;
  }
  return names;
}

}  // namespace

Extremes extremes_of(const std::vector<GroupRow>& rows, bool small) {
  constexpr double kLeastTold = 0.5;  // [s] less is printed as 0s: nobody loses that
  const auto harm = [&](const GroupRow* row) {
    return row == nullptr ? 0 : small ? row->wait.difference() : row->harm();
  };
  Extremes found;
  for (const GroupRow& row : rows) {
    if (row.is_small != small || std::abs(row.wait.difference()) < kLeastTold) continue;
    if (harm(&row) > harm(found.loses)) found.loses = &row;
    if (harm(&row) < harm(found.gains)) found.gains = &row;
  }
  return found;
}

void Compared::conclude() {
  value_.verdict = verdict_of(value_);
  value_.headline = left_out_text(value_);
  std::string& text = value_.headline;
  const std::size_t users = value_.pairs.paired_users;
  switch (value_.verdict) {
    case Verdict::NothingPaired:
      text += "Nothing can be said: no job is on both sides.";
      return;
    case Verdict::Same:
      text += fmt::format("No difference: all {} jobs start at the same second on both sides.",
                          value_.pairs.pairs.size());
      return;
    case Verdict::TooFewUsers:
      text += fmt::format(
          "Nothing sure can be said, as {} {} too few for an interval (at least {}): {}.", users,
          users == 1 ? "user is" : "users are", value_.options.users_min, mean_wait_text(value_));
      break;
    case Verdict::Unsure:
      text += fmt::format("Undecided between better and worse: {}, {} users.",
                          mean_wait_text(value_), users);
      break;
    case Verdict::Mixed:
      text += fmt::format("The mean wait does not surely change, but {} do{}: {}, {} users.",
                          significant_names(value_),
                          significant_names(value_).find(',') == std::string::npos ? "es" : "",
                          mean_wait_text(value_), users);
      break;
    case Verdict::Partial:
      text += fmt::format("No verdict, as {} of a run that was interrupted: {}, {} users.",
                          value_.a->result.complete   ? "B is a part"
                          : value_.b->result.complete ? "A is a part"
                                                      : "both are parts",
                          mean_wait_text(value_), users);
      break;
    case Verdict::Worse:
      text += fmt::format("Jobs wait longer under B: {}, {} users.", mean_wait_text(value_), users);
      break;
    case Verdict::LeavesOut:
      text += moved_of_both(value_) == 0
                  ? std::string("All jobs that both run start at the same second.")
                  : fmt::format(
                        "So much is left out that the waits of the rest call no side "
                        "better: {}, {} users.",
                        mean_wait_text(value_), users);
      value_.accounts = left_out_accounts(value_);
      return;
    case Verdict::Better:
      text += fmt::format("Jobs wait less under B: {}, {} users.", mean_wait_text(value_), users);
      break;
  }
  const bool is_much = value_.left_out_a.is_much() || value_.left_out_b.is_much();
  value_.accounts = is_much ? left_out_accounts(value_) : accounts_text(value_);
}

}  // namespace rehearse
