// sim/output/kpi/pending_time.cpp — sums over the intervals; tasks of an array that left it count
// as over.
#include "sim/output/kpi/pending_time.hpp"

#include <algorithm>

namespace rehearse {

bool pends_at_the_end(const RunColumns& runs, std::size_t row) {
  return runs.start[row] == kNoTime && runs.end[row] == kNoTime;
}

std::vector<std::uint32_t> jobs_left(const Result& result) {
  const RunColumns& runs = result.runs;
  const WaitColumns& waits = result.waits;
  std::vector<std::int64_t> first_wait(runs.size(), result.end);
  for (std::size_t i = 0; i < waits.size(); ++i) {
    first_wait[waits.run[i]] = std::min(first_wait[waits.run[i]], waits.begin[i]);
  }
  struct Claim {
    std::int64_t until;
    std::uint32_t jobs;
  };
  std::map<std::uint32_t, std::vector<Claim>> claims;  // by row: jobs that waited there until then
  for (std::uint32_t row = 0; row < runs.size(); ++row) {
    if (!pends_at_the_end(runs, row)) continue;
    Claim claim{result.end, runs.tasks[row]};
    for (std::uint32_t at = row; at != kNoRow; at = runs.split_from[at]) {
      claims[at].push_back(claim);
      claim.until = std::min(claim.until, first_wait[at]);
    }
  }
  std::vector<std::uint32_t> left(waits.size(), 0);
  for (std::size_t i = 0; i < waits.size(); ++i) {
    const auto known = claims.find(waits.run[i]);
    if (known == claims.end()) continue;
    for (const Claim& claim : known->second) {
      if (waits.end[i] <= claim.until) left[i] += claim.jobs;
    }
    left[i] = std::min(left[i], waits.tasks[i]);
  }
  return left;
}

std::map<std::uint16_t, PendingTime> pending_time(const Result& result) {
  const WaitColumns& waits = result.waits;
  const std::vector<std::uint32_t> left = jobs_left(result);
  std::map<std::uint16_t, PendingTime> times;
  for (std::size_t i = 0; i < waits.size(); ++i) {
    const auto length = static_cast<std::uint64_t>(waits.end[i] - waits.begin[i]);
    PendingTime& time = times[waits.reason[i]];
    time.over += length * (waits.tasks[i] - left[i]);
    time.left += length * left[i];
  }
  return times;
}

}  // namespace rehearse
