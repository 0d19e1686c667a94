// sim/sched/leaving_units.cpp — the shares of the next jobs.
#include "sim/sched/leaving_units.hpp"

#include "sim/sched/select/quick_test.hpp"

namespace rehearse {

bool LeavingUnits::Row::goes_on(std::size_t number) {
  EffectiveGres wanted;
  wanted.name = kind_.gres;
  wanted.type = kind_.type;
  for (; given_.size() <= number && listed_ < leaving_.size(); ++listed_) {
    for (const NodeShare& share : leaving_[listed_].job->allocation.nodes) {
      const std::uint64_t units = kind_.gres == kNoName
                                      ? share.cores.count()
                                      : units_held(cluster_.nodes[share.node], share, wanted);
      if (units == 0) continue;
      given_.push_back({static_cast<std::uint32_t>(listed_),
                        static_cast<std::uint32_t>(index_of(share.node)), units});
    }
  }
  return number < given_.size();
}

}  // namespace rehearse
