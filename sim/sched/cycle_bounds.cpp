// sim/sched/cycle_bounds.cpp — nodes free of plans beside nodes free of jobs, along the map.
#include "sim/sched/cycle_bounds.hpp"

namespace rehearse {

/// A plan takes nodes from its start to the last edge of a slot before its end, and a job that
/// starts in a slot has no more than one that starts as the slot begins, and no more nodes that are
/// rid of their jobs than at its end. Beyond the map nothing is planned: there what is free at any
/// time before would do.
bool may_have_room(const Plan& map, const RoomQuestion& question, NodesInTime in_time,
                   SlurmTime latest, std::optional<SlurmTime> last_end, PlanWalk& walk) {
  const bool goes_beyond = last_end && *last_end >= map.end();
  walk.begin(map, std::max(question.length - question.resolution, Seconds{0}), question.usable,
             question.usable);
  for (std::size_t i = 0; i < map.size(); ++i) {
    const NodeSet& able = in_time.by(goes_beyond ? latest : map.end_of(i));
    if (walk.nodes_from(i).common_count(able) >= question.least) return true;
  }
  return false;
}

}  // namespace rehearse
