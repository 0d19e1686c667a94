// sim/sched/select/marks.hpp — which tests leave marks on nodes that others go by (scheduling.md
// §5.5).
#pragma once

#include "sim/sched/policy.hpp"
#include "sim/sched/select/effective_request.hpp"
#include "sim/sched/select/sched_weights.hpp"

namespace rehearse {

/// `request`: the query's, with Slurm's rules applied, or a part of it.
[[nodiscard]] inline bool leaves_marks(const PlacementQuery& query,
                                       const EffectiveRequest& request) {
  return query.weights != nullptr && query.weights->is_marked_by(!request.gres.empty());
}

}  // namespace rehearse
