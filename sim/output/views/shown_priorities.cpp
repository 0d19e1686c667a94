// sim/output/views/shown_priorities.cpp — which of the numbers that are kept a job shows.
#include "sim/output/views/shown_priorities.hpp"

#include <algorithm>
#include <cmath>
#include <string>
#include <string_view>
#include <utility>

#include "sim/config/text.hpp"
#include "sim/output/views/view.hpp"

namespace rehearse {

std::vector<std::uint32_t> partitions_waited_in(const Result& result, std::size_t row) {
  const std::string& list =
      text_of(result.names.partition_list, result.runs.requested_partitions[row]);
  std::vector<std::uint32_t> found;
  for (const std::string_view name : split_list(list)) {
    for (std::uint32_t at = 0; at < result.cluster.partitions.size(); ++at) {
      if (result.cluster.partitions[at].name == name) found.push_back(at);
    }
  }
  if (found.empty()) found.push_back(result.runs.partition[row]);
  return found;
}

ShownPriorities::ShownPriorities(const Result& result, std::int64_t at,
                                 const std::vector<std::uint32_t>& waits)
    : result_(result),
      at_(at),
      waits_(waits),
      fair_shares_(fair_shares_at(result, at)),
      over_time_(result) {}

bool ShownPriorities::is_held(std::size_t row) const {
  const std::uint32_t wait = waits_[row];
  if (wait == kNoRow || standing_at(result_.runs, row, at_) != Standing::Pending) {
    return result_.runs.priority[row] == 0;
  }
  switch (static_cast<Reason>(result_.waits.reason[wait])) {
    case Reason::JobHeldUser:
    case Reason::JobHeldAdmin:
    case Reason::JobHoldMaxRequeue:
    case Reason::ReservationDeleted:
      return true;
    default:
      return false;
  }
}

std::int64_t ShownPriorities::of(std::size_t row) const {
  const RunColumns& r = result_.runs;
  const bool waits = standing_at(r, row, at_) == Standing::Pending;
  if (!waits || !result_.cluster.priority.multifactor) return r.priority[row];
  if (is_held(row)) return 0;
  const auto found = fair_shares_.find(r.association[row]);
  const double share = found != fair_shares_.end() ? found->second : std::nan("");
  const std::vector<std::uint32_t> partitions = partitions_waited_in(result_, row);
  if (partitions.size() == 1) return floored_priority(over_time_.parts({row, at_, share}).sum);
  // Of the pair that a loop comes to last: by tier, then by number.
  std::pair<std::uint32_t, std::int64_t> last{UINT32_MAX, INT64_MAX};
  for (const std::uint32_t partition : partitions) {
    const std::int64_t total = floored_priority(over_time_.parts({row, at_, share, partition}).sum);
    last = std::min(last, {result_.cluster.partitions[partition].priority_tier, total});
  }
  return last.second;
}

}  // namespace rehearse
