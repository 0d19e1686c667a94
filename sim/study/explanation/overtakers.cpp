// sim/study/explanation/overtakers.cpp — a later job that started first, held against the rules in
// the order in which slurmctld applies them (scheduling.md §3.2, §4.2, §8.7).
#include "sim/study/explanation/overtakers.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <set>
#include <span>

#include "sim/config/hostlist.hpp"

namespace rehearse {
namespace {

/// Reasons of a job that a loop could have started.
bool is_contending(Reason reason) {
  return reason == Reason::None || reason == Reason::Priority || reason == Reason::Resources;
}

/// A number that was set by hand has none (priority.md §4.2).
bool has_no_parts(const PriorityParts& of) {
  return of.age == 0 && of.fair_share == 0 && of.qos == 0 && of.partition == 0 &&
         of.job_size == 0 && of.assoc == 0 && of.tres == 0 && of.nice == 0;
}

/// The part in which `other` is furthest ahead.
std::string deciding_factor(const PriorityParts& other, const PriorityParts& own) {
  struct Part {
    const char* name;
    std::int64_t ahead;
  };
  const Part parts[] = {{"age", other.age - own.age},
                        {"fair-share", other.fair_share - own.fair_share},
                        {"QOS", other.qos - own.qos},
                        {"partition", other.partition - own.partition},
                        {"job size", other.job_size - own.job_size},
                        {"association", other.assoc - own.assoc},
                        {"TRES", other.tres - own.tres},
                        {"nice", own.nice - other.nice}};
  const Part* most = std::begin(parts);
  for (const Part& part : parts) {
    if (part.ahead > most->ahead) most = &part;
  }
  if (most->ahead > 0) return fmt::format("{} (+{})", most->name, most->ahead);
  if (has_no_parts(other) || has_no_parts(own)) return "a number set by hand";
  return "fractions of points, or an earlier and greater number (INCR_ONLY)";
}

}  // namespace

std::string_view to_text(OvertakeRule rule) {
  switch (rule) {
    case OvertakeRule::NotReady:
      return "this job could not start";
    case OvertakeRule::PartitionTier:
      return "higher PriorityTier";
    case OvertakeRule::Priority:
      return "higher priority";
    case OvertakeRule::Backfill:
      return "backfill";
    case OvertakeRule::OtherNodes:
      return "other nodes or partition";
  }
  return "";
}

OvertakerSearch::OvertakerSearch(const Result& result) : result_(result), over_time_(result) {
  const HoldingColumns& held = result.holdings;
  first_holding_.assign(result.runs.size() + 1, 0);
  for (const std::uint32_t row : held.run) ++first_holding_[row + 1];
  for (std::size_t row = 0; row < result.runs.size(); ++row) {
    first_holding_[row + 1] += first_holding_[row];
  }
  held_.resize(held.size());
  std::vector<std::size_t> next(first_holding_);
  for (std::size_t i = 0; i < held.size(); ++i) held_[next[held.run[i]]++] = held.node[i];
}

std::vector<std::uint32_t> OvertakerSearch::partitions_of(std::uint32_t row) const {
  const std::string& list =
      text_of(result_.names.partition_list, result_.runs.requested_partitions[row]);
  std::vector<std::uint32_t> found{result_.runs.partition[row]};
  for (std::uint32_t at = 0; at < result_.cluster.partitions.size(); ++at) {
    const std::string name = "," + result_.cluster.partitions[at].name + ",";
    if (at != found.front() && ("," + list + ",").find(name) != std::string::npos) {
      found.push_back(at);
    }
  }
  return found;
}

std::vector<bool> OvertakerSearch::nodes_of(const std::vector<std::uint32_t>& partitions) const {
  std::vector<bool> nodes(result_.cluster.nodes.size());
  for (std::size_t node = 0; node < nodes.size(); ++node) {
    const std::string list = "," + result_.cluster.nodes[node].partitions + ",";
    for (const std::uint32_t each : partitions) {
      const std::string name = "," + result_.cluster.partitions[each].name + ",";
      if (list.find(name) != std::string::npos) nodes[node] = true;
    }
  }
  return nodes;
}

Overtaker OvertakerSearch::judge(std::uint32_t row, std::uint32_t other,
                                 const std::vector<ReasonSpan>& spans,
                                 const FairShareOverTime& shares) const {
  const RunColumns& r = result_.runs;
  const std::int64_t at = r.start[other];
  Overtaker found;
  found.row = other;
  // They compete in the partition in which the other started, if this job waited in it too.
  const std::vector<std::uint32_t> own_partitions = partitions_of(row);
  const bool shares_one = std::find(own_partitions.begin(), own_partitions.end(),
                                    r.partition[other]) != own_partitions.end();
  const std::uint32_t arena = shares_one ? r.partition[other] : r.partition[row];
  const PriorityParts own = over_time_.parts({row, at, shares.at(at), arena});
  const PriorityParts theirs = over_time_.parts({other, at, std::nan("")});
  found.priority = r.priority[other];
  found.own_priority = own.total;
  // At the second of the start the Reason may already be the one that the start led to.
  const ReasonSpan* const span = reason_at(spans, std::max(at - 1, r.submit[row]));
  if (span != nullptr && !is_contending(span->reason)) {
    found.rule = OvertakeRule::NotReady;
    found.detail = std::string(to_text(span->reason));
    return found;
  }
  std::uint32_t tier = 0;
  for (const std::uint32_t each : own_partitions) {
    tier = std::max(tier, result_.cluster.partitions[each].priority_tier);
  }
  const std::uint32_t their_tier = result_.cluster.partitions[r.partition[other]].priority_tier;
  if (their_tier > tier) {
    found.rule = OvertakeRule::PartitionTier;
    found.detail = fmt::format("tier {} over {}", their_tier, tier);
  } else if (found.priority > found.own_priority) {
    found.rule = OvertakeRule::Priority;
    found.detail = result_.cluster.priority.multifactor ? deciding_factor(theirs, own)
                                                        : std::string("order of submission");
  } else if (r.started_by[other] == static_cast<std::uint8_t>(StartedBy::Backfill)) {
    found.rule = OvertakeRule::Backfill;
    found.detail = r.limit_min[other] == kLimitUnlimited || r.limit_min[other] == kLimitNone
                       ? "no time limit"
                       : fmt::format("limit {} min", r.limit_min[other]);
  } else {
    found.rule = OvertakeRule::OtherNodes;
    found.detail = "partition " + result_.cluster.partitions[r.partition[other]].name;
  }
  return found;
}

std::vector<Overtaker> OvertakerSearch::overtakers_of(std::uint32_t row,
                                                      const std::vector<ReasonSpan>& spans) const {
  const RunColumns& r = result_.runs;
  const std::int64_t until = r.start[row] != kNoTime ? r.start[row]
                             : r.end[row] != kNoTime ? r.end[row]
                                                     : result_.end;
  const std::vector<bool> nodes = nodes_of(partitions_of(row));
  const FairShareOverTime shares(result_, r.association[row]);
  std::vector<Overtaker> found;
  for (std::uint32_t other = 0; other < r.size(); ++other) {
    if (other == row || r.start[other] == kNoTime || r.start[other] >= until) continue;
    if (r.submit[other] <= r.submit[row] || r.start[other] < r.submit[row]) continue;
    const auto begin = held_.begin() + static_cast<std::ptrdiff_t>(first_holding_[other]);
    const auto end = held_.begin() + static_cast<std::ptrdiff_t>(first_holding_[other + 1]);
    if (std::none_of(begin, end, [&](std::uint32_t node) { return nodes[node]; })) continue;
    found.push_back(judge(row, other, spans, shares));
  }
  std::stable_sort(found.begin(), found.end(), [&](const Overtaker& a, const Overtaker& b) {
    return r.start[a.row] < r.start[b.row];
  });
  std::set<std::uint32_t> jobs;  // a requeued one starts several times
  std::erase_if(found,
                [&](const Overtaker& each) { return !jobs.insert(r.job_id[each.row]).second; });
  return found;
}

std::vector<std::uint32_t> OvertakerSearch::successors_of(std::uint32_t row) const {
  constexpr std::int64_t kSoon = 600;
  const RunColumns& r = result_.runs;
  const std::int64_t latest = r.end[row] + kSoon;
  // When somebody else first starts on it; of nodes that the run did not hold, before all.
  std::vector<std::int64_t> first(result_.cluster.nodes.size(), r.end[row] - 1);
  const auto nodes_of_run = [&](std::uint32_t run) {
    return std::span(held_).subspan(first_holding_[run],
                                    first_holding_[run + 1] - first_holding_[run]);
  };
  for (const std::uint32_t node : nodes_of_run(row)) first[node] = latest + 1;
  std::vector<std::uint32_t> found;
  for (std::uint32_t other = 0; other < r.size(); ++other) {
    if (r.job_id[other] == r.job_id[row] || r.start[other] == kNoTime) continue;
    if (r.start[other] < r.end[row] || r.start[other] > latest) continue;
    found.push_back(other);
    for (const std::uint32_t node : nodes_of_run(other)) {
      first[node] = std::min(first[node], r.start[other]);
    }
  }
  std::erase_if(found, [&](std::uint32_t other) {
    return std::ranges::none_of(nodes_of_run(other),
                                [&](auto node) { return first[node] == r.start[other]; });
  });
  std::stable_sort(found.begin(), found.end(),
                   [&](std::uint32_t a, std::uint32_t b) { return r.start[a] < r.start[b]; });
  return found;
}

}  // namespace rehearse
