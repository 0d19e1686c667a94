// sim/sched/select/near_notes.cpp — what holds of each node in the end.
#include "sim/sched/select/near_notes.hpp"

#include <algorithm>

namespace rehearse {

NearNotes NearNotes::settled(std::size_t nodes, std::size_t from) const {
  if (from >= runs_.size()) return {};
  constexpr std::uint16_t kUntold = 0x100;
  std::vector<std::uint16_t> near(nodes, kUntold);
  std::size_t first = nodes, end = 0;
  for (std::size_t i = from; i < runs_.size(); ++i) {
    const Run& run = runs_[i];
    if (run.count == 0) continue;
    first = std::min<std::size_t>(first, run.first);
    end = std::max<std::size_t>(end, run.first + run.count);
    std::fill_n(near.begin() + run.first, run.count, static_cast<std::uint16_t>(run.near));
  }
  NearNotes last;
  for (std::size_t n = first; n < end; ++n) {
    if (near[n] != kUntold) last.add(id_at<NodeId>(n), near[n]);
  }
  return last;
}

}  // namespace rehearse
