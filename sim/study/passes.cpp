// sim/study/passes.cpp — grouping by second or cycle, and the counting of common starts.
#include "sim/study/passes.hpp"

#include <algorithm>
#include <map>
#include <utility>

namespace rehearse {
namespace {

constexpr Seconds kLongestCycle{3};

Time instant_of(const ForcedRun& run, const std::vector<Time>& cycles) {
  if (run.by == StartedBy::Backfill) {
    const auto next = std::lower_bound(cycles.begin(), cycles.end(), Time{run.start + Seconds{1}});
    if (next != cycles.begin() && run.start - whole_second(*(next - 1)) <= kLongestCycle) {
      return *(next - 1);
    }
  }
  return end_of(run.start) - Duration{1};
}

}  // namespace

std::vector<RecordedPass> group_passes(const std::vector<ForcedRun>& runs,
                                       const std::vector<Time>& cycles) {
  std::map<std::pair<Time, StartedBy>, RecordedPass> passes;
  for (std::size_t i = 0; i < runs.size(); ++i) {
    if (runs[i].by != StartedBy::Main && runs[i].by != StartedBy::Backfill) continue;
    const Time at = instant_of(runs[i], cycles);
    RecordedPass& pass = passes[{at, runs[i].by}];
    pass.loop = runs[i].by;
    pass.at = at;
    pass.runs.push_back(i);
  }
  std::vector<RecordedPass> sorted;
  for (auto& [key, pass] : passes) sorted.push_back(std::move(pass));
  return sorted;
}

bool Agreement::is_better_than(const Agreement& other) const {
  const auto apart = [](const Agreement& each) {
    return each.recorded + each.made - 2 * each.same_job;
  };
  if (apart(*this) != apart(other)) return apart(*this) < apart(other);
  return same_nodes > other.same_nodes;
}

Agreement& Agreement::operator+=(const Agreement& other) {
  recorded += other.recorded;
  made += other.made;
  same_job += other.same_job;
  same_nodes += other.same_nodes;
  return *this;
}

Agreement compare_starts(const std::vector<DecidedStart>& recorded,
                         const std::vector<DecidedStart>& made) {
  Agreement agreement;
  agreement.recorded = recorded.size();
  agreement.made = made.size();
  for (const DecidedStart& theirs : recorded) {
    const auto ours = std::find_if(
        made.begin(), made.end(), [&](const DecidedStart& each) { return each.job == theirs.job; });
    if (ours == made.end()) continue;
    ++agreement.same_job;
    if (ours->nodes == theirs.nodes) ++agreement.same_nodes;
  }
  return agreement;
}

}  // namespace rehearse
