// sim/output/views/shown_priorities.cpp — which of the numbers that are kept a job shows.
#include "sim/output/views/shown_priorities.hpp"

#include <algorithm>
#include <cmath>
#include <string>
#include <string_view>
#include <utility>

#include "sim/output/views/view.hpp"

namespace rehearse {

std::vector<std::uint32_t> partitions_waited_in(const Result& result, std::size_t row) {
  const std::string& list =
      text_of(result.names.partition_list, result.runs.requested_partitions[row]);
  std::vector<std::uint32_t> found;
  for (std::size_t begin = 0; begin <= list.size();) {
    const std::size_t end = std::min(list.find(',', begin), list.size());
    const std::string_view name = std::string_view(list).substr(begin, end - begin);
    for (std::uint32_t at = 0; at < result.cluster.partitions.size(); ++at) {
      if (result.cluster.partitions[at].name == name) found.push_back(at);
    }
    begin = end + 1;
  }
  if (found.empty()) found.push_back(result.runs.partition[row]);
  return found;
}

ShownPriorities::ShownPriorities(const Result& result, std::int64_t at)
    : result_(result), at_(at), fair_shares_(fair_shares_at(result, at)), over_time_(result) {}

std::int64_t ShownPriorities::of(std::size_t row) const {
  const RunColumns& r = result_.runs;
  const PriorityFacts& priority = result_.cluster.priority;
  const bool waits = standing_at(r, row, at_) == Standing::Pending;
  if (!waits || r.priority[row] == 0 || !priority.multifactor) return r.priority[row];
  const std::int64_t since = priority.accrue_always ? r.submit[row] : r.eligible[row];
  if (since == kNoTime || since > at_) return r.priority_recorded[row];
  const auto found = fair_shares_.find(r.association[row]);
  const double share = found != fair_shares_.end() ? found->second : std::nan("");
  const std::vector<std::uint32_t> partitions = partitions_waited_in(result_, row);
  if (partitions.size() == 1) return over_time_.parts({row, at_, share}).total;
  // Of the pair that a loop comes to last: by tier, then by number.
  std::pair<std::uint32_t, std::int64_t> last{UINT32_MAX, INT64_MAX};
  for (const std::uint32_t partition : partitions) {
    const std::int64_t total = over_time_.parts({row, at_, share, partition}).total;
    last = std::min(last, {result_.cluster.partitions[partition].priority_tier, total});
  }
  return last.second;
}

}  // namespace rehearse
