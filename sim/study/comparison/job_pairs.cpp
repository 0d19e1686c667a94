// sim/study/comparison/job_pairs.cpp — a merge of two lists in order of key.
#include "sim/study/comparison/job_pairs.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <numeric>

#include "sim/output/kpi/asked_gpus.hpp"
#include "sim/output/kpi/kpi.hpp"

namespace rehearse {
namespace {

constexpr std::size_t kNamedJobs = 5;

void count_one_sided(OneSided& side, const JobKey& key) {
  if (++side.jobs <= kNamedJobs) side.first.push_back(key);
}

/// Of a job that this side does not have.
JobOutcome nothing_of(const JobOutcome& other) {
  JobOutcome nothing;
  nothing.key = other.key;
  nothing.submit = other.submit;
  return nothing;
}

void add_pair(JobPairs& pairs, const JobOutcome& a, const JobOutcome& b, const Result& result_a) {
  pairs.pairs.push_back({a, b, groups_of(result_a, a.row, pairs.names)});
  if (a.has_started() && !b.has_started()) ++pairs.started_only_a;
  if (!a.has_started() && b.has_started()) ++pairs.started_only_b;
  if (!a.has_started() && !b.has_started()) ++pairs.never_started;
}

}  // namespace

std::string_view to_text(PairScope scope) {
  constexpr std::array<std::string_view, kPairScopeCount> kTexts{"account", "partition", "qos",
                                                                 "size", "user"};
  return kTexts[static_cast<std::size_t>(scope)];
}

std::string group_name(const Result& result, std::size_t row, PairScope scope) {
  const RunColumns& r = result.runs;
  switch (scope) {
    case PairScope::Account:
      return text_of(result.names.account, r.account[row]);
    case PairScope::Partition:
      return result.cluster.partitions[r.partition[row]].name;
    case PairScope::Qos:
      return r.qos[row] < result.cluster.qos.size() ? result.cluster.qos[r.qos[row]].name
                                                    : std::string("(none)");
    case PairScope::User:
      return text_of(result.names.user, r.user[row]);
    case PairScope::Size:
      break;
  }
  return std::string(size_class_text(size_class(gpu_count(result, row))));
}

std::string to_text(const JobKey& key) {
  return key.task >= 0 ? fmt::format("{}_{}", key.id, key.task) : fmt::format("{}", key.id);
}

std::array<NameId, kPairScopeCount> groups_of(const Result& result, std::size_t row,
                                              NamePool& names) {
  std::array<NameId, kPairScopeCount> groups{};
  for (std::size_t scope = 0; scope < kPairScopeCount; ++scope) {
    groups[scope] = names.intern(group_name(result, row, static_cast<PairScope>(scope)));
  }
  return groups;
}

std::vector<std::size_t> JobPairs::every() const {
  std::vector<std::size_t> positions(size());
  std::iota(positions.begin(), positions.end(), std::size_t{0});
  return positions;
}

void number_users(JobPairs& pairs) {
  std::map<NameId, std::uint32_t> numbers;
  const auto number = [&](JobPair& pair) {
    const NameId user = pair.of(PairScope::User);
    const auto [at, is_new] =
        numbers.try_emplace(user, static_cast<std::uint32_t>(pairs.users.size()));
    if (is_new) pairs.users.push_back(user);
    pair.user = at->second;
  };
  std::for_each(pairs.pairs.begin(), pairs.pairs.end(), number);
  pairs.paired_users = pairs.users.size();
  std::for_each(pairs.alone.begin(), pairs.alone.end(), number);
}

JobPairs pair_jobs(const Result& a, const Result& b) {
  JobPairs pairs;
  pairs.window = arrival_window(a, b);
  const std::vector<JobOutcome> left = outcomes_of(a, pairs.window);
  const std::vector<JobOutcome> right = outcomes_of(b, pairs.window);
  std::size_t i = 0;
  std::size_t j = 0;
  while (i < left.size() || j < right.size()) {
    if (j == right.size() || (i < left.size() && left[i].key < right[j].key)) {
      count_one_sided(pairs.only_a, left[i].key);
      pairs.alone.push_back({left[i], nothing_of(left[i]), groups_of(a, left[i].row, pairs.names)});
      ++i;
    } else if (i == left.size() || right[j].key < left[i].key) {
      count_one_sided(pairs.only_b, right[j].key);
      pairs.alone.push_back(
          {nothing_of(right[j]), right[j], groups_of(b, right[j].row, pairs.names)});
      ++j;
    } else {
      add_pair(pairs, left[i++], right[j++], a);
    }
  }
  number_users(pairs);
  return pairs;
}

}  // namespace rehearse
