// sim/study/comparison/moved_jobs.cpp — pairs in order of what they gain or lose.
#include "sim/study/comparison/moved_jobs.hpp"

#include <algorithm>
#include <map>
#include <set>

#include "sim/output/kpi/asked_gpus.hpp"
#include "sim/output/kpi/kpi.hpp"

namespace rehearse {
namespace {

/// Waits of some rows of jobs, and of the arrays that these were split from.
class Spells {
 public:
  Spells(const Result& result, const std::vector<std::uint32_t>& rows) : result_(result) {
    std::set<std::uint32_t> wanted;
    for (std::uint32_t row : rows) {
      for (; row != kNoRow; row = result.runs.split_from[row]) wanted.insert(row);
    }
    const WaitColumns& waits = result.waits;
    for (std::size_t i = 0; i < waits.size(); ++i) {
      if (wanted.contains(waits.run[i])) spells_[waits.run[i]].push_back(i);
    }
  }

  /// The Reason of most of the time until the row's start; of equal ones the lower number.
  [[nodiscard]] std::string longest(std::uint32_t row) const {
    std::map<std::uint16_t, std::int64_t> times;
    const std::int64_t start = result_.runs.start[row];
    std::int64_t until = start == kNoTime ? result_.end : start;
    for (; row != kNoRow; row = result_.runs.split_from[row]) {
      const auto known = spells_.find(row);
      if (known == spells_.end()) continue;
      std::int64_t first = until;
      for (const std::size_t i : known->second) {
        const std::int64_t begin = result_.waits.begin[i];
        const std::int64_t end = std::min(result_.waits.end[i], until);
        if (end > begin) times[result_.waits.reason[i]] += end - begin;
        first = std::min(first, begin);
      }
      until = first;
    }
    const auto most =
        std::max_element(times.begin(), times.end(),
                         [](const auto& a, const auto& b) { return a.second < b.second; });
    return most == times.end() ? std::string()
                               : std::string(to_text(static_cast<Reason>(most->first)));
  }

 private:
  const Result& result_;
  std::map<std::uint32_t, std::vector<std::size_t>> spells_;
};

/// Seconds that B adds; none where one side never starts it.
std::optional<std::int64_t> added(const JobPair& pair) {
  if (!pair.both_started()) return std::nullopt;
  return pair.b.wait() - pair.a.wait();
}

/// +1: waits longer under B, or never starts there alone; −1: the other way round.
int sign_of(const JobPair& pair) {
  if (pair.a.has_started() != pair.b.has_started()) return pair.a.has_started() ? 1 : -1;
  const std::int64_t difference = added(pair).value_or(0);
  return difference > 0 ? 1 : difference < 0 ? -1 : 0;
}

/// Those with this sign, at most `most`; `count`: how many there are.
std::vector<MovedJob> chosen(const std::vector<JobPair>& pairs, int sign, std::size_t most,
                             std::size_t& count) {
  std::vector<MovedJob> all;
  for (const JobPair& pair : pairs) {
    if (sign_of(pair) == sign) all.push_back({&pair, 0, added(pair), {}, {}});
  }
  count = all.size();
  std::stable_sort(all.begin(), all.end(), [&](const MovedJob& a, const MovedJob& b) {
    if (a.difference.has_value() != b.difference.has_value()) return !a.difference;
    return a.difference.value_or(0) * sign > b.difference.value_or(0) * sign;
  });
  all.resize(std::min(all.size(), most));
  return all;
}

}  // namespace

MovedJobs moved_jobs(const Comparison& value, std::size_t most) {
  MovedJobs moved;
  moved.longer = chosen(value.pairs.pairs, 1, most, moved.longer_count);
  moved.shorter = chosen(value.pairs.pairs, -1, most, moved.shorter_count);
  std::vector<std::uint32_t> rows_a;
  std::vector<std::uint32_t> rows_b;
  for (const auto* list : {&moved.longer, &moved.shorter}) {
    for (const MovedJob& job : *list) {
      rows_a.push_back(job.pair->a.row);
      rows_b.push_back(job.pair->b.row);
    }
  }
  const Spells spells_a(value.a->result, rows_a);
  const Spells spells_b(value.b->result, rows_b);
  for (auto* list : {&moved.longer, &moved.shorter}) {
    for (MovedJob& job : *list) {
      job.gpus = gpu_count(value.a->result, job.pair->a.row);
      job.reason_a = spells_a.longest(job.pair->a.row);
      job.reason_b = spells_b.longest(job.pair->b.row);
    }
  }
  return moved;
}

}  // namespace rehearse
